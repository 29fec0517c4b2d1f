//! The vertical half of the resampling, which filters edges instead of pixels.
//!
//! A column consists of a few dozen runs of one color. Below an edge between two runs, every output pixel
//! changes by the difference of their colors. Only the six whose kernel contains the edge change by less:
//! by the kernel's area below it. Stored as differences between neighboring output pixels, an edge costs
//! seven multiplications, however high the column.

use std::ops::Range;

use wide::{i16x8, i32x4};

use crate::rasterizer::kernel::{ONE, RADIUS, STEP_BITS, STEPS, WEIGHT_BITS, area_before};
use crate::rasterizer::runs::COLOR_BITS;

/// The number of output pixels that an edge makes different from the one above: the six centers within
/// three pixels of it, and the first one wholly below.
const RESPONSES: usize = 7;

/// Fractional bits of a filtered value. With the kernel's overshoot, values fit into 16 bits.
pub(crate) const VALUE_BITS: u32 = 6;

/// The rows above a strip whose differences are kept, because they add up to its first row.
const ABOVE: usize = RESPONSES - 1;

/// The filter of a strip of output rows.
pub(crate) struct VerticalFilter {
    /// The steps on which the strip depends.
    pub(crate) steps: Range<i64>,
    /// The first row of the strip.
    start: i64,
    height: usize,
    /// Rows of the strip near an end of the picture, with the factor that makes up for the part of the
    /// kernel beyond it.
    cut: Vec<(usize, i32)>,
}

/// The differences from row to row near an edge, as shares of the edge's in parts of [`ONE`], for every
/// position of the edge between two centers of rows.
#[expect(
    clippy::cast_possible_truncation,
    reason = "shares are below 2 in 14 bits"
)]
static EDGES: [[i16; RESPONSES]; 1 << STEP_BITS] = {
    let mut edges = [[0; RESPONSES]; 1 << STEP_BITS];
    let mut step = 0;
    while step < edges.len() {
        let (mut row, mut above) = (0, 0);
        while row < RESPONSES {
            let below = ONE - area_before(step as i64 + (RADIUS - 1 - row as i64) * STEPS);
            edges[step][row] = (below - above) as i16;
            above = below;
            row += 1;
        }
        step += 1;
    }
    edges
};

/// A filtered column, stored as differences from row to row.
pub(crate) struct FilteredColumn {
    differences: Vec<i32x4>,
    /// The rows that may be different from 0.
    touched: Range<usize>,
}

impl VerticalFilter {
    /// The filter of some rows of a picture of this height.
    pub(crate) fn new(height: usize, strip: Range<usize>) -> VerticalFilter {
        let [end, start, stop] = [height, strip.start, strip.end].map(|row| row as i64);
        let [from, to] = [start - RADIUS, stop + RADIUS].map(|row| (row << STEP_BITS) - STEPS / 2);
        let cut = (start..stop).zip(0..).filter_map(|(row, number)| {
            let center = (row << STEP_BITS) + STEPS / 2;
            let area = area_before((end << STEP_BITS) - center) - area_before(-center);
            (area != ONE).then(|| (number, (ONE << WEIGHT_BITS) / area))
        });
        VerticalFilter {
            steps: from.max(0)..to.min(end << STEP_BITS),
            start,
            height: strip.len(),
            cut: cut.collect(),
        }
    }

    /// Returns the number of output rows.
    pub(crate) fn height(&self) -> usize {
        self.height
    }
}

impl FilteredColumn {
    /// Creates a blank column.
    pub(crate) fn new(height: usize) -> FilteredColumn {
        FilteredColumn {
            differences: vec![i32x4::ZERO; ABOVE + height + RESPONSES],
            touched: NOTHING,
        }
    }

    /// Adds an edge above a step: its color less the one above it.
    #[inline(always)]
    pub(crate) fn add_edge(&mut self, filter: &VerticalFilter, step: i64, difference: i32x4) {
        let step = step + STEPS / 2;
        let first = index((step >> STEP_BITS) - RADIUS - filter.start + ABOVE as i64);
        let difference: i16x8 = bytemuck::cast(difference);
        let differences = self.differences[first..].first_chunk_mut::<RESPONSES>();
        let differences = differences.expect("the column has more rows above and below");
        let shares = &EDGES[index(step & (STEPS - 1))];
        for (sum, share) in differences.iter_mut().zip(shares) {
            // Only the low half of each lane is multiplied.
            let share = i32x4::splat(share.cast_unsigned().into());
            *sum += difference.dot(bytemuck::cast(share));
        }
        self.touched.start = self.touched.start.min(first);
        self.touched.end = self.touched.end.max(first + RESPONSES);
    }

    /// Moves the values of two neighboring columns into a column of pairs and clears both. Returns
    /// the rows that may not be blank.
    pub(crate) fn drain_pair(
        [left, right]: &mut [FilteredColumn; 2],
        filter: &VerticalFilter,
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
        let take = |column: &mut FilteredColumn, row: usize| {
            std::mem::replace(&mut column.differences[row], i32x4::ZERO)
        };
        for row in start..end.min(ABOVE) {
            a += take(left, row);
            b += take(right, row);
        }
        let inner = start.max(ABOVE)..end.min(ABOVE + pairs.len());
        let visible = inner.start - ABOVE..inner.end.saturating_sub(ABOVE).max(inner.start - ABOVE);
        let differences = left.differences[inner.start..]
            .iter_mut()
            .zip(&mut right.differences[inner.start..]);
        for ((left, right), pair) in differences.zip(&mut pairs[visible.clone()]) {
            a += std::mem::replace(left, i32x4::ZERO);
            b += std::mem::replace(right, i32x4::ZERO);
            *pair = bytemuck::cast(((a >> SHIFT) & low) | ((b >> SHIFT) << 16));
        }
        for &(row, factor) in filter.cut.iter().filter(|(row, _)| visible.contains(row)) {
            let scaled = |value: i16| (i32::from(value) * factor + (ONE >> 1)) >> WEIGHT_BITS;
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a factor is near 1 where values are"
            )]
            let values = pairs[row].to_array().map(|value| scaled(value) as i16);
            pairs[row] = values.into();
        }
        for column in [left, right] {
            let rest = inner.end.max(start)..end.max(inner.end);
            column.differences[rest].fill(i32x4::ZERO);
            column.touched = NOTHING;
        }
        visible
    }
}

/// The range of an untouched column.
const NOTHING: Range<usize> = Range {
    start: usize::MAX,
    end: 0,
};

fn index(rows: i64) -> usize {
    usize::try_from(rows).expect("an edge lies within the steps of its filter")
}
