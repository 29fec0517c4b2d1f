//! The default skins of players who are not available.

use std::{borrow::Cow, collections::HashMap};

use effigy_player::PlayerId;
use effigy_upstream::{DefaultSkin, offline_uuid};

use super::{failure_log::log_failure, group_member::Member, in_order::run_in_order};
use crate::{
    Endpoint, FileRequest, SubstitutePlayer, error::Result, flow::Flow, outfit::SubstituteOutfit,
};

impl Flow {
    /// Returns the default skin of the first player that a request names.
    pub(super) fn default_skin_of_request(&self, request: &FileRequest) -> DefaultSkin {
        let mut inputs = vec![request.spec.input()];
        for alternative in &request.alternatives {
            inputs.push(alternative.input());
        }
        self.default_skin_of_first(&inputs)
    }

    /// Shows the default skins of members that are not available.
    pub(super) async fn show_default_skins(
        &self,
        endpoint: Endpoint,
        members: &mut [Member],
    ) -> Result<()> {
        let outfits = self.default_outfits(endpoint, members).await?;
        for member in members {
            if member.outfit().is_some() {
                continue;
            }
            let skin = self.default_skin_of_member(member);
            if let Some(outfit) = outfits.get(&skin) {
                member.show_instead(outfit);
            }
        }
        Ok(())
    }

    /// Fetches the default skins of the missing members: each skin once, and a few at a time.
    async fn default_outfits(
        &self,
        endpoint: Endpoint,
        members: &[Member],
    ) -> Result<HashMap<DefaultSkin, SubstituteOutfit>> {
        let mut skins = Vec::new();
        for member in members {
            if member.outfit().is_some() {
                continue;
            }
            let skin = self.default_skin_of_member(member);
            if !skins.contains(&skin) {
                skins.push(skin);
            }
        }
        let fetches = skins.iter().map(|skin| self.default_outfit(endpoint, skin));
        let fetched = run_in_order(fetches.collect()).await?;
        let mut outfits = HashMap::new();
        for (skin, outcome) in skins.into_iter().zip(fetched) {
            if let Ok(outfit) = outcome {
                outfits.insert(skin, outfit);
            }
        }
        Ok(outfits)
    }

    /// Returns the outfit of a default skin, or the built-in one if the texture is not available.
    async fn default_outfit(
        &self,
        endpoint: Endpoint,
        skin: &DefaultSkin,
    ) -> Result<SubstituteOutfit> {
        let found = self.drawable_outfit_of_hash(&skin.hash, Some(skin.model));
        let error = match found.await {
            Ok(outfit) => return Ok(SubstituteOutfit::by_default(outfit)),
            Err(error) => error,
        };
        log_failure(endpoint, skin.hash.as_str(), &error);
        SubstituteOutfit::built_in(&SubstitutePlayer::DefaultSkin, &error).ok_or(error)
    }

    fn default_skin_of_member(&self, member: &Member) -> DefaultSkin {
        self.default_skin_of_first(&[Cow::from(&member.input)])
    }

    /// Returns the default skin of the first input that names a player, or Steve's.
    fn default_skin_of_first(&self, inputs: &[Cow<'_, str>]) -> DefaultSkin {
        for input in inputs {
            // The hash of a texture and an unfilled placeholder are no players.
            if let Ok(player) = self.requested_player(input) {
                return default_skin_of(&player.id);
            }
        }
        DefaultSkin::steve()
    }
}

/// Returns the default skin of a player. The game has none for Bedrock players.
fn default_skin_of(player: &PlayerId) -> DefaultSkin {
    match player {
        PlayerId::JavaUuid(uuid) => DefaultSkin::of_uuid(*uuid),
        PlayerId::JavaName(name) => DefaultSkin::of_uuid(offline_uuid(name)),
        PlayerId::BedrockXuid(_) | PlayerId::BedrockGamertag(_) => DefaultSkin::steve(),
    }
}
