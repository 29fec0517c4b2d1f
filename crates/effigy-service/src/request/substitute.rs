//! The player who is shown instead of a requested one.

use std::borrow::Cow;

/// The players with the game's own default skins.
const DEFAULT_PLAYERS: [&str; 2] = ["MHF_Steve", "MHF_Alex"];

/// The player who is shown instead of a requested one who does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Substitute {
    /// The player to show.
    pub player: SubstitutePlayer,
    /// The player to show if there is no such substitute either.
    pub otherwise: Option<&'static str>,
    /// `true` if the substitute is shown during an outage too.
    pub in_outage: bool,
}

/// A way to choose the player who is shown instead of a requested one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SubstitutePlayer {
    /// The player with this name or identifier.
    Named(Cow<'static, str>),
    /// An unnamed player in the default skin that the game chooses by the UUID of the requested
    /// player. For a Java name, the UUID is the one that servers without accounts give it. For a
    /// Bedrock player, and if the request names no player, the skin is Steve's.
    DefaultSkin,
}

impl SubstitutePlayer {
    /// Returns `true` for a substitute that everybody knows from the game: the players with its own
    /// default skins, and the default skins of others.
    #[must_use]
    pub fn is_of_game(&self) -> bool {
        match self {
            Self::Named(name) => DEFAULT_PLAYERS.contains(&&**name),
            Self::DefaultSkin => true,
        }
    }
}
