//! Grids of texels, and their enlargement to pixels.

use std::borrow::Cow;
use std::iter::once;

use crate::picture::frame::Frame;

/// Straight RGBA texels, row by row.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) texels: Vec<[u8; 4]>,
}

/// A grid with the width of every column and the height of every row in pixels.
pub(crate) struct EnlargedGrid<'a> {
    pub(crate) grid: Cow<'a, Grid>,
    widths: Vec<u32>,
    heights: Vec<u32>,
}

impl Grid {
    /// Enlarges the grid to fill a frame. If the frame has margins, they are a border of transparent
    /// texels.
    pub(crate) fn enlarge(&self, frame: &Frame) -> EnlargedGrid<'_> {
        let [width, height] = frame.inner;
        let widths = texel_widths(width, self.columns);
        let heights = texel_widths(height, self.rows);
        if frame.is_tight() {
            return EnlargedGrid {
                grid: Cow::Borrowed(self),
                widths: widths.collect(),
                heights: heights.collect(),
            };
        }
        let [[left, right], [top, bottom]] = [frame.margins(0), frame.margins(1)];
        EnlargedGrid {
            grid: Cow::Owned(self.bordered()),
            widths: once(left).chain(widths).chain(once(right)).collect(),
            heights: once(top).chain(heights).chain(once(bottom)).collect(),
        }
    }

    /// The grid with a border of transparent texels, one texel wide.
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
}

impl EnlargedGrid<'_> {
    /// Rows of texels with their heights; each texel has its width. Empty rows are left out.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (impl Iterator<Item = ([u8; 4], u32)>, u32)> {
        let rows = self.heights.iter().enumerate();
        rows.filter(|(_, height)| **height > 0)
            .map(|(row, &height)| {
                let texels = self.grid.row(row).iter().copied();
                (texels.zip(self.widths.iter().copied()), height)
            })
    }
}

/// The number of pixels of a line that show each of its texels. A pixel shows the texel under its
/// center.
fn texel_widths(pixels: u32, texels: usize) -> impl Iterator<Item = u32> {
    let (pixels, texels) = (u64::from(pixels), texels as u64);
    // The first pixel whose center does not lie before the texel.
    let first = move |texel: u64| (2 * pixels * texel + texels - 1) / (2 * texels);
    let widths = (0..texels).map(move |texel| first(texel + 1) - first(texel));
    widths.map(|pixels| u32::try_from(pixels).expect("a texel is no wider than the line"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_takes_the_texel_under_its_center() {
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
            let widths: Vec<_> = texel_widths(pixels, 8).collect();
            assert_eq!(widths, expected, "{pixels}");
        }
    }
}
