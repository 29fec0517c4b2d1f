//! Keeping calls from an upstream that hangs, for every hanging call holds a thread and a socket.

use std::time::{Duration, Instant};

/// So many timeouts in a row open the circuit.
const TIMEOUTS: u32 = 20;

/// How often a probe is let through an open circuit.
const PROBE_EVERY: Duration = Duration::from_secs(2);

/// A circuit breaker. Only timeouts open it: an upstream that fails quickly holds nothing up, and
/// is used again the moment it has recovered.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    timeouts: u32,
    /// When the upstream last answered.
    answered: Option<Instant>,
    /// When the next probe is let through; only an open circuit has probes.
    next_probe: Option<Instant>,
}

impl Breaker {
    pub(super) const fn is_open(&self) -> bool {
        self.next_probe.is_some()
    }

    /// How long until a call would be let through, where it is not now.
    pub(super) fn wait(&self, now: Instant) -> Option<Duration> {
        let wait = self.next_probe?.saturating_duration_since(now);
        (!wait.is_zero()).then_some(wait)
    }

    /// A call is let through.
    pub(super) fn begin(&mut self, now: Instant) {
        if let Some(next) = &mut self.next_probe {
            *next = now + PROBE_EVERY;
        }
    }

    /// A call was answered: the circuit closes at once.
    pub(super) fn answered(&mut self, now: Instant) {
        *self = Self {
            answered: Some(now),
            ..Self::default()
        };
    }

    /// A call failed quickly: the next timeout is a first one again.
    pub(super) const fn failed(&mut self) {
        self.timeouts = 0;
    }

    /// A call that began at `begun` got no answer in its time.
    pub(super) fn timed_out(&mut self, begun: Instant, now: Instant) {
        // The upstream has answered another call since this one began, so it does not hang now.
        if self.answered.is_some_and(|answered| begun < answered) {
            return;
        }
        self.timeouts = self.timeouts.saturating_add(1);
        if self.timeouts >= TIMEOUTS && self.next_probe.is_none() {
            self.next_probe = Some(now + PROBE_EVERY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn secs(secs: u64) -> Duration {
        Duration::from_secs(secs)
    }

    fn time_out(breaker: &mut Breaker, times: u32, now: Instant) {
        for _ in 0..times {
            breaker.timed_out(now, now);
        }
    }

    fn open(now: Instant) -> Breaker {
        let mut breaker = Breaker::default();
        time_out(&mut breaker, TIMEOUTS, now);
        breaker
    }

    #[test]
    fn twenty_timeouts_in_a_row_open_it() {
        let now = Instant::now();
        let mut breaker = Breaker::default();
        time_out(&mut breaker, 19, now);
        assert!(!breaker.is_open());
        assert_eq!(breaker.wait(now), None);
        time_out(&mut breaker, 1, now);
        assert!(breaker.is_open());
        assert_eq!(breaker.wait(now), Some(secs(2)));
    }

    #[test]
    fn anything_between_them_breaks_the_row() {
        let now = Instant::now();
        let between: [fn(&mut Breaker, Instant); 2] =
            [Breaker::answered, |breaker, _| breaker.failed()];
        for between in between {
            let mut breaker = Breaker::default();
            time_out(&mut breaker, 19, now);
            between(&mut breaker, now);
            time_out(&mut breaker, 19, now);
            assert!(!breaker.is_open());
            time_out(&mut breaker, 1, now);
            assert!(breaker.is_open());
        }
    }

    #[test]
    fn quick_failures_do_not_open_it() {
        let mut breaker = Breaker::default();
        for _ in 0..1000 {
            breaker.failed();
        }
        assert!(!breaker.is_open());
    }

    #[test]
    fn one_probe_every_two_seconds() {
        let start = Instant::now();
        let mut breaker = open(start);
        let mut probes = Vec::new();
        for tenth in 0..100 {
            let now = start + Duration::from_millis(100 * tenth);
            if breaker.wait(now).is_none() {
                breaker.begin(now);
                probes.push(tenth);
            }
        }
        assert_eq!(probes, [20, 40, 60, 80]);
    }

    #[test]
    fn a_failing_probe_leaves_it_open_and_an_answer_closes_it_at_once() {
        let start = Instant::now();
        let mut breaker = open(start);
        let now = start + secs(2);
        breaker.begin(now);
        breaker.timed_out(now, now);
        assert_eq!(breaker.wait(now), Some(secs(2)));
        breaker.failed();
        assert_eq!(breaker.wait(now), Some(secs(2)));
        breaker.answered(now);
        assert!(!breaker.is_open());
        assert_eq!(breaker.wait(now), None);
        time_out(&mut breaker, 19, now);
        assert!(!breaker.is_open(), "the row begins anew");
    }

    #[test]
    fn calls_from_before_an_answer_tell_nothing() {
        let start = Instant::now();
        let mut breaker = open(start);
        breaker.answered(start + secs(1));
        for _ in 0..100 {
            breaker.timed_out(start, start + secs(9));
        }
        assert!(!breaker.is_open());
    }
}
