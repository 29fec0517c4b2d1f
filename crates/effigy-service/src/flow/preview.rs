//! Pictures of a skin that the caller sends. Nothing of it is stored.

use effigy_player::Model;
use effigy_render::{RenderError, Skin, SkinError};

use crate::{PictureParams, Service, ServiceError};

/// Why there is no preview.
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
    /// Draws the skin in `texture`. It is queued among all other pictures, and not counted.
    ///
    /// # Errors
    /// If the file is not a skin, or the picture cannot be drawn.
    pub async fn preview(
        &self,
        params: PictureParams,
        texture: Vec<u8>,
        model: Model,
    ) -> Result<Vec<u8>, PreviewError> {
        let work = move || {
            let skin = Skin::decode(&texture, model)?;
            params.draw(&skin)?.ok_or(PreviewError::NotDrawn)
        };
        self.inner.drawing.run(work).await?
    }
}
