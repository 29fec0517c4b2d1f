//! The interface of a source of skins: the profiles that it returns, and the textures that these
//! name.

use std::time::{Duration, Instant};
use std::{fmt, ops::RangeInclusive, sync::Arc};

use effigy_player::{Edition, Model, PlayerId, Uuid};
use sha2::{Digest, Sha256};

use crate::{LookUp, PlannedCalls, Target, UpstreamCapacity, UpstreamError, UpstreamState};

/// The number of digits of a hash: 64 without the leading zeros. A hash with more than 8 leading
/// zeros is too improbable to exist.
const HASH_LENGTHS: RangeInclusive<usize> = 56..=64;

/// A source of skins. Every call is a fresh look-up, and blocks.
pub trait SkinSource: Send + Sync + 'static {
    /// Returns the time at which a look-up that begins now must be over, with all of its calls.
    fn deadline(&self) -> Instant;

    /// Looks a player up.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] if there is no such player, or an upstream fails.
    fn profile(&self, player: &PlayerId, look_up: &LookUp) -> Result<Profile, UpstreamError>;

    /// Fetches a skin or a cape that a [`Profile`] of this source names: a file that begins like a
    /// PNG.
    ///
    /// # Errors
    ///
    /// [`UpstreamError::BadTexture`] if a response has something else, any other if it cannot be
    /// fetched.
    fn texture(&self, url: &TextureUrl, look_up: &LookUp) -> Result<Vec<u8>, UpstreamError>;

    /// Fetches the texture of a hash: a file that begins like a PNG.
    ///
    /// # Errors
    ///
    /// [`UpstreamError::TextureNotFound`] if there is none, any other if it cannot be fetched.
    fn texture_by_hash(
        &self,
        hash: &TextureHash,
        look_up: &LookUp,
    ) -> Result<Vec<u8>, UpstreamError>;

    /// Returns the maximum numbers of calls that a look-up makes, by upstream. It is empty if no
    /// call is needed, as for a file at hand.
    ///
    /// The upstreams may change between this call and the look-up, so a look-up may still make a
    /// call more.
    fn calls_for(&self, _target: Target<'_>) -> Vec<PlannedCalls> {
        Vec::new()
    }

    /// Returns the limits of each upstream. A position in this list is an
    /// [`UpstreamId`](crate::UpstreamId).
    fn upstreams(&self) -> Vec<UpstreamCapacity> {
        Vec::new()
    }

    /// Checks that each provider which looks up Java names at a server answers, all side by side
    /// and within 5 s. Pings take at most a twentieth of a rate limit; between them, the last one
    /// and the calls since tell.
    fn ping(&self) -> Vec<Ping>;

    /// Returns the state of each upstream, for metrics, in the order of
    /// [`upstreams`](Self::upstreams).
    fn states(&self) -> Vec<UpstreamState> {
        Vec::new()
    }

    /// Returns `true` if names that differ in their letter case alone are one player's, as Mojang's
    /// are.
    fn ignores_case(&self) -> bool {
        true
    }

    /// Returns the revision of the player that an input names, if the source has the player's files
    /// at hand and they may change at any time. It does not block.
    fn revision(&self, _input: &str) -> Option<Revision> {
        None
    }
}

/// The last ping of a provider, and what other calls have told since.
#[derive(Debug, Clone)]
pub struct Ping {
    /// The provider, by its kind and host.
    pub provider: Arc<str>,
    /// The reason why it does not answer, if it does not.
    pub answer: Result<(), Arc<UpstreamError>>,
    /// The duration of the ping, or zero if only other calls were answered.
    pub response_time: Duration,
    /// The time since the ping.
    pub age: Duration,
}

/// A number that changes whenever a player's files do. The same files have the same one everywhere.
pub type Revision = u128;

/// The profile of a player: what is known without fetching a texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The account.
    pub account: Account,
    /// The name as the player writes it, or the gamertag that was looked up. A look-up by XUID
    /// returns none.
    pub name: Option<String>,
    /// The player's own skin, or the game's default skin of a Java player who has set none. A
    /// Bedrock player who has set none has none.
    pub skin: Option<ProfileSkin>,
    /// The cape, if the player wears one that can be fetched.
    pub cape: Option<TextureUrl>,
    /// The provider that knows the player, by its kind and host.
    pub provider: Arc<str>,
    /// `false` if this may be another player of the same name, because a provider that comes
    /// earlier in the chain failed. A picture must then not be stored.
    pub is_certain: bool,
}

