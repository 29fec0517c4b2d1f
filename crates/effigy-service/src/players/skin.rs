//! Decoded skins, and their origins.

use bytes::Bytes;
use effigy_player::Model;
use effigy_render::{Skin, SkinError};
use effigy_upstream::TextureUrl;

/// A decoded skin with its texture file.
#[derive(Debug, Clone)]
pub struct PlayerSkin {
    /// The texture as the upstream sent it.
    pub texture: Bytes,
    /// The decoded texture.
    pub skin: Skin,
    /// The player's own skin, or the reason for another one.
    pub origin: SkinOrigin,
    /// The name of a Java player, as the player writes it.
    pub name: Option<String>,
    /// The player's cape, which is not fetched yet.
    pub cape: Option<TextureUrl>,
}

/// The origin of a skin: the player's own, or the reason for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SkinOrigin {
    /// The player's own skin.
    Own,
    /// The player exists and has set no skin.
    DefaultSkin,
    /// There is no such player.
    PlayerNotFound,
    /// An upstream failed, so the skin may be the wrong one.
    Outage,
}

impl PlayerSkin {
    /// Decodes a texture that is worn as it is.
    ///
    /// # Errors
    /// If the texture does not decode.
    pub fn of_texture(texture: impl Into<Bytes>, model: Model) -> Result<Self, SkinError> {
        let texture = texture.into();
        Ok(Self {
            skin: Skin::decode(&texture, model)?,
            texture,
            origin: SkinOrigin::Own,
            name: None,
            cape: None,
        })
    }
}

impl SkinOrigin {
    /// Returns `true` if a picture of the skin may be stored. One drawn because of an outage would
    /// show a wrong face after the outage is over.
    #[must_use]
    pub const fn is_storable(self) -> bool {
        !matches!(self, Self::Outage)
    }
}
