//! Pictures within transparent frames.

use std::ops::Range;

use crate::isometric::strips::{Isometric, blank};
use crate::picture::{Render, dimensions};
use crate::{RenderError, Size, Skin, View};

/// Another view in the middle of a transparent frame. Where the difference is odd, the pixel more is on
/// the right and below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Framed<V> {
    /// What is framed.
    pub view: V,
    /// Width of the frame.
    pub width: Size,
    /// Height of the frame.
    pub height: Size,
}

/// The transparent pixels around a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Margins {
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) right: u32,
    pub(crate) bottom: u32,
}

/// As many rows of a drawing are framed at once as fit into this much, and at least one.
const STRIP_BYTES: usize = 1 << 20;

impl<V: View> View for Framed<V> {
    fn width(&self) -> u32 {
        self.width.get()
    }

    fn height(&self) -> u64 {
        self.height.get().into()
    }

    /// # Errors
    ///
    /// Those of the framed view, and [`RenderError::FrameTooSmall`] where it is larger than the frame,
    /// before any work.
    fn render<'skin>(&self, skin: &'skin Skin) -> Result<Render<'skin>, RenderError> {
        let [width, height] = dimensions(&self.view)?;
        let frame = [self.width.get(), self.height.get()];
        if width > frame[0] || height > frame[1] {
            return Err(RenderError::FrameTooSmall {
                width,
                height,
                frame,
            });
        }
        Ok(self.view.render(skin)?.framed(frame))
    }
}

impl Margins {
    /// Margins in all so many pixels wider and higher, as evenly as whole pixels go.
    pub(crate) fn grown(self, [across, down]: [u32; 2]) -> Margins {
        Margins {
            left: self.left + across / 2,
            top: self.top + down / 2,
            right: self.right + across.div_ceil(2),
            bottom: self.bottom + down.div_ceil(2),
        }
    }
}

impl Render<'_> {
    /// Draws an isometric picture, margins and all, strip by strip. Each is a number of whole rows,
    /// straight RGBA, from the top.
    pub(crate) fn strips(
        &self,
        drawing: &Isometric<'_>,
        mut take: impl FnMut(&[[u8; 4]]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        if self.margins == Margins::default() {
            return drawing.strips(take);
        }
        let mut strip = Strip::new(self)?;
        strip.give_blank(self.margins.top, &mut take)?;
        drawing.strips(|rows| strip.give(rows, &mut take))?;
        strip.give_blank(self.margins.bottom, &mut take)
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
    fn new(render: &Render<'_>) -> Result<Strip, RenderError> {
        let [width, height] = [render.width(), render.height()].map(|pixels| pixels as usize);
        let [left, right] = [render.margins.left, render.margins.right];
        let rows = (STRIP_BYTES / 4 / width).clamp(1, height);
        Ok(Strip {
            pixels: blank(width, rows)?,
            width,
            inner: left as usize..width - right as usize,
        })
    }

    /// Gives rows of the drawing on, between the margins.
    fn give(
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

    /// Gives so many blank rows on.
    fn give_blank(
        &mut self,
        mut rows: u32,
        take: &mut impl FnMut(&[[u8; 4]]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        self.pixels.fill([0; 4]);
        while rows > 0 {
            let strip = self.pixels.chunks_exact(self.width).take(rows as usize);
            let now = strip.len();
            take(&self.pixels[..now * self.width])?;
            rows -= u32::try_from(now).unwrap_or(rows);
        }
        Ok(())
    }
}
