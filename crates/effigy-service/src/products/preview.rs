//! Pictures and documents that are made for one request, and neither stored nor counted.

use std::sync::Arc;

use effigy_player::Model;

use crate::{
    PictureParams, ServedFile, ServiceError, Turn,
    error::Result,
    flow::Flow,
    outfit::appearance::Appearance,
    request::DOCUMENT,
    textures::skin::{DECODING_BYTES, DecodedSkin},
};

impl Flow {
    /// Draws the skin in `texture`, on a model that is guessed if none is given.
    pub(crate) async fn preview(
        &self,
        params: PictureParams,
        texture: Vec<u8>,
        model: Option<Model>,
    ) -> Result<ServedFile> {
        if params.spec.is_none() || !params.can_exist() {
            return Err(ServiceError::TooLarge.into());
        }
        self.charge_drawing(params.drawing_cost())?;
        let decode = move |_: &Turn| match DecodedSkin::decode(texture, model) {
            Ok(skin) => Ok(Arc::new(skin)),
            Err(error) => Err(ServiceError::NotASkin(error)),
        };
        let skin = self.on_drawing_thread(DECODING_BYTES, decode).await?;
        self.draw(params, Appearance::of_skin(skin)).await
    }

    /// Makes a document on a drawing thread. It may use this much memory.
    pub(crate) async fn document<T: Send + 'static>(
        &self,
        memory: u64,
        make: impl FnOnce(&Turn) -> T + Send + 'static,
    ) -> Result<T> {
        self.charge_drawing(DOCUMENT)?;
        let make = move |turn: &Turn| Ok(make(turn));
        self.on_drawing_thread(memory, make).await
    }
}
