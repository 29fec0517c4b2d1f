//! The look-up of profiles, without fetching textures.

use effigy_player::{PlayerId, Uuid};

use super::caller::Caller;
use super::records::{TextureRecord, Textures};
use crate::error::UpstreamError;
use crate::profile::{Account, Profile, ProfileSkin};

/// Looks up profiles with the calls of a [`Caller`].
pub(super) struct ProfileLookup<'a>(pub(super) &'a Caller<'a>);

impl ProfileLookup<'_> {
    /// Looks up the profile of a player.
    pub(super) fn profile(&self, player: &PlayerId) -> Result<Profile, UpstreamError> {
        match player {
            PlayerId::JavaName(name) => self.java(self.0.java_uuid(name)?),
            PlayerId::JavaUuid(uuid) => self.java(*uuid),
            PlayerId::BedrockXuid(xuid) => self.bedrock(xuid.clone(), None),
            PlayerId::BedrockGamertag(gamertag) => {
                self.bedrock(self.0.xuid(gamertag)?, Some(gamertag.clone()))
            }
        }
    }

    fn java(&self, uuid: Uuid) -> Result<Profile, UpstreamError> {
        let session = self.0.session(uuid)?;
        let Textures { skin, cape } = session.textures;
        let is_default = skin.is_none();
        let record = skin.unwrap_or_else(|| self.0.default_record(uuid));
        Ok(Profile {
            account: Account::Java(uuid),
            name: session.name,
            skin: Some(self.skin(&record, is_default)?),
            cape: self.cape(cape),
        })
    }

    fn bedrock(&self, xuid: String, name: Option<String>) -> Result<Profile, UpstreamError> {
        let Textures { skin, cape } = self.0.bedrock_textures(&xuid)?;
        Ok(Profile {
            account: Account::Bedrock(xuid),
            name,
            skin: skin.map(|record| self.skin(&record, false)).transpose()?,
            cape: self.cape(cape),
        })
    }

    fn skin(&self, record: &TextureRecord, is_default: bool) -> Result<ProfileSkin, UpstreamError> {
        Ok(ProfileSkin {
            url: self.0.checked_url(&record.url)?.into(),
            model: record.model,
            is_default,
        })
    }

    /// Returns the URL of a cape, or `None` if it is not allowed.
    fn cape(&self, url: Option<String>) -> Option<String> {
        self.0.hosts.check(&url?).map(Into::into)
    }
}
