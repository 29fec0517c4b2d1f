//! The chain as a source of profiles.

use std::time::{Duration, Instant};

use effigy_player::{PlayerId, Uuid};

use super::ProviderChain;
use crate::error::Result;
use crate::providers::{PROBED_PLAYER, is_offline, offline_uuid};
use crate::{LocalProfile, LookUp, PlannedCalls, Profile, Profiles, Target, UpstreamError};

impl Profiles for ProviderChain {
    fn deadline(&self) -> Instant {
        self.now() + self.look_up_time()
    }

    fn profile(&self, player: &PlayerId, look_up: &LookUp) -> Result<Profile> {
        let found = self.first_profile(player, look_up);
        if let Ok(Some(profile)) = found {
            if let PlayerId::JavaName(name) = player {
                self.remember_name(name);
            }
            return Ok(profile);
        }
        if let PlayerId::JavaUuid(uuid) = player
            && let Some(mut profile) = self.profile_of_recent_name(*uuid, look_up)?
        {
            // A provider that failed may know another player by the UUID.
            profile.is_certain &= found.is_ok();
            return Ok(profile);
        }
        found?.ok_or_else(|| not_found(player))
    }

    fn renewed(&self, known: &Profile, player: &PlayerId, look_up: &LookUp) -> Result<Profile> {
        self.renewed_profile(known, player, look_up)
    }

    fn signed_profile(&self, uuid: Uuid, look_up: &LookUp) -> Result<Option<String>> {
        for asked in self.asked_for(&PlayerId::JavaUuid(uuid)) {
            let fetcher = self.fetcher(&asked.servers, look_up);
            let sign = || asked.provider.signed_profile(&fetcher, uuid);
            let signed = fetcher.find(format!("signed {uuid}"), sign);
            let signed = signed.map_err(|error| asked.servers.failure(error))?;
            if signed.is_some() {
                return Ok(signed);
            }
        }
        Ok(None)
    }

    fn local(&self, player: &PlayerId) -> Option<LocalProfile> {
        let mut earlier = Vec::new();
        for chained in &self.providers {
            if let Some(found) = chained.provider.profile_at_hand(player)
                && let Ok(profile) = self.completed(chained, found)
            {
                return Some(LocalProfile { profile, earlier });
            }
            // A folder that comes earlier does not know the player.
            if !chained.provider.is_in_memory() && chained.provider.can_know(player) {
                earlier.push(chained.name().clone());
            }
        }
        None
    }

    fn ignores_case(&self) -> bool {
        let player = PlayerId::JavaName(PROBED_PLAYER.to_owned());
        let mut asked = self.asked_for(&player);
        asked.all(|chained| chained.provider.ignores_case())
    }

    fn fingerprint(&self) -> String {
        self.fingerprint_of_settings()
    }

    fn profile_interval(&self, provider: &str) -> Duration {
        match self.provider_named(provider) {
            Some((_, chained)) => chained.servers.profile_interval,
            None => Duration::ZERO,
        }
    }

    fn calls_for(&self, target: Target<'_>) -> Vec<PlannedCalls> {
        self.planned_calls(target)
    }
}

impl ProviderChain {
    /// Asks the providers that can know a player, one after the other. Returns `None` if no
    /// provider knows the player.
    fn first_profile(&self, player: &PlayerId, look_up: &LookUp) -> Result<Option<Profile>> {
        let questions = self.questions_about(player);
        self.first_answer(&questions, player, look_up)
    }

    /// Returns the profile of the name that servers in offline mode turn into this UUID, if
    /// somebody has asked for the name lately.
    fn profile_of_recent_name(&self, uuid: Uuid, look_up: &LookUp) -> Result<Option<Profile>> {
        let Some(name) = self.names.get(&uuid) else {
            return Ok(None);
        };
        self.first_profile(&PlayerId::JavaName(name), look_up)
    }

    /// Remembers a name for the UUID that servers in offline mode give it.
    pub(super) fn remember_name(&self, name: &str) {
        self.names.insert(offline_uuid(name), name.to_owned());
    }
}

/// Returns the error that no provider knows a player.
pub(super) fn not_found(player: &PlayerId) -> UpstreamError {
    match player {
        PlayerId::JavaUuid(uuid) if is_offline(*uuid) => UpstreamError::OfflineUuid { uuid: *uuid },
        _ => UpstreamError::PlayerNotFound {
            player: player.clone(),
        },
    }
}
