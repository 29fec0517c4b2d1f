//! The limits of one upstream together.

use std::mem;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};

use super::pause::Pause;
use super::rate_limiter::RateLimiter;
use super::refusals::Refusals;
use super::state::{LimitReason, Limited, Upstream, UpstreamState};
use crate::transport::{Response, TransportError};

/// The result of a call.
type CallResult = Result<Response, TransportError>;

/// The limits of one upstream: pauses, concurrency limit and rate limit. They permit a call or refuse it at once;
/// nothing waits.
#[derive(Debug)]
pub(crate) struct UpstreamLimits {
    provider: Arc<str>,
    pub(crate) upstream: Upstream,
    max_calls: u32,
    pub(crate) refusals: Mutex<Refusals>,
    state: Mutex<State>,
    /// Shared if two upstreams have one host.
    rate: Option<Arc<Mutex<RateLimiter>>>,
}

#[derive(Debug, Default)]
struct State {
    pause: Pause,
    in_flight: u32,
}

impl UpstreamLimits {
    pub(super) fn new(
        provider: &Arc<str>,
        upstream: Upstream,
        max_calls: NonZeroU32,
        rate: Option<Arc<Mutex<RateLimiter>>>,
    ) -> Self {
        Self {
            provider: Arc::clone(provider),
            upstream,
            max_calls: max_calls.get(),
            refusals: Mutex::default(),
            state: Mutex::default(),
            rate,
        }
    }

    /// Permits a call, or returns the limit that is reached.
    pub(crate) fn begin(&self, now: Instant) -> Result<Permit<'_>, Limited> {
        let mut state = self.state.lock();
        state.check(now, self.max_calls)?;
        // Last, because it cannot be given back.
        let counted = self.rate().map_or(Ok(()), |mut rate| rate.begin(now));
        counted.map_err(|wait| Limited::new(LimitReason::RateLimit, wait))?;
        state.pause.begin(now);
        state.in_flight += 1;
        Ok(Permit {
            limits: self,
            at: now,
        })
    }

    /// Pauses calls because the upstream rejected one.
    pub(crate) fn pause(&self, now: Instant, reason: LimitReason, retry_after: Option<Duration>) {
        let mut state = self.state.lock();
        if let Some(pause) = state.pause.rejected(now, reason, retry_after) {
            let (provider, upstream) = (&self.provider, self.upstream);
            tracing::warn!(%provider, %upstream, ?pause, "upstream is paused: {reason}");
        }
    }

    pub(crate) fn state_at(&self, now: Instant) -> UpstreamState {
        let state = self.state.lock();
        let rate_limit_left = self.rate().map(|mut rate| rate.left(now));
        let used_up = (rate_limit_left == Some(0)).then_some(LimitReason::RateLimit);
        let pause = state.pause.check(now);
        let pause = pause.filter(|limited| limited.reason != LimitReason::CircuitOpen);
        let check = state.check(now, self.max_calls);
        let limited = check.err().map(|limited| limited.reason).or(used_up);
        // The current form of the look-up takes the calls that the legacy one refuses.
        let is_legacy = self.upstream == Upstream::IdentityLegacy;
        UpstreamState {
            provider: Arc::clone(&self.provider),
            upstream: self.upstream,
            calls: state.in_flight,
            rate_limit_left,
            limited: limited.filter(|reason| !is_legacy || *reason != LimitReason::Refused),
            paused_for: pause.map(|limited| limited.retry_after),
            is_circuit_open: state.pause.is_circuit_open(),
        }
    }

    /// Records the end of a call. A timeout counts if it `was_long`: a short one says nothing about the upstream.
    fn record(&self, begun: Instant, now: Instant, result: &CallResult, was_long: bool) {
        let (provider, upstream) = (&self.provider, self.upstream);
        let mut state = self.state.lock();
        let was_open = state.pause.is_circuit_open();
        match result {
            Ok(response) if response.status < 500 => {
                state.pause.responded(now);
                // A rejection is a response too: the upstream is not stuck.
                if !matches!(response.status, 403 | 429) {
                    state.pause.answered(now);
                    self.refusals.lock().answered();
                }
            }
            Err(TransportError::Timeout) if was_long => state.pause.timed_out(begun, now),
            Err(TransportError::Timeout) => {}
            Ok(_) | Err(_) => state.pause.failed(),
        }
        match (was_open, state.pause.is_circuit_open()) {
            (false, true) => {
                tracing::warn!(%provider, %upstream, "circuit breaker opened: calls time out");
            }
            (true, false) => tracing::info!(%provider, %upstream, "circuit breaker closed"),
            _ => {}
        }
        drop(state);
        // A refusal (403) may be about the request alone.
        if let Ok(response) = result
            && response.status == 429
        {
            self.pause(now, LimitReason::TooManyRequests, response.retry_after);
        }
    }

    fn rate(&self) -> Option<MutexGuard<'_, RateLimiter>> {
        self.rate.as_deref().map(Mutex::lock)
    }
}

impl State {
    fn check(&self, now: Instant, max_calls: u32) -> Result<(), Limited> {
        if let Some(limited) = self.pause.check(now) {
            return Err(limited);
        }
        // The calls that hang use up the limit, which leaves none for the probe.
        if self.in_flight >= max_calls && !self.pause.is_circuit_open() {
            return Err(Limited::new(LimitReason::Concurrency, Duration::ZERO));
        }
        Ok(())
    }
}

/// The permit of one call. Dropping it releases its share of the limits, also after a panic.
#[derive(Debug)]
#[must_use]
pub(crate) struct Permit<'a> {
    limits: &'a UpstreamLimits,
    /// The time at which it began, then that at which it ended.
    at: Instant,
}

impl Permit<'_> {
    /// Records the end of the call.
    pub(crate) fn end(mut self, now: Instant, result: &CallResult, was_long: bool) {
        let begun = mem::replace(&mut self.at, now);
        self.limits.record(begun, now, result, was_long);
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.limits.state.lock().in_flight -= 1;
        if let Some(mut rate) = self.limits.rate() {
            rate.end(self.at);
        }
    }
}

#[cfg(test)]
mod tests;
