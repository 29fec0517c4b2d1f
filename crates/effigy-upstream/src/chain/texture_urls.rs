//! The textures that providers name: the game's default skins, and the check of URLs.

use std::sync::Arc;

use effigy_player::Uuid;
use url::Url;

use super::{ChainedProvider, DefaultSkin, ProviderChain};
use crate::error::Result;
use crate::servers::Servers;
use crate::{Account, Profile, ProfileSkin, TextureUrl, UpstreamError};

impl ProviderChain {
    /// Completes the profile that a provider has returned, and checks its textures.
    pub(super) fn completed(
        &self,
        known_by: &ChainedProvider,
        mut profile: Profile,
    ) -> Result<Profile> {
        profile.provider = Arc::clone(known_by.name());
        if let Some(skin) = &mut profile.skin {
            self.check_texture(known_by, &mut skin.texture)?;
        } else if let Account::Java(uuid) = profile.account {
            profile.skin = Some(self.default_skin(uuid));
        }
        if let Some(cape) = &mut profile.cape
            && self.check_texture(known_by, cape).is_err()
        {
            // A cape that is not allowed must not cost the player the skin.
            profile.cape = None;
        }
        Ok(profile)
    }

    /// Returns the skin that the game shows for a player who has not set a skin.
    fn default_skin(&self, uuid: Uuid) -> ProfileSkin {
        let skin = DefaultSkin::of_uuid(uuid);
        ProfileSkin {
            texture: TextureUrl::new(self.url_of_hash(skin.hash.as_str()).as_str()),
            model: Some(skin.model),
            is_default: true,
        }
    }

    /// Returns the URL of one of the game's textures.
    pub(super) fn url_of_hash(&self, hash: &str) -> Url {
        self.texture_base.below(&format!("texture/{hash}"))
    }

    /// Checks a texture that a provider names, unless its file is at hand.
    fn check_texture(&self, named_by: &ChainedProvider, texture: &mut TextureUrl) -> Result<()> {
        if texture.file().is_some() {
            return Ok(());
        }
        texture.provider = if named_by.has_textures() {
            Some(Arc::clone(named_by.name()))
        } else {
            // It names textures of the game.
            None
        };
        let (_, url) = self.checked(texture)?;
        texture.url = url.as_str().into();
        Ok(())
    }

    /// Returns the servers that have a texture, and the URL to fetch in place of the one that the
    /// provider has named, which may be any text.
    pub(super) fn checked(&self, texture: &TextureUrl) -> Result<(&Servers, Url)> {
        // A stored URL may name any provider.
        let mut owners = self.providers.iter().filter(|owner| owner.has_textures());
        let owner = owners.find(|owner| Some(owner.name()) == texture.provider.as_ref());
        let servers = owner.map_or(&self.game, |owner| &owner.servers);
        let names_host = |url: &Url| owner.is_some_and(|owner| owner.provider.names_host(url));
        let checked = servers.hosts.check(&texture.url, names_host);
        let url = checked.ok_or_else(|| UpstreamError::TextureUrl {
            url: texture.url.to_string(),
        })?;
        Ok((servers, url))
    }
}
