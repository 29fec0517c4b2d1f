//! The vertical half of the resampling, which filters edges instead of pixels.
//!
//! A column consists of a few dozen runs of one color. Below an edge between two runs, every output
//! pixel changes by the difference of their colors. Only the six pixels whose kernel contains the
//! edge change by less: by the kernel's area below the edge. Stored as differences between
//! neighboring output pixels, an edge costs seven multiplications, however high the column.

use std::iter::zip;
use std::ops::Range;

use wide::{i16x8, i32x4};

use crate::rasterizer::boundary::{Boundary, STEP_BITS, STEPS};
use crate::rasterizer::filter::NOTHING;
use crate::rasterizer::lanczos::kernel::{EDGES, ONE, REACH, ROWS, WEIGHT_BITS, area_before};
use crate::rasterizer::runs::COLOR_BITS;
use crate::rasterizer::straight::SUM_BITS;

/// Fractional bits of a filtered value. With the kernel's overshoot, values fit into 16 bits.
const VALUE_BITS: u32 = SUM_BITS - WEIGHT_BITS;

/// The filter of a strip of output rows.
pub(crate) struct VerticalFilter {
    /// The part of a column on which the strip depends.
    pub(crate) column: Range<Boundary>,
    /// The first row of the strip.
    start: i64,
    /// The number of rows of the strip.
    pub(crate) height: usize,
    cut: Vec<CutRow>,
    /// A filtered column and the current one on its right, stored as differences from row to row.
    pub(crate) pair: [Vec<i32x4>; 2],
    /// The rows of the pair that may be different from 0.
    touched: Range<usize>,
}

/// A row of the strip whose kernel reaches beyond an end of the picture.
struct CutRow {
    /// The number of the row in the strip.
    row: usize,
    /// The factor that makes up for the missing part of the kernel.
    factor: i32,
}

impl VerticalFilter {
    /// The rows above a strip whose differences are kept, because they add up to its first row.
    const ABOVE: usize = ROWS - 1;

    /// The filter of some rows of a picture of this height.
    pub(crate) fn new(height: usize, strip: Range<usize>) -> VerticalFilter {
        let picture_end = (height as i64) << STEP_BITS;
        let start = strip.start as i64;
        let center = |row: i64| (row << STEP_BITS) + STEPS / 2;
        let first_step = center(start) - REACH;
        let last_step = center(strip.end as i64 - 1) + REACH;
        let mut cut = Vec::new();
        for (number, row) in strip.clone().enumerate() {
            let before = |border: i64| area_before(border - center(row as i64));
            let area = before(picture_end) - before(0);
            if area != ONE {
                cut.push(CutRow {
                    row: number,
                    factor: (ONE << WEIGHT_BITS) / area,
                });
            }
        }
        let top = Boundary::level(first_step.max(0));
        let bottom = Boundary::level(last_step.min(picture_end));
        VerticalFilter {
            column: top..bottom,
            start,
            height: strip.len(),
            cut,
            pair: [0, 1].map(|_| vec![i32x4::ZERO; Self::ABOVE + strip.len() + ROWS]),
            touched: NOTHING,
        }
    }

    /// The distance from a step to the end of the first kernel that contains it.
    const END: i64 = STEPS / 2 - REACH;

    /// Adds an edge above a step to the current column: its color less the one above it.
    #[inline(always)]
    pub(crate) fn add_edge(&mut self, step: i64, difference: i32x4) {
        let distance = index((step + Self::END) & (STEPS - 1));
        let row = index(((step + Self::END) >> STEP_BITS) - self.start + Self::ABOVE as i64);
        self.touched = self.touched.start.min(row)..self.touched.end.max(row + ROWS);
        let rows = self.pair[1][row..].first_chunk_mut::<ROWS>();
        let rows = rows.expect("a column has more rows above and below");
        let difference: i16x8 = bytemuck::cast(difference);
        for (sum, share) in zip(rows, &EDGES[distance]) {
            // Only the low half of each lane is multiplied.
            let share = i32x4::splat(share.cast_unsigned().into());
            *sum += difference.dot(bytemuck::cast(share));
        }
    }

    /// Moves the values of the two columns into a column of pairs and clears both. Returns the rows
    /// that may not be blank.
    pub(crate) fn drain_pair(&mut self, pairs: &mut [i16x8]) -> Range<usize> {
        const SHIFT: u32 = COLOR_BITS + WEIGHT_BITS - VALUE_BITS;
        let [left, right] = &mut self.pair;
        let Range { start, end } = std::mem::replace(&mut self.touched, NOTHING);
        if start >= end {
            return 0..0;
        }
        let half = i32x4::splat(1 << (SHIFT - 1));
        let low = i32x4::splat(0xffff);
        let mut a = half;
        let mut b = half;
        let first = start.max(Self::ABOVE);
        for row in start..end.min(first) {
            a += left[row];
            b += right[row];
        }
        let row_of_strip = |row: usize| row.saturating_sub(Self::ABOVE).min(pairs.len());
        let visible = row_of_strip(start)..row_of_strip(end);
        let columns = zip(&left[first..], &right[first..]);
        for ((left_row, right_row), pair) in zip(columns, &mut pairs[visible.clone()]) {
            a += *left_row;
            b += *right_row;
            *pair = bytemuck::cast(((a >> SHIFT) & low) | ((b >> SHIFT) << 16));
        }
        for column in [left, right] {
            bytemuck::fill_zeroes(&mut column[start..end]);
        }
        for &CutRow { row, factor } in &self.cut {
            if !visible.contains(&row) {
                continue;
            }
            let scaled = |value: i16| (i32::from(value) * factor + (ONE >> 1)) >> WEIGHT_BITS;
            #[expect(clippy::cast_possible_truncation, reason = "factors are near 1")]
            let values = pairs[row].to_array().map(|value| scaled(value) as i16);
            pairs[row] = values.into();
        }
        visible
    }
}

fn index(rows: i64) -> usize {
    usize::try_from(rows).expect("an edge lies within the steps of its filter")
}
