//! The gates of all upstreams, and what each bears where nobody says otherwise.

use std::time::{Duration, Instant};

use crate::gate::{Gate, SharedSpending};
use crate::{Budget, Endpoints, Upstream, UpstreamConfig, UpstreamState};

/// The budgets of the services. One that is not set has the default: a little below what the public
/// service bears where that is the one called, and none at all for any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budgets {
    /// Java name to UUID. The public service bears 600 calls in 10 minutes; the host of the current
    /// form of the look-up is counted apart, with about 200 in 2 minutes.
    pub identity: Option<Budget>,
    /// Java UUID to session profile. The public service bears about 400 calls in 10 s.
    pub session: Option<Budget>,
    /// Both Bedrock look-ups together. What the public service bears is not known, and shared by
    /// everybody.
    pub bedrock: Option<Budget>,
}

const IDENTITY: Option<Budget> = Budget::new(590, Duration::from_secs(600));
const IDENTITY_CURRENT: Option<Budget> = Budget::new(190, Duration::from_secs(120));
const SESSION: Option<Budget> = Budget::new(390, Duration::from_secs(10));
const BEDROCK: Option<Budget> = Budget::new(120, Duration::from_secs(60));

/// The gates of all upstreams.
///
/// Either form of the name look-up has its own: they differ in host on the public service, and
/// elsewhere one may be refused where the other is not.
#[derive(Debug)]
pub(crate) struct Gates {
    identity_legacy: Gate,
    identity_current: Gate,
    session: Gate,
    bedrock: Gate,
    texture: Gate,
}

impl Gates {
    /// The gates before these services.
    pub(crate) fn new(config: &UpstreamConfig) -> Self {
        let (own, at) = (config.budgets, &config.endpoints);
        let public = Endpoints::default();
        let of = |own: Option<Budget>, is_public: bool, default: Option<Budget>| {
            let budget = own.or(default.filter(|_| is_public));
            budget.map(SharedSpending::new)
        };
        let is_public = at.java_identity == public.java_identity;
        let identity = of(own.identity, is_public, IDENTITY);
        let identity_current = if is_public {
            of(own.identity, true, IDENTITY_CURRENT)
        } else {
            identity.clone()
        };
        let is_public = at.java_session == public.java_session;
        let session = of(own.session, is_public, SESSION);
        let is_public = at.bedrock_lookup == public.bedrock_lookup;
        let bedrock = of(own.bedrock, is_public, BEDROCK);

        let gate = |upstream, spending| Gate::new(upstream, config.policy.concurrency, spending);
        Self {
            identity_legacy: gate(Upstream::IdentityLegacy, identity),
            identity_current: gate(Upstream::IdentityCurrent, identity_current),
            session: gate(Upstream::Session, session),
            bedrock: gate(Upstream::Bedrock, bedrock),
            texture: gate(Upstream::Texture, None),
        }
    }

    /// The gate of an upstream.
    pub(crate) const fn of(&self, upstream: Upstream) -> &Gate {
        match upstream {
            Upstream::IdentityLegacy => &self.identity_legacy,
            Upstream::IdentityCurrent => &self.identity_current,
            Upstream::Session => &self.session,
            Upstream::Bedrock => &self.bedrock,
            Upstream::Texture => &self.texture,
        }
    }

    /// How it stands with each upstream.
    pub(crate) fn snapshot(&self, now: Instant) -> Vec<UpstreamState> {
        let gates = [
            &self.identity_legacy,
            &self.identity_current,
            &self.session,
            &self.bedrock,
            &self.texture,
        ];
        gates.map(|gate| gate.snapshot(now)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::{Outcome, Urgency};
    use crate::{BaseUrl, Hold};

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

    fn gates(endpoints: &Endpoints, budgets: Budgets) -> Gates {
        Gates::new(&UpstreamConfig {
            endpoints: endpoints.clone(),
            budgets,
            ..UpstreamConfig::default()
        })
    }

    fn elsewhere() -> Endpoints {
        let base = BaseUrl::parse("test", "http://127.0.0.1:1").expect("a base url");
        Endpoints {
            java_identity: base.clone(),
            java_session: base.clone(),
            bedrock_lookup: base.clone(),
            texture: base,
        }
    }

    /// How many calls in a row are let through, each over at once.
    fn drain(gate: &Gate, now: Instant) -> usize {
        (0..10_000)
            .map_while(|_| gate.enter(now, Urgency::Ordinary).ok())
            .map(|pass| pass.end(now, Outcome::Answered))
            .count()
    }

    #[test]
    fn defaults_hold_for_the_public_services_only() {
        let own = Budgets {
            identity: Budget::new(20, secs(1)),
            session: Budget::new(10, secs(1)),
            bedrock: None,
        };
        let endless = 10_000;
        for (endpoints, budgets, expected) in [
            (
                Endpoints::default(),
                Budgets::default(),
                [579, 187, 383, 118, endless],
            ),
            (elsewhere(), Budgets::default(), [endless; 5]),
            (Endpoints::default(), own, [20, 20, 10, 118, endless]),
            // Both forms are of one host there, and share what it bears.
            (elsewhere(), own, [20, 0, 10, endless, endless]),
        ] {
            let gates = gates(&endpoints, budgets);
            let now = Instant::now();
            let allowed = UPSTREAMS.map(|upstream| drain(gates.of(upstream), now));
            assert_eq!(allowed, expected);
        }
    }

    #[test]
    fn one_that_is_left_alone_is_the_only_one() {
        for at in [Endpoints::default(), elsewhere()] {
            for paused in UPSTREAMS {
                let gates = gates(&at, Budgets::default());
                let now = Instant::now();
                gates.of(paused).object(now, Hold::Refused, None);
                for upstream in UPSTREAMS {
                    let entered = gates.of(upstream).enter(now, Urgency::Ordinary);
                    assert_eq!(entered.is_ok(), upstream != paused, "{upstream}");
                }
            }
        }
    }

    #[test]
    fn every_upstream_is_in_the_snapshot() {
        let gates = gates(&Endpoints::default(), Budgets::default());
        let now = Instant::now();
        let states = gates.snapshot(now);
        let upstreams: Vec<Upstream> = states.iter().map(|state| state.upstream).collect();
        assert_eq!(upstreams, UPSTREAMS);
        let budgets: Vec<Option<u32>> = states.iter().map(|state| state.budget_left).collect();
        assert_eq!(budgets, [Some(590), Some(190), Some(390), Some(120), None]);
    }
}
