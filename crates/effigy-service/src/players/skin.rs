//! Decoded skins.

use bytes::Bytes;
use effigy_player::Model;
use effigy_render::{Skin, SkinError};
use effigy_upstream::TextureUrl;

use crate::image::SkinOrigin;

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
