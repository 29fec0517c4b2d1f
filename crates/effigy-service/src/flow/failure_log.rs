//! The log of failed requests.

use std::{sync::Arc, time::Instant};

use super::valid_request::Entry;
use crate::{MetricsSink, Observation, ServiceError, error::chain, service::Inner};

/// The longest part of an input that is logged. No name is longer.
const MAX_LOGGED_CHARS: usize = 64;

impl Inner {
    /// Logs why a request failed, with every cause. Rejections are counted, and logged once in a while.
    pub(super) fn log_failure(&self, entry: &Entry, error: &ServiceError) {
        if error.retry_after().is_none() {
            let endpoint = entry.endpoint.word();
            let input: String = entry.input.chars().take(MAX_LOGGED_CHARS).collect();
            tracing::warn!(endpoint, input, "{}", chain(error));
            return;
        }
        let pool = match *error {
            ServiceError::Overloaded { pool } => pool,
            _ => "an upstream",
        };
        self.metrics.observe(Observation::Rejected { pool });
        if let Some(suppressed) = self.rejections.admit(Instant::now()) {
            tracing::warn!(suppressed, "requests are refused: {}", chain(error));
        }
    }

    /// Logs a failure and returns it for the callers.
    pub(super) fn failed(&self, entry: &Entry, error: ServiceError) -> Arc<ServiceError> {
        self.log_failure(entry, &error);
        Arc::new(error)
    }
}
