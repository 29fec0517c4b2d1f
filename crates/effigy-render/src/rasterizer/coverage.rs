//! Hidden surface removal within one column.
//!
//! Faces are composited nearest first. Each one contributes only where the faces before it left
//! some transmittance, so most of what is hidden costs one comparison.

use std::ops::Range;

use wide::{f32x4, i32x4};

use crate::rasterizer::runs::{Paint, Runs};

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
    start: i64,
    end: i64,
    /// The share of what lies behind that is visible, from 0 to 1.
    transmittance: f32,
}

/// Lies below all rows.
const SENTINEL: Interval = Interval {
    start: i64::MAX,
    end: i64::MAX,
    transmittance: 0.0,
};

impl CoverageBuffer {
    /// Uncovers the given rows. Nothing outside them is drawn.
    pub(crate) fn reset(&mut self, rows: Range<i64>) {
        let uncovered = Interval {
            start: rows.start,
            end: rows.end,
            transmittance: 1.0,
        };
        self.intervals.clear();
        self.intervals.extend([uncovered, SENTINEL]);
    }

    /// Returns `true` if any of these rows is not covered yet.
    #[inline]
    pub(crate) fn is_visible(&self, rows: Range<i64>) -> bool {
        let next = self.intervals.iter().find(|i| i.end > rows.start);
        next.is_some_and(|interval| interval.start.max(rows.start) < rows.end)
    }

    /// Composites the part of runs in some rows, moved down by `offset`, behind all earlier ones.
    ///
    /// Calls `add_edge` with a row and a difference of color wherever the column's color changes:
    /// premultiplied channels up to 255 with [`COLOR_BITS`](crate::rasterizer::runs::COLOR_BITS)
    /// fractional bits. Differences add up and come in no order.
    #[inline]
    pub(crate) fn composite(
        &mut self,
        rows: Range<i64>,
        runs: &Runs,
        offset: i64,
        add_edge: impl FnMut(i64, i32x4),
    ) {
        let mut edges = EdgeWriter::new(add_edge);
        self.remaining.clear();
        let mut intervals = self.intervals.iter();
        let mut interval = intervals.next().copied().unwrap_or(SENTINEL);
        let mut start = rows.start;
        for (end, paint) in runs.iter(offset) {
            let end = end.clamp(start, rows.end);
            let run = std::mem::replace(&mut start, end)..end;
            if paint.opacity == 0.0 {
                continue;
            }
            while interval.start < run.end {
                let (top, bottom) = (run.start.max(interval.start), run.end.min(interval.end));
                if top < bottom {
                    interval.keep(interval.start, top, &mut self.remaining);
                    let covered = Interval {
                        start: top,
                        end: bottom,
                        ..interval
                    };
                    covered.paint(paint, &mut edges, &mut self.remaining);
                    interval.start = bottom;
                }
                if interval.end > run.end {
                    break;
                }
                interval.keep(interval.start, interval.end, &mut self.remaining);
                interval = intervals.next().copied().unwrap_or(SENTINEL);
            }
        }
        edges.finish();
        self.remaining.push(interval);
        self.remaining.extend(intervals);
        std::mem::swap(&mut self.intervals, &mut self.remaining);
    }
}

impl Interval {
    /// Fills the interval and appends it again if the paint is not opaque.
    #[inline(always)]
    fn paint<F: FnMut(i64, i32x4)>(
        self,
        paint: &Paint,
        edges: &mut EdgeWriter<F>,
        to: &mut Vec<Interval>,
    ) {
        if paint.opacity == 1.0 && self.transmittance == 1.0 {
            edges.fill(self.start, self.end, paint.color);
            return;
        }
        let alpha = self.transmittance * paint.opacity;
        edges.fill(self.start, self.end, paint.premultiply(alpha));
        let behind = Interval {
            transmittance: self.transmittance - alpha,
            ..self
        };
        behind.keep(self.start, self.end, to);
    }

    /// Appends a part of the interval if anything is visible through it.
    #[inline]
    fn keep(self, start: i64, end: i64, to: &mut Vec<Interval>) {
        if start < end && self.transmittance > 0.0 {
            to.push(Interval { start, end, ..self });
        }
    }
}

impl Paint {
    fn premultiply(&self, alpha: f32) -> i32x4 {
        (self.color.round_float() * f32x4::splat(alpha)).round_int()
    }
}

/// Converts filled intervals to edges, with one edge between adjacent ones.
struct EdgeWriter<F> {
    add_edge: F,
    /// The end of the last filled interval, if any.
    row: i64,
    color: i32x4,
}

impl<F: FnMut(i64, i32x4)> EdgeWriter<F> {
    fn new(add_edge: F) -> EdgeWriter<F> {
        EdgeWriter {
            add_edge,
            row: i64::MIN,
            color: i32x4::ZERO,
        }
    }

    #[inline(always)]
    fn fill(&mut self, start: i64, end: i64, color: i32x4) {
        if start != self.row {
            self.finish();
        }
        (self.add_edge)(start, color - self.color);
        (self.row, self.color) = (end, color);
    }

    #[inline]
    fn finish(&mut self) {
        if self.row != i64::MIN {
            (self.add_edge)(self.row, -self.color);
            self.color = i32x4::ZERO;
        }
    }
}
