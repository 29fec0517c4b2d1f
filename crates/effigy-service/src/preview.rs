//! Pictures of a skin that the caller brings. Nothing of it is kept.

use effigy_player::Model;
use effigy_render::{RenderError, Skin, SkinError};
use effigy_store::Store;
use effigy_upstream::SkinSource;

use crate::{Picture, Service, ServiceError};

/// Why there is no preview.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoPreview {
    /// The file is no skin. The caller is at fault.
    #[error("the file is no skin")]
    NotASkin(#[from] SkinError),
    /// The picture is the texture itself, which the caller has. The caller is at fault.
    #[error("the picture needs no drawing")]
    NotDrawn,
    /// The picture could not be drawn. The caller asked for too much.
    #[error("the picture could not be drawn")]
    Render(#[from] RenderError),
    /// There is too much to do, or the service is shutting down.
    #[error("the service did not come to it")]
    Service(#[from] ServiceError),
}

impl<St, So> Service<St, So>
where
    St: Store,
    So: SkinSource,
{
    /// Draws the skin in `texture`. It takes its turn among all other pictures, and counts as none.
    ///
    /// # Errors
    /// When the file is no skin, or the picture cannot be drawn.
    pub async fn preview(
        &self,
        picture: Picture,
        texture: Vec<u8>,
        model: Model,
    ) -> Result<Vec<u8>, NoPreview> {
        let work = move || {
            let skin = Skin::decode(&texture, model)?;
            picture.draw(&skin)?.ok_or(NoPreview::NotDrawn)
        };
        self.inner.drawing.run(work).await?
    }
}
