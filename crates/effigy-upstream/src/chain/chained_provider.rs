//! A provider in its chain.

use std::sync::Arc;
use std::time::{Duration, Instant};

use effigy_player::PlayerId;
use parking_lot::Mutex;

use crate::fetcher::{Fetcher, Servers};
use crate::limits::UpstreamLimits;
use crate::nothing_found::NothingFound;
use crate::providers::{Provider, ProviderSetup};
use crate::{
    ConfigError, Ping, Profile, Step, Upstream, UpstreamConfig, UpstreamError, error::Result,
};

/// A provider with its servers and the memory of the players whom it does not know.
pub(super) struct ChainedProvider {
    pub(super) provider: Box<dyn Provider>,
    pub(super) servers: Servers,
    not_found: NothingFound<PlayerId>,
    /// The last ping, and the time at which it ended.
    last_ping: Mutex<Option<(Ping, Instant)>>,
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
        let ttl = config.missing_player_ttl * u32::from(is_remote);
        Ok(Self {
            provider: setup.provider,
            servers,
            not_found: NothingFound::new(ttl),
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
        let find = || self.provider.profile(fetcher, player);
        self.not_found.or_find(&key, fetcher, find)
    }

    /// Checks that the provider answers, by a ping if one is due.
    pub(super) fn ping(&self, fetcher: &Fetcher) -> Ping {
        let named = self.servers.limits.iter().filter(|limits| {
            use Upstream::{IdentityCurrent, IdentityLegacy, Profiles};
            matches!(limits.upstream, IdentityLegacy | IdentityCurrent | Profiles)
        });
        let (mut last, started) = (self.last_ping.lock(), fetcher.now());
        let age = |ended| started.saturating_duration_since(ended);
        let interval = named.clone().map(UpstreamLimits::ping_interval).max();
        let interval = interval.unwrap_or_default();
        let known = last.take().filter(|(_, ended)| age(*ended) < interval);
        let (mut ping, ended) = known.unwrap_or_else(|| {
            let answer = self.provider.ping(fetcher).map_err(Arc::new);
            let ended = fetcher.now();
            let ping = Ping {
                provider: Arc::clone(self.name()),
                answer,
                response_time: ended.saturating_duration_since(started),
                age: Duration::ZERO,
            };
            (ping, ended)
        });
        *last = Some((ping.clone(), ended));
        ping.age = age(ended);
        let told = named.filter_map(|limits| limits.told_since(ended, started));
        // One form of the look-up is enough.
        match told.min_by_key(Result::is_err) {
            Some(Ok(())) if ping.answer.is_err() => {
                (ping.answer, ping.response_time) = (Ok(()), Duration::ZERO);
            }
            Some(Err((reason, wait))) => {
                ping.answer = Err(UpstreamError::limited(Step::Identity, reason, wait).into());
            }
            _ => {}
        }
        ping
    }
}
