//! The log of failed requests.

use std::{
    mem,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::{MetricsSink, Observation, ServiceError, error::chain, request::Entry, service::Inner};

/// The shortest time between two log messages about what may happen with every request.
pub(crate) const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// The longest part of an input that is logged. No name is longer.
const MAX_LOGGED_CHARS: usize = 64;

/// A rate limit for messages that come with every request: lets one message through per interval and counts the suppressed ones.
#[derive(Debug)]
pub(crate) struct LogThrottle {
    interval: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    last: Option<Instant>,
    suppressed: u64,
}

impl LogThrottle {
    pub(crate) fn new(interval: Duration) -> Self {
        Self {
            interval,
            state: Mutex::default(),
        }
    }

    /// Returns the number of messages suppressed since the last one if a message may be logged now.
    pub(crate) fn admit(&self, now: Instant) -> Option<u64> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.last.is_some_and(|last| now < last + self.interval) {
            state.suppressed += 1;
            return None;
        }
        state.last = Some(now);
        Some(mem::take(&mut state.suppressed))
    }
}

impl Inner {
    /// Logs why a request failed, with every cause. Rejections are counted, and logged once in a while.
    pub(super) fn log_failure(&self, entry: &Entry, error: &ServiceError) {
        if error.retry_after().is_none() {
            let endpoint = entry.endpoint.word();
            let input: String = entry.input().chars().take(MAX_LOGGED_CHARS).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_message_passes_per_interval() {
        let (throttle, start) = (LogThrottle::new(Duration::from_secs(10)), Instant::now());
        let rows = [
            (0, Some(0)),
            (1, None),
            (9, None),
            (10, Some(2)),
            (30, Some(0)),
        ];
        for (second, expected) in rows {
            let admitted = throttle.admit(start + Duration::from_secs(second));
            assert_eq!(admitted, expected, "{second} s");
        }
    }
}
