//! The limits on the calls to one upstream: a rate, a number of calls in flight, and a circuit
//! breaker.

mod budgets;
mod circuit_breaker;
mod in_flight;
mod permit;
mod rate_limiter;
mod served_profiles;
mod state;

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};

use crate::call::Call;
use crate::{Step, TransportError, UpstreamCapacity, UpstreamId};
use budgets::Budget;
pub(crate) use budgets::Budgets;
pub(crate) use circuit_breaker::PROBE_INTERVAL;
use circuit_breaker::{CircuitBreaker, Outcome};
use in_flight::InFlight;
pub(crate) use permit::{CallEnd, Permit};
use rate_limiter::RateLimiter;
use served_profiles::ServedProfiles;
pub use state::{LimitReason, Upstream, UpstreamState};

/// The most calls in flight to one upstream. Further ones fail at once. A page of a hundred heads
/// asks for all of them together, and at a tenth of a second per answer this is a higher rate than
/// any public service accepts.
const MAX_CALLS: usize = 128;

/// A limit that is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limited {
    pub(crate) reason: LimitReason,
    /// The time until a call can be made, or zero if that is not known.
    pub(crate) retry_after: Duration,
}

/// The limits of one upstream. They permit a call or refuse it at once; nothing waits.
pub(crate) struct UpstreamLimits {
    pub(crate) id: UpstreamId,
    pub(crate) upstream: Upstream,
    provider: Arc<str>,
    state: Mutex<State>,
    served: ServedProfiles,
    budget: Budget,
}

struct State {
    in_flight: InFlight,
    breaker: CircuitBreaker,
}

