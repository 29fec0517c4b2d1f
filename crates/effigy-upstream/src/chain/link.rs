//! A provider in its chain.

use std::sync::Arc;
use std::time::{Duration, Instant};

use effigy_player::PlayerId;
use quick_cache::sync::Cache;

use crate::caller::{Caller, Servers};
use crate::error::{Result, UpstreamError};
use crate::profile::Profile;
use crate::providers::provider::{PROBED_PLAYER, Provider};

/// The number of missing players that are remembered. It is more than the public services answer for in a
/// minute.
const MAX_MISSING: usize = 10_000;

/// A provider with its servers and the memory of the players whom it does not know.
pub(super) struct Link {
    pub(super) provider: Box<dyn Provider>,
    pub(super) servers: Servers,
    /// The players whom the provider does not know, and when it said so, so that requests for one of them cannot use
    /// up the rate limit.
    missing: Cache<PlayerId, Instant>,
    missing_ttl: Duration,
}

impl Link {
    /// Wraps a provider. Answers of servers that there is no such player are reused for `ttl`; files
    /// are read again.
    pub(super) fn new(provider: Box<dyn Provider>, servers: Servers, ttl: Duration) -> Self {
        let is_remote = !servers.limits.is_empty();
        Self {
            provider,
            servers,
            missing: Cache::new(MAX_MISSING),
            missing_ttl: ttl * u32::from(is_remote),
        }
    }

    pub(super) fn name(&self) -> &Arc<str> {
        &self.servers.provider
    }

    /// Returns `true` if the provider is asked for Java names, and has not all of its players in memory.
    pub(super) fn is_asked_for_names(&self) -> bool {
        let name = PlayerId::JavaName(PROBED_PLAYER.to_owned());
        self.provider.can_know(&name) && self.provider.local().is_none()
    }

    /// Looks a player up, unless the provider said a moment ago that there is no such player.
    pub(super) fn look_up(&self, caller: &Caller, player: &PlayerId) -> Result<Profile> {
        let key = player.folded(self.provider.ignores_case());
        let is_recent = |said: Instant| {
            let age = caller.now().saturating_duration_since(said);
            age < self.missing_ttl
        };
        if self.missing.get(&key).is_some_and(is_recent) {
            return Err(UpstreamError::no_player(player));
        }
        let found = self.provider.look_up(caller, player);
        if matches!(found, Err(UpstreamError::PlayerNotFound { .. })) {
            self.missing.insert(key, caller.now());
        }
        found
    }

    /// Names the provider in a failure. The steps of Mojang's and GeyserMC's look-ups are names enough.
    pub(super) fn failure(&self, error: UpstreamError) -> UpstreamError {
        match &**self.name() {
            "mojang" | "geyser" => error,
            _ => UpstreamError::Provider {
                provider: Arc::clone(self.name()),
                source: Box::new(error),
            },
        }
    }
}
