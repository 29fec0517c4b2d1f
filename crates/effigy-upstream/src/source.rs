//! The interface of a source of skins, and the profiles that it returns.

use std::time::{Duration, Instant};
use std::{fmt, sync::Arc};

use effigy_player::{Edition, Model, PlayerId, Uuid};

use crate::{TextureHash, TextureUrl, UpstreamError, UpstreamState};

/// A client who is charged for the calls that its look-ups take. Of what is left of a rate limit, one client takes at most
/// half.
pub trait Payer: fmt::Debug + Send + Sync {
    /// Charges the client for a call that is about to be made.
    ///
    /// # Errors
    ///
    /// The time until a call is possible, if the client has used its share.
    fn charge(&self) -> Result<(), Duration>;
}

/// The conditions of a look-up: the time at which all of its calls must be over, and the client who is charged for them.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// The time.
    pub deadline: Instant,
    /// The client, if there are limits for one.
    pub payer: Option<&'a Arc<dyn Payer>>,
}

impl From<Instant> for Terms<'_> {
    fn from(deadline: Instant) -> Self {
        let payer = None;
        Self { deadline, payer }
    }
}

/// A source of skins. Every call is a fresh look-up, and blocks.
pub trait SkinSource: Send + Sync + 'static {
    /// Returns the time at which a look-up that begins now must be over, with all of its calls.
    fn deadline(&self) -> Instant;

    /// Looks a player up.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] if there is no such player, or an upstream fails.
    fn profile(&self, player: &PlayerId, terms: Terms) -> Result<Profile, UpstreamError>;

    /// Fetches a skin or a cape that a [`Profile`] of this source names: a file that begins like a PNG.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] if it cannot be fetched, or is no PNG.
    fn texture(&self, url: &TextureUrl, terms: Terms) -> Result<Vec<u8>, UpstreamError>;

    /// Fetches the texture of a hash: a file that begins like a PNG.
    ///
    /// # Errors
    ///
    /// [`UpstreamError::TextureNotFound`] if there is none, any other if it cannot be fetched.
    fn texture_by_hash(&self, hash: &TextureHash, terms: Terms) -> Result<Vec<u8>, UpstreamError>;

    /// Checks that each provider which looks up Java names at a server answers, all side by side and within 5 s. Pings take
    /// at most a twentieth of a rate limit; between them, the last one and the calls since tell.
    fn ping(&self) -> Vec<Ping>;

    /// Returns the state of each upstream, for metrics. A source without upstreams has none.
    fn states(&self) -> Vec<UpstreamState> {
        Vec::new()
    }

    /// Returns `true` if names that differ in their letter case alone are one player's, as Mojang's are.
    fn ignores_case(&self) -> bool {
        true
    }

    /// Returns the revision of the player that an input names, if the source has the player's files at
    /// hand and they may change at any time. It does not block.
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
    /// The player's own skin, or the game's default skin of a Java player who has set none. A Bedrock
    /// player who has set none has none.
    pub skin: Option<ProfileSkin>,
    /// The cape, if the player wears one that can be fetched.
    pub cape: Option<TextureUrl>,
    /// The provider that knows the player, by its kind and host.
    pub provider: Arc<str>,
    /// `false` if this may be another player of the same name, because a provider that comes earlier in the
    /// chain failed. A picture must then not be stored.
    pub is_certain: bool,
}

/// An account, identified by what never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Account {
    /// A Java account.
    Java(Uuid),
    /// A Bedrock account by its XUID, as it is sent upstream, or none if only the gamertag is known.
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
