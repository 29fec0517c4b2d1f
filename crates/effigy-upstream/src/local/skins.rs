//! Skins in memory.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use effigy_player::PlayerId;
use sha2::{Digest, Sha256};

use super::skin_file::{SkinFile, SkinFileError, normalized};
use crate::error::UpstreamError;
use crate::profile::{Profile, ProfileSkin};
use crate::source::{Revision, SkinSource};
use crate::texture::{TextureHash, TextureUrl};
use crate::transport::Step;

/// A source of skins in memory. It knows the players of the files that were inserted.
///
/// Names and gamertags match in upper and lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalSkins {
    base_url: String,
    /// The players by each of their identities.
    players: HashMap<PlayerId, Known>,
    textures: HashMap<TextureHash, Arc<[u8]>>,
}

/// A player, and what changes with the player's files.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Known {
    profile: Profile,
    revision: Revision,
}

/// Files by each of the identities of their players.
type FilesByPlayer<'a> = HashMap<PlayerId, &'a SkinFile>;

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

    /// Adds the players of files. Of two skins or two capes for one player, the first one counts.
    ///
    /// Returns the files that are not used, each with the reason.
    pub fn insert_files<'a>(
        &mut self,
        files: impl IntoIterator<Item = &'a SkinFile>,
    ) -> Vec<(&'a SkinFile, SkinFileError)> {
        let mut unused = Vec::new();
        let (mut skins, mut capes) = (FilesByPlayer::new(), FilesByPlayer::new());
        for file in files {
            let taken = if file.is_cape() {
                &mut capes
            } else {
                &mut skins
            };
            if let Some(first) = first_of(taken, file) {
                let other = first.name.clone();
                unused.push((file, SkinFileError::Duplicate { other }));
            } else {
                taken.extend(file.ids().map(|id| (id, file)));
            }
        }
        let mut lonely: HashMap<&str, &SkinFile> = capes
            .values()
            .map(|cape| (cape.name.as_str(), *cape))
            .collect();
        for (id, file) in &skins {
            let cape = first_of(&capes, file);
            for file in cape.into_iter().chain([*file]) {
                lonely.remove(file.name.as_str());
                self.textures
                    .insert(file.hash.clone(), Arc::clone(&file.data));
            }
            self.players.insert(id.clone(), self.known(file, cape));
        }
        let lonely = lonely.into_values();
        unused.extend(lonely.map(|cape| (cape, SkinFileError::NoSkin)));
        unused
    }

    /// Returns `true` if a player has a file.
    pub(super) fn contains(&self, player: &PlayerId) -> bool {
        self.players.contains_key(&normalized(player))
    }

    /// Returns the revision of the player that `input` names.
    pub(super) fn revision_of(&self, input: &str) -> Option<Revision> {
        let player = PlayerId::detect(input).ok()?;
        let known = self.players.get(&normalized(&player))?;
        Some(known.revision)
    }

    fn known(&self, file: &SkinFile, cape: Option<&SkinFile>) -> Known {
        let url = |file: &SkinFile| TextureUrl::new(format!("{}/{}", self.base_url, file.hash));
        let (account, name) = file.account();
        let mut text = format!("{name:?}{}{}", file.model(), file.hash);
        text.extend(cape.map(|cape| cape.hash.as_str()));
        let digest = Sha256::digest(text);
        let digest = digest.first_chunk().expect("the digest has 32 bytes");
        Known {
            profile: Profile {
                account,
                name,
                skin: Some(ProfileSkin {
                    texture: url(file),
                    model: file.model(),
                    is_default: false,
                }),
                cape: cape.map(url),
            },
            revision: Revision::new(u128::from_be_bytes(*digest)),
        }
    }
}

impl SkinSource for LocalSkins {
    fn deadline(&self) -> Instant {
        // Nothing here takes time.
        Instant::now() + Duration::from_secs(20)
    }

    fn profile(&self, player: &PlayerId, _: Instant) -> Result<Profile, UpstreamError> {
        let known = self.players.get(&normalized(player));
        let known = known.ok_or_else(|| not_found(player))?;
        Ok(known.profile.clone())
    }

    fn texture(&self, url: &TextureUrl, _: Instant) -> Result<Vec<u8>, UpstreamError> {
        let path = url.as_str().strip_prefix(&self.base_url);
        let hash = path.and_then(|path| TextureHash::parse(path.strip_prefix('/')?));
        let hash = hash.ok_or_else(|| UpstreamError::TextureUrl {
            url: url.as_str().to_owned(),
        })?;
        self.texture_by_hash(&hash)
    }

    fn texture_by_hash(&self, hash: &TextureHash) -> Result<Vec<u8>, UpstreamError> {
        let file = self.textures.get(hash).map(|file| file.to_vec());
        file.ok_or_else(|| UpstreamError::TextureNotFound { hash: hash.clone() })
    }

    fn ping(&self) -> Result<(), UpstreamError> {
        Ok(())
    }
}

/// Returns the file that is already taken for the player of a file.
fn first_of<'a>(taken: &FilesByPlayer<'a>, file: &SkinFile) -> Option<&'a SkinFile> {
    file.ids().find_map(|id| taken.get(&id).copied())
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
