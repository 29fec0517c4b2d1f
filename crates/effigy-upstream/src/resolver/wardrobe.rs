//! What is known about a player's textures, and textures for their own sake.

use effigy_player::{Model, PlayerId, Uuid};

use super::Resolver;
use crate::call::Caller;
use crate::segment::Segment;
use crate::texture_record::{TextureRecord, Textures};
use crate::{
    Account, Profile, Step, TextureHash, Transport, UpstreamError, Worn, bedrock, java, textures,
};

impl<T: Transport> Resolver<T> {
    pub(super) fn profile_of(
        &self,
        caller: &Caller<'_, T>,
        player: &PlayerId,
    ) -> Result<Profile, UpstreamError> {
        match player {
            PlayerId::JavaName(name) => {
                let uuid = self.identity.uuid(caller, name)?;
                self.java_profile(caller, uuid)
            }
            PlayerId::JavaUuid(uuid) => self.java_profile(caller, *uuid),
            PlayerId::BedrockXuid(xuid) => self.bedrock_profile(caller, xuid.clone(), None),
            PlayerId::BedrockGamertag(gamertag) => {
                let xuid = bedrock::xuid(caller, &self.config.endpoints, gamertag)?;
                self.bedrock_profile(caller, xuid, Some(gamertag.clone()))
            }
        }
    }

    fn java_profile(&self, caller: &Caller<'_, T>, uuid: Uuid) -> Result<Profile, UpstreamError> {
        let session = java::session(caller, &self.config.endpoints, uuid)?;
        let Textures { skin, cape } = session.textures;
        let (record, is_default) = match skin {
            Some(record) => (record, false),
            None => (self.default_record(uuid), true),
        };
        Ok(Profile {
            account: Account::Java(uuid),
            name: session.name,
            skin: Some(self.worn(&record, is_default)?),
            cape: self.cape_address(cape),
        })
    }

    fn bedrock_profile(
        &self,
        caller: &Caller<'_, T>,
        xuid: String,
        name: Option<String>,
    ) -> Result<Profile, UpstreamError> {
        let Textures { skin, cape } = bedrock::skin(caller, &self.config.endpoints, &xuid)?;
        Ok(Profile {
            account: Account::Bedrock(xuid),
            name,
            skin: skin.map(|record| self.worn(&record, false)).transpose()?,
            cape: self.cape_address(cape),
        })
    }

    fn worn(&self, record: &TextureRecord, is_default: bool) -> Result<Worn, UpstreamError> {
        Ok(Worn {
            url: self.hosts.check(&record.url)?.into(),
            model: record.model,
            is_default,
        })
    }

    /// The address of a cape; none where it is not one that textures are fetched from.
    fn cape_address(&self, cape: Option<String>) -> Option<String> {
        let url = self.hosts.allowed(&cape?)?;
        Some(url.into())
    }

    pub(super) fn texture_of(
        &self,
        caller: &Caller<'_, T>,
        hash: &TextureHash,
    ) -> Result<Vec<u8>, UpstreamError> {
        let base = &self.config.endpoints.texture;
        let record = TextureRecord::from_hash(base, &Segment::from(hash), Model::Classic);
        let texture =
            textures::fetch(caller, &self.hosts, &record).map_err(|error| match error {
                UpstreamError::Status {
                    step: Step::Texture,
                    status: 404 | 410,
                } => UpstreamError::TextureNotFound { hash: hash.clone() },
                error => error,
            })?;
        Ok(texture.bytes)
    }

    pub(super) fn cape_at(
        &self,
        caller: &Caller<'_, T>,
        url: &str,
    ) -> Result<Vec<u8>, UpstreamError> {
        let record = TextureRecord {
            url: url.to_owned(),
            model: Model::Classic,
        };
        Ok(textures::fetch(caller, &self.hosts, &record)?.bytes)
    }
}
