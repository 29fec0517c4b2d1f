//! The filter by area: the color of a pixel is the mean of the colors that are visible in it.
//!
//! Each column lies in one pixel. A line that crosses it adds the share of each row that lies below
//! the line. This share is a straight ramp from the row in which the line enters the column to the
//! row in which it leaves, so a line is exact unless its rise is cut
//! ([`Rises::most`]).

use std::ops::Range;

use wide::{i16x8, i32x4};

use crate::rasterizer::boundary::{Boundary, Rises, STEP_BITS, STEPS};
use crate::rasterizer::filter::{ColumnFilter, NOTHING};
use crate::rasterizer::runs::COLOR_BITS;
use crate::rasterizer::straight::{BLOCK, SUM_BITS, called_to_straight};
use crate::scene::Scene;

/// The filter of some rows of a picture.
pub(crate) struct AreaFilter {
    /// The width of the picture.
    width: usize,
    /// The rows of the picture.
    rows: Range<i32>,
    /// The greatest rise of a line in steps: a texel, in which it crosses few others.
    most_rise: i32,
    /// The width of the column in steps.
    column_width: i32,
    /// The changes of the pixel's color from row to row, and to the row below the last one.
    differences: Vec<i32x4>,
    /// The rows that may be different from 0.
    touched: Range<usize>,
    /// Some neighboring pixels of each row. They are drawn from top to bottom, but a processor's
    /// cache is faster if they are written side by side.
    group: Vec<[[u8; 4]; GROUP]>,
    /// The rows of the group that may not be blank.
    filled: Range<usize>,
}

/// The number of pixels that are written at once: half a line of a processor's cache.
const GROUP: usize = 8;

const STEP: i32 = 1 << STEP_BITS;

/// No rise is greater, in steps.
const MOST: f64 = 8.0 * STEP as f64;

/// Lines that rise by less count as level.
const LEVEL: i32 = STEP / 2;

/// Fractional bits of the share of a pixel. The share of a whole pixel is 2^14, which fits into the
/// signed 16 bits that [`AreaFilter::add`] multiplies.
const SHARE_BITS: u32 = 14;

impl AreaFilter {
    /// Creates the filter of some rows of a picture.
    #[expect(clippy::cast_possible_truncation, reason = "at most a few pixels")]
    pub(crate) fn new(scene: &Scene<'_>, rows: Range<usize>) -> AreaFilter {
        let row = |row: usize| i32::try_from(row).expect("a PNG has at most 2^31 - 1 rows");
        AreaFilter {
            width: scene.size[0] as usize,
            most_rise: (scene.projection.down.length() * f64::from(STEP)).min(MOST) as i32,
            rows: row(rows.start)..row(rows.end),
            column_width: 0,
            differences: vec![i32x4::ZERO; rows.len() + 1],
            touched: NOTHING,
            group: vec![[[0; 4]; GROUP]; rows.len()],
            filled: NOTHING,
        }
    }

    /// Returns the share of a pixel that part of a row of the column has.
    #[inline(always)]
    fn share(&self, steps: i32) -> i32 {
        (self.column_width * steps) >> (2 * STEP_BITS - SHARE_BITS)
    }

    /// Adds `change × difference` to the row's sum of color changes. `change` is the change of the
    /// share from the row above.
    #[inline(always)]
    fn add(&mut self, row: usize, difference: i32x4, change: i32) {
        // The high half of each lane of `change` is 0, so `dot` is a plain product of the low halves.
        let change = i32x4::splat(change & 0xffff);
        let difference: i16x8 = bytemuck::cast(difference);
        self.differences[row] += difference.dot(bytemuck::cast(change));
    }

