//! Decoded skins.

use bytes::Bytes;
use effigy_player::Model;
use effigy_render::{Skin, TextureError};

/// The memory in which the largest skin is decoded.
pub(crate) const DECODING_BYTES: u64 = 5 << 20;

/// A texture file and the skin in it.
#[derive(Debug)]
pub(crate) struct DecodedSkin {
    pub(crate) texture: Bytes,
    pub(crate) skin: Skin,
}

impl DecodedSkin {
    /// Decodes a texture. Without a model, it is guessed.
    pub(crate) fn decode(
        texture: impl Into<Bytes>,
        model: impl Into<Option<Model>>,
    ) -> Result<Self, TextureError> {
        let texture = texture.into();
        let skin = Skin::decode(&texture, model)?;
        Ok(Self { texture, skin })
    }

    /// Returns the approximate memory of the skin.
    pub(super) fn bytes(&self) -> usize {
        self.texture.len() + size_of_val(self.skin.texels())
    }
}
