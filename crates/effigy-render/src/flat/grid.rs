//! Grids of texels, enlarged to pixels with hard edges.

use std::borrow::Cow;
use std::iter::{once, repeat_n};

use crate::picture::layout::multiplied;

/// Straight RGBA texels, row by row.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) texels: Vec<[u8; 4]>,
}

/// A grid whose columns and rows have widths and heights in pixels.
pub(crate) struct EnlargedGrid<'a> {
    pub(crate) grid: Cow<'a, Grid>,
    widths: Vec<u32>,
    heights: Vec<u32>,
}

/// A rectangle of texels of one color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rectangle {
    /// The top left corner.
    pub(crate) at: [usize; 2],
    /// Width and height.
    pub(crate) size: [usize; 2],
    pub(crate) color: [u8; 4],
}

impl Grid {
    /// A transparent grid.
    pub(crate) fn blank(columns: usize, rows: usize) -> Grid {
        Grid {
            columns,
            rows,
            texels: vec![[0; 4]; columns * rows],
        }
    }

    /// Draws rows of texels, each enlarged to a square of `cells` by `cells`. Texels that lie
    /// outside are cut off.
    pub(crate) fn draw<'a>(
        &mut self,
        rows: impl Iterator<Item = &'a [[u8; 4]]>,
        at: [usize; 2],
        cells: u32,
    ) {
        self.draw_from_alpha(1, rows, at, cells);
    }

    /// Draws rows of texels like [`Grid::draw`], except texels with an alpha below this one.
    pub(super) fn draw_from_alpha<'a>(
        &mut self,
        least_alpha: u8,
        rows: impl Iterator<Item = &'a [[u8; 4]]>,
        [left, top]: [usize; 2],
        cells: u32,
    ) {
        let cells = cells as usize;
        let enlarged_rows = rows.flat_map(|row| repeat_n(row, cells));
        let rows_below = self.texels.chunks_exact_mut(self.columns).skip(top);
        for (row, row_below) in enlarged_rows.zip(rows_below) {
            let texels = row.iter().flat_map(|&texel| repeat_n(texel, cells));
            for (texel, below) in texels.zip(&mut row_below[left..]) {
                if texel[3] >= least_alpha {
                    *below = over_base(texel, *below);
                }
            }
        }
    }

    /// Enlarges the grid to pixels.
    pub(crate) fn enlarge(&self, [width, height]: [u32; 2]) -> EnlargedGrid<'_> {
        EnlargedGrid {
            grid: Cow::Borrowed(self),
            widths: texel_widths(width, self.columns).collect(),
            heights: texel_widths(height, self.rows).collect(),
        }
    }

    /// Covers all texels that are not transparent with rectangles, from the top left corner, each
    /// first as wide and then as high as possible.
    pub(crate) fn into_rectangles(mut self) -> Vec<Rectangle> {
        let mut rectangles = Vec::new();
        for y in 0..self.rows {
            for x in 0..self.columns {
                if self.texels[y * self.columns + x][3] > 0 {
                    rectangles.push(self.take_rectangle([x, y]));
                }
            }
        }
        rectangles
    }

    /// Returns the rectangle of one color from a texel to the right and down, and makes its texels
    /// transparent.
    fn take_rectangle(&mut self, [x, y]: [usize; 2]) -> Rectangle {
        let start = y * self.columns + x;
        let color = self.texels[start];
        let right = self.texels[start..(y + 1) * self.columns].iter();
        let width = right.take_while(|texel| **texel == color).count();
        let mut height = 0;
        for row in self.texels.chunks_exact_mut(self.columns).skip(y) {
            let part = &mut row[x..x + width];
            if part.iter().any(|texel| *texel != color) {
                break;
            }
            part.fill([0; 4]);
            height += 1;
        }
        Rectangle {
            at: [x, y],
            size: [width, height],
            color,
        }
    }
}

