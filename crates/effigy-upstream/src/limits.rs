//! The limits on the calls to one upstream: the time before which it is not called, concurrency and rate.

mod rate_limiter;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};
use quick_cache::sync::Cache;
use url::Url;

use crate::{BaseUrl, Endpoints, Payer, Rate, Response, Step, TransportError, UpstreamConfig};
use LimitReason::{NotAnswering, RateLimit, Refused, Share, TooManyRequests};
use rate_limiter::RateLimiter;

/// The most calls in flight to one upstream. Further ones fail at once. A page of a hundred heads asks for all of them together,
/// and at a tenth of a second per answer this is a higher rate than any public service accepts.
const MAX_CALLS: usize = 128;

/// The number of failures in a row after which an upstream seems to fail, and not these calls alone.
const MAX_FAILURES: u32 = 3;

/// The networks that may each have a probe in an interval, so that no few of them decide for all.
const MAX_PROBERS: usize = 4;

/// The interval of probes while an upstream does not answer, and the time for which an outage of one player is
/// remembered. So an upstream that has recovered is soon used again.
pub(crate) const PROBE_INTERVAL: Duration = Duration::from_secs(2);

/// The first pause after an upstream rejects a call without `Retry-After`. Each next one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause without `Retry-After`.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// The longest `Retry-After`: a mistake in a header must not stop the service.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(3600);

/// The time in which the session service may serve a profile only once. A rejection is not about others then.
const ONE_PROFILE: Duration = Duration::from_secs(60);

/// The most profiles of which that is known.
const MAX_SERVED: usize = 5_000;

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
    pub calls: usize,
    /// The number of calls that the rate limit allows now, or `None` if there is no rate limit.
    pub rate_limit_left: Option<u32>,
    /// The time until the next call, while the upstream rejects or fails calls. It is zero if a probe is due.
    pub paused_for: Option<Duration>,
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
        /// The client that causes the call has used its share.
        Share = "the client has used its share",
        /// The last calls failed, and the next probe is not due.
        NotAnswering = "it does not answer",
        /// The maximum number of concurrent calls is in flight.
        Concurrency = "too many calls are in flight",
    }
}

/// A limit that is reached, and the time until a call can be made, or zero if that is not known.
pub(crate) type Limited = (LimitReason, Duration);

/// The limits of one upstream. They permit a call or refuse it at once; nothing waits.
pub(crate) struct UpstreamLimits {
    provider: Arc<str>,
    pub(crate) upstream: Upstream,
    max_calls: usize,
    state: Mutex<State>,
    /// The profiles that were served, each with the time.
    served: Cache<Url, Instant>,
    /// Shared if two upstreams have one host.
    rate: Option<Arc<Mutex<RateLimiter>>>,
}

#[derive(Debug, Default)]
struct State {
    /// The network of the payer of each call in flight. Of the calls that are left, one network takes at most half.
    in_flight: Vec<Option<IpAddr>>,
    /// The number of calls that failed since the last answer. While it exceeds [`MAX_FAILURES`], only probes are made.
    failures: u32,
    last_answer: Option<Instant>,
    /// The last request that was answered with 200. To repeat it tells whether the upstream fails, or other requests
    /// alone. One that fails itself is not repeated again.
    proven: Option<(Step, Url)>,
    /// `true` while it is being repeated, for one caller.
    is_proving: bool,
    /// The networks that have had a probe in this interval.
    probers: Vec<IpAddr>,
    not_before: Option<NotBefore>,
    /// The length of the last pause without `Retry-After`, or zero.
    backoff: Duration,
}

