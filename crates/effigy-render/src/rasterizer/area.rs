//! The filter by area: the color of a pixel is the mean of what is seen in it.
//!
//! Each column lies in one pixel. A line that crosses it adds the share of each row that lies below the line, which is a
//! straight ramp from where the line enters the column to where it leaves, so a line of any slope is exact.

use std::ops::Range;

use wide::{i16x8, i32x4};

use crate::rasterizer::boundary::{Boundary, STEP_BITS, STEPS};
use crate::rasterizer::runs::COLOR_BITS;
use crate::rasterizer::scan::{ColumnFilter, NOTHING};
use crate::rasterizer::straight::{BLOCK, SUM_BITS, to_straight};

/// The filter of some rows of a picture.
pub(crate) struct AreaFilter {
    /// The width of the picture.
    width: usize,
    /// The rows, and their ends in steps.
    rows: usize,
    steps: Range<i64>,
    /// The end of the column in steps, and its width.
    column_end: i64,
    column_width: i32,
    /// The differences of the pixel's color from row to row.
    differences: Vec<i32x4>,
    /// The rows that may be different from 0.
    touched: Range<usize>,
}

/// Lines that rise by less count as level.
const LEVEL: i64 = STEPS / 2;

/// Fractional bits of the share of a pixel.
const SHARE_BITS: u32 = SUM_BITS - COLOR_BITS - 2;

impl AreaFilter {
    /// Creates the filter of some rows of a picture of this width.
    pub(crate) fn new(width: usize, rows: Range<usize>) -> AreaFilter {
        let [start, end] = [rows.start, rows.end].map(|row| (row as i64) << STEP_BITS);
        AreaFilter {
            width,
            rows: rows.len(),
            steps: start..end,
            column_end: 0,
            column_width: 0,
            // The row below the last one takes what ends there.
            differences: vec![i32x4::ZERO; rows.len() + 1],
            touched: NOTHING,
        }
    }

    /// Returns the share of a pixel that part of a row of the column has.
    #[inline(always)]
    fn share(&self, steps: i32) -> i32 {
        (self.column_width * steps) >> (2 * STEP_BITS - SHARE_BITS)
    }

    /// Adds a difference, multiplied by a share, to a row.
    #[inline(always)]
    fn add(&mut self, row: usize, difference: i32x4, share: i32) {
        // Only the low half of each lane is multiplied.
        let share = i32x4::splat(share & 0xffff);
        let difference: i16x8 = bytemuck::cast(difference);
        self.differences[row] += difference.dot(bytemuck::cast(share));
    }

    /// Adds an edge at a step of the rows, over which a line rises.
    #[inline(never)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "steps are near the rows, or of a rise"
    )]
    fn add_ramp(&mut self, step: i64, rise: i64, difference: i32x4) {
        let last = self.rows as i32;
        let top = (step - rise / 2).clamp(-(1 << 20), i64::from(last << STEP_BITS)) as i32;
        let rise = rise as i32;
        // The area below the line and above a step.
        let slope = 0.5 / rise.max(1) as f32;
        let area = |step: i32| match step - top {
            ..=0 => 0,
            down if down < rise => ((down * down) as f32 * slope + 0.5) as i32,
            down => down - (rise + 1) / 2,
        };
        let row_of = |step: i32| (step >> STEP_BITS).clamp(0, last);
        let [first, last] = [row_of(top), row_of(top + rise + STEPS as i32)];
        let [mut above, mut share] = [area(first << STEP_BITS), 0];
        for row in first..=last {
            let below = area((row + 1) << STEP_BITS);
            let next = self.share(below - above);
            self.add(row as usize, difference, next - share);
            (above, share) = (below, next);
        }
        self.touch(first as usize, last as usize);
    }

    fn touch(&mut self, first: usize, last: usize) {
        self.touched = self.touched.start.min(first)..self.touched.end.max(last + 1);
    }

    /// Writes the pixel of every row, and makes it blank.
    fn write_pixel(&mut self, pixel: usize, pixels: &mut [[u8; 4]]) {
        let touched = std::mem::replace(&mut self.touched, NOTHING);
        let end = touched.end.min(self.rows);
        let mut sum = i32x4::ZERO;
        for start in (touched.start..end).step_by(BLOCK) {
            let rows = start..end.min(start + BLOCK);
            let mut sums = [i32x4::ZERO; BLOCK];
            for (at, difference) in sums.iter_mut().zip(&mut self.differences[rows.clone()]) {
                sum += std::mem::take(difference);
                *at = sum << (SUM_BITS - COLOR_BITS - SHARE_BITS);
            }
            for (row, color) in rows.zip(to_straight(sums)) {
                pixels[row * self.width + pixel] = color;
            }
        }
        self.differences[self.rows] = i32x4::ZERO;
    }
}

impl ColumnFilter for AreaFilter {
    fn steps(&self) -> Range<i64> {
        // Lines may rise from beyond.
        self.steps.start - Boundary::MAX_RISE..self.steps.end + Boundary::MAX_RISE
    }

    fn start_column(&mut self, column: Range<i64>) -> i64 {
        let width = column.end - column.start;
        self.column_end = column.end;
        self.column_width = i32::try_from(width).expect("a column lies in a pixel");
        width
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "less than a row")]
    fn add_edge(&mut self, boundary: Boundary, difference: i32x4) {
        let step = boundary.step() - self.steps.start;
        let row = (step >> STEP_BITS) as usize;
        let rise = boundary.rise();
        if rise >= LEVEL || row >= self.rows {
            self.add_ramp(step, if rise >= LEVEL { rise } else { 0 }, difference);
            return;
        }
        let below = self.share((STEPS - (step & (STEPS - 1))) as i32);
        self.add(row, difference, below);
        self.add(row + 1, difference, self.share(STEPS as i32) - below);
        self.touch(row, row + 1);
    }

    fn end_column(&mut self, _: [Boundary; 2], pixels: &mut [[u8; 4]]) {
        if self.column_end & (STEPS - 1) == 0 {
            let pixel = (self.column_end >> STEP_BITS) as usize - 1;
            self.write_pixel(pixel, pixels);
        }
    }
}
