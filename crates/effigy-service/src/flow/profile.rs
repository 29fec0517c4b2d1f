//! The flows of profiles and of the capes that they name.

use std::sync::Arc;

use effigy_player::PlayerId;
use effigy_upstream::{Account, Profile};
use serde::{Deserialize, Serialize};

use super::cached::Admission;
use crate::{
    Endpoint, Image, Origin, Service, ServiceError, error::Shared, request::key::Entry,
    service::Inner,
};

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
        self.inner.cached_or(entry, Admission::Counted, make).await
    }

    /// Returns the cape of the player that `input` names, as it was uploaded.
    ///
    /// # Errors
    /// If there is no such player or the player has no cape, or if an upstream fails.
    pub async fn cape(&self, input: &str) -> Shared<Image> {
        let (entry, player) = self.player_entry(Endpoint::Cape, input)?;
        let profile = self.inner.current(&Entry::new(Endpoint::Profile, input));
        let make = |inner: Arc<Inner>, _| inner.fetch_cape(player, profile);
        self.inner.cached_or(entry, Admission::Counted, make).await
    }

    pub(super) fn player_entry(
        &self,
        endpoint: Endpoint,
        input: &str,
    ) -> Shared<(Entry, PlayerId)> {
        let entry = self.inner.current(&Entry::new(endpoint, input));
        match PlayerId::detect(input) {
            Ok(player) => Ok((entry, player)),
            Err(error) => Err(self.inner.failed(&entry, error.into())),
        }
    }
}

impl Inner {
    pub(super) async fn fetch_profile(self: Arc<Self>, player: PlayerId) -> Shared<Image> {
        let profile = self.ask(move |source| source.profile(&player)).await?;
        let json = serde_json::to_vec(&Document::of(profile));
        let json = json.expect("strings and booleans are valid JSON");
        Ok(self.file(json, "application/json"))
    }

    async fn fetch_cape(self: Arc<Self>, player: PlayerId, entry: Entry) -> Shared<Image> {
        let make = |inner: Arc<Inner>, _| inner.fetch_profile(player);
        // The permit of the cape is the permit of its profile.
        let profile = self.cached_or(entry, Admission::Nested, make).await?;
        // Another version may have stored it.
        let profile: Document =
            serde_json::from_slice(&profile.file.data).map_err(ServiceError::StoredProfile)?;
        let url = profile.cape_url.ok_or(ServiceError::NoCape)?;
        let cape = self.ask(move |source| source.cape(&url)).await?;
        Ok(self.file(cape, "image/png"))
    }

    pub(super) fn file(&self, data: Vec<u8>, content_type: &str) -> Image {
        Image::made(data, content_type, self.clock.now(), Origin::Render)
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
            Account::Bedrock(xuid) => (None, xuid.map(without_zeros)),
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
}
