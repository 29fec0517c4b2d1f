//! The log of failed requests.

use std::sync::Arc;

use effigy_upstream::warn_throttled;

use crate::{
    Fault, MetricsSink, Observation, ServiceError, error::chain, request::key::Entry,
    service::Inner,
};

/// The longest part of an input that is logged. No name is longer.
const MAX_LOGGED_CHARS: usize = 64;

impl Inner {
    /// Counts a failed request and logs the reason, with every cause. Callers can cause as many
    /// failures as they like, so only those of others are warnings, and few of them.
    pub(super) fn log_failure(&self, entry: &Entry, error: &ServiceError) {
        let fault = error.fault();
        self.metrics.observe(Observation::Failed { fault });
        let endpoint = entry.endpoint.word();
        let input = || -> String { entry.input().chars().take(MAX_LOGGED_CHARS).collect() };
        match fault {
            Fault::Request | Fault::NotFound | Fault::Limited => {
                tracing::debug!(endpoint, input = input(), "{}", chain(error));
            }
            Fault::Overloaded => {
                let pool = match *error {
                    ServiceError::Overloaded { pool } => pool,
                    _ => "an upstream",
                };
                self.metrics.observe(Observation::Rejected { pool });
                warn_throttled!("requests are refused: {}", chain(error));
            }
            // Each place in the code has a throttle of its own.
            Fault::Upstream => warn_throttled!(endpoint, input = input(), "{}", chain(error)),
            Fault::Internal => warn_throttled!(endpoint, input = input(), "{}", chain(error)),
        }
    }

    /// Logs a failure and returns it for the callers.
    pub(super) fn failed(&self, entry: &Entry, error: ServiceError) -> Arc<ServiceError> {
        self.log_failure(entry, &error);
        Arc::new(error)
    }
}
