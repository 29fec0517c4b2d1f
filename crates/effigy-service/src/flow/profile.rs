//! The flows of profiles and of the capes that they name.

use std::sync::Arc;

use bytes::Bytes;
use effigy_player::PlayerId;
use effigy_store::CachedImage;
use effigy_upstream::{Account, Profile};
use serde::{Deserialize, Serialize};

use super::valid_request::Entry;
use crate::{Endpoint, Image, Origin, Service, ServiceError, error::Shared, service::Inner};

/// The JSON document of a profile.
#[derive(Debug, Serialize, Deserialize)]
struct Document {
    edition: String,
    name: Option<String>,
    uuid: Option<String>,
    xuid: Option<String>,
    model: Option<String>,
    texture_url: Option<String>,
    /// `true` if the player has set no skin.
    default_skin: bool,
    cape_url: Option<String>,
}

impl Service {
    /// Returns the profile of the player that `input` names, in JSON. It is cached like a picture.
    ///
    /// # Errors
    /// If there is no such player, or an upstream fails.
    pub async fn profile(&self, input: &str) -> Shared<Image> {
        let (entry, player) = self.player_entry(Endpoint::Profile, input)?;
        let make = |inner: Arc<Inner>, _| inner.fetch_profile(player);
        self.inner.cached_or(entry, make).await
    }

    /// Returns the cape of the player that `input` names, as it was uploaded.
    ///
    /// # Errors
    /// If there is no such player or the player has no cape, or if an upstream fails.
    pub async fn cape(&self, input: &str) -> Shared<Image> {
        let (entry, player) = self.player_entry(Endpoint::Cape, input)?;
        let profile = entry_of(Endpoint::Profile, input);
        let make = |inner: Arc<Inner>, _| inner.fetch_cape(player, profile);
        self.inner.cached_or(entry, make).await
    }

    fn player_entry(&self, endpoint: Endpoint, input: &str) -> Shared<(Entry, PlayerId)> {
        let entry = entry_of(endpoint, input);
        match PlayerId::detect(input) {
            Ok(player) => Ok((entry, player)),
            Err(error) => Err(self.inner.failed(&entry, error.into())),
        }
    }
}

impl Inner {
    async fn fetch_profile(self: Arc<Self>, player: PlayerId) -> Shared<Image> {
        let profile = self.ask(move |source| source.profile(&player)).await?;
        let json = Document::of(profile).to_json();
        Ok(self.file(json, "application/json"))
    }

    async fn fetch_cape(self: Arc<Self>, player: PlayerId, entry: Entry) -> Shared<Image> {
        let make = |inner: Arc<Inner>, _| inner.fetch_profile(player);
        // The permit of the cape is the permit of its profile.
        let profile = self.nested_cached_or(entry, make).await?;
        let profile = Document::from_json(&profile.file.data)?;
        let url = profile.cape_url.ok_or(ServiceError::NoCape)?;
        let cape = self.ask(move |source| source.cape(&url)).await?;
        Ok(self.file(Bytes::from(cape), "image/png"))
    }

    fn file(&self, data: Bytes, content_type: &str) -> Image {
        let file = CachedImage {
            data,
            content_type: content_type.to_owned(),
            created_at: self.clock.now(),
        };
        Image::new(file, Origin::Render)
    }
}

fn entry_of(endpoint: Endpoint, input: &str) -> Entry {
    Entry {
        endpoint,
        input: input.to_owned(),
        key: format!("{}_{input}_default_default", endpoint.word()),
    }
}

/// An XUID without the leading zeros, which only tell an input from a name.
fn without_zeros(xuid: String) -> String {
    match xuid.parse::<u64>() {
        Ok(number) => number.to_string(),
        Err(_) => xuid,
    }
}

impl Document {
    fn of(profile: Profile) -> Self {
        let edition = profile.account.edition();
        let (uuid, xuid) = match profile.account {
            Account::Java(uuid) => (Some(uuid.to_string()), None),
            Account::Bedrock(xuid) => (None, Some(without_zeros(xuid))),
        };
        Self {
            edition: edition.to_string(),
            name: profile.name,
            uuid,
            xuid,
            model: profile.skin.as_ref().map(|skin| skin.model.to_string()),
            default_skin: profile.skin.as_ref().is_none_or(|skin| skin.is_default),
            texture_url: profile.skin.map(|skin| skin.url),
            cape_url: profile.cape,
        }
    }

    fn to_json(&self) -> Bytes {
        let json = serde_json::to_vec(self).expect("strings and booleans are valid JSON");
        Bytes::from(json)
    }

    /// Parses a document of this version or another one.
    fn from_json(json: &[u8]) -> Result<Self, ServiceError> {
        serde_json::from_slice(json).map_err(ServiceError::StoredProfile)
    }
}
