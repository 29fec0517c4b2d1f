//! The flows of profiles and capes.

use effigy_player::PlayerId;
use effigy_upstream::{Account, Profile, SkinSource};
use serde::Serialize;

use super::{batch::run_in_order, valid_request::ValidRequest};
use crate::{
    Client, Endpoint, Image, Origin, PictureParams, Service, ServiceError, error::Shared,
    players::SkinId, request::key::CacheKey, state::State,
};

/// The JSON document of a profile.
#[derive(Debug, Serialize)]
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
    /// If there is no such player, an upstream fails, or the client is refused.
    pub async fn profile(&self, client: &Client, input: &str) -> Shared<Image> {
        let state = &self.state;
        let (key, player) = state.player_key(Endpoint::Profile, input)?;
        let make = |_, _| state.fetch_profile(client, &key, player);
        state.cached_or(client, &key, make).await
    }

    /// Returns the profile of each player, as [`profile`](Self::profile) does, or the reason why there is none.
    ///
    /// # Errors
    /// If the client is refused.
    pub async fn profiles(&self, client: &Client, inputs: &[String]) -> Shared<Vec<Shared<Image>>> {
        let (state, now) = (&self.state, self.now());
        let keys = inputs
            .iter()
            .map(|input| state.player_key(Endpoint::Profile, input));
        let keys: Vec<Shared<(CacheKey, PlayerId)>> = keys.collect();
        let new = keys.iter().flatten().filter(|(key, _)| {
            // A player with a revision is in the folder of skins.
            key.revision.is_none() && state.memory.get(key.as_str(), now).is_none()
        });
        let accounts = &state
            .look_up_names(client, new.map(|(_, player)| player))
            .await?;
        let profile = |found: Shared<(CacheKey, PlayerId)>| async move {
            let (key, player) = found?;
            let make = |_, _| async {
                let player = accounts.find(player)?;
                state.fetch_profile(client, &key, player).await
            };
            state.cached_or(client, &key, make).await
        };
        run_in_order(keys.into_iter().map(profile)).await
    }

    /// Returns the cape of the player that `input` names, as it was uploaded.
    ///
    /// # Errors
    /// If there is no such player or the player has no cape, if an upstream fails, or if the client is
    /// refused.
    pub async fn cape(&self, client: &Client, input: &str) -> Shared<Image> {
        let state = &self.state;
        let (key, player) = state.player_key(Endpoint::Cape, input)?;
        let request = &ValidRequest {
            params: PictureParams::OWN_SKIN,
            skin: SkinId::Player(player, key.revision),
            reuses_player: true,
            key,
        };
        let make = |_, has_stale| async move {
            let skin = state.skin(client, request, has_stale).await?;
            let url = skin.cape.as_ref().ok_or(ServiceError::NoCape)?;
            let cape = state.cape(client, url, request.key.look_up_cost()).await?;
            Ok(match cape.origin {
                // Under the key of this player it is new.
                Origin::Cache => cape.with_origin(Origin::Render),
                _ => cape,
            })
        };
        state.cached_or(client, &request.key, make).await
    }
}

impl State {
    fn player_key(&self, endpoint: Endpoint, input: &str) -> Shared<(CacheKey, PlayerId)> {
        let key = self.current(&CacheKey::of_player(endpoint, input));
        match PlayerId::detect(input) {
            Ok(player) => Ok((key, player)),
            Err(error) => Err(self.failed(&key, error.into())),
        }
    }

    async fn fetch_profile(
        &self,
        client: &Client,
        key: &CacheKey,
        player: PlayerId,
    ) -> Shared<Image> {
        let call = move |source: &dyn SkinSource| source.profile(&player, source.deadline());
        let profile = self.call_source(client, key.look_up_cost(), call).await?;
        let document = Document::new(profile.map_err(ServiceError::from)?);
        let json = serde_json::to_vec(&document).expect("strings and booleans are valid JSON");
        Ok(self.file(json, "application/json"))
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
    fn new(profile: Profile) -> Self {
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
            texture_url: profile.skin.map(|skin| skin.texture.as_str().to_owned()),
            cape_url: profile.cape.map(|cape| cape.as_str().to_owned()),
        }
    }
}
