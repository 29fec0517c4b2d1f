//! The vertical half of the resampling, on edges instead of pixels.
//!
//! A column of the canvas is a few dozen runs of one colour. Where its colour changes, every output
//! pixel further down changes by the same amount, but for the six or so whose kernel reaches over the
//! edge: they take the weight of their kernel that lies below it. As differences from one output pixel
//! to the next, that is a handful of multiplications an edge, however many pixels the column has.

use std::ops::Range;

use wide::{i16x8, i32x4};

use crate::kernel::{ONE, WEIGHT_BITS, Window, Windows};
use crate::sight::{COLOR_BITS, Edges};

/// More output pixels than differ from the one above because of an edge: those astride of it, and
/// the first one wholly below.
const STEPS: usize = 8;

/// For every place an edge can have, how the output pixels about it take it.
pub(crate) struct Falls {
    /// The canvas rows that the strip is made of.
    pub(crate) rows: Range<i64>,
    falls: Vec<Fall>,
    height: usize,
}

#[derive(Clone, Copy)]
struct Fall {
    /// The first output row that the edge changes.
    first: u32,
    /// How many differ from the row above it.
    count: u32,
    /// By what share of the edge's change, in parts of [`ONE`].
    steps: [i32; STEPS],
}

impl Falls {
    /// The falls of a strip of output rows.
    pub(crate) fn new(windows: &mut Windows, strip: Range<u64>) -> Falls {
        let windows: Vec<Window> = strip.map(|row| windows.get(row)).collect();
        let rows = windows.first().map_or(0, |w| w.first)..windows.last().map_or(0, Window::end);
        let none = Fall {
            first: 0,
            count: 0,
            steps: [0; STEPS],
        };
        let mut falls = vec![none; offset(rows.end - rows.start) + 1];
        for (row, window) in (0..).zip(&windows) {
            let start = offset(window.first - rows.start);
            let astride = window.weights.len().saturating_sub(1);
            let mut below = ONE;
            for (fall, weight) in falls[start + 1..]
                .iter_mut()
                .zip(&window.weights[..astride])
            {
                below -= weight;
                fall.reach(row, below);
            }
        }
        for (at, fall) in (rows.start..).zip(&mut falls) {
            if fall.count == 0 {
                let above = windows.partition_point(|window| window.first < at);
                fall.first = u32::try_from(above).unwrap_or(u32::MAX);
            }
            fall.settle();
        }
        Falls {
            rows,
            falls,
            height: windows.len(),
        }
    }

    /// How many output rows the strip has.
    pub(crate) fn height(&self) -> usize {
        self.height
    }
}

impl Fall {
    /// Of the edge, output row `row` sees this much. Rows come in order.
    fn reach(&mut self, row: u32, below: i32) {
        if self.count == 0 {
            self.first = row;
        }
        self.steps[self.count as usize] = below;
        self.count += 1;
    }

    /// From what is seen of the edge to differences; the next row sees it wholly.
    fn settle(&mut self) {
        self.steps[self.count as usize] = ONE;
        self.count += 1;
        for i in (1..self.count as usize).rev() {
            self.steps[i] -= self.steps[i - 1];
        }
        for step in &mut self.steps {
            // Only the low half of a lane is multiplied.
            *step &= 0xffff;
        }
    }
}

/// One column, filtered, as differences from row to row.
pub(crate) struct Column {
    differences: Vec<i32x4>,
    touched: Range<usize>,
}

impl Column {
    /// A blank column of so many output rows.
    pub(crate) fn new(height: usize) -> Column {
        Column {
            // One for what begins below the last row.
            differences: vec![i32x4::ZERO; height + 1],
            touched: height..0,
        }
    }

    /// Takes the edges of a column in.
    pub(crate) fn edges<'a>(&'a mut self, falls: &'a Falls) -> impl Edges + 'a {
        Filter {
            falls,
            column: self,
        }
    }

    /// Moves two neighbouring columns into a pair of them, and blanks both. Returns the rows that
    /// are not blank. Values have [`VALUE_BITS`] fractional bits.
    pub(crate) fn drain(left: &mut Column, right: &mut Column, pair: &mut [i16x8]) -> Range<usize> {
        const SHIFT: u32 = COLOR_BITS + WEIGHT_BITS - VALUE_BITS;
        let start = left.touched.start.min(right.touched.start);
        let end = left.touched.end.max(right.touched.end);
        if start >= end {
            return 0..0;
        }
        let half = i32x4::splat(1 << (SHIFT - 1));
        let low = i32x4::splat(0xffff);
        let (mut a, mut b) = (half, half);
        let visible = start..end.min(pair.len());
        let columns = left.differences[start..end]
            .iter_mut()
            .zip(&mut right.differences[start..end]);
        for ((left, right), value) in columns.zip(pair[start..].iter_mut()) {
            a += std::mem::replace(left, i32x4::ZERO);
            b += std::mem::replace(right, i32x4::ZERO);
            *value = bytemuck::cast(((a >> SHIFT) & low) | ((b >> SHIFT) << 16));
        }
        for column in [left, right] {
            // What lies below the last row was not drained.
            column.differences[visible.end..end].fill(i32x4::ZERO);
            column.touched = column.differences.len() - 1..0;
        }
        visible
    }
}

/// Fractional bits of a filtered column's values: with a kernel's overshoot they fit 16 bits.
pub(crate) const VALUE_BITS: u32 = 6;

struct Filter<'a> {
    falls: &'a Falls,
    column: &'a mut Column,
}

impl Edges for Filter<'_> {
    #[inline]
    fn change(&mut self, row: i64, by: i32x4) {
        let fall = &self.falls.falls[offset(row - self.falls.rows.start)];
        let first = fall.first as usize;
        let end = first + fall.count as usize;
        let by: i16x8 = bytemuck::cast(by);
        for (difference, &step) in self.column.differences[first..end]
            .iter_mut()
            .zip(&fall.steps)
        {
            *difference += by.dot(bytemuck::cast(i32x4::splat(step)));
        }
        let touched = &mut self.column.touched;
        touched.start = touched.start.min(first);
        touched.end = touched.end.max(end);
    }
}

fn offset(rows: i64) -> usize {
    usize::try_from(rows).unwrap_or(0)
}
