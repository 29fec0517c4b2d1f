//! Skins in memory: the players that the names of files mean, and the contents of the files.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::{error::Error, ffi::OsStr, io, rc::Rc};

use effigy_player::{Model, PRESETS, PlayerId, Uuid};
use sha2::{Digest, Sha256};

use crate::providers::offline_uuid;
use crate::{Account, Profile, ProfileSkin, Revision, TextureHash, TextureUrl, error_chain};

/// The longest file: that of an upstream's texture, and of an uploaded one.
pub(crate) const MAX_FILE_BYTES: usize = 1 << 20;

type BoxError = Box<dyn Error + Send + Sync>;

/// The caller's decoders of skins and capes.
#[derive(Debug, Clone, Copy)]
pub struct FileChecks {
    /// Decodes a skin and guesses its model.
    pub skin: fn(&[u8]) -> Result<Model, BoxError>,
    /// Decodes a cape.
    pub cape: fn(&[u8]) -> Result<(), BoxError>,
}

impl FileChecks {
    /// No decoders: every file is a skin of the classic model, and a cape.
    pub const NONE: Self = Self {
        skin: |_| Ok(Model::Classic),
        cape: |_| Ok(()),
    };
}

/// Skins in memory, of the players whose files were inserted.
///
/// Names and gamertags match in upper and lower case. Profiles name the URL of a texture as
/// `/v1/texture/<hash>`, the path at which the service has textures by their hashes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct LocalSkins {
    /// The players by each of their identities, with what changes with their files.
    players: HashMap<PlayerId, (Profile, Revision)>,
    pub(super) textures: HashMap<TextureHash, TextureUrl>,
}

/// Skins or capes by each of the identities of their players.
type FilesByPlayer = HashMap<PlayerId, Rc<SkinFile>>;

impl LocalSkins {
    /// Creates the skins of files. Of two skins or two capes for one player, the first one counts.
    ///
    /// Also returns a sentence for each file that is not used.
    pub(crate) fn new(
        files: impl IntoIterator<Item = (PathBuf, io::Result<Vec<u8>>)>,
        checks: FileChecks,
    ) -> (Self, BTreeSet<String>) {
        let (mut skins, mut capes) = (FilesByPlayer::new(), FilesByPlayer::new());
        let mut problems = BTreeSet::new();
        let mut refuse = |path: &Path, reason: &str| {
            // The names of files are in quotes, so that they cannot forge a line of the log.
            problems.insert(format!("{path:?} is not used: {reason}"));
        };
        for (path, data) in files {
            let file = match SkinFile::new(path.clone(), data, checks) {
                Ok(file) => Rc::new(file),
                Err(reason) => {
                    refuse(&path, &reason);
                    continue;
                }
            };
            // A cape has no model.
            let taken = file.model.map_or(&mut capes, |_| &mut skins);
            match file.of_same_player(taken) {
                Some(first) => refuse(&path, &format!("{:?} is for the same player", first.path)),
                None => taken.extend(file.ids().map(|id| (id, Rc::clone(&file)))),
            }
        }
        let mut lonely: BTreeSet<&Path> = capes.values().map(|cape| &*cape.path).collect();
        let mut known = Self::default();
        for (id, skin) in &skins {
            let cape = skin.of_same_player(&capes);
            for file in cape.into_iter().chain([&**skin]) {
                lonely.remove(&*file.path);
                let (hash, texture) = (file.hash.clone(), file.texture.clone());
                known.textures.insert(hash, texture);
            }
            known.players.insert(id.clone(), skin.profile(cape));
        }
        for path in lonely {
            refuse(path, "there is no skin for this cape");
        }
        (known, problems)
    }

    /// Returns what is known of a player, and the revision of the player's files.
    pub(crate) fn find(&self, player: &PlayerId) -> Option<&(Profile, Revision)> {
        self.players.get(&normalized(player))
    }
}

/// A file of a player: `<player>.png` for a skin, `<player>.slim.png` for a skin that is drawn on
/// the slim model, or `<player>.cape.png` for a cape. The player is a Java name, a Java UUID, a
/// Bedrock XUID, or a Bedrock gamertag after a dot.
#[derive(Debug)]
struct SkinFile {
    path: PathBuf,
    player: PlayerId,
    /// The model of a skin. A cape has none.
    model: Option<Model>,
    texture: TextureUrl,
    /// The SHA-256 of the data, as on the public services.
    hash: TextureHash,
}

