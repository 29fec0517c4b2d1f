//! Pictures: their parameters, and their pixels once they are encoded.

pub(crate) mod frame;
mod pixmap;
pub(crate) mod size;
pub(crate) mod spec;
pub(crate) mod view;

use std::io::Write;

use crate::flat::grid::Grid;
use crate::flat::svg;
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

    /// The picture as an SVG file.
    ///
    /// # Errors
    ///
    /// [`RenderError::NotFlat`] if the view is isometric.
    pub fn encode_svg(&self) -> Result<Vec<u8>, RenderError> {
        self.encode(ImageFormat::Svg)
    }

    /// Writes a flat picture as an SVG file that looks like the PNG at the picture's size, and can be
    /// scaled. Its units are texels.
    ///
    /// # Errors
    ///
    /// [`RenderError::NotFlat`] if the view is isometric, and [`RenderError::Write`] with the writer's
    /// error.
    pub fn write_svg(&self, to: &mut dyn Write) -> Result<(), RenderError> {
        let Drawing::Flat(grid) = &self.drawing else {
            return Err(RenderError::NotFlat);
        };
        svg::write(grid, &self.frame, to).map_err(|source| RenderError::Write { source })
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
