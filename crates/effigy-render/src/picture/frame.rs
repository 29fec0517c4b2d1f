//! Transparent margins around a drawing.

use std::ops::Range;

use crate::RenderError;
use crate::rasterizer::strips::blank;
use crate::scene::Scene;

/// The pixels of a picture and those of the drawing in its middle, as width and height.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) outer: [u32; 2],
    pub(crate) inner: [u32; 2],
}

/// About the size of the portions in which rows are framed. A portion has at least one row.
const STRIP_BYTES: usize = 1 << 20;

impl Frame {
    /// A frame around a drawing.
    ///
    /// # Errors
    ///
    /// [`RenderError::FrameTooSmall`] if the drawing does not fit.
    pub(crate) fn around(inner: [u32; 2], outer: [u32; 2]) -> Result<Frame, RenderError> {
        let [width, height] = inner;
        if width > outer[0] || height > outer[1] {
            return Err(RenderError::FrameTooSmall {
                width,
                height,
                frame: outer,
            });
        }
        Ok(Frame { outer, inner })
    }

    /// Returns `true` if there are no margins.
    pub(crate) fn is_tight(&self) -> bool {
        self.outer == self.inner
    }

    /// The transparent pixels before and after the drawing: on its left and right for axis 0, above
    /// and below it for axis 1. If their sum is odd, the extra pixel is on the right or at the bottom.
    pub(crate) fn margins(&self, axis: usize) -> [u32; 2] {
        let sum = self.outer[axis] - self.inner[axis];
        [sum / 2, sum.div_ceil(2)]
    }

    /// Draws a scene with its margins, strip by strip. Each strip is a number of whole
    /// rows of straight RGBA, from the top.
    pub(crate) fn strips(
        &self,
        scene: &Scene<'_>,
        mut take: impl FnMut(&[[u8; 4]]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        if self.is_tight() {
            return scene.strips(take);
        }
        let mut strip = Strip::new(self)?;
        let [top, bottom] = self.margins(1);
        strip.write_blank(top, &mut take)?;
        scene.strips(|rows| strip.write(rows, &mut take))?;
        strip.write_blank(bottom, &mut take)
    }
}

/// A few rows of a framed picture.
struct Strip {
    pixels: Vec<[u8; 4]>,
    width: usize,
    height: usize,
    /// The columns between the margins.
    inner: Range<usize>,
}

impl Strip {
    fn new(frame: &Frame) -> Result<Strip, RenderError> {
        let [width, height] = frame.outer.map(|pixels| pixels as usize);
        let [left, right] = frame.margins(0).map(|pixels| pixels as usize);
        let height = (STRIP_BYTES / 4 / width).clamp(1, height);
        Ok(Strip {
            pixels: blank(width, height)?,
            width,
            height,
            inner: left..width - right,
        })
    }

    /// Passes rows of the drawing to `take`, with the margins beside them.
    fn write(
        &mut self,
        rows: &[[u8; 4]],
        take: &mut impl FnMut(&[[u8; 4]]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let width = self.inner.len();
        for rows in rows.chunks(self.height * width) {
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
        rows: u32,
        take: &mut impl FnMut(&[[u8; 4]]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        self.pixels.fill([0; 4]);
        let rows = rows as usize;
        (0..rows).step_by(self.height).try_for_each(|start| {
            let height = self.height.min(rows - start);
            take(&self.pixels[..height * self.width])
        })
    }
}