impl SkinFile {
    /// Checks a file, or returns the reason why it is not used.
    fn new(path: PathBuf, data: io::Result<Vec<u8>>, checks: FileChecks) -> Result<Self, String> {
        let data = data.map_err(|error| format!("it cannot be read: {error}"))?;
        if data.len() > MAX_FILE_BYTES {
            return Err(format!("it is longer than {} MiB", MAX_FILE_BYTES >> 20));
        }
        let name = path.file_name().and_then(OsStr::to_str);
        let name = name.ok_or("its name is not UTF-8")?;
        let stem = match name.rsplit_once('.') {
            Some((stem, end)) if end.eq_ignore_ascii_case("png") => stem,
            _ => return Err("its name does not end in .png".to_owned()),
        };
        let (player, model) = match stem.rsplit_once('.') {
            Some((player, end)) if end.eq_ignore_ascii_case("cape") => {
                (player, (checks.cape)(&data).map(|()| None))
            }
            Some((player, end)) if end.eq_ignore_ascii_case("slim") => {
                (player, (checks.skin)(&data).map(|_| Some(Model::Slim)))
            }
            _ => (stem, (checks.skin)(&data).map(Some)),
        };
        let player = PlayerId::detect(player);
        let hash = TextureHash::of_file(&data);
        Ok(Self {
            player: player.map_err(|error| format!("its name is not a player's: {error}"))?,
            model: model
                .map_err(|error| format!("it cannot be drawn: {}", error_chain(&*error)))?,
            texture: TextureUrl::with_file(format!("/v1/texture/{hash}"), data.into()),
            hash,
            path,
        })
    }

    /// Returns every input that names the player, in the form in which players are stored.
    fn ids(&self) -> impl Iterator<Item = PlayerId> {
        let uuid = match &self.player {
            PlayerId::JavaName(name) => Some(PlayerId::JavaUuid(uuid(name))),
            _ => None,
        };
        uuid.into_iter().chain([normalized(&self.player)])
    }

    /// Returns the file that is for the same player.
    fn of_same_player<'a>(&self, files: &'a FilesByPlayer) -> Option<&'a Self> {
        self.ids().find_map(|id| files.get(&id).map(Rc::as_ref))
    }

    /// Returns what is known of the player of a skin.
    fn profile(&self, cape: Option<&Self>) -> (Profile, Revision) {
        let (account, name) = match self.player.clone() {
            PlayerId::JavaName(name) => (Account::Java(uuid(&name)), Some(name)),
            PlayerId::JavaUuid(uuid) => (Account::Java(uuid), None),
            PlayerId::BedrockGamertag(gamertag) => (Account::Bedrock(None), Some(gamertag)),
            PlayerId::BedrockXuid(xuid) => (Account::Bedrock(Some(xuid)), None),
        };
        let profile = Profile {
            skin: Some(ProfileSkin::own(self.texture.clone(), self.model)),
            cape: cape.map(|cape| cape.texture.clone()),
            ..Profile::bare(account, name)
        };
        // The URLs contain the hashes of the files.
        let digest = Sha256::digest(format!("{profile:?}"));
        let digest = digest.first_chunk().expect("the digest has 32 bytes");
        (profile, Revision::from_be_bytes(*digest))
    }
}

/// Returns the form in which a player is stored: names in lower case, an XUID without leading
/// zeros. Java servers show the spaces of a gamertag as underscores.
fn normalized(player: &PlayerId) -> PlayerId {
    match player.folded(true) {
        PlayerId::BedrockXuid(xuid) => {
            PlayerId::BedrockXuid(xuid.trim_start_matches('0').to_owned())
        }
        PlayerId::BedrockGamertag(gamertag) => {
            PlayerId::BedrockGamertag(gamertag.replace('_', " "))
        }
        player => player,
    }
}

/// Returns the UUID of a name: that of a preset, or else the one that servers without accounts
/// give.
fn uuid(name: &str) -> Uuid {
    let preset = PRESETS
        .iter()
        .find(|preset| preset.name.eq_ignore_ascii_case(name));
    let uuid = preset.and_then(|preset| Uuid::parse(preset.uuid));
    uuid.unwrap_or_else(|| offline_uuid(name))
}

#[cfg(test)]
mod tests;
