//! The operator's own skin files: the player that a file's name means, and the contents of the file.

use std::{error::Error, ffi::OsStr, io, path::PathBuf, sync::Arc};

use effigy_player::{Model, PRESETS, PlayerId, Uuid};

use crate::{Account, TextureHash, error_chain, providers::offline::offline_uuid};

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

/// A file of a player: `<player>.png` for a skin, `<player>.slim.png` for a skin that is drawn on the
/// slim model, or `<player>.cape.png` for a cape. The player is a Java name, a Java UUID, a Bedrock XUID,
/// or a Bedrock gamertag after a dot.
#[derive(Debug)]
pub(super) struct SkinFile {
    pub(super) path: PathBuf,
    player: PlayerId,
    /// The model of a skin. A cape has none.
    pub(super) model: Option<Model>,
    pub(super) data: Arc<[u8]>,
    /// The SHA-256 of the data, as on the public services.
    pub(super) hash: TextureHash,
}

impl SkinFile {
    /// Checks a file, or returns the reason why it is not used.
    pub(super) fn new(
        path: PathBuf,
        data: io::Result<Vec<u8>>,
        checks: FileChecks,
    ) -> Result<Self, String> {
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
        Ok(Self {
            player: player.map_err(|error| format!("its name is not a player's: {error}"))?,
            model: model
                .map_err(|error| format!("it cannot be drawn: {}", error_chain(&*error)))?,
            hash: TextureHash::of_file(&data),
            data: data.into(),
            path,
        })
    }

    pub(super) const fn is_cape(&self) -> bool {
        self.model.is_none()
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
    use effigy_player::InputError;

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

    fn file(name: &str, content: &[u8]) -> Result<SkinFile, String> {
        SkinFile::new(name.into(), Ok(content.to_vec()), CHECKS)
    }

    #[test]
    fn a_name_means_a_player_and_a_kind_of_file() {
        let uuid = PlayerId::JavaUuid(Uuid::from_u128(0xb50a_d385_829d_3141_a216_7e7d_7539_ba7f));
        let name = |name: &str| PlayerId::JavaName(name.to_owned());
        let tag = PlayerId::BedrockGamertag("Gamer Tag".to_owned());
        let xuid = PlayerId::BedrockXuid("00002535405317821216".to_owned());
        let (classic, slim) = (Some(Model::Classic), Some(Model::Slim));
        let rows = [
            ("Notch.png", name("Notch"), classic),
            ("Notch.PNG", name("Notch"), classic),
            ("Notch.slim.png", name("Notch"), slim),
            ("Notch.Slim.Png", name("Notch"), slim),
            ("Notch.cape.png", name("Notch"), None),
            ("a.b.png", name("a.b"), classic),
            ("B50AD385-829d-3141-a216-7e7d7539ba7f.slim.png", uuid, slim),
            (".Gamer Tag.png", tag, classic),
            ("00002535405317821216.cape.png", xuid, None),
        ];
        for (name, player, model) in rows {
            let found = file(name, b"cape").expect(name);
            assert_eq!((found.player, found.model), (player, model), "{name}");
        }
    }

    #[test]
    fn what_cannot_be_drawn_is_refused_with_a_reason() {
        let long = vec![0; MAX_FILE_BYTES + 1];
        let name = format!("{}.png", "x".repeat(257));
        let not_a_player = |error| format!("its name is not a player's: {error}");
        let no_player = not_a_player(InputError::Empty);
        let too_long = not_a_player(InputError::TooLong { len: 257 });
        let rows: [(&str, &[u8], &str); 8] = [
            ("Notch.png", b"bad", "it cannot be drawn: not a skin"),
            ("Notch.slim.png", b"bad", "it cannot be drawn: not a skin"),
            ("Notch.cape.png", b"skin", "it cannot be drawn: not a cape"),
            ("Notch.png", &long, "it is longer than 1 MiB"),
            ("Notch.jpg", b"skin", "its name does not end in .png"),
            (".png", b"skin", &no_player),
            (".cape.png", b"cape", &no_player),
            (&name, b"skin", &too_long),
        ];
        for (name, content, reason) in rows {
            assert_eq!(file(name, content).expect_err(name), reason, "{name}");
        }
        let missing = Err(io::ErrorKind::NotFound.into());
        let reason = SkinFile::new("Notch.png".into(), missing, CHECKS).expect_err("no file");
        assert_eq!(reason, "it cannot be read: entity not found");
    }
}
