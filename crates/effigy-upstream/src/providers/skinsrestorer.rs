//! The data folder of the plugin SkinsRestorer, from version 15 on. It is only read.

use std::path::PathBuf;

use effigy_player::Uuid;

use super::Provider;
use super::chosen::{ChosenSkins, SkinChoices, check_folder, malformed, read, value_of};
use crate::{TextureHash, UpstreamConfig, error::Result, error_chain};

/// The longest name of a skin.
const MAX_NAME_BYTES: usize = 200;

/// The players and skins of a server.
struct SkinsRestorer(PathBuf);

/// Checks that a folder is one of the plugin.
pub(super) fn set_up(target: &str, _: &UpstreamConfig) -> Result<Box<dyn Provider>, String> {
    let folder = SkinsRestorer(PathBuf::from(target));
    let checked = folder.check();
    checked.map_err(|error| error_chain(&error))?;
    Ok(Box::new(ChosenSkins(folder)))
}

impl SkinChoices for SkinsRestorer {
    fn chosen(&self, uuid: Uuid) -> Result<Option<String>> {
        let path = self.0.join(format!("players/{}.player", uuid.hyphenated()));
        let Some(player) = read(&path)? else {
            // A missing file is a player without a choice; a missing folder says nothing.
            return self.check().map(|()| None);
        };
        let skin = &player["skinIdentifier"];
        if skin.is_null() {
            return Ok(None);
        }
        let (kind, id) = (skin["type"].as_str(), skin["identifier"].as_str());
        let (Some(kind), Some(id)) = (kind, id) else {
            return Err(malformed(&path));
        };
        for file in skin_files(kind, id, skin["skinVariant"].as_str()) {
            let skin_path = self.0.join(file);
            if let Some(textures) = read(&skin_path)? {
                return value_of(&textures, &skin_path).map(Some);
            }
        }
        // A skin that is built into the plugin, or was deleted: the plugin shows the player's own.
        tracing::debug!(kind, id, "a skin of SkinsRestorer has no file");
        Ok(None)
    }

    fn check(&self) -> Result<()> {
        check_folder(&self.0.join("players"))
    }
}

/// Returns the files that a skin may be in, below the folder.
fn skin_files(kind: &str, id: &str, variant: Option<&str>) -> Vec<String> {
    let is_segment = !id.contains(['/', '\\', ':', '\0']) && id.len() <= MAX_NAME_BYTES;
    match kind {
        "PLAYER" => match Uuid::parse(id) {
            Some(uuid) => vec![format!("skins/{}.playerskin", uuid.hyphenated())],
            None => Vec::new(),
        },
        "CUSTOM" if is_segment => vec![format!("skins/{}.customskin", id.to_lowercase())],
        "LEGACY" if is_segment => vec![format!("legacy/skins/{id}.legacyskin")],
        "URL" => {
            let hash = TextureHash::of_file(id.as_bytes());
            // Without a variant, the plugin has tried which one fits.
            let variants = match variant {
                Some(variant) => vec![variant],
                None => vec!["CLASSIC", "SLIM"],
            };
            let file = |tried| format!("skins/{hash}_{tried}.urlskin");
            variants.into_iter().map(file).collect()
        }
        _ => Vec::new(),
    }
}
