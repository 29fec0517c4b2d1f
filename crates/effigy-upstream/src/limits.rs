//! The limits on calls, for each upstream: rate, concurrency, backoff and circuit breaker.

mod backoff;
mod circuit_breaker;
mod rate_limiter;
mod refusals;
mod state;
mod upstream_limits;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub(crate) use state::Priority;
pub use state::{Circuit, LimitReason, Upstream, UpstreamState};
pub(crate) use upstream_limits::{Outcome, UpstreamLimits};

use crate::config::{Endpoints, RateLimit, UpstreamConfig};
use rate_limiter::RateLimiter;

/// The default rate limits, slightly below what the public services accept.
const IDENTITY: Option<RateLimit> = RateLimit::new(590, Duration::from_secs(600));
const IDENTITY_CURRENT: Option<RateLimit> = RateLimit::new(190, Duration::from_secs(120));
const SESSION: Option<RateLimit> = RateLimit::new(390, Duration::from_secs(10));
const BEDROCK: Option<RateLimit> = RateLimit::new(120, Duration::from_secs(60));

/// The limits of all upstreams.
///
/// The two forms of the name look-up have limits of their own: on the public service they have
/// different hosts, and elsewhere one may be refused and the other not.
#[derive(Debug)]
pub(crate) struct Limits([UpstreamLimits; 5]);

impl Limits {
    pub(crate) fn new(config: &UpstreamConfig) -> Self {
        let (set, at) = (config.rate_limits, &config.endpoints);
        let public = Endpoints::default();
        let rate = |set: Option<RateLimit>, is_public: bool, default: Option<RateLimit>| {
            let limit = set.or(default.filter(|_| is_public));
            limit.map(|limit| Arc::new(Mutex::new(RateLimiter::new(limit))))
        };
        let is_public = at.is_public_identity();
        let identity = rate(set.identity, is_public, IDENTITY);
        let identity_current = if is_public {
            rate(set.identity, true, IDENTITY_CURRENT)
        } else {
            identity.clone()
        };
        let is_public = at.java_session == public.java_session;
        let session = rate(set.session, is_public, SESSION);
        let is_public = at.bedrock_lookup == public.bedrock_lookup;
        let bedrock = rate(set.bedrock, is_public, BEDROCK);

        let max_calls = config.concurrency;
        // In the order of the variants.
        let limits = [
            (Upstream::IdentityLegacy, identity),
            (Upstream::IdentityCurrent, identity_current),
            (Upstream::Session, session),
            (Upstream::Bedrock, bedrock),
            (Upstream::Texture, None),
        ];
        Self(limits.map(|(upstream, rate)| UpstreamLimits::new(upstream, max_calls, rate)))
    }

    /// Returns the limits of one upstream.
    pub(crate) const fn of(&self, upstream: Upstream) -> &UpstreamLimits {
        &self.0[upstream as usize]
    }

    /// Returns the state of each upstream.
    pub(crate) fn states(&self, now: Instant) -> Vec<UpstreamState> {
        self.0.iter().map(|limits| limits.state_at(now)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{BaseUrl, RateLimits};

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
        Limits::new(&UpstreamConfig {
            endpoints: endpoints.clone(),
            rate_limits,
            ..UpstreamConfig::default()
        })
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
            .map_while(|subject| limits.begin(now, Priority::Normal, subject).ok())
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
                [579, 187, 383, 118, unlimited],
            ),
            (private_endpoints(), RateLimits::default(), [unlimited; 5]),
            (Endpoints::default(), own, [20, 20, 10, 118, unlimited]),
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
                    let permit = limits.of(upstream).begin(now, Priority::Normal, 0);
                    assert_eq!(permit.is_ok(), upstream != paused, "{upstream}");
                }
            }
        }
    }

    #[test]
    fn every_upstream_has_a_state() {
        let limits = limits(&Endpoints::default(), RateLimits::default());
        let now = Instant::now();
        let states = limits.states(now);
        let upstreams: Vec<Upstream> = states.iter().map(|state| state.upstream).collect();
        assert_eq!(upstreams, UPSTREAMS);
        let rate_limits: Vec<Option<u32>> =
            states.iter().map(|state| state.rate_limit_left).collect();
        assert_eq!(
            rate_limits,
            [Some(579), Some(187), Some(383), Some(118), None]
        );
    }
}
