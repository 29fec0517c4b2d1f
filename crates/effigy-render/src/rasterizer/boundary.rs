//! Places in a column at which its color changes.

use std::cmp::Ordering;

use crate::rasterizer::line::{FRACTION_BITS, Steepness};

/// Borders lie on multiples of 1/256 of a pixel.
pub(crate) const STEP_BITS: u32 = 8;

/// The steps of a pixel.
pub(crate) const STEPS: i64 = 1 << STEP_BITS;

/// Returns the step nearest to a coordinate.
#[inline]
pub(crate) const fn to_step(coordinate: i64) -> i64 {
    const SHIFT: u32 = FRACTION_BITS - STEP_BITS;
    (coordinate + (1 << (SHIFT - 1))) >> SHIFT
}

/// The place at which a line crosses a column: the step in the middle of the column, and the line's *rise*, the steps that
/// it passes from one side of the column to the other. The former alone counts when boundaries are compared: lines that
/// meet in the middle of a column are one boundary.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Boundary(i64);

impl PartialEq for Boundary {
    #[inline(always)]
    fn eq(&self, other: &Boundary) -> bool {
        self.step() == other.step()
    }
}

impl Eq for Boundary {}

impl PartialOrd for Boundary {
    #[inline(always)]
    fn partial_cmp(&self, other: &Boundary) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Boundary {
    #[inline(always)]
    fn cmp(&self, other: &Boundary) -> Ordering {
        self.step().cmp(&other.step())
    }
}

const RISE_BITS: u32 = 11;

impl Boundary {
    /// Above all rows.
    pub(crate) const TOP: Boundary = Boundary(i64::MIN);

    /// Below all rows.
    pub(crate) const BOTTOM: Boundary = Boundary(i64::MAX);

    /// The greatest rise. Lines that are steeper count as if they had it.
    pub(crate) const MAX_RISE: i64 = (1 << RISE_BITS) - 1;

    /// The boundary at a coordinate of a column of this width in steps.
    #[inline(always)]
    pub(crate) fn new(y: i64, steepness: Steepness, width: i64) -> Boundary {
        let rise = steepness.rise(width).min(Boundary::MAX_RISE);
        Boundary(to_step(y) << RISE_BITS | rise)
    }

    /// The boundary at a step that does not rise.
    pub(crate) const fn level(step: i64) -> Boundary {
        Boundary(step << RISE_BITS)
    }

    #[inline(always)]
    pub(crate) const fn step(self) -> i64 {
        self.0 >> RISE_BITS
    }

    #[inline(always)]
    pub(crate) const fn rise(self) -> i64 {
        self.0 & Boundary::MAX_RISE
    }

    /// Returns the coordinate of the step.
    #[inline(always)]
    pub(crate) const fn coordinate(self) -> i64 {
        self.step() << (FRACTION_BITS - STEP_BITS)
    }
}
