//! The limits on the calls to one upstream: rate, concurrency, backoff and circuit breaker.

mod pause;
mod rate_limiter;

use std::time::{Duration, Instant};
use std::{mem, sync::Arc};

use parking_lot::{Mutex, MutexGuard};

use crate::{Rate, Response, TransportError, UpstreamConfig};
use pause::{Pause, Refusals};
use rate_limiter::RateLimiter;

/// The default rate limits, slightly below what the public services accept.
const IDENTITY: Option<Rate> = Rate::new(590, Duration::from_secs(600));
const IDENTITY_CURRENT: Option<Rate> = Rate::new(190, Duration::from_secs(120));
const SESSION: Option<Rate> = Rate::new(390, Duration::from_secs(10));
const BEDROCK: Option<Rate> = Rate::new(120, Duration::from_secs(60));

effigy_player::word_enum! {
    /// A service of a provider, which has limits of its own.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Upstream {
        /// Java names to UUIDs, by the legacy form of the look-up.
        IdentityLegacy = "identity_legacy",
        /// Java names to UUIDs, by the current form.
        IdentityCurrent = "identity_current",
        /// Java UUIDs to profiles.
        Session = "session",
        /// Both Bedrock look-ups.
        Bedrock = "bedrock",
        /// Textures, from any host of the provider.
        Texture = "texture",
        /// Names, profiles and the description of a Yggdrasil server.
        Profiles = "profiles",
    }
}

/// The state of the limits of one upstream at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UpstreamState {
    /// The provider, by its kind and host. The texture service of the game, which several providers share, is
    /// `textures`.
    pub provider: Arc<str>,
    /// The upstream.
    pub upstream: Upstream,
    /// The number of calls in flight.
    pub calls: u32,
    /// The number of calls that the rate limit allows now, or `None` if there is no rate limit.
    pub rate_limit_left: Option<u32>,
    /// The rest of the pause after the upstream rejected a call.
    pub paused_for: Option<Duration>,
    /// `true` if only a probe is made now and then, because the last calls timed out.
    pub is_circuit_open: bool,
    /// The reason why calls for players fail now, if they do and no other upstream takes them over.
    pub limited: Option<LimitReason>,
}

effigy_player::word_enum! {
    /// The limit that keeps a call from being made.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum LimitReason {
        /// The upstream refused a call (403) a moment ago, or does not serve it any more.
        Refused = "it refused a call",
        /// The upstream rejected a call as one too many (429) a moment ago.
        TooManyRequests = "it was called too often",
        /// The rate limit is used up.
        RateLimit = "its rate limit is used up",
        /// The circuit breaker is open, and the next probe is not due.
        CircuitOpen = "it does not answer",
        /// The maximum number of concurrent calls is in flight.
        Concurrency = "too many calls are in flight",
        /// The server could not be asked for its description a moment ago.
        NoMetadata = "its description could not be fetched",
    }
}

/// A limit that is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limited {
    /// The limit.
    pub(crate) reason: LimitReason,
    /// The time until a call can be made, or zero if that is not known.
    pub(crate) retry_after: Duration,
}

