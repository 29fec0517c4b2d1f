//! The horizontal half of the resampling: filtered columns to output pixels.
//!
//! Columns are stored in pairs with their channels interleaved, so that one multiply-and-add
//! instruction processes all four channels of two columns. A ring buffer holds only as many pairs
//! as one output pixel needs.

use std::iter::zip;
use std::ops::Range;

use wide::{i16x8, i32x4, u8x16};

use crate::RenderError;
use crate::rasterizer::lanczos::kernel::{Kernel, ONE, STEP_BITS, STEPS, WEIGHT_BITS};
use crate::rasterizer::lanczos::vertical_filter::{
    FilteredColumn, NOTHING, VALUE_BITS, VerticalFilter,
};
use crate::scratch::reserve;

/// The filter of a strip of output rows, with the filtered columns that it still needs.
pub(crate) struct HorizontalFilter<'a, const ROWS: usize> {
    kernel: &'static Kernel<ROWS>,
    /// The borders of all columns, in steps.
    borders: &'a [i64],
    width: usize,
    height: usize,
    /// A ring buffer of pairs of columns, each from top to bottom: red of both, green of both, …
    values: &'a mut Vec<i16x8>,
    /// The rows of each pair that may not be blank.
    filled: Vec<Range<usize>>,
    /// The number of the output pixel in its row that is written next.
    pixel: usize,
    /// The pairs under its kernel, with the weights of both columns of each, repeated for all channels.
    pairs: Range<usize>,
    weights: Vec<i32x4>,
}

/// The number of rows that are summed in one pass over the weights. Sums of two neighboring pixels in one pass, which
/// share most pairs, take 1 to 6 % longer: the registers hold no more than eight.
const BLOCK: usize = 8;

