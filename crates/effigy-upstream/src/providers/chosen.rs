//! Skins that players have chosen with a plugin or a mod, which keeps a file for each UUID.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use effigy_player::{PlayerId, Uuid};
use serde_json::Value;

use super::{Provider, files, is_possible_name, offline_identity};
use crate::{
    Account, Profile, Step, UpstreamError, error::Result, error_chain, fetcher::Fetcher,
    records::text,
};

/// The longest file. Those of players with a long history have a few KiB.
const MAX_FILE_BYTES: usize = 1 << 20;

/// The choices of players.
pub(super) trait SkinChoices: Send + Sync + 'static {
    /// Returns the base64 value of the textures that the player with this UUID has chosen.
    ///
    /// # Errors
    ///
    /// [`UpstreamError::File`] if a file is damaged, or the folder is missing.
    fn chosen(&self, uuid: Uuid) -> Result<Option<String>>;

    /// Checks that the folder is there.
    ///
    /// # Errors
    ///
    /// [`UpstreamError::File`] if it is not.
    fn check(&self) -> Result<()>;
}

/// The players of a folder of choices, by the UUIDs that a server gives its players: a Java account
/// has its own, Floodgate computes one from an XUID, and a server in offline mode from a name.
pub(super) struct ChosenSkins<T>(T);

impl<T: SkinChoices> ChosenSkins<T> {
    /// Sets up a provider, unless the folder of the choices is unusable.
    pub(super) fn set_up(choices: T) -> Result<Box<dyn Provider>, String> {
        match choices.check() {
            Ok(()) => Ok(Box::new(Self(choices))),
            Err(error) => Err(error_chain(&error)),
        }
    }

    /// Returns the profile of an account with the textures that the player with this UUID has
    /// chosen.
    fn profile_of(
        &self,
        account: Account,
        uuid: Uuid,
        name: Option<String>,
    ) -> Result<Option<Profile>> {
        let Some(value) = self.0.chosen(uuid)? else {
            return Ok(None);
        };
        let profile = Profile::bare(account, name);
        profile.wearing(Step::Session, &value).map(Some)
    }
}

impl<T: SkinChoices> Provider for ChosenSkins<T> {
    fn can_know(&self, player: &PlayerId) -> bool {
        match player {
            PlayerId::JavaName(name) => is_possible_name(name),
            PlayerId::JavaUuid(_) => true,
            PlayerId::BedrockXuid(xuid) => floodgate_uuid(xuid).is_some(),
            PlayerId::BedrockGamertag(_) => false,
        }
    }

    fn profile(&self, _: &Fetcher, player: &PlayerId) -> Result<Option<Profile>> {
        if let PlayerId::BedrockXuid(xuid) = player {
            return self.look_of(&Account::Bedrock(Some(xuid.clone())));
        }
        // No file maps names to UUIDs, but a server in offline mode computes them.
        match offline_identity(player) {
            Some((name, uuid)) => self.profile_of(Account::Java(uuid), uuid, name),
            None => Ok(None),
        }
    }

    fn look_of(&self, account: &Account) -> Result<Option<Profile>> {
        let uuid = match account {
            Account::Java(uuid) => Some(*uuid),
            Account::Bedrock(xuid) => xuid.as_deref().and_then(floodgate_uuid),
        };
        match uuid {
            Some(uuid) => self.profile_of(account.clone(), uuid, None),
            None => Ok(None),
        }
    }

    fn dresses_accounts(&self) -> bool {
        true
    }

    fn ping(&self, _: &Fetcher) -> Result<()> {
        self.0.check()
    }
}

/// Returns the UUID that Floodgate gives a Bedrock player. Plugins send zeros for the console.
fn floodgate_uuid(xuid: &str) -> Option<Uuid> {
    let number: u64 = xuid.parse().ok()?;
    if number == 0 {
        return None;
    }
    Some(Uuid(number.into()))
}

/// Checks that a folder can be read.
pub(super) fn check_folder(path: &Path) -> Result<()> {
    match fs::read_dir(path) {
        Ok(_) => Ok(()),
        Err(error) => Err(UpstreamError::file(path, error)),
    }
}

/// Returns the `value` of a property with textures.
pub(super) fn value_of(property: &Value, path: &Path) -> Result<String> {
    text(property, "value").ok_or_else(|| malformed(path))
}

pub(super) fn malformed(path: &Path) -> UpstreamError {
    let problem = "a field is missing or malformed";
    UpstreamError::file(path, io::Error::new(ErrorKind::InvalidData, problem))
}

/// Reads a file of JSON, or returns `None` if it does not exist.
pub(super) fn read(path: &Path) -> Result<Option<Value>> {
    let read = files::read(path, MAX_FILE_BYTES);
    // A longer file, or one that is being written, is no complete JSON.
    match read.and_then(|json| Ok(serde_json::from_slice(&json)?)) {
        Ok(json) => Ok(Some(json)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(UpstreamError::file(path, error)),
    }
}
