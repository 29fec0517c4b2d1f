//! The operator's own skin files: the player that a file's name means, and the contents of the file.

use std::{error::Error, io, sync::Arc};

use effigy_player::{InputError, Model, PRESETS, PlayerId, Uuid};

use crate::providers::offline::offline_uuid;
use crate::{Account, TextureHash};

/// The longest file: that of an upstream's texture, and of an uploaded one.
pub(crate) const MAX_FILE_BYTES: usize = 1 << 20;

/// The end of a file's name.
const EXTENSION: &str = ".png";

/// The end of the name of a skin for the slim model, without the extension.
const SLIM: &str = ".slim";

/// The end of the name of a cape, without the extension.
const CAPE: &str = ".cape";

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

/// The reason why a file is not used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkinFileError {
    /// The name does not end in `.png`.
    #[error("its name does not end in .png")]
    NotPng,
    /// The name is not UTF-8.
    #[error("its name is not UTF-8")]
    NotUtf8,
    /// The name cannot mean a player.
    #[error("its name is not a player's")]
    Name(#[from] InputError),
    /// It cannot be read.
    #[error("it cannot be read")]
    Read(#[from] io::Error),
    /// It is longer than a texture may be.
    #[error("it is longer than {} MiB", MAX_FILE_BYTES >> 20)]
    TooLong,
    /// It is not a skin, or not a cape.
    #[error("it cannot be drawn")]
    Decode(#[source] BoxError),
    /// An earlier file has the skin or the cape of the same player.
    #[error("{other} is for the same player")]
    Duplicate {
        /// The name of the earlier file.
        other: String,
    },
    /// It is a cape, and no file has the skin.
    #[error("there is no skin for this cape")]
    NoSkin,
}

/// A file of a player: `<player>.png` for a skin, `<player>.slim.png` for a skin that is drawn on the
/// slim model, or `<player>.cape.png` for a cape. The player is a Java name, a Java UUID, a Bedrock XUID,
/// or a Bedrock gamertag after a dot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkinFile {
    /// The file's name.
    pub(crate) name: String,
    pub(super) player: PlayerId,
    /// The model of a skin. A cape has none.
    model: Option<Model>,
    pub(crate) data: Arc<[u8]>,
    /// The SHA-256 of the data, as on the public services.
    pub(super) hash: TextureHash,
}

impl SkinFile {
    /// Checks a file with this name.
    ///
    /// # Errors
    ///
    /// [`SkinFileError`] if the name means no player, or the file cannot be drawn.
    pub fn new(
        name: &str,
        file: impl Into<Arc<[u8]>>,
        checks: FileChecks,
    ) -> Result<Self, SkinFileError> {
        let data = file.into();
        if data.len() > MAX_FILE_BYTES {
            return Err(SkinFileError::TooLong);
        }
        let stem = strip_end(name, EXTENSION).ok_or(SkinFileError::NotPng)?;
        let (player, model) = if let Some(player) = strip_end(stem, CAPE) {
            (player, (checks.cape)(&data).map(|()| None))
        } else if let Some(player) = strip_end(stem, SLIM) {
            (player, (checks.skin)(&data).map(|_| Some(Model::Slim)))
        } else {
            (stem, (checks.skin)(&data).map(Some))
        };
        Ok(Self {
            name: name.to_owned(),
            player: PlayerId::detect(player)?,
            model: model.map_err(SkinFileError::Decode)?,
            hash: TextureHash::of(&data),
            data,
        })
    }

    pub(super) const fn is_cape(&self) -> bool {
        self.model.is_none()
    }

    pub(super) fn model(&self) -> Model {
        self.model.unwrap_or_default()
    }

    /// Returns the account and the name of the player.
    pub(super) fn account(&self) -> (Account, Option<String>) {
        match self.player.clone() {
            PlayerId::JavaName(name) => (Account::Java(uuid(&name)), Some(name)),
            PlayerId::JavaUuid(uuid) => (Account::Java(uuid), None),
            PlayerId::BedrockGamertag(gamertag) => (Account::Bedrock(None), Some(gamertag)),
            PlayerId::BedrockXuid(xuid) => (Account::Bedrock(Some(xuid)), None),
        }
    }

    /// Returns every input that names the player, in the form in which players are stored.
    pub(super) fn ids(&self) -> impl Iterator<Item = PlayerId> {
        let uuid = match &self.player {
            PlayerId::JavaName(name) => Some(PlayerId::JavaUuid(uuid(name))),
            _ => None,
        };
        uuid.into_iter().chain([normalized(&self.player)])
    }
}

/// Returns the form in which a player is stored: names in lower case, an XUID without leading zeros.
/// Java servers show the spaces of a gamertag as underscores.
pub(super) fn normalized(player: &PlayerId) -> PlayerId {
    match player {
        PlayerId::JavaName(name) => PlayerId::JavaName(name.to_lowercase()),
        PlayerId::JavaUuid(uuid) => PlayerId::JavaUuid(*uuid),
        PlayerId::BedrockXuid(xuid) => {
            PlayerId::BedrockXuid(xuid.trim_start_matches('0').to_owned())
        }
        PlayerId::BedrockGamertag(gamertag) => {
            PlayerId::BedrockGamertag(gamertag.to_lowercase().replace('_', " "))
        }
    }
}

/// Returns the text before an end in upper or lower case.
fn strip_end<'a>(text: &'a str, end: &str) -> Option<&'a str> {
    let at = text.len().checked_sub(end.len())?;
    let (begin, last) = text.split_at_checked(at)?;
    last.eq_ignore_ascii_case(end).then_some(begin)
}

