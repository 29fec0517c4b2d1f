//! The log of failed requests.

use std::sync::{Arc, atomic::Ordering};

use crate::{Fault, ServiceError, error::error_chain, request::key::CacheKey, state::State};

/// The longest part of an input that is logged. No name is longer.
const MAX_LOGGED_CHARS: usize = 64;

impl State {
    /// Counts a failed request and logs the reason, with every cause. Callers can cause as many
    /// failures as they like, so only those of others are warnings.
    pub(super) fn log_failure(&self, key: &CacheKey, error: &ServiceError) {
        let fault = error.fault();
        self.metrics.failures[fault as usize].fetch_add(1, Ordering::Relaxed);
        let endpoint = key.endpoint.as_str();
        let input: String = key.input().chars().take(MAX_LOGGED_CHARS).collect();
        let reason = error_chain(error);
        // Warnings are throttled by their place in the code.
        match fault {
            Fault::Request | Fault::NotFound | Fault::Limited => {
                tracing::debug!(endpoint, input, "{reason}");
            }
            Fault::Overloaded => tracing::warn!("requests are refused: {reason}"),
            Fault::Upstream => tracing::warn!(endpoint, input, "{reason}"),
            Fault::Internal => tracing::warn!(endpoint, input, "{reason}"),
        }
    }

    /// Logs a failure and returns it for the callers.
    pub(super) fn failed(&self, key: &CacheKey, error: ServiceError) -> Arc<ServiceError> {
        self.log_failure(key, &error);
        Arc::new(error)
    }
}