impl<'a> EnlargedGrid<'a> {
    /// Adds margins of transparent pixels: before and after the columns, above and below the rows.
    pub(crate) fn with_margins(self, margins: [[u32; 2]; 2]) -> EnlargedGrid<'a> {
        if margins == [[0; 2]; 2] {
            return self;
        }
        let [[left, right], [top, bottom]] = margins;
        let mut grid = Grid::blank(self.grid.columns + 2, self.grid.rows + 2);
        grid.draw(self.grid.texels.chunks_exact(self.grid.columns), [1, 1], 1);
        EnlargedGrid {
            grid: Cow::Owned(grid),
            widths: once(left).chain(self.widths).chain(once(right)).collect(),
            heights: once(top).chain(self.heights).chain(once(bottom)).collect(),
        }
    }

    /// Returns the top left and the bottom right corner of a rectangle of texels in pixels.
    pub(crate) fn corners(&self, rectangle: &Rectangle) -> [[u32; 2]; 2] {
        let place = |[column, row]: [usize; 2]| {
            let across: u32 = self.widths[..column].iter().sum();
            let down: u32 = self.heights[..row].iter().sum();
            [across, down]
        };
        let end = [0, 1].map(|axis| rectangle.at[axis] + rectangle.size[axis]);
        [rectangle.at, end].map(place)
    }

    /// Draws rows of pixels, from this one on: straight RGBA.
    pub(crate) fn draw(&self, start: usize, pixels: &mut [[u8; 4]]) {
        let row_width = self.widths.iter().sum::<u32>() as usize;
        let rows_of_texels = self.rows();
        let rows = rows_of_texels.flat_map(|(texels, height)| repeat_n(texels, height as usize));
        for (mut row, texels) in pixels.chunks_exact_mut(row_width).zip(rows.skip(start)) {
            for (texel, width) in texels {
                let part = row.split_off_mut(..width as usize);
                part.expect("a row is as wide as its texels").fill(texel);
            }
        }
    }

    /// Returns the rows of texels and their heights. Each texel comes with its width. Rows without
    /// pixels are left out.
    pub(crate) fn rows(
        &self,
    ) -> impl Iterator<Item = (impl Iterator<Item = ([u8; 4], u32)> + Clone, u32)> {
        let widths = self.widths.iter().copied();
        let rows = self.grid.texels.chunks_exact(self.grid.columns);
        let rows_of_texels = rows.map(move |row| row.iter().copied().zip(widths.clone()));
        let rows_with_heights = rows_of_texels.zip(self.heights.iter().copied());
        rows_with_heights.filter(|(_, height)| *height > 0)
    }
}

/// Composites a visible straight color over an opaque one, or over nothing, and rounds as tiny-skia
/// does.
fn over_base([r, g, b, alpha]: [u8; 4], below: [u8; 4]) -> [u8; 4] {
    if alpha == 255 || below[3] == 0 {
        return [r, g, b, alpha];
    }
    let mix =
        |upper, lower| multiplied(upper, alpha).saturating_add(multiplied(lower, 255 - alpha));
    [mix(r, below[0]), mix(g, below[1]), mix(b, below[2]), 255]
}

/// Returns the width in pixels of each texel of a line. A pixel shows the texel under its center.
fn texel_widths(pixels: u32, texels: usize) -> impl Iterator<Item = u32> {
    let pixels = u64::from(pixels);
    let texels = texels as u64;
    // The first pixel whose center does not lie before the texel.
    let first = move |texel: u64| (2 * pixels * texel + texels - 1) / (2 * texels);
    let widths = (0..texels).map(move |texel| first(texel + 1) - first(texel));
    widths.map(|width| u32::try_from(width).expect("a texel is no wider than the line"))
}

#[cfg(test)]
mod tests {
    use tiny_skia::{IntSize, Pixmap, PixmapPaint, Transform};

    use super::*;
    use crate::PixelLayout;

    #[test]
    fn a_pixel_takes_the_texel_under_its_center() {
        // The widest picture has 2³¹ - 1 pixels.
        let mut widest = [1 << 28; 8];
        widest[3] -= 1;
        let rows: [(u32, [u32; 8]); 6] = [
            (1, [0, 0, 0, 0, 1, 0, 0, 0]),
            (3, [0, 1, 0, 0, 1, 0, 1, 0]),
            (4, [0, 1, 0, 1, 0, 1, 0, 1]),
            (8, [1; 8]),
            (10, [1, 1, 2, 1, 1, 1, 2, 1]),
            (i32::MAX.unsigned_abs(), widest),
        ];
        for (pixels, expected) in rows {
            let widths: Vec<_> = texel_widths(pixels, 8).collect();
            assert_eq!(widths, expected, "{pixels}");
        }
    }

    #[test]
    fn pixels_are_those_of_tiny_skia() {
        // Every opacity over every channel, in columns of channels that vary.
        let opaque: Vec<[u8; 4]> = (0..=255)
            .map(|below| [below, 255 - below, 77, 255])
            .collect();
        for channel in [0, 1, 99, 128, 254, 255] {
            let above = (0..=255).flat_map(|alpha| vec![[channel, 200, alpha, alpha]; 256]);
            let mut ours = Grid::blank(600, 515);
            let mut theirs = Pixmap::new(600, 515).unwrap();
            for texels in [opaque.repeat(256), above.collect()] {
                ours.draw(texels.chunks_exact(256), [3, 0], 2);
                let layout = PixelLayout::RGBA.with_premultiplied(true);
                let premultiplied: Vec<[u8; 4]> = texels
                    .into_iter()
                    .map(|texel| layout.pixel(texel))
                    .collect();
                let size = IntSize::from_wh(256, 256).unwrap();
                let texture = Pixmap::from_vec(premultiplied.into_flattened(), size).unwrap();
                let place = Transform::from_row(2.0, 0.0, 0.0, 2.0, 3.0, 0.0);
                let paint = PixmapPaint::default();
                theirs.draw_pixmap(0, 0, texture.as_ref(), &paint, place, None);
            }
            let theirs = theirs.take_demultiplied();
            assert!(*ours.texels.as_flattened() == theirs, "{channel}");
        }
    }
}