impl<'a, const ROWS: usize> HorizontalFilter<'a, ROWS> {
    /// Creates the filter of a strip of `width` x `height` output pixels.
    pub(crate) fn new(
        kernel: &'static Kernel<ROWS>,
        borders: &'a [i64],
        width: usize,
        height: usize,
        values: &'a mut Vec<i16x8>,
    ) -> Result<HorizontalFilter<'a, ROWS>, RenderError> {
        let mut filter = HorizontalFilter {
            kernel,
            borders,
            width,
            height,
            values,
            filled: Vec::new(),
            pixel: 0,
            pairs: 0..0,
            weights: Vec::new(),
        };
        let pairs = filter.most_pairs();
        // A block more, because blocks may reach beyond the last row.
        reserve(filter.values, pairs, height + BLOCK)?;
        filter.values.resize(pairs * height + BLOCK, i16x8::ZERO);
        filter.filled.resize(pairs, 0..0);
        filter.weigh(0);
        Ok(filter)
    }

    /// Takes the next pair of filtered columns and writes the pixels that need no further one:
    /// straight RGBA into the rows of `pixels`, which are blank.
    pub(crate) fn push_pair(
        &mut self,
        number: usize,
        pair: &mut [FilteredColumn; 2],
        filter: &VerticalFilter<ROWS>,
        pixels: &mut [[u8; 4]],
    ) {
        let slot = number % self.filled.len();
        let filled = &mut self.filled[slot];
        let values = &mut self.values[slot * self.height..][..self.height];
        let old = filled.clone();
        *filled = filter.drain_pair(pair, values);
        // The new pair overwrote only its own rows of the old one.
        values[old.start..filled.start.clamp(old.start, old.end)].fill(i16x8::ZERO);
        values[filled.end.clamp(old.start, old.end)..old.end].fill(i16x8::ZERO);
        while self.pairs.end == number + 1 {
            self.write_pixel(pixels);
            if self.pixel + 1 == self.width {
                break;
            }
            self.weigh(self.pixel + 1);
        }
    }

    /// Writes the current pixel of every row.
    fn write_pixel(&self, pixels: &mut [[u8; 4]]) {
        let start = self.pairs.start % self.filled.len() * self.height;
        // A plain loop: `step_by` makes pictures half a percent slower.
        let (rows, width, pixel) = (self.filled_rows(), self.width, self.pixel);
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
        let capacity = self.filled.len() * self.height;
        let mut at = start;
        let mut sums = [i32x4::ZERO; BLOCK];
        for &weight in &self.weights {
            // The buffer ends a block after its last row, so there is always a block. A panic instead
            // of the break makes pictures 1 % slower.
            let Some(rows) = values.get(at..).and_then(<[_]>::first_chunk::<BLOCK>) else {
                break;
            };
            let weight: i16x8 = bytemuck::cast(weight);
            for (sum, row) in sums.iter_mut().zip(rows) {
                *sum += row.dot(weight);
            }
            at += self.height;
            if at == capacity {
                at = 0;
            }
        }
        sums
    }

    /// Goes on to a pixel further right.
    fn weigh(&mut self, pixel: usize) {
        self.pixel = pixel;
        self.pairs = self.pairs_under(pixel, self.pairs.start);
        let borders = &self.borders[2 * self.pairs.start..=2 * self.pairs.end];
        let (first, rest) = borders.split_first().expect("a pair has borders");
        let center = center(pixel);
        let kernel = self.kernel;
        let area = |border: &i64| kernel.area_before(border - center);
        let whole = borders.last().map_or(ONE, area) - area(first);
        // At the ends of a row, the weights within it make up for those beyond.
        let share = |area: i32| match whole {
            ONE => area,
            _ => (area * ONE + whole / 2) / whole,
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

    /// Returns the pairs of columns under the kernel of a pixel. None is before `first`.
    fn pairs_under(&self, pixel: usize, mut first: usize) -> Range<usize> {
        let borders = self.borders;
        let reach = Kernel::<ROWS>::REACH;
        let [start, end] = [center(pixel) - reach, center(pixel) + reach];
        while borders[2 * first + 2] <= start {
            first += 1;
        }
        let mut last = first;
        while borders[2 * last + 2] < end && 2 * last + 4 < borders.len() {
            last += 1;
        }
        first..last + 1
    }

    /// Returns the greatest number of pairs under a kernel.
    fn most_pairs(&self) -> usize {
        let mut first = 0;
        let counts = (0..self.width).map(|pixel| {
            let pairs = self.pairs_under(pixel, first);
            first = pairs.start;
            pairs.len()
        });
        counts.max().unwrap_or(1)
    }
}

/// Returns the center of a pixel in steps.
fn center(pixel: usize) -> i64 {
    ((pixel as i64) << STEP_BITS) + STEPS / 2
}

/// Fractional bits of a sum.
const SUM_BITS: u32 = VALUE_BITS + WEIGHT_BITS;

/// Half of a channel's unit.
const HALF: i32 = 1 << (SUM_BITS - 1);

/// Sums from here on are rounded to 255.
const FULL: i32 = (255 << SUM_BITS) - HALF;

/// Converts premultiplied sums to straight colors of 8 bits.
#[inline]
fn to_straight(sums: [i32x4; BLOCK]) -> [[u8; 4]; BLOCK] {
    // Most blocks are opaque, and opaque colors need no division.
    let least = i32x4::new([i32::MIN, i32::MIN, i32::MIN, FULL]);
    let less = |less: i32x4, sum: &i32x4| less | sum.simd_lt(least);
    let mut colors = [[0; 4]; BLOCK];
    if sums.iter().fold(i32x4::ZERO, less).none() {
        let rounded = |sum: i32x4| (sum + HALF) >> SUM_BITS;
        let narrow = |a, b| i16x8::from_i32x8_saturate(bytemuck::cast([rounded(a), rounded(b)]));
        for (four, &[a, b, c, d]) in zip(colors.as_chunks_mut::<4>().0, sums.as_chunks().0) {
            *four = bytemuck::cast(u8x16::narrow_i16x8(narrow(a, b), narrow(c, d)));
        }
    } else {
        for (color, sum) in colors.iter_mut().zip(sums) {
            *color = to_straight_pixel(sum);
        }
    }
    colors
}

/// Converts one sum. The kernel's negative lobes overshoot, so channels are clamped to the alpha.
fn to_straight_pixel(sum: i32x4) -> [u8; 4] {
    let [r, g, b, alpha] = sum.to_array();
    if alpha < HALF {
        return [0; 4];
    }
    if alpha >= FULL {
        let channel = |value: i32| clamp_to_byte((value + HALF) >> SUM_BITS);
        return [channel(r), channel(g), channel(b), 255];
    }
    #[expect(clippy::cast_possible_truncation, reason = "at most 255.5")]
    let channel = |value: i32| (value.clamp(0, alpha) as f32 * 255.0 / alpha as f32 + 0.5) as i32;
    let [r, g, b] = [r, g, b].map(channel);
    [r, g, b, (alpha + HALF) >> SUM_BITS].map(clamp_to_byte)
}

fn clamp_to_byte(value: i32) -> u8 {
    value.clamp(0, 255) as u8
}
