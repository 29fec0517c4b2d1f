//! The flows of profiles and capes.

use effigy_player::Model;
use effigy_render::{ImageFormat, PictureSpec, Size, View};
use effigy_upstream::{Account, Profile, TextureUrl};
use serde_json::{Value, json};

use super::{Flow, JSON, PNG, group::run_in_order};
use crate::{
    Client, FileRequest, Image, Origin, PictureParams, Service, ServiceError,
    error::Result,
    players::{Player, name_as_written},
    request::FileSpec,
};

impl Service {
    /// Returns the profile of each player, or the reason why there is none.
    ///
    /// # Errors
    /// If the client is refused.
    pub async fn profiles(&self, client: Client, inputs: &[String]) -> Result<Vec<Result<Image>>> {
        let profiles = inputs.iter().map(|input| async move {
            let request = FileRequest::from(FileSpec::Profile(input.clone()))
                .from_client(client)
                .reusing_players();
            self.get(&request).await
        });
        run_in_order(profiles.collect()).await
    }
}

impl Flow {
    /// Makes the document of a profile. No texture is fetched for it, unless only that tells the model.
    pub(super) async fn profile_document(&self, player: &Player) -> Result<Image> {
        let deadline = self.state.source.deadline();
        let profile = self.profile(player, deadline).await?;
        let model = match &profile.skin {
            Some(worn) if worn.model.is_none() => {
                Some(self.skin(worn, player, deadline).await?.skin.model())
            }
            worn => worn.as_ref().and_then(|worn| worn.model),
        };
        let document = document(&profile, player, model).to_string();
        let origin = Origin::of(profile.is_certain);
        Ok(Image::made(document, JSON, self.state.now(), origin))
    }

    /// Returns the file of a player's cape, or a picture of this width.
    pub(super) async fn cape_of(
        &self,
        player: &Player,
        size: Option<Size>,
        has_stale: bool,
    ) -> Result<Image> {
        let profile = self.profile(player, self.state.source.deadline()).await?;
        if has_stale && !profile.is_certain {
            return Err(ServiceError::Uncertain.into());
        }
        let url = profile.cape.as_ref().ok_or(ServiceError::NoCape)?;
        let origin = Origin::of(profile.is_certain);
        let file = self.cape(url).await?;
        let file = match size {
            Some(size) => {
                let picture = PictureSpec::new(View::Body, size);
                let params = PictureParams::extension(picture, ImageFormat::Png);
                self.charge_drawing(params.drawing_cost())?;
                self.draw_cape(file, size).await?
            }
            None => file,
        };
        Ok(Image::made(file, PNG, self.state.now(), origin))
    }
}

/// Returns the JSON document of a player's profile.
fn document(profile: &Profile, player: &Player, model: Option<Model>) -> Value {
    let (uuid, xuid) = match &profile.account {
        Account::Java(uuid) => (Some(uuid.to_string()), None),
        // Leading zeros only tell an XUID from a name.
        Account::Bedrock(xuid) => (None, xuid.as_ref().map(|xuid| xuid.trim_start_matches('0'))),
    };
    let skin = profile.skin.as_ref();
    json!({
        "edition": profile.account.edition().as_str(),
        "name": name_as_written(&player.input, profile.name.as_deref()),
        "uuid": uuid,
        "xuid": xuid,
        "model": model.map(Model::as_str),
        "texture_url": skin.map(|skin| skin.texture.as_str()),
        "default_skin": skin.is_none_or(|skin| skin.is_default),
        "cape_url": profile.cape.as_ref().map(TextureUrl::as_str),
        "provider": &*profile.provider,
    })
}