impl Profile {
    /// Returns the bytes of the texts, and of the files that the provider has sent with them.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        let skin = self.skin.as_ref().map(|skin| &skin.texture);
        let textures = skin.into_iter().chain(&self.cape);
        let bytes = |url: &TextureUrl| url.url.len() + url.file().map_or(0, <[u8]>::len);
        self.name.as_ref().map_or(0, String::len) + textures.map(bytes).sum::<usize>()
    }
}

/// An account, identified by what never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Account {
    /// A Java account.
    Java(Uuid),
    /// A Bedrock account by its XUID, as it is sent upstream, or none if only the gamertag is
    /// known.
    Bedrock(Option<String>),
}

impl Account {
    /// Returns the edition of the account.
    #[must_use]
    pub const fn edition(&self) -> Edition {
        match self {
            Self::Java(_) => Edition::Java,
            Self::Bedrock(_) => Edition::Bedrock,
        }
    }
}

/// The skin of a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileSkin {
    /// The texture, on a host that textures may come from.
    pub texture: TextureUrl,
    /// The player's model, or none if only the texture can tell it.
    pub model: Option<Model>,
    /// `true` if it is the game's default skin, because the player has set none.
    pub is_default: bool,
}

/// The hash that identifies a texture: 56 to 64 hexadecimal digits, in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TextureHash(String);

impl TextureHash {
    /// Parses a hash in upper or lower case. Returns `None` for any other text.
    ///
    /// ```
    /// use effigy_upstream::TextureHash;
    ///
    /// let steve = "31f477eb1a7beee631c2ca64d06f8f68fa93a3386d04452ab27f43acdf1b60cb";
    /// assert_eq!(TextureHash::parse(steve).unwrap().as_str(), steve);
    /// assert_eq!(TextureHash::parse("Notch"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_hash =
            HASH_LENGTHS.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hash.then(|| Self(text.to_ascii_lowercase()))
    }

    /// Computes the hash of a file, as the public services do: the SHA-256.
    pub(crate) fn of_file(file: &[u8]) -> Self {
        let digest = Sha256::digest(file);
        Self(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Returns the digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TextureHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The URL of a texture that a [`Profile`] names, and the provider that named it. It is passed
/// back to the source that created it. Clones share the text and the file.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TextureUrl {
    pub(crate) url: Arc<str>,
    /// The provider by its name, or `None` for the game's own texture service.
    pub(crate) provider: Option<Arc<str>>,
    /// The file, if the provider has sent it with the profile.
    pub(crate) file: Option<Arc<[u8]>>,
}

impl TextureUrl {
    /// Creates the URL of a texture of one's own [`SkinSource`].
    #[must_use]
    pub fn new(url: impl Into<Arc<str>>) -> Self {
        Self {
            url: url.into(),
            provider: None,
            file: None,
        }
    }

    /// Creates the URL of a texture whose file is at hand.
    pub(crate) fn with_file(url: impl Into<Arc<str>>, file: Arc<[u8]>) -> Self {
        Self {
            file: Some(file),
            ..Self::new(url)
        }
    }

    /// Returns the text of the URL.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.url
    }

    /// Returns the file, if it is at hand.
    #[must_use]
    pub fn file(&self) -> Option<&[u8]> {
        self.file.as_deref()
    }
}

impl fmt::Debug for TextureUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TextureUrl").field(&self.url).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_have_56_to_64_digits() {
        let digits = |number| "0123456789abcdef".repeat(5)[..number].to_owned();
        for (text, expected) in [
            (digits(64), Some(digits(64))),
            (digits(56), Some(digits(56))),
            (digits(64).to_uppercase(), Some(digits(64))),
            (digits(55), None),
            (digits(65), None),
            (format!("{}/", digits(63)), None),
            (format!("{}g", digits(63)), None),
            (format!("+{}", digits(63)), None),
            ("é".repeat(32), None),
            (String::new(), None),
        ] {
            let hash = TextureHash::parse(&text).map(|hash| hash.to_string());
            assert_eq!(hash, expected, "{text}");
        }
    }
}
