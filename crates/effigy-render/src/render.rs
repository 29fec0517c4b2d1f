//! A finished picture, and what it is made of.

use std::ops::Range;

use crate::strips::Isometric;
use crate::{RenderError, Size, View};

/// A picture of a skin, ready to be written: straight 8-bit sRGB with alpha.
pub struct Render<'skin> {
    width: u32,
    height: u32,
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

    pub(crate) fn from_grid(width: u32, height: u32, grid: Grid) -> Render<'skin> {
        Render {
            width,
            height,
            drawing: Drawing::Flat(grid),
        }
    }

    pub(crate) fn from_isometric(
        width: u32,
        height: u32,
        drawing: Isometric<'skin>,
    ) -> Render<'skin> {
        Render {
            width,
            height,
            drawing: Drawing::Isometric(drawing),
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

/// Straight RGBA texels, row by row.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) texels: Vec<[u8; 4]>,
}

impl Grid {
    pub(crate) fn new(columns: i32, rows: i32) -> Grid {
        let [columns, rows] = [columns, rows].map(|n| n.unsigned_abs() as usize);
        Grid {
            columns,
            rows,
            texels: vec![[0; 4]; columns * rows],
        }
    }

    /// The texels of one row.
    pub(crate) fn row(&self, row: usize) -> &[[u8; 4]] {
        &self.texels[row * self.columns..][..self.columns]
    }

    /// Lays a texel over what is there already.
    pub(crate) fn paint(&mut self, columns: Range<i32>, rows: Range<i32>, texel: [u8; 4]) {
        let [columns, rows] = [columns, rows]
            .map(|cells| cells.start.unsigned_abs() as usize..cells.end.unsigned_abs() as usize);
        for y in rows {
            for below in &mut self.texels[y * self.columns..][columns.clone()] {
                *below = over(texel, *below);
            }
        }
    }
}

/// Source-over of straight colours. What is below is opaque or nothing, since the base layer is
/// opaque, so alpha needs no arithmetic.
fn over(above: [u8; 4], below: [u8; 4]) -> [u8; 4] {
    let alpha = u32::from(above[3]);
    if below[3] == 0 || alpha == 255 {
        return above;
    }
    let mix = |channel: usize| {
        let (a, b) = (u32::from(above[channel]), u32::from(below[channel]));
        u8::try_from((a * alpha + b * (255 - alpha) + 127) / 255).unwrap_or(255)
    };
    [mix(0), mix(1), mix(2), 255]
}

/// The texel under the centre of a pixel, when `texels` texels are shown by `pixels` pixels.
pub(crate) fn texel_under(pixel: u32, pixels: u32, texels: usize) -> usize {
    let under = (2 * u64::from(pixel) + 1) * texels as u64 / (2 * u64::from(pixels));
    usize::try_from(under).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_takes_the_texel_under_its_centre() {
        let rows: [(u32, &[usize]); 4] = [
            (1, &[4]),
            (3, &[1, 4, 6]),
            (8, &[0, 1, 2, 3, 4, 5, 6, 7]),
            (10, &[0, 1, 2, 2, 3, 4, 5, 6, 6, 7]),
        ];
        for (pixels, expected) in rows {
            let texels: Vec<_> = (0..pixels).map(|x| texel_under(x, pixels, 8)).collect();
            assert_eq!(texels, expected, "{pixels}");
        }
    }

    #[test]
    fn half_transparent_texels_mix() {
        let rows = [
            ([10, 20, 30, 255], [1, 2, 3, 255], [10, 20, 30, 255]),
            ([10, 20, 30, 0], [1, 2, 3, 255], [1, 2, 3, 255]),
            ([255, 0, 100, 128], [0, 255, 100, 255], [128, 127, 100, 255]),
            ([9, 9, 9, 77], [0, 0, 0, 0], [9, 9, 9, 77]),
        ];
        for (above, below, expected) in rows {
            assert_eq!(over(above, below), expected, "{above:?} over {below:?}");
        }
    }
}
