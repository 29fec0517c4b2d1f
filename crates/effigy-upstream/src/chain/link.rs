//! A provider in its chain.

use std::{sync::Arc, time::Duration};

use effigy_player::PlayerId;

use super::missing_players::MissingPlayers;
use crate::caller::{Caller, Servers};
use crate::error::{Result, UpstreamError};
use crate::limits::Upstream;
use crate::providers::local::skins::LocalSkins;
use crate::providers::provider::{PROBED_PLAYER, Provider};
use crate::records::Found;
use crate::source::FoundNames;

/// A provider with its servers and the memory of the players whom it does not know.
pub(super) struct Link {
    pub(super) provider: Box<dyn Provider>,
    pub(super) servers: Servers,
    missing: MissingPlayers,
}

impl Link {
    /// Wraps a provider. Answers of servers that there is no such player are reused for `ttl`; files
    /// are read again.
    pub(super) fn new(provider: Box<dyn Provider>, servers: Servers, ttl: Duration) -> Self {
        let is_remote = !servers.limits.is_empty();
        let ttl = ttl * u32::from(is_remote);
        Self {
            missing: MissingPlayers::new(ttl, provider.ignores_case()),
            provider,
            servers,
        }
    }

    pub(super) fn name(&self) -> &Arc<str> {
        &self.servers.provider
    }

    pub(super) fn local(&self) -> Option<Arc<LocalSkins>> {
        self.provider.local()
    }

    /// Returns `true` if the textures do not come from the game's texture service.
    pub(super) fn has_own_textures(&self) -> bool {
        self.local().is_some() || self.servers.has(Upstream::Texture)
    }

    /// Returns `true` if the provider is asked for Java names, and has not all of its players in memory.
    pub(super) fn is_asked_for_names(&self) -> bool {
        let name = PlayerId::JavaName(PROBED_PLAYER.to_owned());
        self.provider.can_know(&name) && self.local().is_none()
    }

    /// Looks a player up, unless the provider said a moment ago that there is no such player.
    pub(super) fn look_up(&self, caller: &Caller, player: &PlayerId) -> Result<Found> {
        if self.missing.contains(player, caller.now()) {
            return Err(UpstreamError::no_player(player));
        }
        let found = self.provider.look_up(caller, player);
        if matches!(found, Err(UpstreamError::PlayerNotFound { .. })) {
            self.missing.insert(player, caller.now());
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

    /// Looks up the UUIDs of Java names, several in one call.
    pub(super) fn java_uuids(&self, caller: &Caller, names: Vec<String>) -> Result<FoundNames> {
        let is_missing = |name: &String| {
            let player = PlayerId::JavaName(name.clone());
            !self.provider.can_know(&player) || self.missing.contains(&player, caller.now())
        };
        let (missing, asked): (Vec<String>, _) = names.into_iter().partition(is_missing);
        let mut found = self.provider.java_uuids(caller, &asked)?;
        for (name, _) in found.iter().filter(|(_, uuid)| uuid.is_none()) {
            let player = PlayerId::JavaName(name.clone());
            self.missing.insert(&player, caller.now());
        }
        found.extend(missing.into_iter().map(|name| (name, None)));
        Ok(found)
    }
}
