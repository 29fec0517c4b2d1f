//! Hidden surface removal within one column.
//!
//! Faces are composited nearest first. Each one contributes only where the faces before it left
//! some transmittance, so most of what is hidden costs one comparison.

use std::ops::Range;

use wide::{f32x4, i32x4};

use crate::rasterizer::boundary::Boundary;
use crate::rasterizer::runs::Paint;

/// The intervals of a column that are not yet covered by an opaque color.
#[derive(Debug, Default)]
pub(crate) struct CoverageBuffer {
    /// In ascending order, then [`SENTINEL`].
    intervals: Vec<Interval>,
    /// The intervals that a face leaves, while it is composited.
    remaining: Vec<Interval>,
}

#[derive(Debug, Clone, Copy)]
struct Interval {
    start: Boundary,
    end: Boundary,
    /// The share of what lies behind that is visible, from 0 to 1.
    transmittance: f32,
}

/// Lies below all rows.
const SENTINEL: Interval = Interval {
    start: Boundary::BOTTOM,
    end: Boundary::BOTTOM,
    transmittance: 0.0,
};

impl CoverageBuffer {
    /// Uncovers the given rows. Nothing outside them is drawn.
    pub(crate) fn reset(&mut self, rows: Range<Boundary>) {
        let uncovered = Interval {
            start: rows.start,
            end: rows.end,
            transmittance: 1.0,
        };
        self.intervals.clear();
        self.intervals.extend([uncovered, SENTINEL]);
    }

    /// Returns those of some rows that are between the first and the last one that is not covered
    /// yet.
    #[inline]
    pub(crate) fn visible(&self, rows: Range<Boundary>) -> Range<Boundary> {
        let first = self.intervals.iter().find(|i| i.end > rows.start);
        let start = first.map_or(rows.end, |interval| rows.start.max(interval.start));
        if start >= rows.end {
            return start..start;
        }
        let last = self.intervals.iter().rfind(|i| i.start < rows.end);
        start..last.map_or(rows.end, |interval| interval.end.min(rows.end))
    }

    /// Composites the part of runs in some rows of a column behind all earlier ones. Each run has
    /// the boundary after it.
    ///
    /// Calls `add_edge` with a boundary and a difference of color wherever the column's color
    /// changes: premultiplied channels up to 255 with
    /// [`COLOR_BITS`](crate::rasterizer::runs::COLOR_BITS) fractional bits. Differences add up and
    /// come in no order.
    #[inline]
    pub(crate) fn composite<'a>(
        &mut self,
        rows: Range<Boundary>,
        runs: impl Iterator<Item = (Boundary, &'a Paint)>,
        mut add_edge: impl FnMut(Boundary, i32x4),
    ) {
        // The end of the last filled interval, and its color. Adjacent ones have one edge between
        // them.
        let (mut row, mut last) = (Boundary::TOP, i32x4::ZERO);
        let mut fill = |start: Boundary, end: Boundary, color: i32x4| {
            if start != row {
                if row != Boundary::TOP {
                    add_edge(row, -last);
                }
                last = i32x4::ZERO;
            }
            add_edge(start, color - last);
            (row, last) = (end, color);
        };
        self.remaining.clear();
        let mut keep = |start: Boundary, end: Boundary, transmittance: f32| {
            if start < end && transmittance > 0.0 {
                self.remaining.push(Interval {
                    start,
                    end,
                    transmittance,
                });
            }
        };
        let mut intervals = self.intervals.iter();
        let mut interval = intervals.next().copied().unwrap_or(SENTINEL);
        let mut start = rows.start;
        for (end, paint) in runs {
            if end <= start {
                continue;
            }
            let end = end.min(rows.end);
            let run = std::mem::replace(&mut start, end)..end;
            if run.is_empty() {
                break;
            }
            if paint.opacity == 0.0 {
                continue;
            }
            while interval.start < run.end {
                // Where both are equal, that of the interval counts, which ends what is in front.
                let (top, bottom) = (run.start.max(interval.start), interval.end.min(run.end));
                if top < bottom {
                    keep(interval.start, top, interval.transmittance);
                    let alpha = interval.transmittance * paint.opacity;
                    let color = paint.color * f32x4::splat(alpha);
                    fill(top, bottom, color.fast_round_int());
                    keep(top, bottom, interval.transmittance - alpha);
                    interval.start = bottom;
                }
                if interval.end > run.end {
                    break;
                }
                keep(interval.start, interval.end, interval.transmittance);
                interval = intervals.next().copied().unwrap_or(SENTINEL);
            }
        }
        if row != Boundary::TOP {
            add_edge(row, -last);
        }
        self.remaining.push(interval);
        self.remaining.extend(intervals);
        std::mem::swap(&mut self.intervals, &mut self.remaining);
    }
}
