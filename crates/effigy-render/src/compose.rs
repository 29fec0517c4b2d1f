//! Compositions: pictures on a background, with padding, shadows and a shape.

pub(crate) mod arrange;
pub(crate) mod decoration;
pub(crate) mod shadow;

use tiny_skia::{Color, FillRule, IntSize, Mask, Path, Pixmap, PixmapMut, Transform};

use crate::RenderError;
use crate::compose::decoration::Decoration;
use crate::compose::shadow::Shadow;
use crate::picture::frame::Frame;
use crate::picture::{Drawing, Picture};
use crate::rasterizer::strips::blank;

/// Pictures side by side, with a decoration around all of them.
pub(crate) struct Composition<'a> {
    /// Width and height in pixels.
    pub(crate) size: [u32; 2],
    pub(crate) decoration: Decoration,
    pub(crate) pictures: Vec<Placed<'a>>,
}

/// A picture with the position of its top left corner.
pub(crate) struct Placed<'a> {
    pub(crate) picture: Picture<'a>,
    pub(crate) at: [u32; 2],
}

impl Composition<'_> {
    /// Draws all rows: straight RGBA.
    pub(crate) fn pixels(&self) -> Result<Vec<u8>, RenderError> {
        let [width, height] = self.size;
        let pixels = blank(width as usize, height as usize)?.into_flattened();
        let size = IntSize::from_wh(width, height);
        let pixmap = size.and_then(|size| Pixmap::from_vec(pixels, size));
        let mut pixmap = pixmap.ok_or(RenderError::OutOfMemory { width, height })?;
        self.draw(pixmap.as_mut())?;
        Ok(pixmap.take_demultiplied())
    }

    fn draw(&self, mut pixmap: PixmapMut<'_>) -> Result<(), RenderError> {
        if let Some([r, g, b, alpha]) = self.decoration.background {
            pixmap.fill(Color::from_rgba8(r, g, b, alpha));
        }
        for shadow in self.shadows() {
            shadow.draw(&mut pixmap);
        }
        for placed in &self.pictures {
            let [x, y] = placed.at.map(|pixels| pixels as f32);
            placed
                .picture
                .draw_into(&mut pixmap, Transform::from_translate(x, y))?;
        }
        if let Some(outline) = self.decoration.shape.outline(self.size) {
            pixmap.apply_mask(&self.mask(&outline)?);
        }
        Ok(())
    }

    pub(crate) fn shadows(&self) -> impl Iterator<Item = Shadow> {
        let pictures = self.pictures.iter().filter(|_| self.decoration.has_shadow);
        pictures.filter_map(|placed| Some(Shadow::below(&placed.picture)?.moved(placed.at)))
    }

    fn mask(&self, outline: &Path) -> Result<Mask, RenderError> {
        let [width, height] = self.size;
        let mask = Mask::new(width, height);
        let mut mask = mask.ok_or(RenderError::OutOfMemory { width, height })?;
        mask.fill_path(outline, FillRule::Winding, true, Transform::identity());
        Ok(mask)
    }
}

impl<'a> From<Composition<'a>> for Picture<'a> {
    fn from(composition: Composition<'a>) -> Picture<'a> {
        let size = composition.size;
        Picture {
            frame: Frame {
                outer: size,
                inner: size,
            },
            drawing: Drawing::Composed(composition),
        }
    }
}
