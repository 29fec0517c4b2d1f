//! The chain as a source of skins.

use std::thread;
use std::time::Instant;

use effigy_player::PlayerId;

use super::ProviderChain;
use crate::error::Result;
use crate::limits::UpstreamLimits;
use crate::providers::{PROBED_PLAYER, is_offline, offline_uuid};
use crate::received_file::png;
use crate::{
    LookUp, Ping, PlannedCalls, Profile, Revision, SkinSource, Target, TextureHash, TextureUrl,
    UpstreamCapacity, UpstreamError, UpstreamState,
};

impl SkinSource for ProviderChain {
    fn deadline(&self) -> Instant {
        self.now() + 2 * self.network.timeout
    }

    fn profile(&self, player: &PlayerId, look_up: &LookUp) -> Result<Profile> {
        let found = self.first_profile(player, look_up);
        match (player, &found) {
            (PlayerId::JavaName(name), Ok(Some(_))) => {
                self.names.insert(offline_uuid(name), name.clone());
            }
            // The UUID cannot be turned back into the name, but the name may have been asked for.
            (PlayerId::JavaUuid(uuid), Ok(None) | Err(_)) => {
                if let Some(name) = self.names.get(uuid).map(PlayerId::JavaName)
                    && let Some(mut profile) = self.first_profile(&name, look_up)?
                {
                    profile.is_certain &= found.is_ok();
                    return Ok(profile);
                }
            }
            _ => {}
        }
        found?.ok_or_else(|| match player.clone() {
            PlayerId::JavaUuid(uuid) if is_offline(uuid) => UpstreamError::OfflineUuid { uuid },
            player => UpstreamError::PlayerNotFound { player },
        })
    }

    fn texture(&self, texture: &TextureUrl, look_up: &LookUp) -> Result<Vec<u8>> {
        if let Some(file) = &texture.file {
            return Ok(file.to_vec());
        }
        let (servers, url) = self.checked(texture)?;
        let fetcher = self.fetcher(servers, look_up);
        let file = fetcher.texture(url.as_str(), &url, |response| png(response).map(Some));
        Ok(file?.expect("a texture is found, or that is an error"))
    }

    fn texture_by_hash(&self, hash: &TextureHash, look_up: &LookUp) -> Result<Vec<u8>> {
        if let Some(file) = self.file_at_hand(hash) {
            return Ok(file);
        }
        let fetcher = self.fetcher(&self.game, look_up);
        let url = self.url_of_hash(hash.as_str());
        let file = fetcher.texture(hash.as_str(), &url, |response| match response.status {
            // Some content networks refuse a file that does not exist.
            403 | 404 | 410 => Ok(None),
            _ => png(response).map(Some),
        });
        file?.ok_or_else(|| UpstreamError::TextureNotFound { hash: hash.clone() })
    }

    fn calls_for(&self, target: Target<'_>) -> Vec<PlannedCalls> {
        self.planned_calls(target)
    }

    fn upstreams(&self) -> Vec<UpstreamCapacity> {
        self.all_limits().map(UpstreamLimits::capacity).collect()
    }

    fn ping(&self) -> Vec<Ping> {
        let player = PlayerId::JavaName(PROBED_PLAYER.to_owned());
        let asked = self.asked_for(&player);
        let asked = asked.filter(|chained| !chained.servers.limits.is_empty());
        let check = &self.health_check();
        thread::scope(|scope| {
            // All begin before the first one is waited for.
            let mut pings = Vec::new();
            for chained in asked {
                let fetcher = self.fetcher(&chained.servers, check);
                pings.push(scope.spawn(move || chained.ping(&fetcher)));
            }
            let answers = pings.into_iter().map(|ping| ping.join());
            let answers = answers.map(|ping| ping.expect("a ping does not panic"));
            answers.collect()
        })
    }

    fn states(&self) -> Vec<UpstreamState> {
        let now = self.now();
        let states = self.all_limits().map(|limits| limits.snapshot(now));
        states.collect()
    }

    fn ignores_case(&self) -> bool {
        let player = PlayerId::JavaName(PROBED_PLAYER.to_owned());
        let mut asked = self.asked_for(&player);
        asked.all(|chained| chained.provider.ignores_case())
    }

    fn revision(&self, input: &str) -> Option<Revision> {
        let mut providers = self.providers.iter();
        providers.find_map(|chained| chained.provider.revision(input))
    }
}
