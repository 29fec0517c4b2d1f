//! A provider in its chain.

use std::sync::Arc;
use std::time::{Duration, Instant};

use effigy_player::PlayerId;
use parking_lot::Mutex;
use quick_cache::sync::Cache;

use crate::fetcher::{Fetcher, Servers};
use crate::limits::{PROBE_INTERVAL, UpstreamLimits};
use crate::providers::{Provider, ProviderSetup};
use crate::{
    ConfigError, Ping, Profile, Step, Upstream, UpstreamConfig, UpstreamError, error::Result,
};

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
    last_ping: Mutex<Option<LastPing>>,
}

/// A ping: its answer, its duration, and the time at which it ended.
type LastPing = (Result<(), Arc<UpstreamError>>, Duration, Instant);

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
            last_ping: Mutex::default(),
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

    /// Checks that the provider answers, by a ping if one is due.
    pub(super) fn ping(&self, fetcher: &Fetcher) -> Ping {
        let named = self.servers.limits.iter().filter(|limits| {
            use Upstream::{IdentityCurrent, IdentityLegacy, Profiles};
            matches!(limits.upstream, IdentityLegacy | IdentityCurrent | Profiles)
        });
        let (mut last, started) = (self.last_ping.lock(), fetcher.now());
        let interval = named.clone().map(UpstreamLimits::ping_interval).max();
        let interval = interval.unwrap_or_default();
        let is_known =
            |(.., ended): &LastPing| started.saturating_duration_since(*ended) < interval;
        let (mut answer, mut response_time, ended) =
            last.clone().filter(is_known).unwrap_or_else(|| {
                let answer = self.provider.ping(fetcher).map_err(Arc::new);
                let ended = fetcher.now();
                (answer, ended.saturating_duration_since(started), ended)
            });
        *last = Some((answer.clone(), response_time, ended));
        let told = named.filter_map(|limits| limits.told_since(ended, started));
        // One form of the look-up is enough.
        match told.min_by_key(Result::is_err) {
            Some(Ok(())) if answer.is_err() => (answer, response_time) = (Ok(()), Duration::ZERO),
            Some(Err((reason, wait))) => {
                answer = Err(UpstreamError::limited(Step::Identity, reason, wait).into());
            }
            _ => {}
        }
        Ping {
            provider: Arc::clone(self.name()),
            answer,
            response_time,
            age: started.saturating_duration_since(ended),
        }
    }

    /// Names the provider in a failure.
    pub(super) fn failure(&self, error: impl Into<Arc<UpstreamError>>) -> UpstreamError {
        UpstreamError::Provider {
            provider: Arc::clone(self.name()),
            source: error.into(),
        }
    }
}
