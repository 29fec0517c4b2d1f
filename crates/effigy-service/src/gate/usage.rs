//! The use that each client makes of what all share: how much of a rate, and how many at once.

use std::{
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::sync::Semaphore;

/// An amount that may be used at once, and that comes back evenly over a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    amount: u32,
    period: Duration,
}

/// The longest period. The nanoseconds of many of them fit into 64 bits.
const MAX_PERIOD: Duration = Duration::from_secs(366 * 24 * 60 * 60);

impl Rate {
    /// A rate of `amount` in each `period`. Returns `None` if either is zero, or the period is longer
    /// than a year.
    #[must_use]
    pub const fn new(amount: u32, period: Duration) -> Option<Self> {
        if amount == 0 || period.is_zero() || period.as_secs() > MAX_PERIOD.as_secs() {
            return None;
        }
        Some(Self { amount, period })
    }

    /// The time in which this much comes back.
    pub(super) fn time_of(self, amount: f64) -> Duration {
        self.period.mul_f64(amount / f64::from(self.amount))
    }

    /// The time in which all of it comes back.
    pub(super) const fn period(self) -> Duration {
        self.period
    }
}

/// The use of a rate, as the time at which nothing of it will be in use: the generic cell rate algorithm.
///
/// More than the rate's amount may be used; then there is debt.
#[derive(Debug, Default)]
pub(super) struct Bucket(AtomicU64);

/// A time, in nanoseconds since the first one was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Time(u64);

impl Time {
    pub(super) fn now() -> Self {
        static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
        Self(nanos(FIRST.elapsed()))
    }

    #[cfg(test)]
    pub(super) const fn after(time: Duration) -> Self {
        Self(time.as_secs() * 1_000_000_000)
    }
}

impl Bucket {
    /// Returns the time at which nothing will be in use, or `now` if nothing is.
    pub(super) fn unused_at(&self, now: Time) -> Time {
        Time(self.0.load(Ordering::Relaxed)).max(now)
    }

    /// Uses what takes this time to come back, unless more than `rate` allows would be in use then.
    ///
    /// # Errors
    /// The time until it is possible.
    pub(super) fn take(&self, time: Duration, rate: Rate, now: Time) -> Result<(), Duration> {
        let mut missing = 0;
        let taken = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |unused_at| {
                let after = unused_at.max(now.0).saturating_add(nanos(time));
                missing = (after - now.0).saturating_sub(nanos(rate.period));
                (missing == 0).then_some(after)
            });
        taken.map(drop).map_err(|_| Duration::from_nanos(missing))
    }

    /// Uses what takes this time to come back, even if that is too much. At most `max` is in use then.
    pub(super) fn charge(&self, time: Duration, max: Duration, now: Time) {
        let charged = |unused_at: u64| {
            let after = unused_at.max(now.0).saturating_add(nanos(time));
            Some(after.min(now.0.saturating_add(nanos(max))))
        };
        // The update never declines.
        let _ = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, charged);
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The limits of each client; `None` is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClientLimits {
    /// Calls to upstreams.
    pub lookups: Option<Rate>,
    /// Milliseconds of processor time. It is measured, so a client may owe some afterwards.
    pub work: Option<Rate>,
    /// Bytes that wait to be sent, or that are being received.
    pub bytes: Option<u64>,
    /// Connections.
    pub connections: Option<u32>,
}

/// The use of one client.
#[derive(Debug)]
pub(super) struct Usage {
    pub(super) lookups: Bucket,
    pub(super) work: Bucket,
    pub(super) bytes: Arc<Semaphore>,
    pub(super) connections: Arc<Semaphore>,
}

impl Usage {
    pub(super) fn new(limits: &ClientLimits) -> Self {
        let semaphore = |max: Option<u64>| {
            let max = max.and_then(|max| usize::try_from(max).ok());
            let max = max.unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
            Arc::new(Semaphore::new(max))
        };
        Self {
            lookups: Bucket::default(),
            work: Bucket::default(),
            bytes: semaphore(limits.bytes),
            connections: semaphore(limits.connections.map(u64::from)),
        }
    }

    /// Returns the time at which the client has no work in use, or `earliest` if that is later. The sooner,
    /// the sooner its turn.
    pub(super) fn rested_at(&self, earliest: Time) -> Time {
        self.work.unused_at(earliest)
    }

    /// Charges processor time that was used.
    pub(super) fn charge_work(&self, time: Duration, rate: Rate, now: Time) {
        let millis = time.as_secs_f64() * 1_000.0;
        self.work
            .charge(rate.time_of(millis), 4 * rate.period(), now);
    }
}

impl Default for Usage {
    /// The use of a client without limits.
    fn default() -> Self {
        Self::new(&ClientLimits::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn an_amount_can_be_used_at_once_and_comes_back_evenly() {
        let rate = Rate::new(5, 10 * SECOND).unwrap();
        let (bucket, one) = (Bucket::default(), rate.time_of(1.0));
        let start = Time::after(100 * SECOND);
        for _ in 0..5 {
            assert_eq!(bucket.take(one, rate, start), Ok(()));
        }
        assert_eq!(bucket.take(one, rate, start), Err(2 * SECOND));
        let later = Time::after(102 * SECOND);
        assert_eq!(bucket.take(one, rate, later), Ok(()));
        assert_eq!(bucket.take(one, rate, later), Err(2 * SECOND));
        let much_later = Time::after(200 * SECOND);
        assert_eq!(bucket.unused_at(much_later), much_later);
        assert_eq!(bucket.take(6 * one, rate, much_later), Err(2 * SECOND));
    }

    #[test]
    fn debt_is_bounded() {
        let (bucket, now) = (Bucket::default(), Time::after(SECOND));
        bucket.charge(90 * SECOND, 60 * SECOND, now);
        assert_eq!(bucket.unused_at(now), Time::after(61 * SECOND));
    }

    #[test]
    fn work_comes_back_in_proportion() {
        // 30 s in 2 min.
        let rate = Rate::new(30_000, 120 * SECOND).unwrap();
        assert_eq!(rate.time_of(1_000.0), 4 * SECOND);
    }

    #[test]
    fn a_rate_has_an_amount_and_a_period() {
        assert!(Rate::new(0, SECOND).is_none());
        assert!(Rate::new(1, Duration::ZERO).is_none());
        assert!(Rate::new(1, MAX_PERIOD + SECOND).is_none());
    }
}
