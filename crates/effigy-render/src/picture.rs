//! A finished picture, and what it is made of.

use crate::flat::grid::Grid;
use crate::frame::Margins;
use crate::isometric::strips::Isometric;
use crate::{RenderError, Size, View};

/// A picture of a skin, ready to be written: straight 8-bit sRGB with alpha.
pub struct Render<'skin> {
    width: u32,
    height: u32,
    /// What of it lies around the drawing.
    pub(crate) margins: Margins,
    pub(crate) drawing: Drawing<'skin>,
}

/// Where the pixels come from.
pub(crate) enum Drawing<'skin> {
    /// A grid of texels, each enlarged to a block of pixels.
    Flat(Grid),
    /// Boxes on a canvas, seen from a corner.
    Isometric(Isometric<'skin>),
}

impl<'skin> Render<'skin> {
    /// A drawing without margins.
    pub(crate) fn new([width, height]: [u32; 2], drawing: Drawing<'skin>) -> Render<'skin> {
        Render {
            width,
            height,
            margins: Margins::default(),
            drawing,
        }
    }

    /// Width in pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Width and height of the drawing between the margins.
    pub(crate) fn inner(&self) -> [u32; 2] {
        let Margins {
            left,
            top,
            right,
            bottom,
        } = self.margins;
        [self.width - left - right, self.height - top - bottom]
    }

    /// The picture in the middle of a transparent frame, which is no smaller.
    pub(crate) fn framed(self, [width, height]: [u32; 2]) -> Render<'skin> {
        let margins = self
            .margins
            .grown([width - self.width, height - self.height]);
        Render {
            width,
            height,
            margins,
            ..self
        }
    }
}

impl std::fmt::Debug for Render<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Render")
            .field("width", &self.width)
            .field("height", &self.height)
            .finish_non_exhaustive()
    }
}

/// Width and height of a view where a PNG can hold it.
pub(crate) fn dimensions(view: &dyn View) -> Result<[u32; 2], RenderError> {
    let (width, height) = (view.width(), view.height());
    match u32::try_from(height) {
        Ok(height) if width.max(height) <= Size::MAX => Ok([width, height]),
        _ => Err(RenderError::TooLarge {
            width: width.into(),
            height,
        }),
    }
}
