//! A limit for log messages that may come with every request.

use std::mem;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The shortest time between two messages.
const INTERVAL: Duration = Duration::from_secs(10);

/// Lets one message through every ten seconds, and counts those in between.
#[derive(Debug, Default)]
pub struct LogThrottle {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    last: Option<Instant>,
    suppressed: u64,
}

impl LogThrottle {
    /// Creates a throttle that has seen no message.
    #[must_use]
    pub const fn new() -> Self {
        let state = State {
            last: None,
            suppressed: 0,
        };
        Self {
            state: Mutex::new(state),
        }
    }

    /// Returns the number of messages suppressed since the last one if a message may be logged now.
    pub fn admit(&self, now: Instant) -> Option<u64> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.last.is_some_and(|last| now < last + INTERVAL) {
            state.suppressed += 1;
            return None;
        }
        state.last = Some(now);
        Some(mem::take(&mut state.suppressed))
    }
}

/// Logs a message as `tracing::warn!` does, but every place in the code at most once in ten seconds. The
/// messages in between are logged at the level `debug`.
#[macro_export]
macro_rules! warn_throttled {
    ($($message:tt)+) => {{
        static THROTTLE: $crate::LogThrottle = $crate::LogThrottle::new();
        match THROTTLE.admit(::std::time::Instant::now()) {
            Some(0) => ::tracing::warn!($($message)+),
            Some(suppressed) => ::tracing::warn!(suppressed, $($message)+),
            None => ::tracing::debug!($($message)+),
        }
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_message_passes_per_interval() {
        let (throttle, start) = (LogThrottle::new(), Instant::now());
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
