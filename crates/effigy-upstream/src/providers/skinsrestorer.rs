//! The data folder of the plugin SkinsRestorer, from version 15 on. It is only read.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use effigy_player::{PlayerId, Uuid};
use serde_json::Value;

use super::{Provider, files, offline_identity};
use crate::records::text;
use crate::{
    Account, Profile, Step, TextureHash, UpstreamConfig, UpstreamError, error::Result, error_chain,
    fetcher::Fetcher,
};

/// The longest file. Those of players with a long history have a few KiB.
const MAX_FILE_BYTES: usize = 1 << 20;

/// The longest name of a skin.
const MAX_NAME_BYTES: usize = 200;

/// The players and skins of a server in offline mode.
struct SkinsRestorer(PathBuf);

/// Checks that a folder is one of the plugin.
pub(super) fn set_up(target: &str, _: &UpstreamConfig) -> Result<Box<dyn Provider>, String> {
    let folder = SkinsRestorer(PathBuf::from(target));
    let checked = folder.check_players();
    checked.map_err(|error| error_chain(&error))?;
    Ok(Box::new(folder))
}

impl SkinsRestorer {
    /// Returns the base64 value of the textures that a player has chosen.
    fn chosen(&self, uuid: Uuid) -> Result<Option<String>> {
        let path = self.0.join(format!("players/{}.player", uuid.hyphenated()));
        let Some(player) = read(&path)? else {
            // A missing file is a player without a choice; a missing folder says nothing.
            return self.check_players().map(|()| None);
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
                let value = text(&textures, "value");
                return value.map(Some).ok_or_else(|| malformed(&skin_path));
            }
        }
        // A skin that is built into the plugin, or was deleted: the plugin shows the player's own.
        tracing::debug!(kind, id, "a skin of SkinsRestorer has no file");
        Ok(None)
    }

    fn check_players(&self) -> Result<()> {
        let path = self.0.join("players");
        let players = fs::read_dir(&path).map(drop);
        players.map_err(|error| UpstreamError::file(&path, error))
    }
}

impl Provider for SkinsRestorer {
    fn profile(&self, _: &Fetcher, player: &PlayerId) -> Result<Option<Profile>> {
        // No file maps names to UUIDs, but a server in offline mode computes them.
        let Some((name, uuid)) = offline_identity(player) else {
            return Ok(None);
        };
        let Some(value) = self.chosen(uuid)? else {
            return Ok(None);
        };
        let profile = Profile::bare(Account::Java(uuid), name);
        profile.wearing(Step::Session, &value).map(Some)
    }

    fn ping(&self, _: &Fetcher) -> Result<()> {
        self.check_players()
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

fn malformed(path: &Path) -> UpstreamError {
    let problem = "a field is missing or malformed";
    UpstreamError::file(path, io::Error::new(ErrorKind::InvalidData, problem))
}

/// Reads a file of JSON, or returns `None` if there is none.
fn read(path: &Path) -> Result<Option<Value>> {
    let read = files::read(path, MAX_FILE_BYTES);
    // A longer file, or one that is being written, is no complete JSON.
    match read.and_then(|json| Ok(serde_json::from_slice(&json)?)) {
        Ok(json) => Ok(Some(json)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(UpstreamError::file(path, error)),
    }
}
