//! The limits on calls, for each upstream: rate, concurrency, backoff and circuit breaker.

mod backoff;
mod circuit_breaker;
mod rate_limiter;
mod refusals;
mod state;
mod upstream_limits;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub use state::{LimitReason, Upstream, UpstreamState};
pub(crate) use upstream_limits::{Outcome, UpstreamLimits};

use crate::config::{RateLimit, UpstreamConfig};
use rate_limiter::RateLimiter;

/// The default rate limits, slightly below what the public services accept.
const IDENTITY: Option<RateLimit> = RateLimit::new(590, Duration::from_secs(600));
const IDENTITY_CURRENT: Option<RateLimit> = RateLimit::new(190, Duration::from_secs(120));
const SESSION: Option<RateLimit> = RateLimit::new(390, Duration::from_secs(10));
const BEDROCK: Option<RateLimit> = RateLimit::new(120, Duration::from_secs(60));

/// The limits of the upstreams of one provider.
#[derive(Debug)]
pub(crate) struct Limits(Vec<UpstreamLimits>);

impl Limits {
    /// Creates the limits of these upstreams.
    ///
    /// The two forms of the name look-up have limits of their own: on the public service they have
    /// different hosts, and elsewhere one may be refused and the other not. Elsewhere they share the rate limit.
    pub(crate) fn new(
        provider: &Arc<str>,
        config: &UpstreamConfig,
        upstreams: &[Upstream],
    ) -> Self {
        let limiter = |limit| Arc::new(Mutex::new(RateLimiter::new(limit)));
        let mut identity = None;
        let limits = upstreams.iter().map(|&upstream| {
            let mut rate = rate_limit(upstream, config).map(limiter);
            if upstream == Upstream::IdentityLegacy {
                identity.clone_from(&rate);
            } else if upstream == Upstream::IdentityCurrent
                && !config.endpoints.is_public(|at| &at.java_identity)
            {
                rate.clone_from(&identity);
            }
            UpstreamLimits::new(provider, upstream, config.concurrency, rate)
        });
        Self(limits.collect())
    }

    /// Returns `true` if the provider calls no upstream of its own.
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if the provider has this upstream.
    pub(crate) fn contains(&self, upstream: Upstream) -> bool {
        self.0.iter().any(|limits| limits.upstream == upstream)
    }

    /// Returns the limits of one upstream.
    pub(crate) fn of(&self, upstream: Upstream) -> &UpstreamLimits {
        let limits = self.0.iter().find(|limits| limits.upstream == upstream);
        limits.expect("a provider has limits for each upstream that it calls")
    }

    /// Returns the state of each upstream.
    pub(crate) fn states(&self, now: Instant) -> impl Iterator<Item = UpstreamState> {
        self.0.iter().map(move |limits| limits.state_at(now))
    }
}

/// Returns the rate limit that is set, or the default one of a public service.
fn rate_limit(upstream: Upstream, config: &UpstreamConfig) -> Option<RateLimit> {
    let (set, at) = (config.rate_limits, &config.endpoints);
    let is_public_identity = at.is_public(|at| &at.java_identity);
    let (set, is_public, default) = match upstream {
        Upstream::IdentityLegacy => (set.identity, is_public_identity, IDENTITY),
        Upstream::IdentityCurrent => (set.identity, is_public_identity, IDENTITY_CURRENT),
        Upstream::Session => (set.session, at.is_public(|at| &at.java_session), SESSION),
        Upstream::Bedrock => (set.bedrock, at.is_public(|at| &at.bedrock_lookup), BEDROCK),
        Upstream::Texture | Upstream::Profiles => return None,
    };
    set.or(default.filter(|_| is_public))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{BaseUrl, Endpoints, RateLimits};

    const fn secs(secs: u64) -> Duration {
        Duration::from_secs(secs)
    }

    const UPSTREAMS: [Upstream; 5] = [
        Upstream::IdentityLegacy,
        Upstream::IdentityCurrent,
        Upstream::Session,
        Upstream::Bedrock,
        Upstream::Texture,
    ];

    fn limits(endpoints: &Endpoints, rate_limits: RateLimits) -> Limits {
        let config = UpstreamConfig {
            endpoints: endpoints.clone(),
            rate_limits,
            ..UpstreamConfig::default()
        };
        Limits::new(&"test".into(), &config, &UPSTREAMS)
    }

    fn private_endpoints() -> Endpoints {
        let base = BaseUrl::parse("test", "http://127.0.0.1:1").expect("a base url");
        Endpoints {
            java_identity: base.clone(),
            java_session: base.clone(),
            bedrock_lookup: base.clone(),
            texture: base,
        }
    }

    /// Counts the calls that are permitted in a row, each of which ends at once.
    fn drain(limits: &UpstreamLimits, now: Instant) -> usize {
        (0..10_000)
            .map_while(|subject| limits.begin(now, subject).ok())
            .map(|permit| permit.end(now, Outcome::Answered))
            .count()
    }

    #[test]
    fn defaults_hold_for_the_public_services_only() {
        let own = RateLimits {
            identity: RateLimit::new(20, secs(1)),
            session: RateLimit::new(10, secs(1)),
            bedrock: None,
        };
        let unlimited = 10_000;
        for (endpoints, rate_limits, expected) in [
            (
                Endpoints::default(),
                RateLimits::default(),
                [590, 190, 390, 120, unlimited],
            ),
            (private_endpoints(), RateLimits::default(), [unlimited; 5]),
            (Endpoints::default(), own, [20, 20, 10, 120, unlimited]),
            // There, both forms have one host and share its limit.
            (private_endpoints(), own, [20, 0, 10, unlimited, unlimited]),
        ] {
            let limits = limits(&endpoints, rate_limits);
            let now = Instant::now();
            let allowed = UPSTREAMS.map(|upstream| drain(limits.of(upstream), now));
            assert_eq!(allowed, expected);
        }
    }

    #[test]
    fn a_pause_affects_one_upstream_only() {
        for at in [Endpoints::default(), private_endpoints()] {
            for paused in UPSTREAMS {
                let limits = limits(&at, RateLimits::default());
                let now = Instant::now();
                limits.of(paused).pause(now, LimitReason::Refused, None);
                for upstream in UPSTREAMS {
                    let permit = limits.of(upstream).begin(now, 0);
                    assert_eq!(permit.is_ok(), upstream != paused, "{upstream}");
                }
            }
        }
    }

    #[test]
    fn every_upstream_has_a_state() {
        let limits = limits(&Endpoints::default(), RateLimits::default());
        let now = Instant::now();
        let states: Vec<UpstreamState> = limits.states(now).collect();
        let upstreams: Vec<Upstream> = states.iter().map(|state| state.upstream).collect();
        assert_eq!(upstreams, UPSTREAMS);
        let rate_limits: Vec<Option<u32>> =
            states.iter().map(|state| state.rate_limit_left).collect();
        assert_eq!(
            rate_limits,
            [Some(590), Some(190), Some(390), Some(120), None]
        );
    }
}
