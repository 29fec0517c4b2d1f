//! The filter with Lanczos3: columns first down, then across.
//!
//! Filtered columns are stored in pairs with their channels interleaved, so that one
//! multiply-and-add instruction processes all four channels of two columns. A ring buffer holds
//! only the pairs that one output pixel needs.

mod kernel;
mod vertical_filter;

use std::ops::Range;

use wide::{i16x8, i32x4};

use crate::RenderError;
use crate::rasterizer::boundary::{Boundary, Rises, STEP_BITS, STEPS};
use crate::rasterizer::filter::{ColumnFilter, NOTHING};
use crate::rasterizer::lanczos::kernel::{ONE, REACH, area_before};
use crate::rasterizer::lanczos::vertical_filter::VerticalFilter;
use crate::rasterizer::straight::{BLOCK, to_straight};
use crate::scratch::reserve;

/// The filter of some rows of a picture, with the filtered columns that it still needs.
pub(crate) struct LanczosFilter<'a> {
    vertical: VerticalFilter,
    /// The number of columns before this one.
    column: usize,
    /// The borders of all columns, in steps.
    borders: &'a [i64],
    /// The pairs under the kernel of each pixel of a row.
    pairs: Vec<Range<usize>>,
    /// A ring buffer of pairs of columns, each from top to bottom: red of both, green of both, …
    values: &'a mut Vec<i16x8>,
    /// The rows of each pair that may not be blank.
    filled: Vec<Range<usize>>,
    /// The number of the output pixel in its row that is written next.
    pixel: usize,
    /// The weights of both columns of each pair under its kernel, repeated for all channels.
    weights: Vec<i32x4>,
}

