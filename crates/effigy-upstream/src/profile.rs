//! What the upstreams know about a player, beside the pixels.

use effigy_player::{Edition, Model, Uuid};

/// What the upstreams know about a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Who it is.
    pub account: Account,
    /// The name as the player writes it, or the gamertag that was asked for. A look-up by XUID tells
    /// none.
    pub name: Option<String>,
    /// The skin; none where a Bedrock player has set none.
    pub skin: Option<Worn>,
    /// The address of the cape, where the player wears one that can be fetched.
    pub cape: Option<String>,
}

/// An account, by what never changes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Account {
    /// A Java account.
    Java(Uuid),
    /// A Bedrock account by its XUID, as it is sent upstream.
    Bedrock(String),
}

impl Account {
    /// The edition that it is for.
    #[must_use]
    pub const fn edition(&self) -> Edition {
        match self {
            Self::Java(_) => Edition::Java,
            Self::Bedrock(_) => Edition::Bedrock,
        }
    }
}

/// A skin, and how it is worn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worn {
    /// Its address, which is one that textures are fetched from.
    pub url: String,
    /// The model that it is drawn on.
    pub model: Model,
    /// Whether it is the one that the game gives a player who has set none.
    pub is_default: bool,
}
