//! Grids of texels, and how many pixels each has.

use std::borrow::Cow;
use std::iter::once;
use std::ops::Range;

use crate::frame::{Frame, Margins};

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

    /// The same within a line of transparent texels.
    fn bordered(&self) -> Grid {
        let blank = vec![[0; 4]; self.columns + 2];
        let mut texels = blank.clone();
        for row in 0..self.rows {
            texels.push([0; 4]);
            texels.extend(self.row(row));
            texels.push([0; 4]);
        }
        texels.extend(blank);
        Grid {
            columns: self.columns + 2,
            rows: self.rows + 2,
            texels,
        }
    }

    /// The texels of one row.
    fn row(&self, row: usize) -> &[[u8; 4]] {
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

/// A grid whose texels have widths and heights in pixels.
pub(crate) struct Spread<'a> {
    pub(crate) grid: Cow<'a, Grid>,
    widths: Vec<u32>,
    heights: Vec<u32>,
}

impl Grid {
    /// Spreads the grid over a frame, with a line of transparent texels around it for the margins.
    pub(crate) fn spread(&self, frame: &Frame) -> Spread<'_> {
        let Margins {
            left,
            top,
            right,
            bottom,
        } = frame.margins;
        let [width, height] = frame.inner();
        let widths = shares(width, self.columns);
        let heights = shares(height, self.rows);
        if frame.is_tight() {
            return Spread {
                grid: Cow::Borrowed(self),
                widths: widths.collect(),
                heights: heights.collect(),
            };
        }
        Spread {
            grid: Cow::Owned(self.bordered()),
            widths: once(left).chain(widths).chain(once(right)).collect(),
            heights: once(top).chain(heights).chain(once(bottom)).collect(),
        }
    }
}

impl Spread<'_> {
    /// Rows of texels with their heights. Each texel comes with its width.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (impl Iterator<Item = ([u8; 4], u32)>, u32)> {
        let rows = self.heights.iter().enumerate();
        rows.filter(|(_, height)| **height > 0)
            .map(|(row, &height)| {
                let texels = self.grid.row(row).iter().copied();
                (texels.zip(self.widths.iter().copied()), height)
            })
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

/// How many pixels of a line show each of its texels. A pixel shows the texel under its centre.
fn shares(pixels: u32, texels: usize) -> impl Iterator<Item = u32> {
    let (pixels, texels) = (u64::from(pixels), texels as u64);
    // The first pixel whose centre does not lie before the texel.
    let first = move |texel: u64| (2 * pixels * texel + texels - 1) / (2 * texels);
    let shares = (0..texels).map(move |texel| first(texel + 1) - first(texel));
    shares.map(|pixels| u32::try_from(pixels).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_takes_the_texel_under_its_centre() {
        let rows: [(u32, [u32; 8]); 6] = [
            (1, [0, 0, 0, 0, 1, 0, 0, 0]),
            (3, [0, 1, 0, 0, 1, 0, 1, 0]),
            (4, [0, 1, 0, 1, 0, 1, 0, 1]),
            (8, [1; 8]),
            (10, [1, 1, 2, 1, 1, 1, 2, 1]),
            (
                i32::MAX.unsigned_abs(),
                [
                    268_435_456,
                    268_435_456,
                    268_435_456,
                    268_435_455,
                    268_435_456,
                    268_435_456,
                    268_435_456,
                    268_435_456,
                ],
            ),
        ];
        for (pixels, expected) in rows {
            let shares: Vec<_> = shares(pixels, 8).collect();
            assert_eq!(shares, expected, "{pixels}");
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
