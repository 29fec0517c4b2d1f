//! An upstream in memory that counts calls.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

use effigy_player::{Model, PlayerId, Uuid};
use effigy_upstream::{
    Account, Fetched, LookUp, Ping, Profile, ProfileSkin, Profiles, ReceivedFile, Status,
    TextureHash, TextureUrl, Textures, UpstreamError, Validators,
};

use crate::Calls;

/// The UUID of the first player, of version 4. The others follow.
const FIRST_UUID: u128 = 0x069a_79f4_44e9_4726_8000_0000_0000_0000;

/// The number of skins that the players share. Skins cause no call to the services that count.
const SKINS: usize = 5;

/// The interval of Mojang's session service, for one profile.
const PROFILE_INTERVAL: Duration = Duration::from_secs(60);

/// The time that a look-up may take.
const LOOK_UP_TIME: Duration = Duration::from_secs(20);

/// Mojang's services as they were meant: every player exists, and every call is answered at once.
#[derive(Debug, Default)]
pub(crate) struct Upstream {
    identity: AtomicU64,
    session: AtomicU64,
}

/// Returns the name of a player.
pub(crate) fn name_of(player: usize) -> String {
    format!("player{player}")
}

/// Returns the UUID of a player.
pub(crate) fn uuid_of(player: usize) -> Uuid {
    Uuid(FIRST_UUID + player as u128)
}

/// Returns the player of a name.
fn player_of(name: &str) -> Option<usize> {
    name.strip_prefix("player")?.parse().ok()
}

fn profile_of(player: usize) -> Profile {
    let url = format!("https://textures.minecraft.net/texture/a{player:063x}");
    Profile {
        account: Account::Java(uuid_of(player)),
        name: Some(name_of(player)),
        skin: Some(ProfileSkin {
            texture: TextureUrl::new(url),
            model: Some(Model::Classic),
            is_default: false,
        }),
        cape: None,
        legacy: false,
        profile_actions: Vec::new(),
        provider: "mojang".into(),
        is_certain: true,
    }
}

impl Upstream {
    pub(crate) fn calls(&self) -> Calls {
        Calls {
            identity: self.identity.load(Relaxed),
            session: self.session.load(Relaxed),
        }
    }
}

impl Profiles for Upstream {
    fn deadline(&self) -> Instant {
        Instant::now() + LOOK_UP_TIME
    }

    fn profile(&self, player: &PlayerId, _: &LookUp) -> Result<Profile, UpstreamError> {
        let number = match player {
            PlayerId::JavaName(name) => {
                self.identity.fetch_add(1, Relaxed);
                player_of(name)
            }
            PlayerId::JavaUuid(uuid) => usize::try_from(uuid.0 - FIRST_UUID).ok(),
            PlayerId::BedrockXuid(_) | PlayerId::BedrockGamertag(_) => None,
        };
        let number = number.ok_or_else(|| UpstreamError::PlayerNotFound {
            player: player.clone(),
        })?;
        self.session.fetch_add(1, Relaxed);
        Ok(profile_of(number))
    }

    fn renewed(&self, known: &Profile, _: &PlayerId, _: &LookUp) -> Result<Profile, UpstreamError> {
        self.session.fetch_add(1, Relaxed);
        Ok(known.clone())
    }

    fn fingerprint(&self) -> String {
        "simulated".to_owned()
    }

    fn profile_interval(&self, _: &str) -> Duration {
        PROFILE_INTERVAL
    }
}

impl Textures for Upstream {
    fn texture(
        &self,
        url: &TextureUrl,
        _: Option<&Validators>,
        _: &LookUp,
    ) -> Result<Fetched, UpstreamError> {
        let digits = url.as_str().rsplit_once("/a").map(|(_, digits)| digits);
        let player = digits.and_then(|digits| usize::from_str_radix(digits, 16).ok());
        let player = player.ok_or(UpstreamError::BadTexture {
            received: ReceivedFile::Status(404),
        })?;
        Ok(Fetched::File {
            file: fixtures::SKINS[player % SKINS].png.to_vec(),
            validators: Validators::default(),
        })
    }

    fn texture_by_hash(&self, hash: &TextureHash, _: &LookUp) -> Result<Vec<u8>, UpstreamError> {
        Err(UpstreamError::TextureNotFound { hash: hash.clone() })
    }
}

impl Status for Upstream {
    fn ping(&self) -> Vec<Ping> {
        Vec::new()
    }
}
