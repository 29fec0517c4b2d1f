//! The profile of a player: what is known without fetching a texture.

use std::sync::Arc;

use effigy_player::{Edition, Model, Uuid};

use crate::texture::TextureUrl;

/// The profile of a player.
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
    /// The player's model.
    pub model: Model,
    /// `true` if it is the game's default skin, because the player has set none.
    pub is_default: bool,
}