impl<'a> LanczosFilter<'a> {
    /// Creates the filter for columns with these borders.
    pub(crate) fn new(
        [width, height]: [usize; 2],
        rows: Range<usize>,
        borders: &'a [i64],
        values: &'a mut Vec<i16x8>,
    ) -> Result<LanczosFilter<'a>, RenderError> {
        let mut pairs = Vec::new();
        reserve(&mut pairs, width, 1)?;
        pairs.extend((0..width).map(|pixel| pairs_under(pixel, borders)));
        let most = pairs.iter().map(ExactSizeIterator::len).max().unwrap_or(1);
        // A block more, because blocks may reach beyond the last row.
        reserve(values, most, rows.len() + BLOCK)?;
        values.resize(most * rows.len() + BLOCK, i16x8::ZERO);
        Ok(LanczosFilter {
            vertical: VerticalFilter::new(height, rows),
            column: 0,
            borders,
            pairs,
            values,
            filled: vec![0..0; most],
            pixel: 0,
            weights: Vec::new(),
        })
    }

    /// Filters the pair of columns down, and writes the pixels that need no further one: straight
    /// RGBA into the rows of `pixels`, which are blank.
    fn end_pair(&mut self, pixels: &mut [[u8; 4]]) {
        let number = self.column / 2;
        let slot = number % self.filled.len();
        let filled = &mut self.filled[slot];
        let values = &mut self.values[slot * self.vertical.height..][..self.vertical.height];
        let old = filled.clone();
        *filled = self.vertical.drain_pair(values);
        // The new pair overwrote only its own rows of the old one.
        values[old.start..filled.start.clamp(old.start, old.end)].fill(i16x8::ZERO);
        values[filled.end.clamp(old.start, old.end)..old.end].fill(i16x8::ZERO);
        while let Some(pairs) = self.pairs.get(self.pixel)
            && pairs.end == number + 1
        {
            self.weigh();
            self.write_pixel(pixels);
            self.pixel += 1;
        }
    }

    /// Writes the current pixel of every row.
    fn write_pixel(&self, pixels: &mut [[u8; 4]]) {
        let start = self.pairs[self.pixel].start % self.filled.len() * self.vertical.height;
        // A plain loop: `step_by` makes pictures half a percent slower.
        let rows = self.filled_rows();
        let width = self.pairs.len();
        let pixel = self.pixel;
        let mut y = rows.start;
        while y < rows.end {
            let block = to_straight(self.sum_block(start, y));
            let count = (rows.end - y).min(BLOCK);
            for (row, color) in (y..y + count).zip(block) {
                pixels[row * width + pixel] = color;
            }
            y += BLOCK;
        }
    }

    /// Returns the rows that are not blank in all pairs together.
    fn filled_rows(&self) -> Range<usize> {
        let filled = self.filled.iter().filter(|rows| !rows.is_empty());
        filled.fold(NOTHING, |all, rows| {
            all.start.min(rows.start)..all.end.max(rows.end)
        })
    }

    /// Returns the weighted sums of the rows from `row` on. The first pair begins at `start`.
    #[inline]
    fn sum_block(&self, start: usize, row: usize) -> [i32x4; BLOCK] {
        let values = &self.values[row..];
        let capacity = self.filled.len() * self.vertical.height;
        let mut at = start;
        let mut sums = [i32x4::ZERO; BLOCK];
        for &weight in &self.weights {
            // The buffer ends a block after its last row, so there is always a block. A panic
            // instead of the break makes pictures 1 % slower.
            let Some(rows) = values.get(at..).and_then(<[_]>::first_chunk::<BLOCK>) else {
                break;
            };
            let weight: i16x8 = bytemuck::cast(weight);
            for (sum, value) in sums.iter_mut().zip(rows) {
                *sum += value.dot(weight);
            }
            at += self.vertical.height;
            if at == capacity {
                at = 0;
            }
        }
        sums
    }

    /// Weighs the columns under the kernel of the current pixel.
    fn weigh(&mut self) {
        let Range { start, end } = self.pairs[self.pixel];
        let borders = &self.borders[2 * start..=2 * end];
        let (first, rest) = borders.split_first().expect("a pair has borders");
        let center = center(self.pixel);
        let area = |border: &i64| area_before(border - center);
        let whole = borders.last().map_or(ONE, area) - area(first);
        // At the ends of a row, the weights of the columns within it make up for the missing ones.
        let share = |part: i32| match whole {
            ONE => part,
            _ => (part * ONE + whole / 2) / whole,
        };
        let mut left = share(area(first));
        self.weights.clear();
        for pair in rest.as_chunks::<2>().0 {
            let [middle, right] = pair.each_ref().map(|border| share(area(border)));
            let weights = (middle - left) & 0xffff | (right - middle) << 16;
            self.weights.push(i32x4::splat(weights));
            left = right;
        }
    }
}

impl ColumnFilter for LanczosFilter<'_> {
    fn rows(&self) -> Range<Boundary> {
        self.vertical.column.clone()
    }

    /// Lines are level, as if the whole column were like its middle.
    #[inline]
    fn start_column(&mut self, _: Range<i64>) -> Rises {
        Rises::NONE
    }

    #[inline(always)]
    fn add_edge(&mut self, boundary: Boundary, difference: i32x4) {
        self.vertical.add_edge(boundary.step(), difference);
    }

    fn end_column(&mut self, _: i64, pixels: &mut [[u8; 4]]) {
        let is_first_of_pair = self.column.is_multiple_of(2);
        if is_first_of_pair {
            self.vertical.pair.swap(0, 1);
        } else {
            self.end_pair(pixels);
        }
        self.column += 1;
    }
}

/// Returns the pairs of columns that lie under the kernel of a pixel.
fn pairs_under(pixel: usize, borders: &[i64]) -> Range<usize> {
    let start = center(pixel) - REACH;
    let end = center(pixel) + REACH;
    // The number of columns that end before the kernel begins, and of columns that begin before it
    // ends.
    let before = borders[1..].partition_point(|&border| border <= start);
    let reached = borders.partition_point(|&border| border < end);
    before / 2..reached.div_ceil(2).min(borders.len() / 2)
}

/// Returns the center of a pixel in steps.
fn center(pixel: usize) -> i64 {
    ((pixel as i64) << STEP_BITS) + STEPS / 2
}
