//! At most so many calls in any span of time, and as many of them at once as there are.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Urgency;

/// One call in so many is kept for probes, so that one is not refused just because the service is
/// busy.
const KEPT: u32 = 50;

/// Nobody counts over longer, and points in time this far ahead always exist.
const LONGEST_WINDOW: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// At most so many calls in any span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    calls: u32,
    window: Duration,
}

impl Budget {
    /// At most `calls` in any `window`; `None` where either is zero.
    ///
    /// All of them may be made at once; then none for the length of the window. One in fifty is
    /// kept for health checks. A window is a year at most.
    #[must_use]
    pub const fn new(calls: u32, window: Duration) -> Option<Self> {
        if calls == 0 || window.is_zero() {
            return None;
        }
        let is_longer = window.as_secs() > LONGEST_WINDOW.as_secs();
        let window = if is_longer { LONGEST_WINDOW } else { window };
        Some(Self { calls, window })
    }

    const fn open_to(self, urgency: Urgency) -> usize {
        let kept = match urgency {
            Urgency::Ordinary => self.calls / KEPT,
            Urgency::Probe => 0,
        };
        (self.calls - kept) as usize
    }
}

/// What is spent of a budget, by all gates that share it.
#[derive(Debug, Clone)]
pub(crate) struct SharedSpending(Arc<Mutex<Spending>>);

impl SharedSpending {
    /// An untouched budget.
    pub(crate) fn new(budget: Budget) -> Self {
        Self(Arc::new(Mutex::new(Spending {
            budget,
            under_way: 0,
            ended: VecDeque::new(),
        })))
    }

    /// Counts a call that begins, or says after how long one could.
    pub(super) fn spend(&self, now: Instant, urgency: Urgency) -> Result<(), Duration> {
        self.spending().spend(now, urgency)
    }

    /// A call that was counted is over.
    pub(super) fn end(&self, now: Instant) {
        self.spending().end(now);
    }

    /// How many calls could begin now.
    pub(super) fn left(&self, now: Instant) -> u32 {
        self.spending().left(now)
    }

    fn spending(&self) -> MutexGuard<'_, Spending> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The calls that count now, each on its own: a smooth refill would have to keep the burst small,
/// or overspend in the window after one.
///
/// When a call reaches the upstream is not known, only that it is between its beginning and its
/// end. So a call counts from its beginning until one window after its end, and whatever the
/// network does in between, no window of the upstream's has more than the budget.
#[derive(Debug)]
struct Spending {
    budget: Budget,
    under_way: usize,
    /// When the calls of the last window ended, oldest first; never more than the budget has.
    ended: VecDeque<Instant>,
}

impl Spending {
    fn spend(&mut self, now: Instant, urgency: Urgency) -> Result<(), Duration> {
        self.forget(now);
        let open = self.budget.open_to(urgency);
        let spent = self.under_way + self.ended.len();
        if spent < open {
            self.under_way += 1;
            return Ok(());
        }
        // So many must leave the window before there is room; those under way leave it last.
        let wait = match self.ended.get(spent - open) {
            Some(&ended) => (ended + self.budget.window).saturating_duration_since(now),
            None => self.budget.window,
        };
        Err(wait)
    }

    fn end(&mut self, now: Instant) {
        self.under_way = self.under_way.saturating_sub(1);
        // Threads that end together may come here in another order than they read the clock in.
        let last = self.ended.back().copied();
        self.ended.push_back(last.map_or(now, |last| last.max(now)));
    }

    fn left(&mut self, now: Instant) -> u32 {
        self.forget(now);
        let spent = self.under_way + self.ended.len();
        let spent = u32::try_from(spent).unwrap_or(u32::MAX);
        self.budget.calls.saturating_sub(spent)
    }

