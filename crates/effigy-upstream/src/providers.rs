//! The interface of a provider of skins, and the kinds of providers.

mod files;
pub(crate) mod folder;
mod geyser;
mod mojang;
mod skin_url;
mod skinsrestorer;
mod yggdrasil;

use effigy_player::{PlayerId, Uuid};
use md5::{Digest, Md5};
use url::Position::{AfterPort, BeforeHost};
use url::Url;

use crate::call::Call;
use crate::{
    ConfigError, Profile, Revision, TextureHash, Upstream, UpstreamConfig, error::Result,
    fetcher::Fetcher,
};

/// The longest name that a provider other than Mojang is asked for, in characters.
const MAX_NAME: usize = 32;

/// The name of the Java player whom a check looks up.
pub(crate) const PROBED_PLAYER: &str = "Notch";

/// The UUID of that player at the public service.
const PROBED_UUID: Uuid = Uuid(0x069a_79f4_44e9_4726_a5be_fca9_0e38_aaf5);

/// The constructor of a kind of provider. It takes the target that the operator has written, a URL
/// or a path, and returns the provider, or what is wrong with the target.
type SetUp = fn(&str, &UpstreamConfig) -> Result<Box<dyn Provider>, String>;

/// The kinds of providers, as the operator writes them. The text after a `=` stands for the target.
const KINDS: [(&str, SetUp); 6] = [
    ("mojang", mojang::set_up),
    ("geyser", geyser::set_up),
    ("folder=PATH", folder::set_up),
    ("yggdrasil=URL", yggdrasil::set_up),
    ("skinsrestorer=PATH", skinsrestorer::set_up),
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

    /// Returns the call that tells if an upstream answers, as long as it has answered no other. It
    /// is about [`PROBED_PLAYER`] or nobody, never about a player whom a client has named.
    fn probe(&self, _upstream: Upstream) -> Option<Call> {
        None
    }

    /// Returns the upstreams that a look-up of a player calls, each as often as it may call it.
    fn upstreams_for(&self, _fetcher: &Fetcher, _player: &PlayerId) -> Vec<Upstream> {
        Vec::new()
    }

    /// Returns `true` if the player is in memory.
    fn has_at_hand(&self, _player: &PlayerId) -> bool {
        false
    }

    /// Looks a player up, who may be known without a skin. Returns none if the provider does not
    /// know the player. The URLs of the textures are not yet checked.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`](crate::UpstreamError) if the provider fails, which says nothing about the
    /// player.
    fn profile(&self, fetcher: &Fetcher, player: &PlayerId) -> Result<Option<Profile>>;

    /// Returns `true` if the provider ignores the case of Java names.
    fn ignores_case(&self) -> bool {
        false
    }

    /// Returns `true` if the provider says that its textures come from this host, in addition to
    /// the hosts that are known from the settings.
    fn names_host(&self, _url: &Url) -> bool {
        false
    }

    /// Returns the revision of the player that an input names, if the player's skin is in memory.
    fn revision(&self, _input: &str) -> Option<Revision> {
        None
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
        // The provider need not know the player.
        let player = PlayerId::JavaName(PROBED_PLAYER.to_owned());
        self.profile(fetcher, &player).map(drop)
    }

    /// Reads what has changed since the last time, if it is due. It is called every second, and at
    /// the start.
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
    let provider = match known {
        Some((_, set_up)) => set_up(target, config),
        None => {
            let kinds = KINDS.map(|(as_written, _)| as_written).join(", ");
            Err(format!("is not one of the kinds: {kinds}"))
        }
    };
    let provider = provider.map_err(|problem| ConfigError::new("--provider", text, problem))?;
    // The servers of a kind without a target are known.
    let name = match provider.servers().0.first() {
        Some(url) if !target.is_empty() => format!("{kind}:{}", &url[BeforeHost..AfterPort]),
        _ => kind.to_owned(),
    };
    Ok((name, provider))
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
pub(crate) fn offline_uuid(name: &str) -> Uuid {
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
mod tests {
    use super::*;

    fn set_up(text: &str) -> Result<(String, Box<dyn Provider>), ConfigError> {
        super::set_up(text, &UpstreamConfig::default())
    }

    #[test]
    fn providers_have_names_and_servers() {
        for (text, name, server) in [
            ("mojang", "mojang", "https://api.mojang.com/"),
            ("geyser", "geyser", "https://api.mojang.com/"),
            ("yggdrasil=ely.by", "yggdrasil:ely.by", "https://ely.by/"),
            ("yggdrasil=http://x:80/a", "yggdrasil:x", "http://x/a/"),
            (
                "yggdrasil=[::1]:81",
                "yggdrasil:[::1]:81",
                "https://[::1]:81/",
            ),
            (
                "skin-url=http://x/{name}",
                "skin-url:x",
                "http://x/%7Bname%7D",
            ),
        ] {
            let (found, provider) = set_up(text).expect(text);
            assert_eq!(found, name, "{text}");
            assert_eq!(provider.servers().0[0].as_str(), server, "{text}");
        }
        let folder = tempfile::TempDir::new().expect("a folder");
        let text = format!("folder={}", folder.path().display());
        let (name, provider) = set_up(&text).expect("an empty folder");
        assert_eq!((&*name, provider.servers().0.len()), ("folder", 0));
    }

    #[test]
    fn bad_providers_are_refused_in_one_sentence() {
        let unknown = "is not one of the kinds";
        let placeless = "needs {name}, {uuid} or {dashed}";
        let nobody = "in the path or the query";
        let secret = "user name or password";
        for (text, problem) in [
            ("", unknown),
            ("Mojang", unknown),
            ("mysql=x", unknown),
            ("mojang=https://api.mojang.com", unknown),
            ("folder", unknown),
            ("folder=", unknown),
            ("yggdrasil=ftp://x", "must begin with http"),
            ("skin-url=https://x/skin.png", placeless),
            ("skin-url=https://x/{player}.png", placeless),
            ("skin-url=https://{name}.example/", nobody),
            ("skin-url=https://{name}@example/skin.png", secret),
            ("skin-url=file:///{name}.png", "must begin with http"),
            ("folder=/nowhere", "cannot be read"),
            ("skinsrestorer=/nowhere", "cannot read /nowhere/players: "),
        ] {
            let error = set_up(text).err().expect(text).to_string();
            assert!(error.contains(problem), "{text}: {error}");
            assert!(error.starts_with("--provider: \""), "{error}");
        }
    }

    #[test]
    fn names_of_other_providers() {
        let longest = "é".repeat(32);
        for name in [
            "Notch",
            "Two Words",
            "玩家一号",
            "a+b",
            "{x}:;",
            "a.b",
            &longest,
        ] {
            assert!(is_possible_name(name), "{name}");
        }
        let too_long = "x".repeat(33);
        for name in [
            "", ".", "..", "a/b", "a\\b", "a?b", "a#b", "a\tb", "a\u{7f}", &too_long,
        ] {
            assert!(!is_possible_name(name), "{name}");
        }
    }

    #[test]
    fn uuids_of_servers_without_accounts() {
        for (name, expected) in [
            ("Notch", "b50ad385-829d-3141-a216-7e7d7539ba7f"),
            ("notch", "42653081-a90e-3475-b3d6-3550cdb43f8e"),
            ("jeb_", "a762f560-4fce-3236-812a-b80efff0b62b"),
            ("Игрок", "770c6db4-4435-39fa-8907-9b7f4fb309b1"),
            ("玩家一号", "563807d4-80f7-3b64-9ebb-4dbce5bc9f41"),
        ] {
            let uuid = offline_uuid(name);
            assert_eq!(uuid.hyphenated(), expected, "{name}");
            assert!(is_offline(uuid), "{name}");
        }
        let notch = Uuid(0x069a_79f4_44e9_4726_a5be_fca9_0e38_aaf5);
        assert!(!is_offline(notch));
    }
}
