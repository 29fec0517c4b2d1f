//! Skins in memory: the players that the names of files mean, and the contents of the files.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::{error::Error, ffi::OsStr, io, rc::Rc};

use effigy_player::{Model, PRESETS, PlayerId, Uuid};

use crate::profile::FileAtHand;
use crate::providers::offline_uuid;
use crate::{Account, Profile, ProfileSkin, TextureHash, TextureUrl, error_chain};

/// The longest file. Textures of upstreams and uploaded ones have the same limit.
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
    /// The players by each of their identities.
    players: HashMap<PlayerId, Profile>,
    pub(super) textures: HashMap<TextureHash, TextureUrl>,
}

/// Skins that were loaded, and the files that are not used.
pub(crate) struct Loaded {
    pub(crate) skins: LocalSkins,
    /// A sentence for each file that is not used.
    pub(crate) problems: BTreeSet<String>,
}

impl LocalSkins {
    /// Loads the skins of files. Of two skins or two capes for one player, the first one counts.
    pub(crate) fn load(
        files: impl IntoIterator<Item = (PathBuf, io::Result<Vec<u8>>)>,
        checks: FileChecks,
    ) -> Loaded {
        let mut loader = Loader::default();
        for (path, data) in files {
            loader.add(path, data, checks);
        }
        loader.finish()
    }

    /// Returns the profile of a player.
    pub(crate) fn find(&self, player: &PlayerId) -> Option<&Profile> {
        self.players.get(&normalized(player))
    }

    fn insert_texture(&mut self, file: &SkinFile) {
        let hash = file.hash.clone();
        self.textures.insert(hash, file.texture.clone());
    }
}

/// Skins or capes by each of the identities of their players.
type FilesByPlayer = HashMap<PlayerId, Rc<SkinFile>>;

/// Collects files, and then makes profiles of them.
#[derive(Default)]
struct Loader {
    skins: FilesByPlayer,
    capes: FilesByPlayer,
    problems: BTreeSet<String>,
}

impl Loader {
    fn add(&mut self, path: PathBuf, data: io::Result<Vec<u8>>, checks: FileChecks) {
        let file = match SkinFile::new(path.clone(), data, checks) {
            Ok(file) => Rc::new(file),
            Err(reason) => {
                self.refuse(&path, &reason);
                return;
            }
        };
        // A cape has no model.
        let files = match file.model {
            Some(_) => &mut self.skins,
            None => &mut self.capes,
        };
        if let Some(first) = file.of_same_player(files) {
            let reason = format!("{:?} is for the same player", first.path);
            self.refuse(&path, &reason);
            return;
        }
        for id in file.ids() {
            files.insert(id, Rc::clone(&file));
        }
    }

    /// Makes a profile for each player with a skin.
    fn finish(mut self) -> Loaded {
        let mut unused_capes: BTreeSet<&Path> = BTreeSet::new();
        for cape in self.capes.values() {
            unused_capes.insert(&cape.path);
        }
        let mut skins = LocalSkins::default();
        for (id, skin) in &self.skins {
            let cape = skin.of_same_player(&self.capes);
            skins.insert_texture(skin);
            if let Some(cape) = cape {
                skins.insert_texture(cape);
                unused_capes.remove(&*cape.path);
            }
            skins.players.insert(id.clone(), skin.profile(cape));
        }
        for path in unused_capes {
            let problem = problem_of(path, "there is no skin for this cape");
            self.problems.insert(problem);
        }
        Loaded {
            skins,
            problems: self.problems,
        }
    }

    fn refuse(&mut self, path: &Path, reason: &str) {
        self.problems.insert(problem_of(path, reason));
    }
}

/// Returns the sentence that a file is not used. The name of the file is in quotes, so that it
/// cannot forge a line of the log.
fn problem_of(path: &Path, reason: &str) -> String {
    format!("{path:?} is not used: {reason}")
}

