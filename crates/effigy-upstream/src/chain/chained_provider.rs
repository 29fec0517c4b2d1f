//! A provider in its chain.

use std::sync::Arc;
use std::time::{Duration, Instant};

use effigy_player::PlayerId;
use quick_cache::sync::Cache;

use crate::fetcher::{Fetcher, Servers};
use crate::limits::PROBE_INTERVAL;
use crate::providers::{Provider, ProviderSetup};
use crate::{ConfigError, Profile, UpstreamConfig, UpstreamError, error::Result};

/// The number of players without a profile that are remembered. It is more than the public services answer for in a
/// minute.
const MAX_MISSING: usize = 10_000;

/// A provider with its servers and the memory of the players whom it does not know.
pub(super) struct ChainedProvider {
    pub(super) provider: Box<dyn Provider>,
    pub(super) servers: Servers,
    /// The players of whom there is no profile, since when, and the outage if that is why. So requests for one of them
    /// cannot use up the rate limit.
    missing: Cache<PlayerId, (Instant, Option<Arc<UpstreamError>>)>,
    missing_ttl: Duration,
}

impl ChainedProvider {
    /// Sets up the servers and the memory of a provider.
    pub(super) fn new(
        name: String,
        setup: ProviderSetup,
        config: &UpstreamConfig,
    ) -> Result<Self, ConfigError> {
        let servers = Servers::new(name.into(), config, &setup.servers, setup.upstreams)?;
        // Files are read again.
        let is_remote = !servers.limits.is_empty();
        Ok(Self {
            provider: setup.provider,
            servers,
            missing: Cache::new(MAX_MISSING),
            missing_ttl: config.missing_player_ttl * u32::from(is_remote),
        })
    }

    pub(super) fn name(&self) -> &Arc<str> {
        &self.servers.provider
    }

    /// Looks a player up, unless the provider said a moment ago that there is no such player, or failed to say it.
    pub(super) fn profile(
        &self,
        fetcher: &Fetcher,
        player: &PlayerId,
    ) -> Result<Option<Profile>, Arc<UpstreamError>> {
        let key = player.folded(self.provider.ignores_case());
        if let Some((since, outage)) = self.missing.get(&key) {
            let ttl = outage.as_ref().map_or(Duration::MAX, |_| PROBE_INTERVAL);
            if fetcher.now().saturating_duration_since(since) < ttl.min(self.missing_ttl) {
                return outage.map_or(Ok(None), Err);
            }
        }
        let outage = match self.provider.profile(fetcher, player) {
            Ok(Some(profile)) => return Ok(Some(profile)),
            Ok(None) => None,
            Err(error) if error.limit().is_some() => return Err(error.into()),
            Err(error) => Some(Arc::new(error)),
        };
        self.missing.insert(key, (fetcher.now(), outage.clone()));
        outage.map_or(Ok(None), Err)
    }

    /// Names the provider in a failure.
    pub(super) fn failure(&self, error: impl Into<Arc<UpstreamError>>) -> UpstreamError {
        UpstreamError::Provider {
            provider: Arc::clone(self.name()),
            source: error.into(),
        }
    }
}
