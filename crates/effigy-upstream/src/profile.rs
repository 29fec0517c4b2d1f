//! Profiles of players: their account, skin and cape.
//!
//! They can be stored as JSON. A change of the names of fields, or of the form of values, needs a
//! way to read stored profiles of the old form. Unknown fields are ignored.

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

/// The profile of a player, without the files of the textures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// The account.
    pub account: Account,
    /// The name as the player writes it, or the gamertag that was looked up. `None` after a look-up
    /// by XUID.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The skin that the player has set, or the game's default skin for a Java player. `None` for a
    /// Bedrock player who has not set a skin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skin: Option<ProfileSkin>,
    /// The cape, if the player wears one that can be fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cape: Option<TextureUrl>,
    /// `true` if the service says that the account has not migrated from the old account system.
    #[serde(default, skip_serializing_if = "is_false")]
    pub legacy: bool,
    /// The actions that the service has taken against the account, such as `USING_BANNED_SKIN`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profile_actions: Vec<String>,
    /// The provider that knows the player, by its kind and host.
    pub provider: Arc<str>,
    /// `false` if this may be another player of the same name, because an earlier provider of the
    /// chain failed. Such a profile must not be stored.
    #[serde(rename = "certain")]
    pub is_certain: bool,
}

/// The skin of a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileSkin {
    /// The texture, on a host that textures may come from.
    pub texture: TextureUrl,
    /// The player's model, or `None` if it must be guessed from the texture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Model>,
    /// `true` if it is the game's default skin, because the player has not set a skin.
    #[serde(rename = "default")]
    pub is_default: bool,
}

fn is_false(value: &bool) -> bool {
    !*value
}

#[cfg(test)]
mod tests;
