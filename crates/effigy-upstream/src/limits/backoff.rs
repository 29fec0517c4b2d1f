//! Exponential backoff after an upstream rejects a call.

use std::time::{Duration, Instant};

use super::state::{LimitReason, Limited};

/// The first pause after an upstream rejects a call without `Retry-After`.
const FIRST: Duration = Duration::from_secs(1);

/// The longest pause without `Retry-After`, so that an upstream that has recovered is soon used again.
const MAX: Duration = Duration::from_secs(60);

/// The longest `Retry-After`: a mistake in a header must not stop the service.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(3600);

/// The pause of an upstream that rejected a call.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    until: Option<(Instant, LimitReason)>,
    /// The length of the last pause without `Retry-After`.
    last: Option<Duration>,
}

impl Backoff {
    /// Returns the rest of the current pause.
    pub(super) fn check(&self, now: Instant) -> Option<Limited> {
        let (until, reason) = self.until?;
        let retry_after = until.saturating_duration_since(now);
        (!retry_after.is_zero()).then_some(Limited::new(reason, retry_after))
    }

    /// Records that the upstream rejected a call: a pause of `retry_after`, or else twice as long as
    /// the last one. Returns its length if it ends later than the current pause.
    pub(super) fn rejected(
        &mut self,
        now: Instant,
        reason: LimitReason,
        retry_after: Option<Duration>,
    ) -> Option<Duration> {
        let pause = match retry_after.filter(|asked| !asked.is_zero()) {
            Some(asked) => asked.clamp(FIRST, MAX_RETRY_AFTER),
            // The call was already in flight when the pause began.
            None if self.check(now).is_some() => return None,
            None => {
                let pause = self.last.map_or(FIRST, |last| last * 2).min(MAX);
                self.last = Some(pause);
                pause
            }
        };
        let until = now + pause;
        if self.until.is_some_and(|(later, _)| later >= until) {
            return None;
        }
        self.until = Some((until, reason));
        Some(pause)
    }

    /// Records a response. The next rejection starts with the first pause again.
    pub(super) fn answered(&mut self, now: Instant) {
        // A response during a pause belongs to a call from before the rejection.
        if self.check(now).is_none() {
            self.last = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn secs(secs: u64) -> Duration {
        Duration::from_secs(secs)
    }

    fn left(backoff: &Backoff, now: Instant) -> Option<Duration> {
        backoff.check(now).map(|limited| limited.retry_after)
    }

    #[test]
    fn pauses_double() {
        let mut backoff = Backoff::default();
        let mut now = Instant::now();
        for expected in [1, 2, 4, 8, 16, 32, 60, 60] {
            assert_eq!(
                backoff.rejected(now, LimitReason::Refused, None),
                Some(secs(expected))
            );
            assert_eq!(left(&backoff, now), Some(secs(expected)));
            now += secs(expected);
            assert_eq!(left(&backoff, now), None);
        }
        backoff.answered(now);
        backoff.rejected(now, LimitReason::Refused, None);
        assert_eq!(left(&backoff, now), Some(secs(1)));
    }

    #[test]
    fn calls_in_flight_neither_extend_nor_end_a_pause() {
        let mut backoff = Backoff::default();
        let start = Instant::now();
        for _ in 0..20 {
            backoff.rejected(start, LimitReason::TooManyRequests, None);
        }
        let later = start + Duration::from_millis(400);
        backoff.answered(later);
        assert_eq!(left(&backoff, later), Some(Duration::from_millis(600)));
        backoff.rejected(start + secs(1), LimitReason::TooManyRequests, None);
        assert_eq!(left(&backoff, start + secs(1)), Some(secs(2)));
    }

    #[test]
    fn retry_after_is_bounded() {
        for (asked, expected) in [
            (0, 1),
            (1, 1),
            (7, 7),
            (61, 61),
            (600, 600),
            (3601, 3600),
            (u64::MAX, 3600),
        ] {
            let mut backoff = Backoff::default();
            let now = Instant::now();
            backoff.rejected(now, LimitReason::Refused, Some(secs(asked)));
            assert_eq!(left(&backoff, now), Some(secs(expected)), "{asked}");
        }
    }

    #[test]
    fn the_longer_of_two_pauses_holds() {
        let mut backoff = Backoff::default();
        let now = Instant::now();
        backoff.rejected(now, LimitReason::Refused, Some(secs(30)));
        backoff.rejected(now, LimitReason::TooManyRequests, Some(secs(5)));
        assert_eq!(
            backoff.check(now),
            Some(Limited {
                reason: LimitReason::Refused,
                retry_after: secs(30)
            })
        );
        backoff.rejected(now, LimitReason::TooManyRequests, Some(secs(31)));
        assert_eq!(
            backoff.check(now),
            Some(Limited {
                reason: LimitReason::TooManyRequests,
                retry_after: secs(31)
            })
        );
    }
}
