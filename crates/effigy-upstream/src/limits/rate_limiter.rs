//! A rate limiter with a sliding window.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::state::Priority;
use crate::config::RateLimit;

/// One call in this many is reserved for probes, so that a busy service can still be checked.
const RESERVED_SHARE: u32 = 50;

/// Enforces a [`RateLimit`], with the calls that count now, each on its own. A token bucket would have
/// to keep the burst small, or exceed the limit in the window after one.
///
/// The time at which a call reaches the upstream is only known to be between its beginning and its
/// end. So a call counts from its beginning until one window after its end, and no window of the
/// upstream has more calls than the limit, whatever delays the network adds.
#[derive(Debug)]
pub(super) struct RateLimiter {
    limit: RateLimit,
    in_flight: usize,
    /// The end of each call of the last window, oldest first. Never longer than the limit.
    ended: VecDeque<Instant>,
}

impl RateLimiter {
    pub(super) const fn new(limit: RateLimit) -> Self {
        Self {
            limit,
            in_flight: 0,
            ended: VecDeque::new(),
        }
    }

    /// Counts a call that begins, or returns the time until one can.
    pub(super) fn begin(&mut self, now: Instant, priority: Priority) -> Result<(), Duration> {
        self.forget(now);
        let reserved = match priority {
            Priority::Normal => self.limit.calls / RESERVED_SHARE,
            Priority::Probe => 0,
        };
        let allowed = (self.limit.calls - reserved) as usize;
        let counted = self.in_flight + self.ended.len();
        if counted < allowed {
            self.in_flight += 1;
            return Ok(());
        }
        // This many calls must leave the window first. Those in flight leave it last.
        let window = self.limit.window;
        let wait = match self.ended.get(counted - allowed) {
            Some(&ended) => (ended + window).saturating_duration_since(now),
            None => window,
        };
        Err(wait)
    }

    /// Records the end of a call that was counted.
    pub(super) fn end(&mut self, now: Instant) {
        self.in_flight = self.in_flight.saturating_sub(1);
        // Threads may arrive here in another order than they read the clock in.
        let last = self.ended.back().copied();
        self.ended.push_back(last.map_or(now, |last| last.max(now)));
    }

    /// Returns the number of calls that can begin now.
    pub(super) fn left(&mut self, now: Instant) -> u32 {
        self.forget(now);
        let counted = self.in_flight + self.ended.len();
        let counted = u32::try_from(counted).expect("no more calls than the limit, a u32");
        self.limit.calls.saturating_sub(counted)
    }

    fn forget(&mut self, now: Instant) {
        let window = self.limit.window;
        let is_over = |ended: &Instant| *ended + window <= now;
        while self.ended.front().is_some_and(is_over) {
            self.ended.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    const fn secs(secs: u64) -> Duration {
        Duration::from_secs(secs)
    }

    fn limiter(calls: u32, window: Duration) -> RateLimiter {
        RateLimiter::new(RateLimit::new(calls, window).expect("a rate limit"))
    }

    /// Counts the calls that are allowed in a row, each of which ends at once.
    fn drain(limiter: &mut RateLimiter, now: Instant, priority: Priority) -> usize {
        (0..10_000)
            .take_while(|_| {
                let allowed = limiter.begin(now, priority).is_ok();
                if allowed {
                    limiter.end(now);
                }
                allowed
            })
            .count()
    }

    #[test]
    fn a_huge_window_is_shortened() {
        let mut limiter = limiter(1, Duration::MAX);
        let now = Instant::now();
        assert_eq!(drain(&mut limiter, now, Priority::Normal), 1);
        let wait = limiter.begin(now, Priority::Normal);
        assert_eq!(wait, Err(secs(366 * 24 * 60 * 60)));
        assert_eq!(limiter.left(now), 0);
    }

    #[test]
    fn all_calls_at_once_and_then_none_for_a_window() {
        let mut limiter = limiter(40, secs(10));
        let start = Instant::now();
        assert_eq!(drain(&mut limiter, start, Priority::Normal), 40);
        assert_eq!(limiter.left(start), 0);
        let mut begin = |at| limiter.begin(at, Priority::Normal);
        assert_eq!(begin(start), Err(secs(10)));
        assert_eq!(begin(start + ms(9_999)), Err(ms(1)));
        assert_eq!(drain(&mut limiter, start + secs(10), Priority::Normal), 40);
    }

    #[test]
    fn each_call_counts_for_a_window_after_its_end() {
        let mut limiter = limiter(4, secs(10));
        let start = Instant::now();
        for at in [0, 1, 2, 3] {
            let at = start + secs(at);
            limiter.begin(at, Priority::Normal).unwrap();
            limiter.end(at);
        }
        let mut begin = |at| limiter.begin(start + at, Priority::Normal);
        assert_eq!(begin(secs(4)), Err(secs(6)));
        assert_eq!(begin(secs(10)), Ok(()));
        assert_eq!(begin(secs(10)), Err(secs(1)));
    }

    #[test]
    fn a_call_in_flight_counts_until_a_window_after_its_end() {
        let mut limiter = limiter(1, secs(10));
        let start = Instant::now();
        let begin = |limiter: &mut RateLimiter, at| limiter.begin(start + at, Priority::Normal);
        assert_eq!(begin(&mut limiter, secs(0)), Ok(()));
        assert_eq!(begin(&mut limiter, secs(11)), Err(secs(10)));
        limiter.end(start + secs(12));
        assert_eq!(begin(&mut limiter, secs(13)), Err(secs(9)));
        assert_eq!(begin(&mut limiter, secs(22)), Ok(()));
    }

    #[test]
    fn some_calls_are_reserved_for_probes() {
        let mut limiter = limiter(100, secs(9));
        let start = Instant::now();
        assert_eq!(drain(&mut limiter, start, Priority::Normal), 98);
        assert_eq!(drain(&mut limiter, start, Priority::Probe), 2);
        let later = start + secs(1);
        assert_eq!(limiter.begin(later, Priority::Normal), Err(secs(8)));
    }

    #[test]
    fn memory_is_bounded() {
        let mut limiter = limiter(7, ms(1));
        let mut now = Instant::now();
        for _ in 0..10_000 {
            now += Duration::from_micros(100);
            drain(&mut limiter, now, Priority::Probe);
            assert!(limiter.ended.len() <= 7);
        }
    }

    proptest! {
        /// However long the calls take, and whenever within that time they arrive.
        #[test]
        fn no_window_of_the_upstream_has_more_calls_than_the_limit(
            calls in 1_u32..60,
            rows in prop::collection::vec((0_u64..300, 0_u64..900, 0_u64..=900), 0..400),
        ) {
            let window = secs(10);
            let mut limiter = limiter(calls, window);
            let mut now = Instant::now();
            let mut in_flight: Vec<Instant> = Vec::new();
            let mut arrivals = Vec::new();
            for (gap, takes, arrives) in rows {
                now += ms(gap);
                in_flight.sort();
                while in_flight.first().is_some_and(|&end| end <= now) {
                    limiter.end(in_flight.remove(0));
                }
                if limiter.begin(now, Priority::Probe).is_ok() {
                    in_flight.push(now + ms(takes));
                    arrivals.push(now + ms(arrives.min(takes)));
                }
            }
            arrivals.sort();
            for (at, &first) in arrivals.iter().enumerate() {
                let within = arrivals[at..].iter().filter(|&&call| call < first + window).count();
                prop_assert!(within <= calls as usize, "{} of {}", within, calls);
            }
        }
    }
}
