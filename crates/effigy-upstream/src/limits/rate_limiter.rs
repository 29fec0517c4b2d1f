//! A rate limiter with a sliding window.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use super::state::Priority;
use crate::config::RateLimit;

/// One call in this many is reserved for probes, so that a busy service can still be checked.
const RESERVED_FOR_PROBES: u32 = 50;

/// One call in this many is reserved for first calls, so that one name, asked for again and again,
/// does not use up the limit.
const RESERVED_FOR_FIRST_CALLS: u32 = 4;

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
    repeats_in_flight: usize,
    /// The calls that ended in the last window, oldest first. Never more than the limit.
    ended: VecDeque<EndedCall>,
    /// The number of calls that count now, by their subject.
    subjects: HashMap<u64, u32>,
}

/// A call that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CountedCall {
    subject: u64,
    /// `true` if another call about the same subject counted when it began.
    is_repeat: bool,
}

#[derive(Debug)]
struct EndedCall {
    at: Instant,
    call: CountedCall,
}

impl RateLimiter {
    pub(super) fn new(limit: RateLimit) -> Self {
        Self {
            limit,
            in_flight: 0,
            repeats_in_flight: 0,
            ended: VecDeque::new(),
            subjects: HashMap::new(),
        }
    }

    /// Counts a call that begins, or returns the time until one about this subject can.
    pub(super) fn begin(
        &mut self,
        now: Instant,
        priority: Priority,
        subject: u64,
    ) -> Result<CountedCall, Duration> {
        self.forget(now);
        let is_probe = priority == Priority::Probe;
        let is_repeat = !is_probe && self.subjects.contains_key(&subject);
        let allowed = if is_probe {
            self.limit.calls
        } else {
            self.allowed()
        };
        let repeats = self.limit.calls - self.limit.calls / RESERVED_FOR_FIRST_CALLS;
        let wait = self.wait(now, allowed, self.in_flight, |_| true);
        let wait_of_repeats = is_repeat
            .then(|| self.wait(now, repeats, self.repeats_in_flight, |call| call.is_repeat));
        if let Some(wait) = wait.max(wait_of_repeats.flatten()) {
            return Err(wait);
        }
        self.in_flight += 1;
        self.repeats_in_flight += usize::from(is_repeat);
        *self.subjects.entry(subject).or_default() += 1;
        Ok(CountedCall { subject, is_repeat })
    }

    /// Returns the time until fewer than `allowed` of these calls count, or `None` if that is now.
    fn wait(
        &self,
        now: Instant,
        allowed: u32,
        in_flight: usize,
        is_one: impl Fn(CountedCall) -> bool,
    ) -> Option<Duration> {
        let mut ended = self.ended.iter().filter(|ended| is_one(ended.call));
        let counted = in_flight + ended.clone().count();
        // This many calls must leave the window first. Those in flight leave it last.
        let excess = counted.checked_sub(allowed as usize)?;
        let window = self.limit.window;
        Some(match ended.nth(excess) {
            Some(ended) => (ended.at + window).saturating_duration_since(now),
            None => window,
        })
    }

    /// Records the end of a call that was counted.
    pub(super) fn end(&mut self, now: Instant, call: CountedCall) {
        self.in_flight -= 1;
        self.repeats_in_flight -= usize::from(call.is_repeat);
        // Threads may arrive here in another order than they read the clock in.
        let last = self.ended.back().map(|last| last.at);
        let at = last.map_or(now, |last| last.max(now));
        self.ended.push_back(EndedCall { at, call });
    }

    /// Returns the number of calls for players that can begin now.
    pub(super) fn left(&mut self, now: Instant) -> u32 {
        self.forget(now);
        let counted = self.in_flight + self.ended.len();
        let counted = u32::try_from(counted).expect("no more calls than the limit, a u32");
        self.allowed().saturating_sub(counted)
    }

    /// Returns the number of calls for players in a window.
    const fn allowed(&self) -> u32 {
        self.limit.calls - self.limit.calls / RESERVED_FOR_PROBES
    }

    fn forget(&mut self, now: Instant) {
        let window = self.limit.window;
        while let Some(over) = self.ended.pop_front_if(|ended| ended.at + window <= now) {
            if let Entry::Occupied(mut calls) = self.subjects.entry(over.call.subject) {
                *calls.get_mut() -= 1;
                if *calls.get() == 0 {
                    calls.remove();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
