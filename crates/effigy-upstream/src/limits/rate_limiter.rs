//! A rate limiter with a sliding window.

use std::{net::IpAddr, time::Instant};

use super::{LimitReason, Limited};
use crate::Rate;

/// Enforces a rate limit, with the calls that count now, each on its own. A token bucket would have
/// to keep the burst small, or exceed the limit in the window after one.
///
/// The time at which a call reaches the upstream is only known to be between its beginning and its
/// end. So a call counts from its beginning until one window after its end, and no window of the
/// upstream has more calls than the limit, whatever delays the network adds.
///
/// Of what is left of the window, one network takes at most half: a client of one that has used more of it is refused.
pub(super) struct RateLimiter {
    pub(super) limit: Rate,
    calls: Vec<CountedCall>,
}

/// A call that counts: the network of its payer, and the time at which it ended unless it is in flight.
type CountedCall = (Option<IpAddr>, Option<Instant>);

impl RateLimiter {
    pub(super) const fn new(limit: Rate) -> Self {
        let calls = Vec::new();
        Self { limit, calls }
    }

    /// Checks that a call can begin, or returns the time until one can. Calls in flight leave the window last.
    pub(super) fn check(&mut self, now: Instant, network: Option<IpAddr>) -> Result<(), Limited> {
        let left = self.left(now) as usize;
        let is_own = |by: &Option<_>| network.is_some() && *by == network;
        let reason = match self.calls.iter().filter(|(by, _)| is_own(by)).count() {
            _ if left == 0 => LimitReason::RateLimit,
            used if used > left => LimitReason::Share,
            _ => return Ok(()),
        };
        let calls = self.calls.iter().filter(|(by, _)| left == 0 || is_own(by));
        let first = calls.filter_map(|(_, ended)| *ended).min().unwrap_or(now);
        let end = first + self.limit.period();
        Err((reason, end.saturating_duration_since(now)))
    }

    /// Counts a call that begins.
    pub(super) fn begin(&mut self, network: Option<IpAddr>) {
        self.calls.push((network, None));
    }

    /// Records the end of a call that was counted. One without an end was never sent.
    pub(super) fn end(&mut self, network: Option<IpAddr>, ended: Option<Instant>) {
        let place = self.calls.iter().position(|call| *call == (network, None));
        self.calls.swap_remove(place.expect("it has begun"));
        self.calls.extend(ended.map(|ended| (network, Some(ended))));
    }

    /// Returns the number of calls that can begin now.
    pub(super) fn left(&mut self, now: Instant) -> u32 {
        let window = self.limit.period();
        let counts = |ended: Option<_>| ended.is_none_or(|ended| now < ended + window);
        self.calls.retain(|(_, ended)| counts(*ended));
        let counted = u32::try_from(self.calls.len()).unwrap_or(u32::MAX);
        self.limit.amount().saturating_sub(counted)
    }
}

#[cfg(test)]
mod tests;
