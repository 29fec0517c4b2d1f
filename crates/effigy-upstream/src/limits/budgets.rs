//! The rate limits of the upstreams of one provider.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::{Upstream, rate_limiter::RateLimiter};
use crate::{Rate, UpstreamConfig};

/// The default rate limits, slightly below the limits of the public services.
const IDENTITY: Option<Rate> = Rate::new(590, Duration::from_secs(600));
const IDENTITY_CURRENT: Option<Rate> = Rate::new(190, Duration::from_secs(120));
const SESSION: Option<Rate> = Rate::new(390, Duration::from_secs(10));
const BEDROCK: Option<Rate> = Rate::new(120, Duration::from_secs(60));

/// The rate limiter of an upstream, if its rate is limited.
pub(super) type Budget = Option<Arc<Mutex<RateLimiter>>>;

/// The budgets of a provider.
pub(crate) struct Budgets<'a> {
    config: &'a UpstreamConfig,
    identity: Budget,
}

impl<'a> Budgets<'a> {
    pub(crate) fn new(config: &'a UpstreamConfig) -> Self {
        let limit = rate_of(Upstream::IdentityLegacy, config);
        Self {
            config,
            identity: budget(limit),
        }
    }

    /// Returns the budget of an upstream.
    ///
    /// The two forms of the name look-up have different hosts at the public service, and one host
    /// elsewhere, so there they share one budget.
    pub(super) fn of(&self, upstream: Upstream) -> Budget {
        let is_public = self.config.endpoints.is_public(|at| &at.java_identity);
        match upstream {
            Upstream::IdentityLegacy => self.identity.clone(),
            Upstream::IdentityCurrent if !is_public => self.identity.clone(),
            _ => budget(rate_of(upstream, self.config)),
        }
    }
}

fn budget(limit: Option<Rate>) -> Budget {
    let limiter = RateLimiter::new(limit?);
    Some(Arc::new(Mutex::new(limiter)))
}

/// Returns the rate that is set for an upstream, or the default one of a public service.
fn rate_of(upstream: Upstream, config: &UpstreamConfig) -> Option<Rate> {
    let set = &config.rate_limits;
    let endpoints = &config.endpoints;
    let is_identity_public = endpoints.is_public(|at| &at.java_identity);
    let is_session_public = endpoints.is_public(|at| &at.java_session);
    let is_bedrock_public = endpoints.is_public(|at| &at.bedrock_lookup);
    match upstream {
        Upstream::IdentityLegacy if is_identity_public => set.identity.or(IDENTITY),
        Upstream::IdentityCurrent if is_identity_public => set.identity.or(IDENTITY_CURRENT),
        Upstream::IdentityLegacy | Upstream::IdentityCurrent => set.identity,
        Upstream::Session if is_session_public => set.session.or(SESSION),
        Upstream::Session => set.session,
        Upstream::Bedrock if is_bedrock_public => set.bedrock.or(BEDROCK),
        Upstream::Bedrock => set.bedrock,
        Upstream::Texture | Upstream::Profiles => None,
    }
}
