//! The built-in player, who can be shown if an outage leaves nobody else.

use std::sync::Arc;

use effigy_player::Model;

use super::appearance::Appearance;
use crate::{Image, Origin, PictureParams, PlayerSkin, Service, error::Shared};

/// A skin that was drawn for this project. The game's own are not ours to distribute.
const TEXTURE: &[u8] = include_bytes!("../../assets/built-in.png");

impl Service {
    /// Returns a picture of the built-in player, as one that is shown because of an outage. It takes no
    /// look-up, and is neither counted nor stored.
    ///
    /// # Errors
    /// If the picture cannot be drawn.
    pub async fn built_in_picture(&self, params: PictureParams) -> Shared<Image> {
        let skin = PlayerSkin::of_texture(TEXTURE.to_vec(), Model::Classic);
        let look = Appearance {
            origin: Origin::OutageFallback,
            ..Appearance::of(skin.expect("the built-in texture is a skin"))
        };
        self.inner.render(params, look).await.map_err(Arc::new)
    }
}
