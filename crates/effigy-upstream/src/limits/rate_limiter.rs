//! A rate limiter with a sliding window.

use std::time::Instant;

use super::{LimitReason, Limited};
use crate::Rate;

/// Enforces a rate limit by remembering each call of the window. A token bucket would have to allow
/// only small bursts, or would exceed the limit in the window after a large one.
///
/// A call reaches the upstream at some time between its beginning and its end. So a call counts
/// from its beginning until one window after its end. Then no window of the upstream has more calls
/// than the limit, even if the network delays some of them.
#[derive(Debug)]
pub(super) struct RateLimiter {
    pub(super) limit: Rate,
    in_flight: usize,
    /// The ends of the calls that ended less than a window ago.
    ended: Vec<Instant>,
}

impl RateLimiter {
    pub(super) const fn new(limit: Rate) -> Self {
        Self {
            limit,
            in_flight: 0,
            ended: Vec::new(),
        }
    }

    /// Checks that a call can begin now. Calls in flight leave the window last.
    pub(super) fn check(&mut self, now: Instant) -> Result<(), Limited> {
        if self.left(now) > 0 {
            return Ok(());
        }
        let first_end = self.ended.iter().min().copied().unwrap_or(now);
        let leaves_window = first_end + self.limit.period();
        Err(Limited {
            reason: LimitReason::RateLimit,
            retry_after: leaves_window.saturating_duration_since(now),
        })
    }

    /// Counts a call that begins.
    pub(super) const fn begin(&mut self) {
        self.in_flight += 1;
    }

    /// Records the end of a call that was counted, or `None` if it was never sent.
    pub(super) fn end(&mut self, ended: Option<Instant>) {
        self.in_flight -= 1;
        if let Some(ended) = ended {
            self.ended.push(ended);
        }
    }

    /// Returns the number of calls that can begin now.
    pub(super) fn left(&mut self, now: Instant) -> u32 {
        let window = self.limit.period();
        self.ended.retain(|ended| now < *ended + window);
        let counted = u32::try_from(self.counted()).unwrap_or(u32::MAX);
        self.limit.amount().saturating_sub(counted)
    }

    /// Returns the number of calls that count.
    const fn counted(&self) -> usize {
        self.in_flight + self.ended.len()
    }
}

#[cfg(test)]
mod tests;
