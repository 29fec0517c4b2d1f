//! The maximum rate of calls to a service.

use std::time::Duration;

/// The longest window. Longer ones could overflow an `Instant`.
const MAX_WINDOW: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// A maximum number of calls in any window of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    pub(crate) calls: u32,
    pub(crate) window: Duration,
}

impl RateLimit {
    /// Allows at most `calls` in any `window`. Returns `None` if either is zero.
    ///
    /// All calls may be made at once; then none for the length of the window. A window longer than a year is
    /// shortened to a year.
    #[must_use]
    pub const fn new(calls: u32, window: Duration) -> Option<Self> {
        if calls == 0 || window.is_zero() {
            return None;
        }
        let is_longer = window.as_secs() > MAX_WINDOW.as_secs();
        let window = if is_longer { MAX_WINDOW } else { window };
        Some(Self { calls, window })
    }
}

/// The rate limits of the services.
///
/// A limit that is not set has a default: slightly below what the public service accepts if that is
/// the one called, and none for any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RateLimits {
    /// Java name to UUID. The public service accepts 600 calls in 10 minutes. The host of the
    /// current form of the look-up has a limit of its own, about 200 in 2 minutes.
    pub identity: Option<RateLimit>,
    /// Java UUID to session profile. The public service accepts about 400 calls in 10 s.
    pub session: Option<RateLimit>,
    /// Both Bedrock look-ups together. The limit of the public service is not known, and all of its
    /// clients share it.
    pub bedrock: Option<RateLimit>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_no_limit() {
        assert_eq!(RateLimit::new(0, Duration::from_secs(1)), None);
        assert_eq!(RateLimit::new(1, Duration::ZERO), None);
    }

    #[test]
    fn a_window_is_at_most_a_year() {
        let limit = RateLimit::new(1, Duration::MAX);
        assert_eq!(limit.map(|limit| limit.window), Some(MAX_WINDOW));
    }
}
