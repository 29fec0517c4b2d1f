//! The limits on the calls to one upstream: a rate, a number of calls in flight, and a circuit
//! breaker.

mod budgets;
mod circuit_breaker;
mod limited;
mod permit;
mod rate_limiter;
mod semaphore;
mod served_profiles;
mod upstream;
mod upstream_state;

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};

use crate::call::{Call, Purpose};
use crate::{Step, TransportError, UpstreamCapacity, UpstreamId};
use budgets::Budget;
pub(crate) use budgets::Budgets;
pub(crate) use circuit_breaker::PROBE_INTERVAL;
use circuit_breaker::{CircuitBreaker, Outcome};
pub use limited::LimitReason;
pub(crate) use limited::Limited;
pub(crate) use permit::{CallEnd, Permit};
use rate_limiter::RateLimiter;
use semaphore::Semaphore;
use served_profiles::ServedProfiles;
pub use upstream::Upstream;
pub use upstream_state::UpstreamState;

/// The maximum number of calls in flight to one upstream. Further calls fail at once. A page of a
/// hundred heads fits, and at a tenth of a second per answer this is a higher rate than any public
/// service accepts.
const MAX_CALLS: usize = 128;

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
    semaphore: Semaphore,
    breaker: CircuitBreaker,
}

/// The next step of a caller who wants to make a call.
pub(crate) enum Admission<'a> {
    /// The call may be made.
    Call(Permit<'a>),
    /// This probe must be made first.
    ProbeFirst(Permit<'a>, Call),
}

/// News of an upstream from its last calls.
pub(crate) enum News {
    /// A call was answered.
    Answered,
    /// The circuit has opened.
    Limited(Limited),
    /// No call says anything.
    Nothing,
}

impl UpstreamLimits {
    /// Creates the limits of an upstream of a provider. `health_check` is the probe until a call
    /// was served.
    pub(crate) fn new(
        id: UpstreamId,
        upstream: Upstream,
        provider: Arc<str>,
        budgets: &Budgets<'_>,
        health_check: Option<Call>,
    ) -> Self {
        let state = State {
            semaphore: Semaphore::new(MAX_CALLS),
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
        if let Some(probe) = state.breaker.due_probe(now).cloned() {
            let permit = self.issue_permit(&mut state, now, Purpose::Probe)?;
            state.breaker.begin_probe(now);
            if probe == *call {
                return Ok(Admission::Call(permit));
            }
            return Ok(Admission::ProbeFirst(permit, probe));
        }
        state.semaphore.check()?;
        let permit = self.issue_permit(&mut state, now, Purpose::LookUp)?;
        Ok(Admission::Call(permit))
    }

    /// Permits a call after a probe was answered.
    pub(crate) fn admit_after_probe(&self, now: Instant) -> Result<Permit<'_>, Limited> {
        let mut state = self.state.lock();
        // A probe that failed keeps calls away, even if the next one is due by now.
        if let Some(limited) = state.breaker.not_closed(now) {
            return Err(limited);
        }
        state.semaphore.check()?;
        self.issue_permit(&mut state, now, Purpose::LookUp)
    }

    /// Opens the circuit because the upstream does not serve such calls any more.
    pub(crate) fn open_as_refused(&self, now: Instant) {
        self.state.lock().breaker.open_as_refused(now);
    }

    /// Returns `true` if calls fail now because the upstream refuses them.
    pub(crate) fn is_refused(&self, now: Instant) -> bool {
        let checked = self.state.lock().breaker.check(now);
        checked.is_err_and(|limited| limited.reason == LimitReason::Refused)
    }

    /// Returns the interval of pings that take a twentieth of the rate limit.
    pub(crate) fn ping_interval(&self) -> Duration {
        match self.budget() {
            Some(budget) => budget.limit.period() * 20 / budget.limit.amount(),
            None => Duration::ZERO,
        }
    }

    /// Returns the news from the calls after `then`.
    pub(crate) fn news_since(&self, then: Instant, now: Instant) -> News {
        let breaker = &self.state.lock().breaker;
        if breaker.has_opened_since(then)
            && let Some(limited) = breaker.not_closed(now)
        {
            return News::Limited(limited);
        }
        if breaker.has_answered_since(then) {
            return News::Answered;
        }
        News::Nothing
    }

    /// Returns the fixed limits.
    pub(crate) fn capacity(&self) -> UpstreamCapacity {
        UpstreamCapacity {
            budget: self.budget().map(|budget| budget.limit),
            max_in_flight: self.state.lock().semaphore.max_in_flight,
        }
    }

    /// Returns the state for metrics.
    pub(crate) fn snapshot(&self, now: Instant) -> UpstreamState {
        let state = self.state.lock();
        let rate_limit_left = self.budget().map(|mut budget| budget.left(now));
        let paused = state.breaker.not_closed(now);
        UpstreamState {
            provider: Arc::clone(&self.provider),
            upstream: self.upstream,
            calls: state.semaphore.in_flight(),
            rate_limit_left,
            paused_for: paused.map(|limited| limited.retry_after),
            limited: self.reached_limit(&state, rate_limit_left, now),
        }
    }

    /// Returns the reason why calls for players fail now.
    fn reached_limit(
        &self,
        state: &State,
        rate_limit_left: Option<u32>,
        now: Instant,
    ) -> Option<LimitReason> {
        if let Err(limited) = state.breaker.check(now) {
            // The current form of the look-up takes the calls that the legacy one refuses.
            let is_taken_over =
                self.upstream == Upstream::IdentityLegacy && limited.reason == LimitReason::Refused;
            if is_taken_over {
                return None;
            }
            return Some(limited.reason);
        }
        if let Err(limited) = state.semaphore.check() {
            return Some(limited.reason);
        }
        if rate_limit_left == Some(0) {
            return Some(LimitReason::RateLimit);
        }
        None
    }

    /// Counts a call that begins, unless the rate limit is used up.
    fn issue_permit(
        &self,
        state: &mut State,
        now: Instant,
        purpose: Purpose,
    ) -> Result<Permit<'_>, Limited> {
        if let Some(mut budget) = self.budget() {
            budget.check(now)?;
            budget.begin();
        }
        state.semaphore.acquire();
        Ok(Permit {
            limits: self,
            begun: now,
            // If the caller panics, the call counts as sent.
            ended: Some(now),
            purpose,
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
            429 => self.outcome_of_rejection(call, end, response.retry_after),
            // Content networks refuse files that do not exist, and anybody may ask for any hash.
            403 if call.step != Step::Texture => Outcome::Refused,
            ..500 => Outcome::Answered,
            _ if call.means_unknown_player(response) => Outcome::Answered,
            _ => Outcome::NotAnswered,
        }
    }

    /// Returns the meaning of a 429. The session service sends it for a profile that it has served
    /// a moment ago, although it would serve others.
    fn outcome_of_rejection(
        &self,
        call: &Call,
        end: CallEnd<'_>,
        retry_after: Option<Duration>,
    ) -> Outcome {
        // We have seen this profile, so the call may become the next probe, as after a 200.
        if self.served.contains(call, end.now) {
            return Outcome::Served;
        }
        // We have not seen this profile served, and it may not exist, so the call must not become a
        // probe.
        if call.step == Step::Session && end.profile_may_be_served {
            return Outcome::Answered;
        }
        Outcome::TooManyRequests { retry_after }
    }

    /// Logs that the circuit has opened, or that an answer has closed it.
    fn log_change(&self, was_opened: bool, breaker: &CircuitBreaker) {
        let provider = &self.provider;
        let upstream = self.upstream;
        match breaker.opened_because() {
            Some(reason) if !was_opened => {
                tracing::warn!(%provider, %upstream, "upstream is paused: {reason}");
            }
            None if was_opened => {
                tracing::info!(%provider, %upstream, "upstream answers again");
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