    /// Adds an edge along a line that crosses the middle of the column at `step`, counted from the
    /// first row, and rises by `rise` from side to side. Every row has the difference in its share
    /// of the column that lies below the line.
    #[inline(never)]
    #[expect(clippy::cast_possible_truncation, reason = "at most half of a rise")]
    fn add_ramp(&mut self, step: i32, rise: i32, difference: i32x4) {
        let top = step - rise / 2;
        let slope = 0.5 / rise.max(1) as f32;
        // The area below the line and above a step, as the height of a bar as wide as the column.
        let area_above = |at: i32| match at - top {
            ..=0 => 0,
            down if down < rise => ((down * down) as f32 * slope + 0.5) as i32,
            down => down - (rise + 1) / 2,
        };
        let row_of = |at: i32| (at >> STEP_BITS).clamp(0, self.row_count());
        let first = row_of(top);
        // The first row wholly below the line still differs from the row above it.
        let last = row_of(top + rise + STEP);
        let mut area_before_row = area_above(first << STEP_BITS);
        let mut share_of_row_above = 0;
        for row in first..=last {
            let area_after_row = area_above((row + 1) << STEP_BITS);
            let share = self.share(area_after_row - area_before_row);
            self.add(row as usize, difference, share - share_of_row_above);
            area_before_row = area_after_row;
            share_of_row_above = share;
        }
        self.touch(first as usize, last as usize);
    }

    #[inline(always)]
    fn row_count(&self) -> i32 {
        self.rows.end - self.rows.start
    }

    fn touch(&mut self, first: usize, last: usize) {
        self.touched = self.touched.start.min(first)..self.touched.end.max(last + 1);
    }

    /// Adds the pixel of every row to the group, at this place, and makes it blank.
    fn end_pixel(&mut self, place: usize) {
        let touched = std::mem::replace(&mut self.touched, NOTHING);
        let end = touched.end.min(self.group.len());
        let mut sum = i32x4::ZERO;
        for start in (touched.start..end).step_by(BLOCK) {
            let rows = start..end.min(start + BLOCK);
            let mut sums = [i32x4::ZERO; BLOCK];
            for (at, difference) in sums.iter_mut().zip(&mut self.differences[rows.clone()]) {
                sum += std::mem::take(difference);
                *at = sum << (SUM_BITS - COLOR_BITS - SHARE_BITS);
            }
            for (row, color) in self.group[rows].iter_mut().zip(called_to_straight(sums)) {
                row[place] = color;
            }
        }
        self.differences[self.group.len()] = i32x4::ZERO;
        self.filled = self.filled.start.min(touched.start)..self.filled.end.max(end);
    }

    /// Writes the group that begins with this pixel, and makes it blank.
    fn write_group(&mut self, first: usize, pixels: &mut [[u8; 4]]) {
        let filled = std::mem::replace(&mut self.filled, NOTHING);
        let count = GROUP.min(self.width - first);
        for row in filled {
            let group = std::mem::take(&mut self.group[row]);
            let to = &mut pixels[row * self.width + first..][..count];
            to.copy_from_slice(&group[..count]);
        }
    }
}

impl ColumnFilter for AreaFilter {
    fn rows(&self) -> Range<Boundary> {
        // Lines may rise from beyond.
        let start = i64::from(self.rows.start) << STEP_BITS;
        let end = i64::from(self.rows.end) << STEP_BITS;
        let beyond = i64::from(self.most_rise);
        Boundary::level(start - beyond)..Boundary::level(end + beyond)
    }

    fn start_column(&mut self, column: Range<i64>) -> Rises {
        let width = column.end - column.start;
        self.column_width = i32::try_from(width).expect("a column lies in a pixel");
        Rises {
            width,
            most: self.most_rise.into(),
        }
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "near the rows")]
    fn add_edge(&mut self, boundary: Boundary, difference: i32x4) {
        let step = boundary.step() as i32 - (self.rows.start << STEP_BITS);
        let mut rise = boundary.rise() as i32;
        if rise < LEVEL {
            rise = 0;
        }
        let row = step >> STEP_BITS;
        let is_inside = row >= 0 && row < self.row_count();
        if rise > 0 || !is_inside {
            self.add_ramp(step, rise, difference);
            return;
        }
        let row = row as usize;
        let below = self.share(STEP - (step & (STEP - 1)));
        self.add(row, difference, below);
        self.add(row + 1, difference, self.share(STEP) - below);
        self.touch(row, row + 1);
    }

    fn end_column(&mut self, end: i64, pixels: &mut [[u8; 4]]) {
        let ends_pixel = end & (STEPS - 1) == 0;
        if ends_pixel {
            let pixel = (end >> STEP_BITS) as usize - 1;
            let place = pixel % GROUP;
            self.end_pixel(place);
            if place == GROUP - 1 || pixel == self.width - 1 {
                self.write_group(pixel - place, pixels);
            }
        }
    }
}
