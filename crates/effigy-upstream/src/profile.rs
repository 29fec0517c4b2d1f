//! Profiles of players: who somebody is, and what they wear.
//!
//! They can be stored as JSON. The names of the fields and the forms of the values are part of
//! what is stored, so a change of them needs a way to read the old form. Unknown fields are
//! ignored.

mod account;
mod texture_hash;
mod texture_url;

use std::sync::Arc;

use effigy_player::Model;
use serde::{Deserialize, Serialize};

pub use account::Account;
pub use texture_hash::TextureHash;
pub(crate) use texture_url::FileAtHand;
pub use texture_url::TextureUrl;

/// The profile of a player: what is known without fetching a texture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// The account.
    pub account: Account,
    /// The name as the player writes it, or the gamertag that was looked up. A look-up by XUID
    /// returns none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The player's own skin, or the game's default skin of a Java player who has set none. A
    /// Bedrock player who has set none has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skin: Option<ProfileSkin>,
    /// The cape, if the player wears one that can be fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cape: Option<TextureUrl>,
    /// `true` if the service says that the account is an old one, which has not migrated.
    #[serde(default, skip_serializing_if = "is_false")]
    pub legacy: bool,
    /// The actions that the service has taken against the account, such as `USING_BANNED_SKIN`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profile_actions: Vec<String>,
    /// The provider that knows the player, by its kind and host.
    pub provider: Arc<str>,
    /// `false` if this may be another player of the same name, because a provider that comes
    /// earlier in the chain failed. It must then not be stored.
    #[serde(rename = "certain")]
    pub is_certain: bool,
}

/// The skin of a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileSkin {
    /// The texture, on a host that textures may come from.
    pub texture: TextureUrl,
    /// The player's model, or none if only the texture can tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Model>,
    /// `true` if it is the game's default skin, because the player has set none.
    #[serde(rename = "default")]
    pub is_default: bool,
}

fn is_false(value: &bool) -> bool {
    !*value
}

#[cfg(test)]
mod tests;
