//! The files of the mod SkinRestorer: one for each player, in the folder of the world or in
//! `config/skinrestorer`. They are only read.

use std::path::PathBuf;

use effigy_player::Uuid;
use serde_json::Value;

use super::Provider;
use super::chosen::{ChosenSkins, SkinChoices, check_folder, malformed, read, value_of};
use crate::{UpstreamConfig, error::Result};

/// The folder with the files of players.
struct SkinRestorer(PathBuf);

/// Checks that a folder can be read.
pub(super) fn set_up(target: &str, _: &UpstreamConfig) -> Result<Box<dyn Provider>, String> {
    ChosenSkins::set_up(SkinRestorer(PathBuf::from(target)))
}

impl SkinChoices for SkinRestorer {
    fn chosen(&self, uuid: Uuid) -> Result<Option<String>> {
        let path = self.0.join(format!("{}.json", uuid.hyphenated()));
        let Some(player) = read(&path)? else {
            // A missing file is a player without a choice; a missing folder says nothing.
            return self.check().map(|()| None);
        };
        match &player["value"] {
            // Version 1 has the property itself, version 2 has it in a record of the choice.
            Value::String(_) => value_of(&player, &path).map(Some),
            property @ Value::Object(_) => value_of(property, &path).map(Some),
            Value::Null if player.is_object() => Ok(None),
            _ => Err(malformed(&path)),
        }
    }

    fn check(&self) -> Result<()> {
        check_folder(&self.0)
    }
}
