//! Token buckets.

use std::time::Duration;

use tokio::time::Instant;

/// A rate with bursts: `count` at once, and that many in any further `period`, evenly spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    count: u32,
    period: Duration,
}

/// The longest period. Longer ones could overflow an `Instant`.
const MAX_PERIOD: Duration = Duration::from_secs(366 * 24 * 60 * 60);

impl Rate {
    /// A rate of `count` in each `period`. Returns `None` if either is zero, or the period is longer
    /// than a year.
    #[must_use]
    pub const fn new(count: u32, period: Duration) -> Option<Self> {
        if count == 0 || period.is_zero() || period.as_secs() > MAX_PERIOD.as_secs() {
            return None;
        }
        Some(Self { count, period })
    }

    /// The time in which one token comes back.
    fn interval(self) -> Duration {
        self.period / self.count
    }
}

/// A bucket of tokens, as the time at which it will be full: the generic cell rate algorithm. An
/// untouched one is full.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TokenBucket(Option<Instant>);

impl TokenBucket {
    /// Takes a token. The error is the time until there is one.
    pub(crate) fn take(&mut self, rate: Rate, now: Instant) -> Result<(), Duration> {
        let full = self.0.map_or(now, |full| full.max(now)) + rate.interval();
        let missing = full - now;
        if missing > rate.period {
            return Err(missing - rate.period);
        }
        self.0 = Some(full);
        Ok(())
    }

    /// Puts a token back.
    pub(super) fn put_back(&mut self, rate: Rate) {
        self.0 = self.0.and_then(|full| full.checked_sub(rate.interval()));
    }

    pub(super) fn is_full(&self, now: Instant) -> bool {
        self.0.is_none_or(|full| full <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn rate() -> Rate {
        Rate::new(5, 10 * SECOND).unwrap()
    }

    #[test]
    fn a_burst_and_then_an_even_rate() {
        let (mut bucket, start) = (TokenBucket::default(), Instant::now());
        for _ in 0..5 {
            assert_eq!(bucket.take(rate(), start), Ok(()));
        }
        assert_eq!(bucket.take(rate(), start), Err(2 * SECOND));
        assert_eq!(bucket.take(rate(), start + SECOND), Err(SECOND));
        assert_eq!(bucket.take(rate(), start + 2 * SECOND), Ok(()));
        assert_eq!(bucket.take(rate(), start + 2 * SECOND), Err(2 * SECOND));
        // However long it waits, there is one burst.
        let later = start + 1_000 * SECOND;
        assert!(bucket.is_full(later));
        let taken = (0..10).filter(|_| bucket.take(rate(), later).is_ok());
        assert_eq!(taken.count(), 5);
    }

    #[test]
    fn a_token_that_is_put_back_can_be_taken() {
        let (mut bucket, now) = (TokenBucket::default(), Instant::now());
        for _ in 0..100 {
            assert_eq!(bucket.take(rate(), now), Ok(()));
            bucket.put_back(rate());
        }
        assert!(bucket.is_full(now));
    }

    #[test]
    fn zero_is_no_rate() {
        assert_eq!(Rate::new(0, SECOND), None);
        assert_eq!(Rate::new(1, Duration::ZERO), None);
        assert_eq!(Rate::new(1, Duration::MAX), None);
    }
}
