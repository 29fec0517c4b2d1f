//! Transparent margins around a drawing.

use std::ops::Range;

use crate::RenderError;
use crate::isometric::strips::{IsometricDrawing, blank};

/// The width and height of a picture in pixels, and the margins in it around its drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) margins: Margins,
}

/// The transparent pixels on each side of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Margins {
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) right: u32,
    pub(crate) bottom: u32,
}

/// About the size of the portions in which rows are framed. A portion has at least one row.
const STRIP_BYTES: usize = 1 << 20;

impl Frame {
    /// The frame of a picture without margins.
    pub(crate) fn tight([width, height]: [u32; 2]) -> Frame {
        Frame {
            width,
            height,
            margins: Margins::default(),
        }
    }

    /// A frame with a drawing of this size in the middle. If the difference is odd, the extra pixel is
    /// on the right or at the bottom.
    ///
    /// # Errors
    ///
    /// [`RenderError::FrameTooSmall`] if the drawing does not fit.
    pub(crate) fn around([width, height]: [u32; 2], frame: [u32; 2]) -> Result<Frame, RenderError> {
        let differences = (frame[0].checked_sub(width), frame[1].checked_sub(height));
        let (Some(across), Some(down)) = differences else {
            return Err(RenderError::FrameTooSmall {
                width,
                height,
                frame,
            });
        };
        Ok(Frame {
            width: frame[0],
            height: frame[1],
            margins: Margins {
                left: across / 2,
                top: down / 2,
                right: across.div_ceil(2),
                bottom: down.div_ceil(2),
            },
        })
    }

    /// Returns `true` if there are no margins.
    pub(crate) fn is_tight(&self) -> bool {
        self.margins == Margins::default()
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

    /// Draws an isometric picture with its margins, strip by strip. Each strip is a number of whole
    /// rows of straight RGBA, from the top.
    pub(crate) fn strips(
        &self,
        drawing: &IsometricDrawing<'_>,
        mut take: impl FnMut(&[[u8; 4]]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        if self.is_tight() {
            return drawing.strips(take);
        }
        let mut strip = Strip::new(self)?;
        strip.write_blank(self.margins.top, &mut take)?;
        drawing.strips(|rows| strip.write(rows, &mut take))?;
        strip.write_blank(self.margins.bottom, &mut take)
    }
}

/// A few rows of a framed picture.
struct Strip {
    pixels: Vec<[u8; 4]>,
    width: usize,
    /// The columns between the margins.
    inner: Range<usize>,
}

impl Strip {
    fn new(frame: &Frame) -> Result<Strip, RenderError> {
        let [width, height] = [frame.width, frame.height].map(|pixels| pixels as usize);
        let [left, right] = [frame.margins.left, frame.margins.right];
        let rows = (STRIP_BYTES / 4 / width).clamp(1, height);
        Ok(Strip {
            pixels: blank(width, rows)?,
            width,
            inner: left as usize..width - right as usize,
        })
    }

    /// Passes rows of the drawing to `take`, with the margins beside them.
    fn write(
        &mut self,
        rows: &[[u8; 4]],
        take: &mut impl FnMut(&[[u8; 4]]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let width = self.inner.len();
        for rows in rows.chunks(self.pixels.len() / self.width * width) {
            let framed = self.pixels.chunks_exact_mut(self.width);
            for (framed, row) in framed.zip(rows.chunks_exact(width)) {
                framed[self.inner.clone()].copy_from_slice(row);
            }
            take(&self.pixels[..rows.len() / width * self.width])?;
        }
        Ok(())
    }

    /// Passes blank rows to `take`.
    fn write_blank(
        &mut self,
        mut rows: u32,
        take: &mut impl FnMut(&[[u8; 4]]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        self.pixels.fill([0; 4]);
        while rows > 0 {
            let strip = self.pixels.chunks_exact(self.width).take(rows as usize);
            let taken = strip.len();
            take(&self.pixels[..taken * self.width])?;
            rows -= u32::try_from(taken).expect("no more than the rows that are left");
        }
        Ok(())
    }
}
