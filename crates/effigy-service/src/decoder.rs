//! Gives the resolver the renderer's decoder, so that neither needs to know the other.

use std::error::Error;

use effigy_player::Model;
use effigy_render::Skin;
use effigy_upstream::DecodeTexture;

/// Decodes textures to the renderer's skins.
#[derive(Debug, Clone, Copy, Default)]
pub struct SkinDecoder;

impl DecodeTexture for SkinDecoder {
    type Skin = Skin;

    fn decode(&self, texture: &[u8], model: Model) -> Result<Skin, Box<dyn Error + Send + Sync>> {
        Ok(Skin::decode(texture, model)?)
    }
}
