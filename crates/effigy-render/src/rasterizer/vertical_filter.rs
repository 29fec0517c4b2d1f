//! The vertical half of the resampling, which filters edges instead of pixels.
//!
//! A canvas column consists of a few dozen runs of one color. Below an edge between two runs, every
//! output pixel changes by the difference of their colors. Only the six or so whose kernel contains
//! the edge change by less: by the weight of the kernel's part below it. Stored as differences
//! between neighboring output pixels, an edge costs seven multiplications, however high the column.

use std::ops::Range;

use wide::{i16x8, i32x4};

use crate::rasterizer::kernel::{ONE, WEIGHT_BITS, Window, WindowCache};
use crate::rasterizer::runs::COLOR_BITS;

/// The largest number of output pixels that an edge makes different from the one above: the six
/// centers within three pixels of it, and the first one wholly below.
const STEPS: usize = 7;

/// Fractional bits of a filtered value. With the kernel's overshoot, values fit into 16 bits.
pub(crate) const VALUE_BITS: u32 = 6;

/// The filter of a strip of output rows.
pub(crate) struct VerticalFilter {
    /// The canvas rows on which the strip depends.
    pub(crate) rows: Range<i64>,
    /// The response for every position of an edge between these rows.
    responses: Vec<EdgeResponse>,
    height: usize,
}

/// How the output pixels near an edge respond to it.
#[derive(Clone, Copy)]
struct EdgeResponse {
    /// The first output row that differs from the one above.
    first: usize,
    /// The differences from row to row, as shares of the edge's in parts of [`ONE`]. There are as
    /// many responses as canvas rows, so they are kept small and widened to all channels on use.
    steps: [i16; STEPS],
}

/// A filtered column, stored as differences from row to row.
pub(crate) struct FilteredColumn {
    differences: Vec<i32x4>,
    /// The rows that may be different from 0.
    touched: Range<usize>,
}

impl VerticalFilter {
    pub(crate) fn new(windows: &mut WindowCache, strip: Range<u64>) -> VerticalFilter {
        let windows: Vec<Window> = strip.map(|row| windows.get(row)).collect();
        let start = windows.first().map_or(0, |window| window.first);
        let end = windows.last().map_or(0, Window::end);
        // The weight below the current edge for each output row, and the rows that contain the edge.
        let mut below = vec![ONE; windows.len()];
        let mut astride = 0..0;
        let responses = (start..=end).map(|edge| {
            let is_above = |window: &Window| window.end() <= edge;
            while windows.get(astride.start).is_some_and(is_above) {
                astride.start += 1;
            }
            let is_reached = |window: &Window| window.first < edge;
            while windows.get(astride.end).is_some_and(is_reached) {
                astride.end += 1;
            }
            for row in astride.clone() {
                let window = &windows[row];
                below[row] -= window.weights[index(edge - window.first - 1)];
            }
            EdgeResponse::new(astride.start, &below[astride.clone()])
        });
        VerticalFilter {
            responses: responses.collect(),
            rows: start..end,
            height: windows.len(),
        }
    }

    /// Returns the number of output rows.
    pub(crate) fn height(&self) -> usize {
        self.height
    }
}

impl EdgeResponse {
    /// Computes the differences between the responses of the rows from `first` on. The row after
    /// them responds fully.
    fn new(first: usize, responses: &[i32]) -> EdgeResponse {
        let mut steps = [0; STEPS];
        let mut above = 0;
        for (step, &response) in steps.iter_mut().zip(responses.iter().chain([&ONE])) {
            *step = i16::try_from(response - above).expect("sums of weights fit into 16 bits");
            above = response;
        }
        EdgeResponse { first, steps }
    }
}

impl FilteredColumn {
    /// Creates a blank column.
    pub(crate) fn new(height: usize) -> FilteredColumn {
        FilteredColumn {
            // An edge at the very bottom has its steps below the last row.
            differences: vec![i32x4::ZERO; height + STEPS],
            touched: height..0,
        }
    }

    /// Adds an edge above a canvas row: its color less the one above it.
    #[inline(always)]
    pub(crate) fn add_edge(&mut self, filter: &VerticalFilter, row: i64, difference: i32x4) {
        let response = &filter.responses[index(row - filter.rows.start)];
        let difference: i16x8 = bytemuck::cast(difference);
        let differences = self.differences[response.first..].first_chunk_mut::<STEPS>();
        let differences = differences.expect("the column has STEPS more rows");
        for (sum, step) in differences.iter_mut().zip(&response.steps) {
            // Only the low half of each lane is multiplied.
            let step = i32x4::splat(step.cast_unsigned().into());
            *sum += difference.dot(bytemuck::cast(step));
        }
        self.touched.start = self.touched.start.min(response.first);
        self.touched.end = self.touched.end.max(response.first + STEPS);
    }

    /// Moves the values of two neighboring columns into a column of pairs and clears both. Returns
    /// the rows that may not be blank.
    pub(crate) fn drain_pair(
        [left, right]: &mut [FilteredColumn; 2],
        pairs: &mut [i16x8],
    ) -> Range<usize> {
        const SHIFT: u32 = COLOR_BITS + WEIGHT_BITS - VALUE_BITS;
        let start = left.touched.start.min(right.touched.start);
        let end = left.touched.end.max(right.touched.end);
        if start >= end {
            return 0..0;
        }
        let half = i32x4::splat(1 << (SHIFT - 1));
        let low = i32x4::splat(0xffff);
        let (mut a, mut b) = (half, half);
        let visible = start..end.min(pairs.len());
        let differences = left.differences[start..end]
            .iter_mut()
            .zip(&mut right.differences[start..end]);
        for ((left, right), pair) in differences.zip(pairs[start..].iter_mut()) {
            a += std::mem::replace(left, i32x4::ZERO);
            b += std::mem::replace(right, i32x4::ZERO);
            *pair = bytemuck::cast(((a >> SHIFT) & low) | ((b >> SHIFT) << 16));
        }
        for column in [left, right] {
            column.differences[visible.end..end].fill(i32x4::ZERO);
            column.touched = column.differences.len()..0;
        }
        visible
    }
}

fn index(rows: i64) -> usize {
    usize::try_from(rows).expect("an edge lies within the rows of its filter")
}
