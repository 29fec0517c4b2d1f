//! Pictures on pixmaps of tiny-skia.

pub(crate) mod file;

use tiny_skia::{FilterQuality, IntSize, Pixmap, PixmapMut, PixmapPaint, Transform};

use crate::picture::Picture;
use crate::{PixelLayout, RenderError, Renderer};

impl Picture<'_> {
    /// The picture as a pixmap. To draw several, use [`Renderer::to_pixmap`].
    ///
    /// # Errors
    ///
    /// [`RenderError::OutOfMemory`] if the picture does not fit into memory.
    pub fn to_pixmap(&self) -> Result<Pixmap, RenderError> {
        Renderer::new().to_pixmap(self)
    }

    /// Composes the picture over the pixels of a pixmap, as [`Renderer::draw_into`] does.
    ///
    /// # Errors
    ///
    /// [`RenderError::OutOfMemory`] if the picture does not fit into memory.
    pub fn draw_into(
        &self,
        pixmap: &mut PixmapMut<'_>,
        transform: Transform,
    ) -> Result<(), RenderError> {
        Renderer::new().draw_into(self, pixmap, transform)
    }
}

impl Renderer {
    /// Draws a picture to a pixmap: premultiplied RGBA.
    ///
    /// # Errors
    ///
    /// [`RenderError::OutOfMemory`] if the picture does not fit into memory.
    pub fn to_pixmap(&mut self, picture: &Picture<'_>) -> Result<Pixmap, RenderError> {
        let layout = PixelLayout::RGBA.with_premultiplied(true);
        let convert = |pixel| layout.pixel(pixel);
        let pixels = picture.pixels(&mut self.scratch, convert, || Ok(()))?;
        pixmap_of(pixels, picture.size).ok_or(RenderError::OutOfMemory)
    }

    /// Composes a picture over the pixels of a pixmap, which stay visible wherever the picture is
    /// transparent. The transform maps the picture's pixels, from its top left corner, to pixels of
    /// the pixmap. [`Renderer::render_into`] replaces pixels instead.
    ///
    /// Flat views keep their hard edges when they are scaled; all others are smoothed. If the
    /// transform only shifts by whole pixels, the pixels are equal to [`Renderer::to_pixmap`].
    ///
    /// ```
    /// use effigy_render::tiny_skia::{Pixmap, Transform};
    /// use effigy_render::{Model, PictureSpec, Renderer, Size, Skin, View};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let gray = [[128, 128, 128, 255]; 64 * 64];
    /// let skin = Skin::from_rgba(64, 64, gray.as_flattened(), Model::Classic)?;
    /// let face = PictureSpec::new(View::Face, Size::px(8)).picture(&skin)?;
    ///
    /// let mut banner = Pixmap::new(100, 40).ok_or("a small canvas")?;
    /// let transform = Transform::from_scale(4.0, 4.0).post_translate(4.0, 4.0);
    /// Renderer::new().draw_into(&face, &mut banner.as_mut(), transform)?;
    /// assert_eq!(banner.pixel(20, 20).map(|pixel| pixel.red()), Some(128));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`RenderError::OutOfMemory`] if the picture does not fit into memory.
    pub fn draw_into(
        &mut self,
        picture: &Picture<'_>,
        pixmap: &mut PixmapMut<'_>,
        transform: Transform,
    ) -> Result<(), RenderError> {
        let paint = PixmapPaint {
            quality: match picture.scene() {
                Some(_) => FilterQuality::Bicubic,
                None => FilterQuality::Nearest,
            },
            ..PixmapPaint::default()
        };
        let drawn = self.to_pixmap(picture)?;
        pixmap.draw_pixmap(0, 0, drawn.as_ref(), &paint, transform, None);
        Ok(())
    }
}

/// Returns premultiplied pixels as a pixmap, which cannot be wider than 2^29 pixels.
fn pixmap_of(premultiplied: Vec<[u8; 4]>, [width, height]: [u32; 2]) -> Option<Pixmap> {
    let size = IntSize::from_wh(width, height)?;
    Pixmap::from_vec(premultiplied.into_flattened(), size)
}
