//! The interface of a provider of skins, and the kinds of providers.

mod chosen;
mod files;
pub(crate) mod folder;
mod geyser;
mod mojang;
mod skin_url;
mod skinrestorer;
mod skinsrestorer;
mod yggdrasil;

use std::path::PathBuf;
use std::time::Duration;

use effigy_player::{PlayerId, Uuid};
use md5::{Digest, Md5};
use url::Position::{AfterPort, BeforeHost};
use url::Url;

use crate::call::Call;
use crate::{
    Account, ConfigError, Profile, TextureHash, Upstream, UpstreamConfig, error::Result,
    fetcher::Fetcher,
};

/// The longest name that a provider other than Mojang is asked for, in characters.
const MAX_NAME: usize = 32;

/// The name of the Java player that a check looks up.
pub(crate) const PROBED_PLAYER: &str = "Notch";

/// The UUID of that player at the public service.
const PROBED_UUID: Uuid = Uuid(0x069a_79f4_44e9_4726_a5be_fca9_0e38_aaf5);

/// The time within which a public service is asked for one profile at most once. Mojang's session
/// service rejects a second call.
const PUBLIC_INTERVAL: Duration = Duration::from_secs(60);

/// The profile interval of any other server.
const PRIVATE_INTERVAL: Duration = Duration::from_secs(5);

/// The constructor of a kind of provider. It takes the target that the operator has written, a URL
/// or a path, and returns the provider or the reason why the target cannot be used.
type SetUp = fn(&str, &UpstreamConfig) -> Result<Box<dyn Provider>, String>;

/// The kinds of providers, as the operator writes them, with a word for the target after the `=`.
const KINDS: [(&str, SetUp); 7] = [
    ("mojang", mojang::set_up),
    ("geyser", geyser::set_up),
    ("folder=PATH", folder::set_up),
    ("yggdrasil=URL", yggdrasil::set_up),
    ("skinsrestorer=PATH", skinsrestorer::set_up),
    ("skinrestorer=PATH", skinrestorer::set_up),
    ("skin-url=URL", skin_url::set_up),
];

/// A provider of skins: the protocol of one kind of service or folder, and nothing else. The chain
/// adds the order, the memory of missing players, the default skins and the check of texture URLs,
/// and the fetcher the limits and timeouts.
pub(crate) trait Provider: Send + Sync + 'static {
    /// Returns the servers that it calls, and the services that it calls there. By default, it
    /// reads files.
    fn servers(&self) -> (Vec<Url>, &'static [Upstream]) {
        (Vec::new(), &[])
    }

    /// Returns `true` if this kind of provider can know the player. Otherwise it is not asked. By
    /// default, it can know Java players.
    fn can_know(&self, player: &PlayerId) -> bool {
        match player {
            PlayerId::JavaName(name) => is_possible_name(name),
            PlayerId::JavaUuid(_) => true,
            _ => false,
        }
    }

    /// Returns the call that tells if an upstream answers, until it has answered another call. The
    /// call is about [`PROBED_PLAYER`] or nobody, never about a player that a client has named.
    fn probe(&self, _upstream: Upstream) -> Option<Call> {
        None
    }

    /// Returns the upstreams that a look-up of a player calls, each as often as it may call it.
    fn upstreams_for(&self, _fetcher: &Fetcher, _player: &PlayerId) -> Vec<Upstream> {
        Vec::new()
    }

    /// Returns `true` if all that the provider knows is in memory.
    fn is_in_memory(&self) -> bool {
        false
    }

    /// Returns the profile of a player, if the provider has it in memory.
    fn profile_at_hand(&self, _player: &PlayerId) -> Option<Profile> {
        None
    }

    /// Looks a player up. Returns `None` if the provider does not know the player. The profile may
    /// lack a skin, and the URLs of its textures are not yet checked.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`](crate::UpstreamError) if the provider fails, which says nothing about the
    /// player.
    fn profile(&self, fetcher: &Fetcher, player: &PlayerId) -> Result<Option<Profile>>;

    /// Returns the JSON record of a Java account with signatures. By default, nothing is signed.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`](crate::UpstreamError) if the provider fails.
    fn signed_profile(&self, _fetcher: &Fetcher, _uuid: Uuid) -> Result<Option<String>> {
        Ok(None)
    }

    /// Returns a profile with the skin and cape that the player of an account has chosen here, if a
    /// later provider knows the account. The URLs are not yet checked. By default, there is no
    /// choice.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`](crate::UpstreamError) if the provider fails.
    fn look_of(&self, _account: &Account) -> Result<Option<Profile>> {
        Ok(None)
    }

    /// Returns `true` if [`look_of`](Self::look_of) knows the choices of players.
    fn dresses_accounts(&self) -> bool {
        false
    }

    /// Returns the player to look up to renew a profile of this provider. `player` is the player
    /// that a client asked for. By default, the account is looked up by its identifier.
    fn renewal_id(&self, known: &Profile, player: &PlayerId) -> PlayerId {
        match &known.account {
            Account::Java(uuid) => PlayerId::JavaUuid(*uuid),
            Account::Bedrock(Some(xuid)) => PlayerId::BedrockXuid(xuid.clone()),
            Account::Bedrock(None) => player.clone(),
        }
    }

    /// Returns `true` if the answer to a look-up by an identifier has the name of the account.
    fn tells_names(&self) -> bool {
        false
    }

    /// Returns the time within which one profile is checked at most once. It is zero for files.
    fn profile_interval(&self) -> Duration {
        let (servers, _) = self.servers();
        match servers.first() {
            Some(server) => interval_of(is_of_ely_by(server)),
            None => Duration::ZERO,
        }
    }

    /// Returns `true` if the provider ignores the case of Java names.
    fn ignores_case(&self) -> bool {
        false
    }

    /// Returns `true` if the provider says that its textures come from this host, in addition to
    /// the hosts that are known from the settings.
    fn names_host(&self, _url: &Url) -> bool {
        false
    }

    /// Returns the texture of a hash, if it is in memory.
    fn texture_by_hash(&self, _hash: &TextureHash) -> Option<Vec<u8>> {
        None
    }

    /// Checks that the provider answers.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`](crate::UpstreamError) with the reason if it does not.
    fn ping(&self, fetcher: &Fetcher) -> Result<()> {
        // The provider may not know the player.
        let player = PlayerId::JavaName(PROBED_PLAYER.to_owned());
        self.profile(fetcher, &player).map(drop)
    }

    /// Reads changes since the last time, if that is due. It is called at the start and every
    /// second.
    fn refresh(&self, _fetcher: &Fetcher) {}
}