/// The time before which an upstream is not called.
#[derive(Debug, Clone, Copy)]
struct NotBefore {
    until: Instant,
    reason: LimitReason,
    /// The time of the failure or rejection.
    since: Instant,
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
            max_calls: MAX_CALLS,
            state: Mutex::default(),
            served: Cache::new(MAX_SERVED),
            rate: match upstream {
                Upstream::IdentityLegacy => legacy.clone(),
                Upstream::IdentityCurrent if !is_public => legacy.clone(),
                _ => rate_limiter(upstream, config),
            },
        });
        limits.collect()
    }

    /// Permits a call and charges for it, or returns the limit that is reached.
    pub(crate) fn begin(
        &self,
        now: Instant,
        payer: Option<&Arc<dyn Payer>>,
    ) -> Result<Permit<'_>, Limited> {
        let network = payer.map(|payer| payer.network());
        let mut state = self.state.lock();
        state.check(now, self.max_calls, network)?;
        let mut rate = self.rate();
        rate.iter_mut()
            .try_for_each(|rate| rate.check(now, network))?;
        // Last, because it cannot be given back.
        let charged = payer.map_or(Ok(()), |payer| payer.charge());
        charged.map_err(|wait| (Share, wait))?;
        rate.iter_mut().for_each(|rate| rate.begin(network));
        state.in_flight.push(network);
        if let (true, Some(pause)) = (state.is_down(), &mut state.not_before) {
            // This is a probe.
            if pause.until <= now {
                pause.until = now + PROBE_INTERVAL;
                state.probers.clear();
            }
            state.probers.extend(network);
        }
        Ok(Permit {
            limits: self,
            network,
            begun: now,
            ended: Some(now),
        })
    }

    /// Returns the request that must be answered before that of this URL is made, because several have failed in a row. Others
    /// do not wait for it, until [`proved`](Self::proved).
    pub(crate) fn proof(&self, url: &Url) -> Option<(Step, Url)> {
        let mut state = self.state.lock();
        let proven = state.proven.clone().filter(|(_, proven)| proven != url);
        let proof = proven.filter(|_| state.failures >= MAX_FAILURES && !state.is_proving);
        state.is_proving |= proof.is_some();
        proof
    }

    /// Ends the repetition of the proof.
    pub(crate) fn proved(&self) {
        self.state.lock().is_proving = false;
    }

    /// Pauses calls because the upstream does not serve them any more.
    pub(crate) fn refuse(&self, now: Instant) {
        let mut state = self.state.lock();
        (state.failures, state.proven) = (MAX_FAILURES, None);
        state.failed(now, now, Refused, Some(MAX_PAUSE));
    }

    /// Returns the interval at which pings take a twentieth of the rate limit.
    pub(crate) fn ping_interval(&self) -> Duration {
        let rate = self.rate().map(|rate| rate.limit);
        rate.map_or(Duration::ZERO, |rate| rate.period() * 20 / rate.amount())
    }

    /// Returns what the calls after `then` have told: that the upstream answers, or why it is not called.
    pub(crate) fn told_since(&self, then: Instant, now: Instant) -> Option<Result<(), Limited>> {
        let state = self.state.lock();
        let has_failed =
            state.is_down() && state.not_before.is_some_and(|pause| pause.since > then);
        let has_answered = state.last_answer.is_some_and(|last| last > then);
        match state.paused(now) {
            Some(limited) if has_failed => Some(Err(limited)),
            _ => has_answered.then_some(Ok(())),
        }
    }

    /// Records that a response which seems to be a failure was an answer.
    pub(crate) fn answered(&self, now: Instant) {
        self.state.lock().answered(now, now);
    }

    /// Returns the state for metrics.
    pub(crate) fn snapshot(&self, now: Instant) -> UpstreamState {
        let state = self.state.lock();
        let rate_limit_left = self.rate().map(|mut rate| rate.left(now));
        let limited = state.check(now, self.max_calls, None).err();
        let is_used_up = (rate_limit_left == Some(0)).then_some(RateLimit);
        let limited = limited.map(|(reason, _)| reason).or(is_used_up);
        // The current form of the look-up takes the calls that the legacy one refuses.
        let is_legacy = self.upstream == Upstream::IdentityLegacy;
        UpstreamState {
            provider: Arc::clone(&self.provider),
            upstream: self.upstream,
            calls: state.in_flight.len(),
            rate_limit_left,
            paused_for: state.paused(now).map(|(_, rest)| rest),
            limited: limited.filter(|reason| !is_legacy || *reason != Refused),
        }
    }

    fn rate(&self) -> Option<MutexGuard<'_, RateLimiter>> {
        self.rate.as_deref().map(Mutex::lock)
    }
}

