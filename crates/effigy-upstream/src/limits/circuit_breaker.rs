//! A circuit breaker for an upstream that times out. Every such call blocks a thread and a socket.

use std::time::{Duration, Instant};

/// The number of consecutive timeouts that open the circuit.
const MAX_TIMEOUTS: u32 = 20;

/// The interval of the probes while the circuit is open.
const PROBE_INTERVAL: Duration = Duration::from_secs(2);

/// A circuit breaker. Only timeouts open it: an upstream that fails quickly blocks nothing, and is
/// used again as soon as it recovers.
#[derive(Debug, Default)]
pub(super) struct CircuitBreaker {
    timeouts: u32,
    /// The time of the upstream's last response.
    last_response: Option<Instant>,
    /// The time of the next probe, if the circuit is open.
    next_probe: Option<Instant>,
}

impl CircuitBreaker {
    pub(super) const fn is_open(&self) -> bool {
        self.next_probe.is_some()
    }

    /// Returns the time until the next probe if no call can be made now.
    pub(super) fn wait(&self, now: Instant) -> Option<Duration> {
        let wait = self.next_probe?.saturating_duration_since(now);
        (!wait.is_zero()).then_some(wait)
    }

    /// Records that a call begins.
    pub(super) fn begin(&mut self, now: Instant) {
        if let Some(next) = &mut self.next_probe {
            *next = now + PROBE_INTERVAL;
        }
    }

    /// Records a response, which closes the circuit.
    pub(super) fn answered(&mut self, now: Instant) {
        *self = Self {
            last_response: Some(now),
            ..Self::default()
        };
    }

    /// Records a quick failure, which ends a row of timeouts.
    pub(super) const fn failed(&mut self) {
        self.timeouts = 0;
    }

    /// Records that a call which began at `begun` timed out.
    pub(super) fn timed_out(&mut self, begun: Instant, now: Instant) {
        // The upstream has answered a call since this one began, so it is not stuck now.
        if self.last_response.is_some_and(|last| begun < last) {
            return;
        }
        self.timeouts = self.timeouts.saturating_add(1);
        if self.timeouts >= MAX_TIMEOUTS && self.next_probe.is_none() {
            self.next_probe = Some(now + PROBE_INTERVAL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn secs(secs: u64) -> Duration {
        Duration::from_secs(secs)
    }

    fn time_out(breaker: &mut CircuitBreaker, times: u32, now: Instant) {
        for _ in 0..times {
            breaker.timed_out(now, now);
        }
    }

    fn open(now: Instant) -> CircuitBreaker {
        let mut breaker = CircuitBreaker::default();
        time_out(&mut breaker, MAX_TIMEOUTS, now);
        breaker
    }

    #[test]
    fn twenty_consecutive_timeouts_open_it() {
        let now = Instant::now();
        let mut breaker = CircuitBreaker::default();
        time_out(&mut breaker, 19, now);
        assert!(!breaker.is_open());
        assert_eq!(breaker.wait(now), None);
        time_out(&mut breaker, 1, now);
        assert!(breaker.is_open());
        assert_eq!(breaker.wait(now), Some(secs(2)));
    }

    #[test]
    fn anything_else_ends_a_row_of_timeouts() {
        let now = Instant::now();
        let between: [fn(&mut CircuitBreaker, Instant); 2] =
            [CircuitBreaker::answered, |breaker, _| breaker.failed()];
        for between in between {
            let mut breaker = CircuitBreaker::default();
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
        let mut breaker = CircuitBreaker::default();
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
    fn a_failed_probe_leaves_it_open_and_a_response_closes_it() {
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
        assert!(!breaker.is_open(), "the count starts again");
    }

    #[test]
    fn timeouts_of_calls_before_a_response_do_not_count() {
        let start = Instant::now();
        let mut breaker = open(start);
        breaker.answered(start + secs(1));
        for _ in 0..100 {
            breaker.timed_out(start, start + secs(9));
        }
        assert!(!breaker.is_open());
    }
}
