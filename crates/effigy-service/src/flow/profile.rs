//! The flows of profiles and capes.

use effigy_player::PlayerId;
use effigy_upstream::{Account, Profile, TextureUrl};
use serde_json::{Value, json};

use super::{group::run_in_order, step::Flow};
use crate::{
    Client, Image, Origin, PictureParams, Service, ServiceError, error::Shared,
    request::key::CacheKey,
};

impl Service {
    /// Returns the profile of the player that `input` names, in JSON. It is cached like a picture.
    ///
    /// # Errors
    /// If there is no such player, an upstream fails, or the client is refused.
    pub async fn profile(&self, client: &Client, input: &str) -> Shared<Image> {
        self.flow(client).profile(input).await
    }

    /// Returns the profile of each player, as [`profile`](Self::profile) does, or the reason why there is none.
    ///
    /// # Errors
    /// If the client is refused.
    pub async fn profiles(&self, client: &Client, inputs: &[String]) -> Shared<Vec<Shared<Image>>> {
        let flow = self.flow(client);
        let profiles = inputs.iter().map(|input| flow.profile(input));
        run_in_order(profiles.collect()).await
    }

    /// Returns the cape of the player that `input` names, as it was uploaded.
    ///
    /// # Errors
    /// If there is no such player or the player has no cape, if an upstream fails, or if the client is
    /// refused.
    pub async fn cape(&self, client: &Client, input: &str) -> Shared<Image> {
        let flow = self.flow(client);
        let request = PictureParams::CAPE.of_player(input).reusing_player();
        let request = &flow.validate(&request)?;
        let make = |_, has_stale| async move {
            let skin = flow.skin(request, has_stale).await?;
            let url = skin.cape.as_ref().ok_or(ServiceError::NoCape)?;
            let cape = flow.cape(url, request.key.look_up_cost()).await?;
            Ok(match cape.origin {
                _ if !skin.origin.is_storable() => cape.with_origin(Origin::OutageFallback),
                // Under the key of this player it is new.
                Origin::Cache => cape.with_origin(Origin::Render),
                _ => cape,
            })
        };
        flow.cached_or(&request.key, make).await
    }
}

impl Flow<'_> {
    async fn profile(&self, input: &str) -> Shared<Image> {
        let key = PictureParams::PROFILE.key_of("", input);
        let key = &*key.current(&*self.state.source);
        let player = PlayerId::detect(input);
        let player = &player.map_err(|error| self.failed(key, error.into()))?;
        let make = |_, _| self.fetch_profile(key, player);
        self.cached_or(key, make).await
    }

    async fn fetch_profile(&self, key: &CacheKey, player: &PlayerId) -> Shared<Image> {
        let player = player.clone();
        let profile = self.call_source(key.look_up_cost(), move |source| {
            let profile = source.profile(&player, source.deadline());
            Ok(profile.map_err(ServiceError::from)?)
        });
        let profile = profile.await?;
        let file = self.file(document(&profile).to_string().into(), "application/json");
        Ok(match profile.is_certain {
            true => file,
            false => file.with_origin(Origin::OutageFallback),
        })
    }
}

/// Returns the JSON document of a profile.
fn document(profile: &Profile) -> Value {
    let (uuid, xuid) = match &profile.account {
        Account::Java(uuid) => (Some(uuid.to_string()), None),
        // Leading zeros only tell an XUID from a name.
        Account::Bedrock(xuid) => (None, xuid.as_ref().map(|xuid| xuid.trim_start_matches('0'))),
    };
    let skin = profile.skin.as_ref();
    json!({
        "edition": profile.account.edition().as_str(),
        "name": profile.name,
        "uuid": uuid,
        "xuid": xuid,
        "model": skin.map(|skin| skin.model.as_str()),
        "texture_url": skin.map(|skin| skin.texture.as_str()),
        "default_skin": skin.is_none_or(|skin| skin.is_default),
        "cape_url": profile.cape.as_ref().map(TextureUrl::as_str),
        "provider": &*profile.provider,
    })
}
