//! The log of failures.

use effigy_upstream::error_chain;

use crate::{Endpoint, Fault, ServiceError};

/// The longest part of an input that is logged. No name is longer.
const MAX_LOGGED_CHARS: usize = 64;

/// Logs the reason of a failure, with every cause. Callers can cause any number of failures, so
/// only those of others are warnings.
pub(crate) fn log_failure(endpoint: Endpoint, input: &str, error: &ServiceError) {
    let endpoint = endpoint.as_str();
    let input: String = input.chars().take(MAX_LOGGED_CHARS).collect();
    let reason = error_chain(error);
    match error.fault() {
        Fault::Request | Fault::NotFound | Fault::Limited => {
            tracing::debug!(endpoint, input, "{reason}");
        }
        fault => warn_of_failure(fault, endpoint, &input, &reason),
    }
}

/// Logs a failure that no caller causes. Warnings are throttled by their place in the code, so each
/// party at fault has one of its own.
fn warn_of_failure(fault: Fault, endpoint: &str, input: &str, reason: &str) {
    match fault {
        Fault::Upstream => tracing::warn!(endpoint, input, "an upstream failed: {reason}"),
        _ => tracing::warn!(endpoint, input, "a request failed: {reason}"),
    }
}
