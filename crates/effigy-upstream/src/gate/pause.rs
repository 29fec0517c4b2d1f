//! Leaving an upstream alone after it objected.

use std::time::{Duration, Instant};

use super::Held;
use crate::Hold;

/// The first pause after an upstream objects without saying for how long.
const FIRST: Duration = Duration::from_secs(1);

/// The longest pause of our own choice, so that an upstream that has recovered is soon used again.
const LONGEST: Duration = Duration::from_secs(60);

/// The longest pause that an upstream can ask for: a slip in a header must not end the service.
const LONGEST_ASKED: Duration = Duration::from_secs(3600);

/// Whether and for how long an upstream is left alone.
#[derive(Debug, Default)]
pub(super) struct Pause {
    until: Option<(Instant, Hold)>,
    /// The length of the last pause that the upstream gave no length for.
    last: Option<Duration>,
}

impl Pause {
    /// What is left of a pause.
    pub(super) fn held(&self, now: Instant) -> Option<Held> {
        let (until, hold) = self.until?;
        let wait = until.saturating_duration_since(now);
        (!wait.is_zero()).then_some(Held { hold, wait })
    }

    /// The upstream objected: a pause of the length that it asks for, or one longer than the last.
    /// Gives the length where this lengthens what was left.
    pub(super) fn object(
        &mut self,
        now: Instant,
        hold: Hold,
        retry_after: Option<Duration>,
    ) -> Option<Duration> {
        let pause = match retry_after.filter(|asked| !asked.is_zero()) {
            Some(asked) => asked.clamp(FIRST, LONGEST_ASKED),
            // A call that was under way already: the same objection, not another one.
            None if self.held(now).is_some() => return None,
            None => {
                let pause = self.last.map_or(FIRST, |last| last * 2).min(LONGEST);
                self.last = Some(pause);
                pause
            }
        };
        let until = now + pause;
        if self.until.is_some_and(|(later, _)| later >= until) {
            return None;
        }
        self.until = Some((until, hold));
        Some(pause)
    }

    /// The upstream answered, so its next objection is a first one again.
    pub(super) fn answered(&mut self, now: Instant) {
        // An answer during a pause is to a call made before the objection, and tells nothing new.
        if self.held(now).is_none() {
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

    fn left(pause: &Pause, now: Instant) -> Option<Duration> {
        pause.held(now).map(|held| held.wait)
    }

    #[test]
    fn pauses_double_while_it_goes_on() {
        let mut pause = Pause::default();
        let mut now = Instant::now();
        for expected in [1, 2, 4, 8, 16, 32, 60, 60] {
            assert_eq!(pause.object(now, Hold::Refused, None), Some(secs(expected)));
            assert_eq!(left(&pause, now), Some(secs(expected)));
            now += secs(expected);
            assert_eq!(left(&pause, now), None);
        }
        pause.answered(now);
        pause.object(now, Hold::Refused, None);
        assert_eq!(left(&pause, now), Some(secs(1)));
    }

    #[test]
    fn calls_under_way_neither_lengthen_nor_end_a_pause() {
        let mut pause = Pause::default();
        let start = Instant::now();
        for _ in 0..20 {
            pause.object(start, Hold::TooManyRequests, None);
        }
        let later = start + Duration::from_millis(400);
        pause.answered(later);
        assert_eq!(left(&pause, later), Some(Duration::from_millis(600)));
        pause.object(start + secs(1), Hold::TooManyRequests, None);
        assert_eq!(left(&pause, start + secs(1)), Some(secs(2)));
    }

    #[test]
    fn a_pause_is_as_long_as_asked_within_reason() {
        for (asked, expected) in [
            (0, 1),
            (1, 1),
            (7, 7),
            (61, 61),
            (600, 600),
            (3601, 3600),
            (u64::MAX, 3600),
        ] {
            let mut pause = Pause::default();
            let now = Instant::now();
            pause.object(now, Hold::Refused, Some(secs(asked)));
            assert_eq!(left(&pause, now), Some(secs(expected)), "{asked}");
        }
    }

    #[test]
    fn the_longer_of_two_pauses_holds() {
        let mut pause = Pause::default();
        let now = Instant::now();
        pause.object(now, Hold::Refused, Some(secs(30)));
        pause.object(now, Hold::TooManyRequests, Some(secs(5)));
        assert_eq!(
            pause.held(now),
            Some(Held {
                hold: Hold::Refused,
                wait: secs(30)
            })
        );
        pause.object(now, Hold::TooManyRequests, Some(secs(31)));
        assert_eq!(
            pause.held(now),
            Some(Held {
                hold: Hold::TooManyRequests,
                wait: secs(31)
            })
        );
    }
}
