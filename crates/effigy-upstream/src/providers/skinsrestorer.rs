//! The data folder of the plugin SkinsRestorer, from version 15 on. It is only read.

use std::path::PathBuf;

use effigy_player::Uuid;

use super::Provider;
use super::chosen::{ChosenSkins, SkinChoices, check_folder, malformed, read, value_of};
use crate::{TextureHash, UpstreamConfig, error::Result};

/// The longest name of a skin.
const MAX_NAME_BYTES: usize = 200;

/// The players and skins of a server.
struct SkinsRestorer(PathBuf);

/// Checks that a folder is one of the plugin.
pub(super) fn set_up(target: &str, _: &UpstreamConfig) -> Result<Box<dyn Provider>, String> {
    ChosenSkins::set_up(SkinsRestorer(PathBuf::from(target)))
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
        let Some(kind) = skin["type"].as_str() else {
            return Err(malformed(&path));
        };
        let Some(id) = skin["identifier"].as_str() else {
            return Err(malformed(&path));
        };
        for file in skin_files(kind, id, skin["skinVariant"].as_str()) {
            let skin_path = self.0.join(file);
            if let Some(textures) = read(&skin_path)? {
                return value_of(&textures, &skin_path).map(Some);
            }
        }
        // The skin is built into the plugin, or was deleted. The plugin shows the player's own.
        tracing::debug!(kind, id, "a skin of SkinsRestorer has no file");
        Ok(None)
    }

    fn check(&self) -> Result<()> {
        check_folder(&self.0.join("players"))
    }
}

/// Returns the paths of the files that a skin may be in, below the folder. No path leaves it.
fn skin_files(kind: &str, id: &str, variant: Option<&str>) -> Vec<String> {
    match kind {
        "PLAYER" => match Uuid::parse(id) {
            Some(uuid) => vec![format!("skins/{}.playerskin", uuid.hyphenated())],
            None => Vec::new(),
        },
        "CUSTOM" if is_segment(id) => vec![format!("skins/{}.customskin", id.to_lowercase())],
        "LEGACY" if is_segment(id) => vec![format!("legacy/skins/{id}.legacyskin")],
        "URL" => {
            let hash = TextureHash::of_file(id.as_bytes());
            let file = |model| format!("skins/{hash}_{model}.urlskin");
            match variant {
                Some(chosen) if is_segment(chosen) => vec![file(chosen)],
                Some(_) => Vec::new(),
                // The plugin has found out itself which model fits.
                None => vec![file("CLASSIC"), file("SLIM")],
            }
        }
        _ => Vec::new(),
    }
}

/// Returns `true` if a text can be a part of the name of a file.
fn is_segment(text: &str) -> bool {
    !text.contains(['/', '\\', ':', '\0']) && text.len() <= MAX_NAME_BYTES
}

#[cfg(test)]
mod tests {
    use std::path::{Component, Path};

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_choice_leads_out_of_the_folder(
            kind in prop::sample::select(vec!["PLAYER", "CUSTOM", "LEGACY", "URL", "NEW"]),
            id in r"[./\\a-z:\x00]{0,12}",
            variant in prop::option::of(r"[./\\A-Z:\x00]{0,12}"),
        ) {
            for file in skin_files(kind, &id, variant.as_deref()) {
                prop_assert!(!file.contains(['\\', ':', '\0']), "{file}");
                let path = Path::new(&file);
                let mut parts = path.components();
                prop_assert!(parts.all(|part| matches!(part, Component::Normal(_))), "{file}");
                let folder = path.parent().expect("a folder");
                let is_known = folder == Path::new("skins") || folder == Path::new("legacy/skins");
                prop_assert!(is_known, "{file}");
            }
        }
    }
}
