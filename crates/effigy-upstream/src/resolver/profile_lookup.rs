//! The look-up of profiles, without fetching textures.

use effigy_player::{PlayerId, Uuid};

use super::caller::Caller;
use super::records::{TextureRecord, Textures};
use crate::error::UpstreamError;
use crate::profile::{Account, Profile, ProfileSkin};
use crate::texture::TextureUrl;

impl Caller<'_> {
    /// Looks up the profile of a player.
    pub(super) fn profile(&self, player: &PlayerId) -> Result<Profile, UpstreamError> {
        match player {
            PlayerId::JavaName(name) => self.java_profile(self.java_uuid(name)?),
            PlayerId::JavaUuid(uuid) => self.java_profile(*uuid),
            PlayerId::BedrockXuid(xuid) => self.bedrock_profile(xuid.clone(), None),
            PlayerId::BedrockGamertag(gamertag) => {
                self.bedrock_profile(self.xuid(gamertag)?, Some(gamertag.clone()))
            }
        }
    }

    fn java_profile(&self, uuid: Uuid) -> Result<Profile, UpstreamError> {
        let session = self.session(uuid)?;
        let Textures { skin, cape } = session.textures;
        let is_default = skin.is_none();
        let record = skin.unwrap_or_else(|| self.default_record(uuid));
        Ok(Profile {
            account: Account::Java(uuid),
            name: session.name,
            skin: Some(self.profile_skin(&record, is_default)?),
            cape: self.checked_cape(cape),
        })
    }

    fn bedrock_profile(
        &self,
        xuid: String,
        name: Option<String>,
    ) -> Result<Profile, UpstreamError> {
        let Textures { skin, cape } = self.bedrock_textures(&xuid)?;
        Ok(Profile {
            account: Account::Bedrock(Some(xuid)),
            name,
            skin: skin
                .map(|record| self.profile_skin(&record, false))
                .transpose()?,
            cape: self.checked_cape(cape),
        })
    }

    fn profile_skin(
        &self,
        record: &TextureRecord,
        is_default: bool,
    ) -> Result<ProfileSkin, UpstreamError> {
        Ok(ProfileSkin {
            texture: TextureUrl::new(String::from(self.checked_url(&record.url)?)),
            model: record.model,
            is_default,
        })
    }

    /// Returns the URL of a cape, or `None` if it is not allowed.
    fn checked_cape(&self, url: Option<String>) -> Option<TextureUrl> {
        let url = self.resolver.hosts.check(&url?)?;
        Some(TextureUrl::new(String::from(url)))
    }
}
