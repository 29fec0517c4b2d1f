//! What is known of a player, as a document, and the cape that it names.

use std::{sync::Arc, time::SystemTime};

use bytes::Bytes;
use effigy_player::PlayerId;
use effigy_store::{CachedImage, Store};
use effigy_upstream::{Account, Profile, SkinSource};
use serde::{Deserialize, Serialize};

use crate::{Endpoint, Image, Origin, Service, ServiceError, image::PNG, service::Inner};

/// A profile as callers get it.
#[derive(Debug, Serialize, Deserialize)]
struct Document {
    edition: String,
    name: Option<String>,
    uuid: Option<String>,
    xuid: Option<String>,
    model: Option<String>,
    texture_url: Option<String>,
    /// Whether the player has set no skin.
    default_skin: bool,
    cape_url: Option<String>,
}

impl<St, So> Service<St, So>
where
    St: Store,
    So: SkinSource,
{
    /// The profile of the player that `input` names, in JSON. It is kept as long as a picture.
    ///
    /// # Errors
    /// When there is no such player, or the upstreams do not tell.
    pub async fn profile(&self, input: &str) -> Result<Image, Arc<ServiceError>> {
        let player = PlayerId::detect(input).map_err(ServiceError::Input)?;
        let make = |inner: Arc<Inner<St, So>>, _| async move {
            let profile = inner.ask(move |source| source.profile(&player)).await?;
            let json = Document::of(profile).to_json()?;
            Ok(kept(json, "application/json", inner.clock.now()))
        };
        self.made_once(
            Endpoint::Profile,
            input,
            key(Endpoint::Profile, input),
            make,
        )
        .await
    }

    /// The cape of the player that `input` names, as it was uploaded.
    ///
    /// # Errors
    /// When there is no such player, or he wears none, or it cannot be had.
    pub async fn cape(&self, input: &str) -> Result<Image, Arc<ServiceError>> {
        let (service, asked) = (self.clone(), input.to_owned());
        let make = |inner: Arc<Inner<St, So>>, _| async move {
            let profile = service.profile(&asked).await?;
            let url = Document::read(&profile.file.data)?.cape_url;
            let url = url.ok_or(ServiceError::NoCape)?;
            let cape = inner.ask(move |source| source.cape(&url)).await?;
            Ok(kept(Bytes::from(cape), PNG, inner.clock.now()))
        };
        self.made_once(Endpoint::Cape, input, key(Endpoint::Cape, input), make)
            .await
    }
}

fn key(endpoint: Endpoint, input: &str) -> String {
    format!("{}_{input}_default_default", endpoint.word())
}

fn kept(data: Bytes, content_type: &str, created_at: SystemTime) -> Image {
    let file = CachedImage {
        data,
        content_type: content_type.to_owned(),
        created_at,
    };
    Image::new(file, Origin::Render)
}

/// An XUID without leading zeros, by which inputs are told from names.
fn plain(xuid: String) -> String {
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
            Account::Bedrock(xuid) => (None, Some(plain(xuid))),
        };
        let model = profile.skin.as_ref().map(|skin| skin.model.to_string());
        Self {
            edition: edition.to_string(),
            name: profile.name,
            uuid,
            xuid,
            model,
            default_skin: profile.skin.as_ref().is_none_or(|skin| skin.is_default),
            texture_url: profile.skin.map(|skin| skin.url),
            cape_url: profile.cape,
        }
    }

    fn to_json(&self) -> Result<Bytes, ServiceError> {
        // Texts and a truth: this cannot fail.
        let json = serde_json::to_vec(self).map_err(|_| ServiceError::Interrupted)?;
        Ok(Bytes::from(json))
    }

    /// Reads what `to_json` wrote, in this version or another one.
    fn read(json: &[u8]) -> Result<Self, ServiceError> {
        serde_json::from_slice(json).map_err(|_| ServiceError::Interrupted)
    }
}
