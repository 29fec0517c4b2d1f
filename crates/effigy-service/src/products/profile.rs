//! The profile of a player.

use std::time::SystemTime;

use effigy_player::Model;
use effigy_upstream::{Account, TextureUrl};
use serde_json::{Value, json};

use crate::{
    Origin, PictureParams, ServedFile,
    error::Result,
    flow::Flow,
    players::{current::Current, record::PlayerRecord, requested::RequestedPlayer},
    served_file::{JSON, fingerprint},
};

impl Flow {
    /// Returns the profile of the player that an input names, if no check is due and the model is
    /// known.
    pub(super) fn cached_profile(&self, input: &str, version: Option<u64>) -> Option<ServedFile> {
        let player = self.requested_player(input).ok()?;
        let current = self.remembered(&player.id, version)?;
        let record = &current.record;
        let model = match &record.profile.skin {
            Some(worn) => Some(worn.model?),
            None => None,
        };
        let served = profile_file(document(record, &player, model), self.state.now());
        Some(current.shown_by(served.with_origin(Origin::Cache)))
    }

    /// Returns the profile of the player that an input names.
    pub(super) async fn profile(&self, input: &str, version: Option<u64>) -> Result<ServedFile> {
        let found = self.resolved(input, version).await?;
        let document = self.profile_value(&found.player, &found.current).await?;
        let served = profile_file(document, self.state.now());
        Ok(found.current.shown_by(served))
    }

    /// Returns the document of a profile as a value. No texture is fetched for it, unless only that
    /// tells the model.
    pub(super) async fn profile_value(
        &self,
        player: &RequestedPlayer,
        current: &Current,
    ) -> Result<Value> {
        let record = &current.record;
        let model = match &record.profile.skin {
            Some(worn) if worn.model.is_none() => {
                let outfit = self.outfit(player, current, &PictureParams::OWN_SKIN);
                Some(self.model_of(&outfit.await?).await?)
            }
            Some(worn) => worn.model,
            None => None,
        };
        Ok(document(record, player, model))
    }
}

/// Returns the JSON document of a player's profile.
fn document(record: &PlayerRecord, player: &RequestedPlayer, model: Option<Model>) -> Value {
    let profile = &record.profile;
    let skin = profile.skin.as_ref();
    let uuid = match &profile.account {
        Account::Java(uuid) => Some(uuid.to_string()),
        Account::Bedrock(_) => None,
    };
    let xuid = match &profile.account {
        // Leading zeros only tell an XUID from a name.
        Account::Bedrock(Some(xuid)) => Some(xuid.trim_start_matches('0')),
        Account::Bedrock(None) | Account::Java(_) => None,
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
fn profile_file(document: Value, now: SystemTime) -> ServedFile {
    let data = document.to_string();
    let mut timeless = document;
    timeless["checked_at"] = Value::Null;
    let fingerprint = fingerprint(timeless.to_string().as_bytes());
    ServedFile::made_with_fingerprint(data, JSON, now, fingerprint)
}

impl Current {
    /// Returns a file that shows the record as one that is as current, and as stale, as the record.
    pub(super) fn shown_by(&self, served: ServedFile) -> ServedFile {
        let shown = served.at_most(self.shelf_life());
        shown.marked_stale(self.is_stale())
    }
}