impl State {
    /// Returns `true` while only probes are made.
    const fn is_down(&self) -> bool {
        self.failures > MAX_FAILURES
    }

    /// Returns the pause with the rest of it, which is zero if a probe is due.
    fn paused(&self, now: Instant) -> Option<Limited> {
        let pause = self.not_before?;
        let rest = pause.until.saturating_duration_since(now);
        (self.is_down() || !rest.is_zero()).then_some((pause.reason, rest))
    }

    fn check(&self, now: Instant, max: usize, network: Option<IpAddr>) -> Result<(), Limited> {
        let left = max.saturating_sub(self.in_flight.len());
        let own = self
            .in_flight
            .iter()
            .filter(|by| by.is_some() && **by == network);
        // Somebody else's requests may be answered.
        let may_probe = network.is_some_and(|network| !self.probers.contains(&network))
            && self.probers.len() < MAX_PROBERS;
        match self.paused(now) {
            Some((NotAnswering, _)) if may_probe => Ok(()),
            Some((reason, rest)) if !rest.is_zero() => Err((reason, rest)),
            // The calls that hang use up the limit, which leaves none for the probe.
            None if left == 0 => Err((LimitReason::Concurrency, Duration::ZERO)),
            None if own.count() > left => Err((Share, FIRST_PAUSE)),
            _ => Ok(()),
        }
    }

    /// Records an answer to a call that began at `begun`.
    fn answered(&mut self, begun: Instant, now: Instant) {
        (self.failures, self.last_answer) = (0, Some(now));
        self.probers.clear();
        // The answer to a call from before a rejection does not end the pause.
        let is_over = |paused: NotBefore| paused.reason == NotAnswering || paused.since < begun;
        if self.not_before.is_none_or(is_over) {
            (self.not_before, self.backoff) = (None, Duration::ZERO);
        }
    }

    /// Records the failure of a call that began at `begun`. A rejection lasts for `retry_after`, or else twice as long as
    /// the last one.
    fn failed(
        &mut self,
        begun: Instant,
        now: Instant,
        reason: LimitReason,
        retry_after: Option<Duration>,
    ) {
        // If the upstream has answered a call since this one began, it is well now.
        let is_over = self.last_answer.is_some_and(|last| begun < last);
        // While there is a proof, it alone tells that the upstream fails, however many calls are in flight.
        let is_told = self.failures < MAX_FAILURES || self.proven.is_none();
        self.failures += u32::from(!is_over && is_told);
        // Anything else may be about the request alone.
        if reason != TooManyRequests && (is_over || !self.is_down()) {
            return;
        }
        let until = match retry_after.filter(|asked| !asked.is_zero()) {
            _ if reason == NotAnswering => begun + PROBE_INTERVAL,
            Some(asked) => now + asked.clamp(FIRST_PAUSE, MAX_RETRY_AFTER),
            // The call was already in flight when the pause began.
            None if self.not_before.is_some_and(|paused| begun <= paused.since) => return,
            None => {
                self.backoff = (self.backoff * 2).clamp(FIRST_PAUSE, MAX_PAUSE);
                now + self.backoff
            }
        };
        if self.not_before.is_none_or(|paused| paused.until <= until) {
            self.not_before = Some(NotBefore {
                until,
                reason,
                since: now,
            });
        }
    }
}

