//! Pictures of a skin that the caller sends. Nothing of it is stored.

use std::sync::Arc;

use effigy_player::Model;
use effigy_render::{RenderError, SkinError};

use super::appearance::Appearance;
use crate::{LargePicture, PictureParams, PlayerSkin, Service, ServiceError, request::key::Entry};

/// The answer to a request for a preview.
#[derive(Debug)]
pub enum Preview {
    /// The file.
    File(Vec<u8>),
    /// A large picture that is yet to be drawn.
    Large(Box<LargePicture>),
}

/// The reason why there is no preview.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PreviewError {
    /// The file is not a skin. The caller is at fault.
    #[error("the file is not a skin")]
    NotASkin(#[from] SkinError),
    /// The picture is the texture itself, which the caller has. The caller is at fault.
    #[error("the picture needs no drawing")]
    NotDrawn,
    /// The picture could not be drawn. The caller asked for too much.
    #[error("the picture could not be drawn")]
    Render(#[from] RenderError),
    /// The service is overloaded or shutting down.
    #[error("the service did not draw the picture")]
    Service(#[from] ServiceError),
}

impl Service {
    /// Draws the skin in `texture`. It is queued among all other pictures, and not counted. A large
    /// picture is drawn later, while it is sent.
    ///
    /// # Errors
    /// If the file is not a skin, or the picture cannot be drawn.
    pub async fn preview(
        &self,
        params: PictureParams,
        texture: Vec<u8>,
        model: Model,
    ) -> Result<Preview, PreviewError> {
        let inner = Arc::clone(&self.inner);
        let work = move || {
            let skin = PlayerSkin::of_texture(texture, model)?;
            if params.is_large() {
                let entry = Entry::new(params.endpoint(), "a skin file");
                let picture = inner.new_large_picture(params, entry, Appearance::of(skin));
                return Ok(Preview::Large(Box::new(picture)));
            }
            let file = params.draw(&skin.skin)?;
            file.map(Preview::File).ok_or(PreviewError::NotDrawn)
        };
        self.inner.drawing.run(work).await?
    }
}
