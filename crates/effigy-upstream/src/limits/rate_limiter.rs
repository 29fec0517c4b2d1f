//! A rate limiter with a sliding window.

use std::{collections::VecDeque, time::Instant};

use super::{LimitReason, Limited};
use crate::Rate;

/// Enforces a rate limit, with the calls that count now, each on its own. A token bucket would have
/// to keep the burst small, or exceed the limit in the window after one.
///
/// The time at which a call reaches the upstream is only known to be between its beginning and its
/// end. So a call counts from its beginning until one window after its end, and no window of the
/// upstream has more calls than the limit, whatever delays the network adds.
pub(super) struct RateLimiter {
    limit: Rate,
    in_flight: u32,
    /// The times at which the other calls that count ended, the earliest first.
    ended: VecDeque<Instant>,
}

impl RateLimiter {
    pub(super) const fn new(limit: Rate) -> Self {
        Self {
            limit,
            in_flight: 0,
            ended: VecDeque::new(),
        }
    }

    /// Counts a call that begins, or returns the time until one can. Calls in flight leave the window last.
    pub(super) fn begin(&mut self, now: Instant) -> Result<(), Limited> {
        if self.left(now) == 0 {
            let first = self.ended.front().copied().unwrap_or(now);
            return Err(Limited {
                reason: LimitReason::RateLimit,
                retry_after: (first + self.limit.period()).saturating_duration_since(now),
            });
        }
        self.in_flight += 1;
        Ok(())
    }

    /// Records the end of a call that was counted.
    pub(super) fn end(&mut self, now: Instant) {
        self.in_flight -= 1;
        self.ended.push_back(now);
    }

    /// Returns the number of calls that can begin now.
    pub(super) fn left(&mut self, now: Instant) -> u32 {
        let window = self.limit.period();
        self.ended.retain(|end| now < *end + window);
        let ended = u32::try_from(self.ended.len()).unwrap_or(u32::MAX);
        let counted = self.in_flight.saturating_add(ended);
        self.limit.amount().saturating_sub(counted)
    }
}

#[cfg(test)]
mod tests;
