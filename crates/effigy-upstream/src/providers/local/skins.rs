//! Skins in memory.

use std::{collections::HashMap, sync::Arc};

use effigy_player::PlayerId;
use sha2::{Digest, Sha256};

use super::skin_file::{SkinFile, SkinFileError, normalized};
use crate::records::{Found, Textures};
use crate::source::Revision;
use crate::texture::{TextureHash, TextureUrl};

/// Skins in memory, of the players whose files were inserted.
///
/// Names and gamertags match in upper and lower case. Profiles name the URL of a texture as `/v1/texture/<hash>`,
/// the path at which the service has textures by their hashes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LocalSkins {
    /// The players by each of their identities, with what changes with their files.
    players: HashMap<PlayerId, (Found, Revision)>,
    textures: HashMap<TextureHash, Arc<[u8]>>,
}

/// Files by each of the identities of their players.
type FilesByPlayer<'a> = HashMap<PlayerId, &'a SkinFile>;

impl LocalSkins {
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
            let taken = match file.is_cape() {
                true => &mut capes,
                false => &mut skins,
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
            self.players.insert(id.clone(), known(file, cape));
        }
        let lonely = lonely.into_values();
        unused.extend(lonely.map(|cape| (cape, SkinFileError::NoSkin)));
        unused
    }

    /// Returns what is known of a player, and the revision of the player's files.
    pub(crate) fn find(&self, player: &PlayerId) -> Option<&(Found, Revision)> {
        self.players.get(&normalized(player))
    }

    /// Returns the texture of a hash.
    pub(crate) fn texture_by_hash(&self, hash: &TextureHash) -> Option<Vec<u8>> {
        self.textures.get(hash).map(|file| file.to_vec())
    }
}

/// Returns what is known of the player of a file.
fn known(file: &SkinFile, cape: Option<&SkinFile>) -> (Found, Revision) {
    let texture = |file: &SkinFile| {
        let url = format!("/v1/texture/{}", file.hash);
        TextureUrl::with_file(url, Arc::clone(&file.data))
    };
    let (account, name) = file.account();
    let mut text = format!("{name:?}{}{}", file.model(), file.hash);
    text.extend(cape.map(|cape| cape.hash.as_str()));
    let digest = Sha256::digest(text);
    let digest = digest.first_chunk().expect("the digest has 32 bytes");
    let mut textures = Textures::skin(texture(file), file.model());
    textures.cape = cape.map(texture);
    let found = Found {
        account,
        name,
        textures,
    };
    (found, Revision::new(u128::from_be_bytes(*digest)))
}

/// Returns the file that is already taken for the player of a file.
fn first_of<'a>(taken: &FilesByPlayer<'a>, file: &SkinFile) -> Option<&'a SkinFile> {
    file.ids().find_map(|id| taken.get(&id).copied())
}

#[cfg(test)]
mod tests;
