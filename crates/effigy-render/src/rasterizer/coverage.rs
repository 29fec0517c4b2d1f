//! Hidden surface removal within one column.
//!
//! Faces are composited nearest first. Each one contributes only to intervals in which the faces
//! before it left some transmittance, so most hidden runs cost one comparison.

use std::ops::Range;
use std::slice;

use wide::{f32x4, i32x4};

use crate::rasterizer::boundary::Boundary;
use crate::rasterizer::runs::Paint;

/// The intervals of a column that are not yet covered by an opaque color.
#[derive(Debug, Default)]
pub(crate) struct CoverageBuffer {
    /// In ascending order, then [`SENTINEL`].
    intervals: Vec<Interval>,
    /// The intervals that a face leaves. They are collected while it is composited.
    remaining: Vec<Interval>,
}

#[derive(Debug, Clone, Copy)]
struct Interval {
    start: Boundary,
    end: Boundary,
    /// The share of the faces behind that is visible, from 0 to 1.
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

    /// Returns the part of some rows from the first one that is not covered yet to the last one.
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
        add_edge: impl FnMut(Boundary, i32x4),
    ) {
        self.remaining.clear();
        let mut face = FaceCompositor {
            edges: EdgeCollector::new(add_edge),
            interval: SENTINEL,
            intervals: self.intervals.iter(),
            remaining: &mut self.remaining,
        };
        face.next_interval();
        let mut start = rows.start;
        for (boundary, paint) in runs {
            if boundary <= start {
                continue;
            }
            let end = boundary.min(rows.end);
            if start >= end {
                break;
            }
            if paint.opacity > 0.0 {
                face.composite_run(start, end, paint);
            }
            start = end;
        }
        face.finish();
        std::mem::swap(&mut self.intervals, &mut self.remaining);
    }
}

/// Composites the runs of one face, from top to bottom.
struct FaceCompositor<'b, F> {
    edges: EdgeCollector<F>,
    /// The rest of the first interval that is not behind the runs so far.
    interval: Interval,
    /// The intervals after it.
    intervals: slice::Iter<'b, Interval>,
    /// The intervals that the face leaves.
    remaining: &'b mut Vec<Interval>,
}

impl<F: FnMut(Boundary, i32x4)> FaceCompositor<'_, F> {
    /// Composites a run from one boundary to another.
    #[inline(always)]
    fn composite_run(&mut self, start: Boundary, end: Boundary, paint: &Paint) {
        while self.interval.start < end {
            // If two boundaries are on one step, the greater rise lies below, whichever face it
            // belongs to.
            let top = start.max(self.interval.start);
            let bottom = self.interval.end.min(end);
            if top < bottom {
                let transmittance = self.interval.transmittance;
                let alpha = transmittance * paint.opacity;
                let color = paint.color * f32x4::splat(alpha);
                self.keep(self.interval.start, top, transmittance);
                self.edges.fill(top, bottom, color.fast_round_int());
                self.keep(top, bottom, transmittance - alpha);
                self.interval.start = bottom;
            }
            if self.interval.end > end {
                break;
            }
            // Nothing is left of an interval that the run fills to its end. An interval that lies
            // wholly above the run stays as it is.
            let rest = self.interval;
            self.keep(rest.start, rest.end, rest.transmittance);
            self.next_interval();
        }
    }

    #[inline(always)]
    fn next_interval(&mut self) {
        self.interval = self.intervals.next().copied().unwrap_or(SENTINEL);
    }

    /// Leaves an interval to the faces behind, unless nothing of them is visible there.
    #[inline(always)]
    fn keep(&mut self, start: Boundary, end: Boundary, transmittance: f32) {
        if start < end && transmittance > 0.0 {
            self.remaining.push(Interval {
                start,
                end,
                transmittance,
            });
        }
    }

    /// Ends the last edge, and leaves all intervals below the face as they are.
    #[inline(always)]
    fn finish(mut self) {
        self.edges.finish();
        self.remaining.push(self.interval);
        self.remaining.extend(self.intervals);
    }
}

/// Turns filled intervals, from top to bottom, into edges. Adjacent ones have one edge between
/// them.
struct EdgeCollector<F> {
    add_edge: F,
    /// The end of the last filled interval, and its color.
    end: Boundary,
    color: i32x4,
}

impl<F: FnMut(Boundary, i32x4)> EdgeCollector<F> {
    fn new(add_edge: F) -> EdgeCollector<F> {
        EdgeCollector {
            add_edge,
            end: Boundary::TOP,
            color: i32x4::ZERO,
        }
    }

    #[inline(always)]
    fn fill(&mut self, start: Boundary, end: Boundary, color: i32x4) {
        if start != self.end {
            self.finish();
            self.color = i32x4::ZERO;
        }
        (self.add_edge)(start, color - self.color);
        self.end = end;
        self.color = color;
    }

    /// Adds the edge below the last filled interval, if there is one.
    #[inline(always)]
    fn finish(&mut self) {
        if self.end != Boundary::TOP {
            (self.add_edge)(self.end, -self.color);
        }
    }
}