/// The limits of one upstream: pauses, concurrency limit and rate limit. They permit a call or refuse it at once;
/// nothing waits.
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
    /// Creates the limits of the upstreams of one provider.
    ///
    /// The two forms of the name look-up have limits of their own: on the public service they have
    /// different hosts, and elsewhere one may be refused and the other not. Elsewhere they share the rate limit.
    pub(crate) fn for_upstreams(
        upstreams: &[Upstream],
        provider: &Arc<str>,
        config: &UpstreamConfig,
    ) -> Vec<Self> {
        let legacy = rate_limiter(Upstream::IdentityLegacy, config);
        let is_public = config.endpoints.is_public(|at| &at.java_identity);
        let limits = upstreams.iter().map(|&upstream| Self {
            provider: Arc::clone(provider),
            upstream,
            max_calls: config.concurrency.get(),
            refusals: Mutex::default(),
            state: Mutex::default(),
            rate: match upstream {
                Upstream::IdentityLegacy => legacy.clone(),
                Upstream::IdentityCurrent if !is_public => legacy.clone(),
                _ => rate_limiter(upstream, config),
            },
        });
        limits.collect()
    }

    /// Permits a call, or returns the limit that is reached.
    pub(crate) fn begin(&self, now: Instant) -> Result<Permit<'_>, Limited> {
        let mut state = self.state.lock();
        state.check(now, self.max_calls)?;
        // Last, because it cannot be given back.
        if let Some(mut rate) = self.rate() {
            rate.begin(now)?;
        }
        state.pause.begin(now);
        state.in_flight += 1;
        let (limits, at) = (self, now);
        Ok(Permit { limits, at })
    }

    /// Pauses calls because the upstream rejected one.
    pub(crate) fn pause(&self, now: Instant, reason: LimitReason, retry_after: Option<Duration>) {
        let mut state = self.state.lock();
        if let Some(pause) = state.pause.rejected(now, reason, retry_after) {
            let (provider, upstream) = (&self.provider, self.upstream);
            tracing::warn!(%provider, %upstream, ?pause, "upstream is paused: {reason}");
        }
    }

    /// Returns the state for metrics.
    pub(crate) fn snapshot(&self, now: Instant) -> UpstreamState {
        let state = self.state.lock();
        let rate_limit_left = self.rate().map(|mut rate| rate.left(now));
        let limited = match state.check(now, self.max_calls) {
            Err(limited) => Some(limited.reason),
            Ok(()) => (rate_limit_left == Some(0)).then_some(LimitReason::RateLimit),
        };
        // The current form of the look-up takes the calls that the legacy one refuses.
        let is_legacy = self.upstream == Upstream::IdentityLegacy;
        let pause = state.pause.check(now).err();
        let pause = pause.filter(|limited| limited.reason != LimitReason::CircuitOpen);
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

    fn rate(&self) -> Option<MutexGuard<'_, RateLimiter>> {
        self.rate.as_deref().map(Mutex::lock)
    }
}

impl State {
    fn check(&self, now: Instant, max_calls: u32) -> Result<(), Limited> {
        self.pause.check(now)?;
        // The calls that hang use up the limit, which leaves none for the probe.
        if self.in_flight >= max_calls && !self.pause.is_circuit_open() {
            return Err(Limited {
                reason: LimitReason::Concurrency,
                retry_after: Duration::ZERO,
            });
        }
        Ok(())
    }
}

/// The permit of one call. Dropping it releases its share of the limits, also after a panic.
#[must_use]
pub(crate) struct Permit<'a> {
    limits: &'a UpstreamLimits,
    /// The time at which it began, then that at which it ended.
    at: Instant,
}

impl Permit<'_> {
    /// Records the end of the call. A timeout counts if it `was_long`: a short one says nothing about the upstream.
    pub(crate) fn end(
        mut self,
        now: Instant,
        result: &Result<Response, TransportError>,
        was_long: bool,
    ) {
        let (limits, begun) = (self.limits, mem::replace(&mut self.at, now));
        let (provider, upstream) = (&limits.provider, limits.upstream);
        let mut state = limits.state.lock();
        let was_open = state.pause.is_circuit_open();
        match result {
            Ok(response) if response.status < 500 => {
                state.pause.responded(now);
                // A rejection is a response too: the upstream is not stuck.
                if !matches!(response.status, 403 | 429) {
                    state.pause.answered(now);
                    limits.refusals.lock().refused.clear();
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
            limits.pause(now, LimitReason::TooManyRequests, response.retry_after);
        }
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

/// Enforces the rate limit that is set, or the default one of a public service.
fn rate_limiter(upstream: Upstream, config: &UpstreamConfig) -> Option<Arc<Mutex<RateLimiter>>> {
    let (set, at) = (config.rate_limits, &config.endpoints);
    let is_public_identity = at.is_public(|at| &at.java_identity);
    let (set, is_public, default) = match upstream {
        Upstream::IdentityLegacy => (set.identity, is_public_identity, IDENTITY),
        Upstream::IdentityCurrent => (set.identity, is_public_identity, IDENTITY_CURRENT),
        Upstream::Session => (set.session, at.is_public(|at| &at.java_session), SESSION),
        Upstream::Bedrock => (set.bedrock, at.is_public(|at| &at.bedrock_lookup), BEDROCK),
        Upstream::Texture | Upstream::Profiles => return None,
    };
    let limit = set.or(default.filter(|_| is_public))?;
    Some(Arc::new(Mutex::new(RateLimiter::new(limit))))
}

#[cfg(test)]
mod tests;