/// A file of a player: `<player>.png` for a skin, `<player>.slim.png` for a skin that is drawn on
/// the slim model, or `<player>.cape.png` for a cape. The player is a Java name, a Java UUID, a
/// Bedrock XUID, or a Bedrock gamertag after a dot.
#[derive(Debug)]
struct SkinFile {
    path: PathBuf,
    player: PlayerId,
    /// The model of a skin, or `None` for a cape.
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
        let file_name = path.file_name().and_then(OsStr::to_str);
        let name = FileName::parse(file_name.ok_or("its name is not UTF-8")?)?;
        let player = PlayerId::detect(name.player)
            .map_err(|error| format!("its name is not a player's: {error}"))?;
        let model = name
            .model_of(&data, checks)
            .map_err(|error| format!("it cannot be drawn: {}", error_chain(&*error)))?;
        let file = FileAtHand::new(data);
        let hash = TextureHash::of_sha256(file.sha256());
        Ok(Self {
            player,
            model,
            texture: TextureUrl::with_file(format!("/v1/texture/{hash}"), file),
            hash,
            path,
        })
    }

    /// Returns every input that names the player, in the form in which players are stored.
    fn ids(&self) -> Vec<PlayerId> {
        let mut ids = vec![normalized(&self.player)];
        if let PlayerId::JavaName(name) = &self.player {
            ids.insert(0, PlayerId::JavaUuid(uuid(name)));
        }
        ids
    }

    /// Returns the file that is for the same player.
    fn of_same_player<'a>(&self, files: &'a FilesByPlayer) -> Option<&'a Self> {
        for id in self.ids() {
            if let Some(file) = files.get(&id) {
                return Some(file);
            }
        }
        None
    }

    /// Returns the profile of the player of a skin.
    fn profile(&self, cape: Option<&Self>) -> Profile {
        let (account, name) = match self.player.clone() {
            PlayerId::JavaName(name) => (Account::Java(uuid(&name)), Some(name)),
            PlayerId::JavaUuid(uuid) => (Account::Java(uuid), None),
            PlayerId::BedrockGamertag(gamertag) => (Account::Bedrock(None), Some(gamertag)),
            PlayerId::BedrockXuid(xuid) => (Account::Bedrock(Some(xuid)), None),
        };
        Profile {
            skin: Some(ProfileSkin::own(self.texture.clone(), self.model)),
            cape: cape.map(|cape| cape.texture.clone()),
            ..Profile::bare(account, name)
        }
    }
}

/// The parts of the name of a file.
struct FileName<'a> {
    player: &'a str,
    kind: FileKind,
}

/// The content of a file by its name.
enum FileKind {
    Skin,
    SlimSkin,
    Cape,
}

impl<'a> FileName<'a> {
    fn parse(name: &'a str) -> Result<Self, &'static str> {
        let stem = match name.rsplit_once('.') {
            Some((stem, end)) if end.eq_ignore_ascii_case("png") => stem,
            _ => return Err("its name does not end in .png"),
        };
        let (player, kind) = match stem.rsplit_once('.') {
            Some((player, end)) if end.eq_ignore_ascii_case("cape") => (player, FileKind::Cape),
            Some((player, end)) if end.eq_ignore_ascii_case("slim") => (player, FileKind::SlimSkin),
            _ => (stem, FileKind::Skin),
        };
        Ok(Self { player, kind })
    }

    /// Decodes a file, and returns the model of a skin.
    fn model_of(&self, data: &[u8], checks: FileChecks) -> Result<Option<Model>, BoxError> {
        match self.kind {
            FileKind::Skin => (checks.skin)(data).map(Some),
            FileKind::SlimSkin => {
                (checks.skin)(data)?;
                Ok(Some(Model::Slim))
            }
            FileKind::Cape => {
                (checks.cape)(data)?;
                Ok(None)
            }
        }
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

/// Returns the UUID of a preset of this name, or else the UUID that servers without accounts give
/// the name.
fn uuid(name: &str) -> Uuid {
    let preset = PRESETS
        .iter()
        .find(|preset| preset.name.eq_ignore_ascii_case(name));
    let uuid = preset.and_then(|preset| Uuid::parse(preset.uuid));
    uuid.unwrap_or_else(|| offline_uuid(name))
}

#[cfg(test)]
mod tests;