/// The permission to call an upstream.
pub(crate) enum Admission<'a> {
    /// The caller's own call may be made.
    Call(Permit<'a>),
    /// This probe is made first.
    ProbeFirst(Permit<'a>, Call),
}

impl UpstreamLimits {
    /// Creates the limits of an upstream of a provider. `health_check` is the call that tells if
    /// the upstream answers, until any other call was answered.
    pub(crate) fn new(
        id: UpstreamId,
        upstream: Upstream,
        provider: Arc<str>,
        budgets: &Budgets<'_>,
        health_check: Option<Call>,
    ) -> Self {
        let state = State {
            in_flight: InFlight::new(MAX_CALLS),
            breaker: CircuitBreaker::new(health_check),
        };
        Self {
            id,
            upstream,
            provider,
            state: Mutex::new(state),
            served: ServedProfiles::new(),
            budget: budgets.of(upstream),
        }
    }

    /// Permits a call, or the probe that must be answered before it.
    pub(crate) fn admit(&self, now: Instant, call: &Call) -> Result<Admission<'_>, Limited> {
        let mut state = self.state.lock();
        state.breaker.check(now)?;
        let Some(probe) = state.breaker.due_probe(now).cloned() else {
            state.in_flight.check()?;
            let permit = self.permit(&mut state, now, false)?;
            return Ok(Admission::Call(permit));
        };
        let permit = self.permit(&mut state, now, true)?;
        state.breaker.begin_probe(now);
        if probe == *call {
            return Ok(Admission::Call(permit));
        }
        Ok(Admission::ProbeFirst(permit, probe))
    }

    /// Permits a call after a probe was answered.
    pub(crate) fn admit_after_probe(&self, now: Instant) -> Result<Permit<'_>, Limited> {
        let mut state = self.state.lock();
        // The probe may have failed, however short its pause is.
        if let Some(limited) = state.breaker.paused(now) {
            return Err(limited);
        }
        state.in_flight.check()?;
        self.permit(&mut state, now, false)
    }

    /// Pauses calls because the upstream does not serve them any more.
    pub(crate) fn refuse(&self, now: Instant) {
        self.state.lock().breaker.refuse(now);
    }

    /// Returns `true` if calls fail now because the upstream refuses them.
    pub(crate) fn is_refused(&self, now: Instant) -> bool {
        let checked = self.state.lock().breaker.check(now);
        checked.is_err_and(|limited| limited.reason == LimitReason::Refused)
    }

    /// Returns the interval at which pings take a twentieth of the rate limit.
    pub(crate) fn ping_interval(&self) -> Duration {
        match self.budget() {
            Some(budget) => budget.limit.period() * 20 / budget.limit.amount(),
            None => Duration::ZERO,
        }
    }

    /// Returns what the calls after `then` have told: that the upstream answers, or why it is not
    /// called.
    pub(crate) fn told_since(&self, then: Instant, now: Instant) -> Option<Result<(), Limited>> {
        let breaker = &self.state.lock().breaker;
        if breaker.has_opened_since(then)
            && let Some(limited) = breaker.paused(now)
        {
            return Some(Err(limited));
        }
        breaker.has_answered_since(then).then_some(Ok(()))
    }

    /// Returns the fixed limits.
    pub(crate) fn capacity(&self) -> UpstreamCapacity {
        UpstreamCapacity {
            budget: self.budget().map(|budget| budget.limit),
            max_in_flight: self.state.lock().in_flight.max_calls,
        }
    }

    /// Returns the state for metrics.
    pub(crate) fn snapshot(&self, now: Instant) -> UpstreamState {
        let state = self.state.lock();
        let rate_limit_left = self.budget().map(|mut budget| budget.left(now));
        UpstreamState {
            provider: Arc::clone(&self.provider),
            upstream: self.upstream,
            calls: state.in_flight.count(),
            rate_limit_left,
            paused_for: state.breaker.paused(now).map(|paused| paused.retry_after),
            limited: self.limited(&state, rate_limit_left, now),
        }
    }

    /// Returns the reason why calls for players fail now.
    fn limited(&self, state: &State, left: Option<u32>, now: Instant) -> Option<LimitReason> {
        if let Err(limited) = state.breaker.check(now) {
            // The current form of the look-up takes the calls that the legacy one refuses.
            let is_taken_over =
                self.upstream == Upstream::IdentityLegacy && limited.reason == LimitReason::Refused;
            return (!is_taken_over).then_some(limited.reason);
        }
        if let Err(limited) = state.in_flight.check() {
            return Some(limited.reason);
        }
        (left == Some(0)).then_some(LimitReason::RateLimit)
    }

    /// Counts a call that begins.
    fn permit(
        &self,
        state: &mut State,
        now: Instant,
        is_probe: bool,
    ) -> Result<Permit<'_>, Limited> {
        if let Some(mut budget) = self.budget() {
            budget.check(now)?;
            budget.begin();
        }
        state.in_flight.begin();
        Ok(Permit {
            limits: self,
            begun: now,
            // If the caller panics, the call counts as sent.
            ended: Some(now),
            is_probe,
        })
    }

    fn budget(&self) -> Option<MutexGuard<'_, RateLimiter>> {
        self.budget.as_deref().map(Mutex::lock)
    }

    /// Returns the meaning of the end of a call.
    fn outcome(&self, call: &Call, end: CallEnd<'_>) -> Outcome {
        let response = match end.result {
            Ok(response) => response,
            Err(TransportError::TooLarge { .. }) => return Outcome::Answered,
            Err(TransportError::Timeout) if !end.was_long => return Outcome::CutShort,
            Err(_) => return Outcome::NotAnswered,
        };
        match response.status {
            200 => Outcome::Served,
            // It is about this profile alone.
            429 if self.served.contains(call, end.now) => Outcome::Served,
            429 if call.step == Step::Session && end.profile_may_be_served => Outcome::Answered,
            429 => Outcome::TooManyRequests {
                retry_after: response.retry_after,
            },
            // Content networks refuse files that do not exist, and anybody may ask for any hash.
            403 if call.step != Step::Texture => Outcome::Refused,
            ..500 => Outcome::Answered,
            _ if call.means_unknown_player(response) => Outcome::Answered,
            _ => Outcome::NotAnswered,
        }
    }

    fn log_change(&self, was_paused: bool, breaker: &CircuitBreaker) {
        let provider = &self.provider;
        let upstream = self.upstream;
        if let Some(reason) = breaker.reason()
            && !was_paused
        {
            tracing::warn!(%provider, %upstream, "upstream is paused: {reason}");
        }
        if was_paused && !breaker.is_paused() {
            tracing::info!(%provider, %upstream, "upstream answers again");
        }
    }
}

#[cfg(test)]
mod tests;
