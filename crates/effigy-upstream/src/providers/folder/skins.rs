//! Skins in memory.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::{io, sync::Arc};

use effigy_player::PlayerId;
use sha2::{Digest, Sha256};

use super::skin_file::{FileChecks, SkinFile, normalized};
use crate::{Profile, ProfileSkin, Revision, TextureHash, TextureUrl};

/// Skins in memory, of the players whose files were inserted.
///
/// Names and gamertags match in upper and lower case. Profiles name the URL of a texture as `/v1/texture/<hash>`,
/// the path at which the service has textures by their hashes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct LocalSkins {
    /// The players by each of their identities, with what changes with their files.
    players: HashMap<PlayerId, (Profile, Revision)>,
    pub(super) textures: HashMap<TextureHash, Arc<[u8]>>,
}

/// Skins and capes by each of the identities of their players, `true` for a cape.
type FilesByPlayer<'a> = HashMap<(PlayerId, bool), &'a SkinFile>;

impl LocalSkins {
    /// Creates the skins of files. Of two skins or two capes for one player, the first one counts.
    ///
    /// Also returns a sentence for each file that is not used.
    pub(crate) fn new(
        files: impl IntoIterator<Item = (PathBuf, io::Result<Vec<u8>>)>,
        checks: FileChecks,
    ) -> (Self, BTreeSet<String>) {
        let (mut problems, mut sound) = (BTreeSet::new(), Vec::new());
        let mut refuse = |path: &Path, reason: &str| {
            // The names of files are in quotes, so that they cannot forge a line of the log.
            problems.insert(format!("{path:?} is not used: {reason}"));
        };
        for (path, data) in files {
            match SkinFile::new(path.clone(), data, checks) {
                Ok(file) => sound.push(file),
                Err(reason) => refuse(&path, &reason),
            }
        }
        let mut taken = FilesByPlayer::new();
        for file in &sound {
            match find(&taken, file, file.is_cape()) {
                Some(first) => refuse(
                    &file.path,
                    &format!("{:?} is for the same player", first.path),
                ),
                None => taken.extend(file.ids().map(|id| ((id, file.is_cape()), file))),
            }
        }
        let capes = taken.values().filter(|file| file.is_cape());
        let mut lonely: BTreeSet<&Path> = capes.map(|cape| cape.path.as_path()).collect();
        let mut skins = Self::default();
        for ((id, _), file) in taken.iter().filter(|(_, file)| !file.is_cape()) {
            let cape = find(&taken, file, true);
            for file in cape.into_iter().chain([*file]) {
                lonely.remove(file.path.as_path());
                let (hash, data) = (file.hash.clone(), Arc::clone(&file.data));
                skins.textures.insert(hash, data);
            }
            skins.players.insert(id.clone(), known(file, cape));
        }
        for path in lonely {
            refuse(path, "there is no skin for this cape");
        }
        (skins, problems)
    }

    /// Returns what is known of a player, and the revision of the player's files.
    pub(crate) fn find(&self, player: &PlayerId) -> Option<&(Profile, Revision)> {
        self.players.get(&normalized(player))
    }
}

/// Returns what is known of the player of a file.
fn known(file: &SkinFile, cape: Option<&SkinFile>) -> (Profile, Revision) {
    let texture = |file: &SkinFile| {
        let url = format!("/v1/texture/{}", file.hash);
        TextureUrl::with_file(url, Arc::clone(&file.data))
    };
    let (account, name) = file.account();
    let skin = ProfileSkin::own(texture(file), file.model.unwrap_or_default());
    let profile = Profile {
        skin: Some(skin),
        cape: cape.map(texture),
        ..Profile::bare(account, name)
    };
    // The URLs contain the hashes of the files.
    let digest = Sha256::digest(format!("{profile:?}"));
    let digest = digest.first_chunk().expect("the digest has 32 bytes");
    (profile, Revision::from_be_bytes(*digest))
}

/// Returns the skin or the cape of the player of a file.
fn find<'a>(taken: &FilesByPlayer<'a>, file: &SkinFile, is_cape: bool) -> Option<&'a SkinFile> {
    let mut found = file.ids().map(|id| taken.get(&(id, is_cape)));
    found.find_map(|file| file.copied())
}

#[cfg(test)]
mod tests;
