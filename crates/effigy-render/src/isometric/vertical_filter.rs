//! The vertical half of the resampling, on edges instead of pixels.
//!
//! A column of the canvas is a few dozen runs of one colour. Where its colour changes, every output
//! pixel further down changes by the same amount, but for the six or so whose kernel reaches over the
//! edge: they take the weight of their kernel that lies below it. As differences from one output pixel
//! to the next, that is a handful of multiplications an edge, however many pixels the column has.

use std::ops::Range;

use wide::{i16x8, i32x4};

use crate::isometric::coverage::Edges;
use crate::isometric::kernel::{ONE, WEIGHT_BITS, Window, Windows};
use crate::isometric::runs::COLOR_BITS;

/// So many output pixels differ from the one above because of an edge, at most: the six centres that
/// lie within three pixels of it, and the first one wholly below.
const STEPS: usize = 7;

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
    first: usize,
    /// By what share of the edge's change, in parts of [`ONE`]. There are as many falls as the canvas
    /// has rows, so they are kept small, and laid out for all channels where they are taken.
    steps: [i16; STEPS],
}

impl Falls {
    /// The falls of a strip of output rows.
    pub(crate) fn new(windows: &mut Windows, strip: Range<u64>) -> Falls {
        let windows: Vec<Window> = strip.map(|row| windows.get(row)).collect();
        let rows = windows.first().map_or(0, |w| w.first)..windows.last().map_or(0, Window::end);
        // How much of an edge each output row sees, from one place of the edge to the next, and the
        // rows that are astride of it.
        let mut seen = vec![ONE; windows.len()];
        let mut astride = 0..0;
        let falls = (rows.start..=rows.end).map(|at| {
            let above = |window: &Window| window.end() <= at;
            while windows.get(astride.start).is_some_and(above) {
                astride.start += 1;
            }
            let reached = |window: &Window| window.first < at;
            while windows.get(astride.end).is_some_and(reached) {
                astride.end += 1;
            }
            for row in astride.clone() {
                let window = &windows[row];
                seen[row] -= window.weights[offset(at - window.first - 1)];
            }
            Fall::new(astride.start, &seen[astride.clone()])
        });
        Falls {
            falls: falls.collect(),
            rows,
            height: windows.len(),
        }
    }

    /// How many output rows the strip has.
    pub(crate) fn height(&self) -> usize {
        self.height
    }
}

impl Fall {
    /// From what the rows from `first` on see of the edge to differences; the one after them sees it
    /// wholly.
    fn new(first: usize, seen: &[i32]) -> Fall {
        let mut steps = [0; STEPS];
        let mut above = 0;
        for (step, seen) in steps.iter_mut().zip(seen.iter().copied().chain([ONE])) {
            // Weights have 16 bits, and so have their sums.
            *step = i16::try_from(seen - above).unwrap_or(0);
            above = seen;
        }
        Fall { first, steps }
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
            // Some for what begins below the last row.
            differences: vec![i32x4::ZERO; height + STEPS],
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
            column.touched = column.differences.len()..0;
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
    #[inline(always)]
    fn change(&mut self, row: i64, by: i32x4) {
        let fall = &self.falls.falls[offset(row - self.falls.rows.start)];
        let by: i16x8 = bytemuck::cast(by);
        let differences = self.column.differences.get_mut(fall.first..);
        let Some(differences) = differences.and_then(<[_]>::first_chunk_mut::<STEPS>) else {
            return;
        };
        for (difference, step) in differences.iter_mut().zip(&fall.steps) {
            // Only the low half of a lane is multiplied.
            let step = i32x4::splat(step.cast_unsigned().into());
            *difference += by.dot(bytemuck::cast(step));
        }
        let touched = &mut self.column.touched;
        touched.start = touched.start.min(fall.first);
        touched.end = touched.end.max(fall.first + STEPS);
    }
}

fn offset(rows: i64) -> usize {
    usize::try_from(rows).unwrap_or(0)
}
