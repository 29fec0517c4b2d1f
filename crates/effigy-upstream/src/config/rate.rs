//! Amounts in a period.

use std::time::Duration;

/// The longest period. Longer ones could overflow an `Instant`, and the nanoseconds of many of them 64 bits.
const MAX_PERIOD: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// An amount of something in a period, for example 600 calls in 10 minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    amount: u32,
    period: Duration,
}

impl Rate {
    /// A rate of `amount` in each `period`. Returns `None` if either is zero. A period longer than a year is
    /// shortened to a year.
    #[must_use]
    pub const fn new(amount: u32, period: Duration) -> Option<Self> {
        if amount == 0 || period.is_zero() {
            return None;
        }
        let is_longer = period.as_secs() > MAX_PERIOD.as_secs();
        let period = if is_longer { MAX_PERIOD } else { period };
        Some(Self { amount, period })
    }

    /// The amount.
    #[must_use]
    pub const fn amount(self) -> u32 {
        self.amount
    }

    /// The period.
    #[must_use]
    pub const fn period(self) -> Duration {
        self.period
    }
}

/// The rate limits of the services: all calls may be made at once; then none for the length of the period.
///
/// A limit that is not set has a default: slightly below what the public service accepts if that is
/// the one called, and none for any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RateLimits {
    /// Java name to UUID. The public service accepts 600 calls in 10 minutes. The host of the
    /// current form of the look-up has a limit of its own, about 200 in 2 minutes.
    pub identity: Option<Rate>,
    /// Java UUID to session profile. The public service accepts about 400 calls in 10 s.
    pub session: Option<Rate>,
    /// Both Bedrock look-ups together. The limit of the public service is not known, and all of its
    /// clients share it.
    pub bedrock: Option<Rate>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_has_an_amount_and_a_period() {
        let second = Duration::from_secs(1);
        assert!(Rate::new(0, second).is_none());
        assert!(Rate::new(1, Duration::ZERO).is_none());
        let longest = Rate::new(1, MAX_PERIOD + second);
        assert_eq!(longest.map(Rate::period), Some(MAX_PERIOD));
    }
}
