//! Pictures of a skin that the caller sends. Nothing of it is stored.

use std::sync::Arc;

use effigy_player::Model;

use crate::{Client, Image, PictureParams, PlayerSkin, Service, ServiceError, players::Appearance};

impl Service {
    /// Draws the skin in `texture`. It takes its turn among all other pictures, and is not counted.
    ///
    /// # Errors
    /// If the file is not a skin, the picture cannot be drawn, or the client is refused.
    pub async fn preview(
        &self,
        client: &Client,
        params: PictureParams,
        texture: Vec<u8>,
        model: Model,
    ) -> Result<Image, ServiceError> {
        if !params.can_exist() {
            return Err(ServiceError::TooLarge);
        }
        let appearance = move || {
            let skin = PlayerSkin::of_texture(texture, model)?;
            Ok(Appearance::new(Arc::new(skin)))
        };
        self.flow(client).draw(params, appearance).await
    }
}
