//! What drawings have in common.

use std::io::Write;
use std::sync::Arc;

use wide::i16x8;

use crate::picture::Picture;
use crate::scene::bsp::Bsp;
use crate::scene::figure::Figure;
use crate::{ImageFormat, RenderError};

/// Draws pictures one after another, and keeps what they have in common: the divided boxes of poses, and memory.
///
/// The first picture of a pose takes up to a millisecond more, because its boxes are divided. The last 48 combinations of
/// pose, model and layers are kept.
#[derive(Default)]
pub struct Renderer {
    /// The divided figures that were drawn last, the latest at the end.
    figures: Vec<(Figure, Arc<Bsp>)>,
    /// The memory of strips.
    pub(crate) strip: Vec<[u8; 4]>,
    /// The memory of filtered columns.
    pub(crate) columns: Vec<i16x8>,
}

/// The number of divided figures that are kept. A few poses of two models with and without overlay, cape
/// and ears are most of what is drawn.
const KEPT: usize = 48;

impl Renderer {
    /// A renderer that has drawn nothing.
    #[must_use]
    pub fn new() -> Renderer {
        Renderer::default()
    }

    /// Returns a picture as a file.
    ///
    /// # Errors
    ///
    /// Those of [`Renderer::write`].
    pub fn encode(
        &mut self,
        picture: &Picture<'_>,
        format: ImageFormat,
    ) -> Result<Vec<u8>, RenderError> {
        let mut file = Vec::new();
        self.write(picture, format, &mut file)?;
        Ok(file)
    }

    /// Writes a picture as a file. If the writer fails, drawing stops. The writer is flushed after each strip of rows, so
    /// it can stop a drawing that has nothing to write: a thousand empty rows compress to a few bytes.
    ///
    /// # Errors
    ///
    /// [`RenderError::Write`] with the writer's error, [`RenderError::OutOfMemory`], and [`RenderError::SvgTooLong`] for an
    /// SVG file of more than [`Picture::MAX_SVG_BYTES`].
    pub fn write(
        &mut self,
        picture: &Picture<'_>,
        format: ImageFormat,
        mut to: impl Write,
    ) -> Result<(), RenderError> {
        match format {
            ImageFormat::Png => picture.write_png_with(self, &mut to),
            ImageFormat::Svg => picture.write_svg_with(self, &mut to),
        }
    }

    /// Draws a picture strip by strip: some whole rows of straight RGBA at a time, from the top. Drawing stops at the
    /// first error.
    ///
    /// # Errors
    ///
    /// That of `take`, or [`RenderError::OutOfMemory`].
    pub fn strips(
        &mut self,
        picture: &Picture<'_>,
        mut take: impl FnMut(&[u8]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        picture.strips(self, |strip| take(strip.as_flattened()))
    }

    /// Draws a picture to straight RGBA, row by row from the top left.
    ///
    /// # Errors
    ///
    /// [`RenderError::WrongLength`] unless there are four bytes for each pixel, and [`RenderError::OutOfMemory`].
    pub fn render_into(
        &mut self,
        picture: &Picture<'_>,
        pixels: &mut [u8],
    ) -> Result<(), RenderError> {
        let expected = u64::from(picture.width()) * u64::from(picture.height()) * 4;
        if pixels.len() as u64 != expected {
            return Err(RenderError::WrongLength {
                bytes: pixels.len(),
                expected,
            });
        }
        let mut start = 0;
        self.strips(picture, |strip| {
            pixels[start..start + strip.len()].copy_from_slice(strip);
            start += strip.len();
            Ok(())
        })
    }

    /// Returns the divided faces of a figure. Dividing takes longer than drawing a small picture.
    pub(crate) fn divided(&mut self, figure: &Figure) -> Arc<Bsp> {
        if let Some(index) = self.figures.iter().rposition(|(known, _)| known == figure) {
            self.figures[index..].rotate_left(1);
        } else {
            if self.figures.len() == KEPT {
                self.figures.remove(0);
            }
            self.figures
                .push((*figure, Arc::new(Bsp::new(figure.surfaces()))));
        }
        let (_, bsp) = self.figures.last().expect("it is the latest");
        Arc::clone(bsp)
    }
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").finish_non_exhaustive()
    }
}