/// Returns the UUID of a name: that of a preset, or else the one that servers without accounts give.
fn uuid(name: &str) -> Uuid {
    let preset = PRESETS
        .iter()
        .find(|preset| preset.name.eq_ignore_ascii_case(name));
    let uuid = preset.and_then(|preset| Uuid::parse(preset.uuid));
    uuid.unwrap_or_else(|| offline_uuid(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECKS: FileChecks = FileChecks {
        skin: |file| match file {
            b"bad" => Err("not a skin".into()),
            _ => Ok(Model::Classic),
        },
        cape: |file| match file {
            b"cape" => Ok(()),
            _ => Err("not a cape".into()),
        },
    };

    #[test]
    fn a_name_means_a_player_and_a_kind_of_file() {
        let uuid = PlayerId::JavaUuid(Uuid::from_u128(0xb50a_d385_829d_3141_a216_7e7d_7539_ba7f));
        let name = |name: &str| PlayerId::JavaName(name.to_owned());
        let (classic, slim) = (Some(Model::Classic), Some(Model::Slim));
        let rows = [
            ("Notch.png", name("Notch"), classic),
            ("Notch.PNG", name("Notch"), classic),
            ("Notch.slim.png", name("Notch"), slim),
            ("Notch.Slim.Png", name("Notch"), slim),
            ("Notch.cape.png", name("Notch"), None),
            ("a.b.png", name("a.b"), classic),
            (
                "b50ad385829d3141a2167e7d7539ba7f.png",
                uuid.clone(),
                classic,
            ),
            ("B50AD385-829d-3141-a216-7e7d7539ba7f.slim.png", uuid, slim),
            (
                ".Gamer Tag.png",
                PlayerId::BedrockGamertag("Gamer Tag".to_owned()),
                classic,
            ),
            (
                "00002535405317821216.cape.png",
                PlayerId::BedrockXuid("00002535405317821216".to_owned()),
                None,
            ),
        ];
        for (file, player, model) in rows {
            let found = SkinFile::new(file, *b"cape", CHECKS).expect(file);
            assert_eq!((found.player, found.model), (player, model), "{file}");
        }
    }

    #[test]
    fn what_cannot_be_drawn_is_refused_with_a_reason() {
        let long = vec![0; MAX_FILE_BYTES + 1];
        let name = format!("{}.png", "x".repeat(257));
        let rows: [(&str, &[u8], &str); 8] = [
            ("Notch.png", b"bad", "it cannot be drawn"),
            ("Notch.slim.png", b"bad", "it cannot be drawn"),
            ("Notch.cape.png", b"skin", "it cannot be drawn"),
            ("Notch.png", &long, "it is longer than 1 MiB"),
            ("Notch.jpg", b"skin", "its name does not end in .png"),
            (".png", b"skin", "its name is not a player's"),
            (".cape.png", b"cape", "its name is not a player's"),
            (&name, b"skin", "its name is not a player's"),
        ];
        for (file, content, reason) in rows {
            let error = SkinFile::new(file, content, CHECKS).expect_err(file);
            assert_eq!(error.to_string(), reason, "{file}");
        }
    }

    #[test]
    fn names_have_the_uuids_of_servers_without_accounts() {
        let rows = [
            ("Notch", "b50ad385-829d-3141-a216-7e7d7539ba7f"),
            ("notch", "42653081-a90e-3475-b3d6-3550cdb43f8e"),
            ("MHF_Steve", "c06f8906-4c8a-4911-9c29-ea1dbd1aab82"),
            ("mhf_steve", "c06f8906-4c8a-4911-9c29-ea1dbd1aab82"),
        ];
        for (name, expected) in rows {
            assert_eq!(uuid(name).hyphenated(), expected, "{name}");
        }
    }
}
