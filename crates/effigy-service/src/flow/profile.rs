//! The flows of profiles and capes.

use std::{sync::Arc, time::SystemTime};

use effigy_player::Model;
use effigy_render::{ImageFormat, PictureSpec, View};
use effigy_store::CachedImage;
use effigy_upstream::{Account, TextureUrl};
use serde_json::{Value, json};

use super::{Flow, JSON, PNG, group::run_in_order};
use crate::{
    CapeSize, Client, FileRequest, Image, Origin, PictureParams, Service, ServiceError, ShelfLife,
    error::Result,
    image::fingerprint,
    players::record::{AccountKey, PlayerRecord},
    players::{Current, Player},
    request::{
        FileSpec,
        key::{CapeKey, Key},
    },
};

impl Service {
    /// Returns the profile of each player, or the reason why there is none.
    ///
    /// # Errors
    /// If the client is refused.
    pub async fn profiles(
        &self,
        client: Client,
        inputs: &[String],
        version: Option<u64>,
    ) -> Result<Vec<Result<Image>>> {
        let profiles = inputs.iter().map(|input| async move {
            let request = FileRequest::from(FileSpec::Profile(input.clone()))
                .from_client(client)
                .with_version(version);
            self.get(&request).await
        });
        run_in_order(profiles.collect()).await
    }
}

impl Flow {
    /// Returns the document of a profile if its model is known.
    pub(super) fn remembered_profile(&self, player: &Player, current: &Current) -> Option<Image> {
        let record = &current.record;
        let model = match &record.profile.skin {
            Some(worn) => Some(worn.model?),
            None => None,
        };
        let image = profile_image(document(record, player, model), self.state.now());
        Some(current.shown_by(image.with_origin(Origin::Cache)))
    }

    /// Makes the document of a profile. No texture is fetched for it, unless only that tells the
    /// model.
    pub(super) async fn profile_document(
        &self,
        player: &Player,
        current: &Current,
    ) -> Result<Image> {
        let document = self.profile_value(player, current).await?;
        let image = profile_image(document, self.state.now());
        Ok(current.shown_by(image))
    }

    /// Returns the document of a profile as a value.
    pub(crate) async fn profile_value(&self, player: &Player, current: &Current) -> Result<Value> {
        let record = &current.record;
        let model = match &record.profile.skin {
            Some(worn) if worn.model.is_none() => {
                let outfit = self
                    .outfit(player, current, &PictureParams::OWN_SKIN)
                    .await?;
                Some(self.model_of(&outfit).await?)
            }
            Some(worn) => worn.model,
            None => None,
        };
        Ok(document(record, player, model))
    }

    /// Returns the file of a player's cape, or a picture of this width.
    pub(super) async fn cape_picture(
        &self,
        player: &Player,
        current: &Current,
        size: Option<CapeSize>,
    ) -> Result<Image> {
        let record = &current.record;
        let url = record.profile.cape.as_ref().ok_or(ServiceError::NoCape)?;
        let account = AccountKey::of(&record.profile, &player.id);
        let cape = self.cape_of(record, url, &account).await?;
        let cape = cape.ok_or(ServiceError::NoCape)?;
        let (cape_id, file) = self.file_of(&cape).await?;
        let image = match size {
            None => Image::made(file, PNG, self.state.now()),
            Some(size) => {
                let key = Key::Cape(CapeKey {
                    cape: cape_id,
                    size,
                });
                let draw = move |flow: Self| async move {
                    let spec = PictureSpec::new(View::Body, size.width());
                    let params = PictureParams::extension(spec, ImageFormat::Png);
                    flow.charge_drawing(params.drawing_cost())?;
                    let picture = flow.draw_cape(file, size).await?;
                    Ok(Image::made(picture, PNG, flow.state.now()))
                };
                self.kept_or_made(&key, draw).await?
            }
        };
        Ok(current.shown_by(image))
    }
}

/// Returns the JSON document of a player's profile.
fn document(record: &PlayerRecord, player: &Player, model: Option<Model>) -> Value {
    let profile = &record.profile;
    let skin = profile.skin.as_ref();
    let (uuid, xuid) = match &profile.account {
        Account::Java(uuid) => (Some(uuid.to_string()), None),
        // Leading zeros only tell an XUID from a name.
        Account::Bedrock(xuid) => (None, xuid.as_ref().map(|xuid| xuid.trim_start_matches('0'))),
    };
    json!({
        "edition": profile.account.edition().as_str(),
        "name": player.name_as_written(profile.name.as_deref()),
        "uuid": uuid,
        "xuid": xuid,
        "model": model.map(Model::as_str),
        "texture_url": skin.map(|skin| skin.texture.as_str()),
        "default_skin": skin.is_none_or(|skin| skin.is_default),
        "cape_url": profile.cape.as_ref().map(TextureUrl::as_str),
        "legacy": profile.legacy,
        "profile_actions": profile.profile_actions,
        "provider": &*profile.provider,
        "checked_at": humantime::format_rfc3339_millis(record.checked_at).to_string(),
    })
}

/// Returns the file of a profile. The time of the check is no part of its fingerprint.
fn profile_image(document: Value, now: SystemTime) -> Image {
    let file = CachedImage {
        data: document.to_string().into(),
        content_type: JSON.to_owned(),
        created_at: now,
    };
    let mut timeless = document;
    timeless["checked_at"] = Value::Null;
    Image {
        fingerprint: fingerprint(timeless.to_string().as_bytes()),
        file: Arc::new(file),
        origin: Origin::Render,
        shelf_life: ShelfLife::Usual,
        substitution: None,
    }
}

impl Current {
    /// Returns a file that shows the record, as current as that is.
    fn shown_by(&self, image: Image) -> Image {
        let shown = image.with_shelf_life(self.shelf_life());
        shown.marked_stale(self.is_stale())
    }
}
