//! A rate limiter with a sliding window.

use std::time::{Duration, Instant};

use crate::config::RateLimit;

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
    /// The calls that count now. Never more than the limit.
    calls: Vec<CountedCall>,
}

/// A call that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CountedCall {
    subject: u64,
    /// `true` if another call about the same subject counted when it began.
    is_repeat: bool,
    /// The time at which it ended, unless it is in flight.
    ended: Option<Instant>,
}

impl RateLimiter {
    pub(super) const fn new(limit: RateLimit) -> Self {
        let calls = Vec::new();
        Self { limit, calls }
    }

    /// Counts a call that begins, or returns the time until one about this subject can.
    pub(super) fn begin(&mut self, now: Instant, subject: u64) -> Result<CountedCall, Duration> {
        self.forget(now);
        let is_repeat = self.calls.iter().any(|call| call.subject == subject);
        let mut wait = self.wait(now, self.limit.calls, |_| true);
        if is_repeat {
            let repeats = self.limit.calls - self.limit.calls / RESERVED_FOR_FIRST_CALLS;
            wait = wait.max(self.wait(now, repeats, |call| call.is_repeat));
        }
        if let Some(wait) = wait {
            return Err(wait);
        }
        let call = CountedCall {
            subject,
            is_repeat,
            ended: None,
        };
        self.calls.push(call);
        Ok(call)
    }

    /// Returns the time until fewer than `allowed` of these calls count, or `None` if that is now.
    fn wait(
        &self,
        now: Instant,
        allowed: u32,
        is_one: impl Fn(&CountedCall) -> bool,
    ) -> Option<Duration> {
        let calls = self.calls.iter().filter(|call| is_one(call));
        // This many calls must leave the window first. Those in flight leave it last.
        let excess = calls.clone().count().checked_sub(allowed as usize)?;
        let mut ends: Vec<Instant> = calls.map(|call| call.ended.unwrap_or(now)).collect();
        let (_, end, _) = ends.select_nth_unstable(excess);
        Some((*end + self.limit.window).saturating_duration_since(now))
    }

    /// Records the end of a call that was counted.
    pub(super) fn end(&mut self, now: Instant, call: CountedCall) {
        if let Some(counted) = self.calls.iter_mut().find(|counted| **counted == call) {
            counted.ended = Some(now);
        }
    }

    /// Returns the number of calls that can begin now.
    pub(super) fn left(&mut self, now: Instant) -> u32 {
        self.forget(now);
        let counted = u32::try_from(self.calls.len());
        let counted = counted.expect("no more calls than the limit, a u32");
        self.limit.calls.saturating_sub(counted)
    }

    fn forget(&mut self, now: Instant) {
        let window = self.limit.window;
        let counts = |call: &CountedCall| call.ended.is_none_or(|at| now < at + window);
        self.calls.retain(counts);
    }
}

#[cfg(test)]
mod tests;
