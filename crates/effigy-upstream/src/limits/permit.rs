//! The permit of one call, and the end of the call.

use std::time::{Duration, Instant};

use super::UpstreamLimits;
use super::circuit_breaker::EndedCall;
use crate::call::{Call, Purpose};
use crate::{Response, TransportError};

/// The end of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallEnd<'a> {
    pub(crate) now: Instant,
    pub(crate) result: &'a Result<Response, TransportError>,
    /// `true` if a timeout tells something about the upstream. A short one, near the deadline, does
    /// not.
    pub(crate) was_long: bool,
    /// `true` after a recent check of the profile, or soon after the start, when an earlier process
    /// may have been served the profile. A rejection is then about this profile alone.
    pub(crate) profile_may_be_served: bool,
}

/// The permission to make one call. Dropping it releases its share of the limits, also after a
/// panic.
#[must_use]
pub(crate) struct Permit<'a> {
    pub(super) limits: &'a UpstreamLimits,
    pub(super) begun: Instant,
    /// `None` if the request was never sent.
    pub(super) ended: Option<Instant>,
    pub(super) purpose: Purpose,
}

impl Permit<'_> {
    /// Records the end of the call. Returns the time until the next call, if the circuit is not
    /// closed.
    pub(crate) fn end(mut self, call: &Call, end: CallEnd<'_>) -> Option<Duration> {
        use TransportError::{NotPublic, Unreachable};
        self.ended = match end.result {
            Err(Unreachable { .. } | NotPublic { .. }) => None,
            _ => Some(end.now),
        };
        let limits = self.limits;
        let outcome = limits.outcome(call, end);
        if let Ok(response) = end.result
            && response.status == 200
        {
            limits.served.insert(call, end.now);
        }
        let ended = EndedCall {
            call,
            begun: self.begun,
            ended: end.now,
            purpose: self.purpose,
        };
        let breaker = &mut limits.state.lock().breaker;
        let was_opened = breaker.opened_because().is_some();
        breaker.end(ended, outcome);
        limits.log_change(was_opened, breaker);
        let limited = breaker.not_closed(end.now)?;
        Some(limited.retry_after)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.limits.state.lock().semaphore.release();
        if let Some(mut budget) = self.limits.budget() {
            budget.end(self.ended);
        }
    }
}
