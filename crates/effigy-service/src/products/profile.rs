//! The profile of a player.

use std::time::SystemTime;

use effigy_player::Model;
use effigy_upstream::{Account, TextureUrl};
use serde::Serialize;

use crate::{
    Origin, PictureParams, ServedFile,
    error::Result,
    flow::Flow,
    players::{current::Current, record::PlayerRecord, requested::RequestedPlayer},
    served_file::{JSON, fingerprint},
};

/// The size that few profiles exceed, in bytes.
const USUAL_BYTES: usize = 512;

/// The JSON document of a player's profile, without the time of the check.
#[derive(Debug, Serialize)]
pub(super) struct ProfileDocument<'a> {
    edition: &'static str,
    name: Option<&'a str>,
    uuid: Option<String>,
    xuid: Option<&'a str>,
    model: Option<&'static str>,
    texture_url: Option<&'a str>,
    default_skin: bool,
    cape_url: Option<&'a str>,
    legacy: bool,
    profile_actions: &'a [String],
    provider: &'a str,
    #[serde(skip)]
    checked_at: SystemTime,
}

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
        let document = ProfileDocument::new(record, &player, model);
        let served = document.into_file(self.state.now());
        Some(current.shown_by(served.with_origin(Origin::Cache)))
    }

    /// Returns the profile of the player that an input names.
    pub(super) async fn profile(&self, input: &str, version: Option<u64>) -> Result<ServedFile> {
        let found = self.resolved(input, version).await?;
        let document = self.profile_document(&found.player, &found.current);
        let served = document.await?.into_file(self.state.now());
        Ok(found.current.shown_by(served))
    }

    /// Returns the document of a profile. No texture is fetched for it, unless only that tells the
    /// model.
    pub(super) async fn profile_document<'a>(
        &self,
        player: &'a RequestedPlayer,
        current: &'a Current,
    ) -> Result<ProfileDocument<'a>> {
        let record = &current.record;
        let model = match &record.profile.skin {
            Some(worn) if worn.model.is_none() => {
                let outfit = self.outfit(player, current, &PictureParams::OWN_SKIN);
                Some(self.model_of(&outfit.await?).await?)
            }
            Some(worn) => worn.model,
            None => None,
        };
        Ok(ProfileDocument::new(record, player, model))
    }
}

impl<'a> ProfileDocument<'a> {
    fn new(record: &'a PlayerRecord, player: &'a RequestedPlayer, model: Option<Model>) -> Self {
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
        Self {
            edition: profile.account.edition().as_str(),
            name: player.name_as_written(profile.name.as_deref()),
            uuid,
            xuid,
            model: model.map(Model::as_str),
            texture_url: skin.map(|skin| skin.texture.as_str()),
            default_skin: skin.is_none_or(|skin| skin.is_default),
            cape_url: profile.cape.as_ref().map(TextureUrl::as_str),
            legacy: profile.legacy,
            profile_actions: &profile.profile_actions,
            provider: &profile.provider,
            checked_at: record.checked_at,
        }
    }

    /// Returns the file. The time of the check is no part of its fingerprint.
    pub(super) fn into_file(self, now: SystemTime) -> ServedFile {
        let mut data = Vec::with_capacity(USUAL_BYTES);
        let written = serde_json::to_writer(&mut data, &self);
        written.expect("a vector takes texts and switches");
        let fingerprint = fingerprint(&data);
        // The time takes the place of the closing brace.
        data.pop();
        let time = humantime::format_rfc3339_millis(self.checked_at);
        data.extend(format!(",\"checked_at\":\"{time}\"}}").bytes());
        ServedFile::made_with_fingerprint(data, JSON, now, fingerprint)
    }
}

impl Current {
    /// Limits how long clients may cache a file that shows the record, and marks the file as stale
    /// if the record is.
    pub(super) fn shown_by(&self, served: ServedFile) -> ServedFile {
        let shown = served.at_most(self.shelf_life());
        shown.marked_stale(self.is_stale())
    }
}
