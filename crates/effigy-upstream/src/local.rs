//! The operator's own skins: in memory, and in a folder.

pub(crate) mod error;
pub(crate) mod folder;
mod listing;
pub(crate) mod player;
pub(crate) mod skin_file;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use effigy_player::PlayerId;

use self::error::SkinFileError;
use self::player::{LocalPlayer, LocalTexture, normalized};
use self::skin_file::{Content, SkinFile};
use crate::error::UpstreamError;
use crate::profile::{Profile, ProfileSkin};
use crate::source::{Revision, SkinSource};
use crate::texture::{TextureHash, TextureUrl};
use crate::transport::Step;

/// A source of skins in memory. It knows the players that were inserted.
///
/// Names and gamertags match in upper and lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalSkins {
    base_url: String,
    players: HashMap<PlayerId, Arc<Known>>,
    textures: HashMap<TextureHash, LocalTexture>,
}

/// A player, and what changes with the player's files.
#[derive(Debug, PartialEq, Eq)]
struct Known {
    player: LocalPlayer,
    revision: Revision,
}

impl LocalSkins {
    /// Creates a source without players.
    ///
    /// Profiles name the URL of a texture as `<base_url>/<hash>`. The source itself fetches
    /// nothing from there.
    #[must_use]
    pub fn new(base_url: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            players: HashMap::new(),
            textures: HashMap::new(),
        }
    }

    /// Adds a player, or replaces one of the same name or account.
    pub fn insert(&mut self, player: LocalPlayer) {
        for texture in player.textures() {
            self.textures
                .insert(texture.hash().clone(), texture.clone());
        }
        let revision = player.revision();
        let known = Arc::new(Known { player, revision });
        for id in known.player.ids() {
            self.players.insert(id, Arc::clone(&known));
        }
    }

    /// Adds the players of files. Of two skins or two capes for one player, the first one counts.
    ///
    /// Returns the files that are not used, each with the reason.
    pub fn insert_files<'a>(
        &mut self,
        files: impl IntoIterator<Item = &'a SkinFile>,
    ) -> Vec<(&'a SkinFile, SkinFileError)> {
        let files: Vec<&SkinFile> = files.into_iter().collect();
        let mut unused = Vec::new();
        let mut capes = capes(&files, &mut unused);
        let mut taken: HashMap<PlayerId, &SkinFile> = HashMap::new();
        for file in files {
            let Content::Skin(model) = file.content else {
                continue;
            };
            let id = normalized(&file.player);
            let player = file.to_player(model, capes.get(&id).copied());
            if let Some(earlier) = player.ids().find_map(|id| taken.get(&id)) {
                unused.push((file, earlier.duplicate_error()));
                continue;
            }
            capes.remove(&id);
            taken.extend(player.ids().map(|id| (id, file)));
            self.insert(player);
        }
        let capes = capes.into_values();
        unused.extend(capes.map(|cape| (cape, SkinFileError::NoSkin)));
        unused
    }

    fn find(&self, player: &PlayerId) -> Result<&LocalPlayer, UpstreamError> {
        let known = self.players.get(&normalized(player));
        let known = known.ok_or_else(|| not_found(player))?;
        Ok(&known.player)
    }

    fn url(&self, texture: &LocalTexture) -> TextureUrl {
        TextureUrl::new(format!("{}/{}", self.base_url, texture.hash()))
    }
}

impl SkinSource for LocalSkins {
    fn deadline(&self) -> Instant {
        // Nothing here takes time.
        Instant::now() + Duration::from_secs(20)
    }

    fn profile(&self, player: &PlayerId, _: Instant) -> Result<Profile, UpstreamError> {
        let found = self.find(player)?;
        Ok(Profile {
            account: found.account.clone(),
            name: found.name.clone(),
            skin: Some(ProfileSkin {
                texture: self.url(&found.skin.texture),
                model: found.skin.model,
                is_default: false,
            }),
            cape: found.cape.as_ref().map(|cape| self.url(cape)),
        })
    }

    fn texture(&self, url: &TextureUrl, _: Instant) -> Result<Vec<u8>, UpstreamError> {
        let url = url.as_str();
        let hash = url.rsplit('/').next().and_then(TextureHash::parse);
        match hash {
            Some(hash) if url == format!("{}/{hash}", self.base_url) => self.texture_by_hash(&hash),
            _ => Err(UpstreamError::TextureUrl {
                url: url.to_owned(),
            }),
        }
    }

    fn texture_by_hash(&self, hash: &TextureHash) -> Result<Vec<u8>, UpstreamError> {
        let texture = self.textures.get(hash);
        let file = texture.map(|texture| texture.file().to_vec());
        file.ok_or_else(|| UpstreamError::TextureNotFound { hash: hash.clone() })
    }

    fn ping(&self) -> Result<(), UpstreamError> {
        Ok(())
    }
}

/// Returns the first cape of each player.
fn capes<'a>(
    files: &[&'a SkinFile],
    unused: &mut Vec<(&'a SkinFile, SkinFileError)>,
) -> HashMap<PlayerId, &'a SkinFile> {
    let mut capes: HashMap<PlayerId, &'a SkinFile> = HashMap::new();
    for &file in files.iter().filter(|file| file.content == Content::Cape) {
        let first = *capes.entry(normalized(&file.player)).or_insert(file);
        if !std::ptr::eq(first, file) {
            unused.push((file, first.duplicate_error()));
        }
    }
    capes
}

fn not_found(player: &PlayerId) -> UpstreamError {
    let (step, player) = match player {
        PlayerId::JavaName(name) => (Step::Identity, name.clone()),
        PlayerId::JavaUuid(uuid) => (Step::Session, uuid.to_string()),
        PlayerId::BedrockGamertag(gamertag) => (Step::Xuid, gamertag.clone()),
        PlayerId::BedrockXuid(xuid) => (Step::BedrockSkin, xuid.clone()),
    };
    UpstreamError::not_found(step, &player)
}

#[cfg(test)]
mod tests;
