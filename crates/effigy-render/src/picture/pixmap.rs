//! Pictures as pixels in memory.

use tiny_skia::{ColorU8, FilterQuality, IntSize, Pixmap, PixmapMut, PixmapPaint, Transform};

use crate::RenderError;
use crate::picture::{Drawing, Picture, Placed};

impl Picture<'_> {
    /// The picture as a pixmap: premultiplied RGBA.
    ///
    /// # Errors
    ///
    /// [`RenderError::OutOfMemory`] if the picture does not fit into memory.
    pub fn to_pixmap(&self) -> Result<Pixmap, RenderError> {
        premultiplied(self.size, self.to_rgba()?).ok_or(RenderError::OutOfMemory)
    }

    /// Draws the picture into a pixmap, over the pixels that are there. The transform maps the
    /// picture's pixels, from its top left corner, to those of the pixmap.
    ///
    /// Flat pictures keep their hard edges when they are scaled; all others are smoothed. Where the
    /// transform only shifts by whole pixels, the pixels are those of [`Picture::to_pixmap`].
    ///
    /// # Errors
    ///
    /// [`RenderError::OutOfMemory`] if the picture does not fit into memory.
    pub fn draw_into(
        &self,
        pixmap: &mut PixmapMut<'_>,
        transform: Transform,
    ) -> Result<(), RenderError> {
        let is_flat = |view: &Placed<'_>| matches!(view.drawing, Drawing::Flat(_));
        let paint = PixmapPaint {
            quality: match self.views.iter().all(is_flat) {
                true => FilterQuality::Nearest,
                false => FilterQuality::Bicubic,
            },
            ..PixmapPaint::default()
        };
        let picture = self.to_pixmap()?;
        pixmap.draw_pixmap(0, 0, picture.as_ref(), &paint, transform, None);
        Ok(())
    }
}

/// Straight RGBA as a pixmap, unless that is too large.
pub(crate) fn premultiplied([width, height]: [u32; 2], mut pixels: Vec<u8>) -> Option<Pixmap> {
    for pixel in pixels.as_chunks_mut().0 {
        let [r, g, b, alpha] = *pixel;
        let color = ColorU8::from_rgba(r, g, b, alpha).premultiply();
        *pixel = [color.red(), color.green(), color.blue(), alpha];
    }
    Pixmap::from_vec(pixels, IntSize::from_wh(width, height)?)
}
