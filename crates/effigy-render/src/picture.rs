//! Pictures: their parameters, and their pixels.

pub(crate) mod arrangement;
pub(crate) mod composition;
pub(crate) mod decoration;
mod painter;
mod pixmap;
pub(crate) mod shadow;
pub(crate) mod size;
pub(crate) mod spec;
pub(crate) mod view;

use crate::flat::grid::Grid;
use crate::picture::composition::Composition;
use crate::picture::painter::Painter;
use crate::scene::Scene;
use crate::{RenderError, Renderer};

/// A fully specified picture that is drawn when it is encoded: straight 8-bit sRGB with alpha.
pub struct Picture<'a> {
    /// Width and height in pixels.
    pub(crate) size: [u32; 2],
    pub(crate) drawing: Drawing<'a>,
}

/// The source of a picture's pixels.
pub(crate) enum Drawing<'a> {
    /// A grid of texels, each enlarged to a block of pixels.
    Flat(Grid),
    /// Boxes in space.
    Scene(Scene<'a>),
    /// Other pictures.
    Composed(Composition<'a>),
}

/// The aimed number of pixels of a strip. A strip is drawn within some milliseconds, and its pixels fit into a
/// processor's cache.
const STRIP_PIXELS: usize = 1 << 19;

/// The least height of a strip. Every strip scans all columns of a scene.
const MIN_STRIP_ROWS: usize = 16;

/// The greatest height of a strip, for which the filtered columns of a scene fit into the cache as well.
const MAX_STRIP_ROWS: usize = 1024;

impl Picture<'_> {
    /// Width in pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.size[0]
    }

    /// Height in pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.size[1]
    }

    /// The scene, or the first one of a composition.
    pub(crate) fn scene(&self) -> Option<&Scene<'_>> {
        match &self.drawing {
            Drawing::Flat(_) => None,
            Drawing::Scene(scene) => Some(scene),
            Drawing::Composed(composition) => {
                let mut pictures = composition.pictures.iter();
                pictures.find_map(|placed| placed.picture.scene())
            }
        }
    }

    /// Draws the picture strip by strip. Each strip is a number of whole rows of straight RGBA, from the top.
    pub(crate) fn strips(
        &self,
        renderer: &mut Renderer,
        take: impl FnMut(&[[u8; 4]]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        self.strips_of(renderer, strip_rows(self.width() as usize), take)
    }

    /// Draws the picture in strips of this height. The last one may be lower.
    fn strips_of(
        &self,
        renderer: &mut Renderer,
        rows: usize,
        mut take: impl FnMut(&[[u8; 4]]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let (width, height) = (self.width() as usize, self.height() as usize);
        // First what takes the most memory, since the rest cannot be refused.
        let mut pixels = std::mem::take(&mut renderer.strip);
        pixels.clear();
        let length = width * rows.min(height);
        pixels
            .try_reserve_exact(length)
            .map_err(|_| RenderError::out_of_memory(width, rows))?;
        let mut painter = Painter::new(self, renderer);
        for start in (0..height).step_by(rows) {
            let rows = start..height.min(start.saturating_add(rows));
            pixels.clear();
            pixels.resize(width * rows.len(), [0; 4]);
            painter.draw(renderer, rows, &mut pixels)?;
            take(&pixels)?;
        }
        renderer.strip = pixels;
        Ok(())
    }
}

/// Returns the number of rows of a strip.
fn strip_rows(width: usize) -> usize {
    (STRIP_PIXELS / width).clamp(MIN_STRIP_ROWS, MAX_STRIP_ROWS)
}

impl std::fmt::Debug for Picture<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Picture")
            .field("width", &self.width())
            .field("height", &self.height())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
