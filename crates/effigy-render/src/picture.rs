//! Pictures: their parameters, and their pixels once they are encoded.

pub(crate) mod frame;
mod pixmap;
pub(crate) mod size;
pub(crate) mod spec;
pub(crate) mod view;

use std::io::Write;
use std::iter::repeat_n;

use crate::compose::Composition;
use crate::flat::grid::Grid;
use crate::picture::frame::Frame;
use crate::scene::Scene;
use crate::{ImageFormat, RenderError};

/// A fully specified picture that is drawn when it is encoded: straight 8-bit sRGB with alpha.
pub struct Picture<'a> {
    pub(crate) frame: Frame,
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

impl Picture<'_> {
    /// Width in pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.frame.outer[0]
    }

    /// Height in pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.frame.outer[1]
    }

    /// The picture as a file.
    ///
    /// # Errors
    ///
    /// Those of [`Picture::write`].
    pub fn encode(&self, format: ImageFormat) -> Result<Vec<u8>, RenderError> {
        let mut file = Vec::new();
        self.write(format, &mut file)?;
        Ok(file)
    }

    /// Writes the picture as a file. If the writer fails, drawing stops.
    ///
    /// # Errors
    ///
    /// Those of [`Picture::write_png`] or [`Picture::write_svg`].
    pub fn write(&self, format: ImageFormat, to: &mut dyn Write) -> Result<(), RenderError> {
        match format {
            ImageFormat::Png => self.write_png(to),
            ImageFormat::Svg => self.write_svg(to),
        }
    }

    /// Draws the picture strip by strip. Each strip is a number of whole rows of straight RGBA, from the top.
    pub(crate) fn strips(
        &self,
        mut take: impl FnMut(&[[u8; 4]]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        match &self.drawing {
            Drawing::Flat(grid) => {
                grid.enlarge(&self.frame)
                    .rows()
                    .try_for_each(|(texels, height)| {
                        let texels =
                            texels.flat_map(|(texel, width)| repeat_n(texel, width as usize));
                        let row: Vec<[u8; 4]> = texels.collect();
                        (0..height).try_for_each(|_| take(&row))
                    })
            }
            Drawing::Scene(scene) => self.frame.strips(scene, take),
            Drawing::Composed(composition) => take(composition.pixels()?.as_chunks().0),
        }
    }
}

impl std::fmt::Debug for Picture<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Picture")
            .field("width", &self.width())
            .field("height", &self.height())
            .finish_non_exhaustive()
    }
}