/// The permit of one call. Dropping it releases its share of the limits, also after a panic.
#[must_use]
pub(crate) struct Permit<'a> {
    limits: &'a UpstreamLimits,
    network: Option<IpAddr>,
    begun: Instant,
    /// `None` if the request was never sent.
    ended: Option<Instant>,
}

impl Permit<'_> {
    /// Records the end of the call, of a request that may be repeated as a proof. A timeout counts if it `was_long`: a
    /// short one says nothing about the upstream. Returns the time until the next call, if the upstream is paused.
    pub(crate) fn end(
        mut self,
        now: Instant,
        result: &Result<Response, TransportError>,
        was_long: bool,
        proof: Option<(Step, Url)>,
    ) -> Option<Duration> {
        use TransportError::{NotPublic, Timeout, TooLarge, Unreachable};
        let is_sent = !matches!(result, Err(Unreachable { .. } | NotPublic { .. }));
        self.ended = is_sent.then_some(now);
        let (begun, limits) = (self.begun, self.limits);
        let mut state = limits.state.lock();
        let was_paused = state.not_before.is_some();
        let outcome = |response: &Response| (response.status, response.retry_after);
        let served = proof.as_ref().and_then(|(_, url)| limits.served.get(url));
        let was_served = served.is_some_and(|last| now < last + ONE_PROFILE);
        // If it is the proof, only its answer makes it one again.
        let is_proof = |proven: &mut _| proof.as_ref() == Some(&*proven);
        state.proven.take_if(is_proof);
        match result.as_ref().map(outcome) {
            Ok((429, wait)) if !was_served => state.failed(begun, now, TooManyRequests, wait),
            // It may be about this request alone, however long it lasts.
            Ok((403, _)) => state.failed(begun, now, Refused, None),
            Ok((status @ ..500, _)) => {
                state.answered(begun, now);
                let proof = proof.filter(|_| matches!(status, 200 | 429));
                if let (200, Some((Step::Session, url))) = (status, &proof) {
                    limits.served.insert(url.clone(), now);
                }
                state.proven = proof.or(state.proven.take());
            }
            Err(TooLarge { .. }) => state.answered(begun, now),
            // It says nothing about the upstream.
            Err(Timeout) if !was_long => {}
            _ => state.failed(begun, now, NotAnswering, None),
        }
        let (provider, upstream) = (&limits.provider, limits.upstream);
        match (was_paused, state.not_before) {
            (false, Some(NotBefore { reason, .. })) => {
                tracing::warn!(%provider, %upstream, "upstream is paused: {reason}");
            }
            (true, None) => tracing::info!(%provider, %upstream, "upstream answers again"),
            _ => {}
        }
        state.paused(now).map(|(_, rest)| rest)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let in_flight = &mut self.limits.state.lock().in_flight;
        let place = in_flight.iter().position(|by| *by == self.network);
        in_flight.swap_remove(place.expect("it has begun"));
        if let Some(mut rate) = self.limits.rate() {
            rate.end(self.network, self.ended);
        }
    }
}

/// Enforces the rate limit that is set, or the default one of a public service.
fn rate_limiter(upstream: Upstream, config: &UpstreamConfig) -> Option<Arc<Mutex<RateLimiter>>> {
    let set = config.rate_limits;
    let (set, service, default): (_, fn(&Endpoints) -> &BaseUrl, _) = match upstream {
        Upstream::IdentityLegacy => (set.identity, |at| &at.java_identity, IDENTITY),
        Upstream::IdentityCurrent => (set.identity, |at| &at.java_identity, IDENTITY_CURRENT),
        Upstream::Session => (set.session, |at| &at.java_session, SESSION),
        Upstream::Bedrock => (set.bedrock, |at| &at.bedrock_lookup, BEDROCK),
        Upstream::Texture | Upstream::Profiles => return None,
    };
    let limit = set.or(default.filter(|_| config.endpoints.is_public(service)))?;
    Some(Arc::new(Mutex::new(RateLimiter::new(limit))))
}

#[cfg(test)]
mod tests;