/// Sets up the provider that the operator has written. Returns its kind, and the host of its URL,
/// as a name.
pub(crate) fn set_up(
    text: &str,
    config: &UpstreamConfig,
) -> Result<(String, Box<dyn Provider>), ConfigError> {
    let (kind, target) = text.split_once('=').unwrap_or((text, ""));
    let known = KINDS.iter().find(|(known, _)| match known.split_once('=') {
        Some((with_target, _)) => with_target == kind && !target.is_empty(),
        None => *known == text,
    });
    let Some((_, set_up)) = known else {
        let kinds = KINDS.map(|(as_written, _)| as_written).join(", ");
        return Err(ConfigError::Provider {
            provider: text.to_owned(),
            problem: format!("is not one of the kinds: {kinds}"),
        });
    };
    let provider = set_up(target, config).map_err(|problem| unusable(kind, target, problem))?;
    // The servers of a kind without a target are known.
    let name = match provider.servers().0.first() {
        Some(url) if !target.is_empty() => format!("{kind}:{}", &url[BeforeHost..AfterPort]),
        _ => kind.to_owned(),
    };
    Ok((name, provider))
}

/// Returns the error of a provider whose target cannot be used.
fn unusable(kind: &str, target: &str, problem: String) -> ConfigError {
    if kind == "folder" {
        return ConfigError::SkinFolder {
            path: PathBuf::from(target),
            problem,
        };
    }
    ConfigError::Provider {
        provider: format!("{kind}={target}"),
        problem,
    }
}

/// Returns `true` if a URL is one of Ely.by, the public service that needs no provider of its own.
fn is_of_ely_by(url: &Url) -> bool {
    let host = url.domain().unwrap_or_default();
    host == "ely.by" || host.ends_with(".ely.by")
}

/// Returns the interval of profiles at a service that is the public one or the operator's own.
const fn interval_of(is_public: bool) -> Duration {
    if is_public {
        PUBLIC_INTERVAL
    } else {
        PRIVATE_INTERVAL
    }
}

/// Returns `true` if a player of a provider other than Mojang can have this name: any text of a
/// bounded length that is one segment of a path.
pub(crate) fn is_possible_name(name: &str) -> bool {
    let is_allowed = |c: char| !c.is_control() && !"/\\?#".contains(c);
    let is_dots = name.bytes().all(|byte| byte == b'.');
    !is_dots && name.chars().count() <= MAX_NAME && name.chars().all(is_allowed)
}

/// Returns the UUID that a server without accounts gives a name: RFC 9562's version 3 without a
/// name space. It depends on the letter case.
#[must_use]
pub fn offline_uuid(name: &str) -> Uuid {
    let digest = Md5::digest(format!("OfflinePlayer:{name}"));
    let hash = u128::from_be_bytes(digest.into()) & !(0xf << 76 | 3 << 62);
    Uuid(hash | 3 << 76 | 2 << 62)
}

/// Returns `true` if a UUID was computed from a name, as servers without accounts do.
pub(crate) const fn is_offline(uuid: Uuid) -> bool {
    uuid.0 >> 76 & 0xf == 3
}

/// Returns the name and the UUID of a Java player of a server in offline mode.
pub(crate) fn offline_identity(player: &PlayerId) -> Option<(Option<String>, Uuid)> {
    match player {
        PlayerId::JavaName(name) => Some((Some(name.clone()), offline_uuid(name))),
        PlayerId::JavaUuid(uuid) => Some((None, *uuid)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