    fn forget(&mut self, now: Instant) {
        let window = self.budget.window;
        while self
            .ended
            .front()
            .is_some_and(|&ended| ended + window <= now)
        {
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

    fn spending(calls: u32, window: Duration) -> SharedSpending {
        SharedSpending::new(Budget::new(calls, window).expect("a budget of something"))
    }

    /// How many calls in a row are allowed, each over at once.
    fn drain(spending: &SharedSpending, now: Instant, urgency: Urgency) -> usize {
        (0..10_000)
            .take_while(|_| {
                let allowed = spending.spend(now, urgency).is_ok();
                if allowed {
                    spending.end(now);
                }
                allowed
            })
            .count()
    }

    #[test]
    fn a_budget_of_nothing_is_none() {
        assert_eq!(Budget::new(0, secs(1)), None);
        assert_eq!(Budget::new(1, Duration::ZERO), None);
    }

    #[test]
    fn an_endless_window_is_bearable() {
        let spending = spending(1, Duration::MAX);
        let now = Instant::now();
        assert_eq!(drain(&spending, now, Urgency::Ordinary), 1);
        let wait = spending.spend(now, Urgency::Ordinary);
        assert_eq!(wait, Err(LONGEST_WINDOW));
        assert_eq!(spending.left(now), 0);
    }

    #[test]
    fn all_at_once_and_then_none_for_a_window() {
        let spending = spending(40, secs(10));
        let start = Instant::now();
        assert_eq!(drain(&spending, start, Urgency::Ordinary), 40);
        assert_eq!(spending.left(start), 0);
        let spend = |at| spending.spend(at, Urgency::Ordinary);
        assert_eq!(spend(start), Err(secs(10)));
        assert_eq!(spend(start + ms(9_999)), Err(ms(1)));
        assert_eq!(drain(&spending, start + secs(10), Urgency::Ordinary), 40);
    }

    #[test]
    fn each_call_comes_back_a_window_after_its_own_end() {
        let spending = spending(4, secs(10));
        let start = Instant::now();
        for at in [0, 1, 2, 3] {
            let at = start + secs(at);
            spending.spend(at, Urgency::Ordinary).unwrap();
            spending.end(at);
        }
        let spend = |at| spending.spend(start + at, Urgency::Ordinary);
        assert_eq!(spend(secs(4)), Err(secs(6)));
        assert_eq!(spend(secs(10)), Ok(()));
        assert_eq!(spend(secs(10)), Err(secs(1)));
    }

    #[test]
    fn a_call_under_way_counts_until_a_window_after_its_end() {
        let spending = spending(1, secs(10));
        let start = Instant::now();
        let spend = |at| spending.spend(start + at, Urgency::Ordinary);
        assert_eq!(spend(secs(0)), Ok(()));
        assert_eq!(spend(secs(11)), Err(secs(10)));
        spending.end(start + secs(12));
        assert_eq!(spend(secs(13)), Err(secs(9)));
        assert_eq!(spend(secs(22)), Ok(()));
    }

    #[test]
    fn a_busy_service_can_still_be_probed() {
        let spending = spending(100, secs(9));
        let start = Instant::now();
        assert_eq!(drain(&spending, start, Urgency::Ordinary), 98);
        assert_eq!(drain(&spending, start, Urgency::Probe), 2);
        let later = start + secs(1);
        assert_eq!(spending.spend(later, Urgency::Ordinary), Err(secs(8)));
    }

    #[test]
    fn a_shared_budget_is_spent_by_either() {
        let spending = spending(2, secs(9));
        let other = spending.clone();
        let now = Instant::now();
        assert_eq!(spending.spend(now, Urgency::Ordinary), Ok(()));
        assert_eq!(other.spend(now, Urgency::Ordinary), Ok(()));
        assert!(spending.spend(now, Urgency::Ordinary).is_err());
        assert_eq!(spending.left(now), 0);
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let spending = spending(7, ms(1));
        let mut now = Instant::now();
        for _ in 0..10_000 {
            now += Duration::from_micros(100);
            drain(&spending, now, Urgency::Probe);
            assert!(spending.spending().ended.len() <= 7);
        }
    }

    proptest! {
        /// However long the calls take and whenever in that time they arrive.
        #[test]
        fn no_window_of_the_upstreams_has_more_than_the_budget(
            calls in 1_u32..60,
            rows in prop::collection::vec((0_u64..300, 0_u64..900, 0_u64..=900), 0..400),
        ) {
            let window = secs(10);
            let spending = spending(calls, window);
            let mut now = Instant::now();
            let mut under_way: Vec<Instant> = Vec::new();
            let mut arrivals = Vec::new();
            for (gap, takes, arrives) in rows {
                now += ms(gap);
                under_way.sort();
                while under_way.first().is_some_and(|&end| end <= now) {
                    spending.end(under_way.remove(0));
                }
                if spending.spend(now, Urgency::Probe).is_ok() {
                    under_way.push(now + ms(takes));
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
