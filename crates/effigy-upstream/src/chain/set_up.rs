//! The servers of a chain, with their limits.

use std::sync::Arc;
use std::time::Duration;

use effigy_player::Uuid;

use super::DefaultSkin;
use crate::call::Call;
use crate::error::Result;
use crate::limits::{Budgets, UpstreamLimits};
use crate::providers::Provider;
use crate::servers::Servers;
use crate::{ConfigError, Step, Upstream, UpstreamConfig, UpstreamId};

/// Returns the servers of a provider, whose upstreams have ids from `first_id` on.
pub(super) fn servers_of(
    provider: &dyn Provider,
    name: Arc<str>,
    config: &UpstreamConfig,
    first_id: usize,
) -> Result<Servers, ConfigError> {
    let budgets = Budgets::new(config);
    let (urls, upstreams) = provider.servers();
    let mut limits = Vec::new();
    for &upstream in upstreams {
        let id = UpstreamId(first_id + limits.len());
        let probe = provider.probe(upstream);
        let provider_name = Arc::clone(&name);
        limits.push(UpstreamLimits::new(
            id,
            upstream,
            provider_name,
            &budgets,
            probe,
        ));
    }
    let interval = match config.profile_interval {
        Some(interval) => interval,
        None => provider.profile_interval(),
    };
    Servers::new(name, config, &urls, limits, interval)
}

/// Returns the game's own texture service.
pub(super) fn texture_service(
    config: &UpstreamConfig,
    id: UpstreamId,
) -> Result<Servers, ConfigError> {
    let name: Arc<str> = "textures".into();
    let budgets = Budgets::new(config);
    let probed = DefaultSkin::of_uuid(Uuid(0));
    let path = format!("texture/{}", probed.hash);
    let probe = Call::get(Step::Texture, config.endpoints.texture.below(&path));
    let upstream = Upstream::Texture;
    let limits = UpstreamLimits::new(id, upstream, Arc::clone(&name), &budgets, Some(probe));
    let urls = config.endpoints.urls();
    // It has no profiles.
    Servers::new(name, config, &urls, vec![limits], Duration::ZERO)
}
