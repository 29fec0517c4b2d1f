//! The limits on calls, for each upstream: rate, concurrency, backoff and circuit breaker.

mod pause;
mod rate_limiter;
mod refusals;
mod state;
mod upstream_limits;

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

pub use state::{LimitReason, Upstream, UpstreamState};
pub(crate) use upstream_limits::UpstreamLimits;

use crate::config::{Rate, UpstreamConfig};
use rate_limiter::RateLimiter;

/// The default rate limits, slightly below what the public services accept.
const IDENTITY: Option<Rate> = Rate::new(590, Duration::from_secs(600));
const IDENTITY_CURRENT: Option<Rate> = Rate::new(190, Duration::from_secs(120));
const SESSION: Option<Rate> = Rate::new(390, Duration::from_secs(10));
const BEDROCK: Option<Rate> = Rate::new(120, Duration::from_secs(60));

/// Creates the limits of the upstreams of one provider.
///
/// The two forms of the name look-up have limits of their own: on the public service they have
/// different hosts, and elsewhere one may be refused and the other not. Elsewhere they share the rate limit.
pub(crate) fn limits(
    provider: &Arc<str>,
    config: &UpstreamConfig,
    upstreams: &[Upstream],
) -> Vec<UpstreamLimits> {
    let limiter = |upstream| {
        let limit = rate_limit(upstream, config);
        limit.map(|limit| Arc::new(Mutex::new(RateLimiter::new(limit))))
    };
    let legacy = limiter(Upstream::IdentityLegacy);
    let is_public = config.endpoints.is_public(|at| &at.java_identity);
    let limits = upstreams.iter().map(|&upstream| {
        let rate = match upstream {
            Upstream::IdentityLegacy => legacy.clone(),
            Upstream::IdentityCurrent if !is_public => legacy.clone(),
            _ => limiter(upstream),
        };
        UpstreamLimits::new(provider, upstream, config.concurrency, rate)
    });
    limits.collect()
}

/// Returns the rate limit that is set, or the default one of a public service.
fn rate_limit(upstream: Upstream, config: &UpstreamConfig) -> Option<Rate> {
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
    use std::time::Instant;

    use super::*;
    use crate::config::{BaseUrl, Endpoints, RateLimits};
    use crate::transport::Response;

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

    /// Returns the limits of the upstreams, in their order.
    fn limits(endpoints: &Endpoints, rate_limits: RateLimits) -> Vec<UpstreamLimits> {
        let config = UpstreamConfig {
            endpoints: endpoints.clone(),
            rate_limits,
            ..UpstreamConfig::default()
        };
        super::limits(&"test".into(), &config, &UPSTREAMS)
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
            .map_while(|_| limits.begin(now).ok())
            .map(|permit| permit.end(now, &Ok(Response::default()), true))
            .count()
    }

    #[test]
    fn defaults_hold_for_the_public_services_only() {
        let own = RateLimits {
            identity: Rate::new(20, secs(1)),
            session: Rate::new(10, secs(1)),
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
            let allowed = limits.iter().map(|limits| drain(limits, now));
            assert!(allowed.eq(expected));
        }
    }

    #[test]
    fn a_pause_affects_one_upstream_only() {
        for at in [Endpoints::default(), private_endpoints()] {
            for paused in 0..UPSTREAMS.len() {
                let limits = limits(&at, RateLimits::default());
                let now = Instant::now();
                limits[paused].pause(now, LimitReason::Refused, None);
                for (place, limits) in limits.iter().enumerate() {
                    assert_eq!(limits.begin(now).is_ok(), place != paused);
                }
            }
        }
    }

    #[test]
    fn every_upstream_has_a_state() {
        let limits = limits(&Endpoints::default(), RateLimits::default());
        let now = Instant::now();
        let states: Vec<UpstreamState> = limits.iter().map(|limits| limits.state_at(now)).collect();
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
