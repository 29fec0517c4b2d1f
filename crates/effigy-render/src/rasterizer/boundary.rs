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

/// The place at which a line crosses a column. Only the steps are compared: lines that meet in the middle of a column are
/// one boundary.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Boundary {
    /// The step in the middle of the column.
    pub(crate) step: i32,
    /// The steps that the line passes from one side of the column to the other.
    pub(crate) rise: i32,
}

/// How lines rise within a column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rises {
    /// The width of the column in steps.
    pub(crate) width: i64,
    /// The greatest rise: steeper lines count as if they had it. Where lines cross, a rise is wrong as far as it reaches.
    pub(crate) most: i32,
}

impl Rises {
    /// All lines are level.
    pub(crate) const NONE: Rises = Rises { width: 0, most: 0 };
}

impl Boundary {
    /// Above all rows.
    pub(crate) const TOP: Boundary = Boundary {
        step: i32::MIN,
        rise: 0,
    };

    /// Below all rows.
    pub(crate) const BOTTOM: Boundary = Boundary {
        step: i32::MAX,
        rise: 0,
    };

    /// The boundary at a coordinate.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "at most the greatest rise")]
    pub(crate) fn new(y: i64, steepness: Steepness, rises: Rises) -> Boundary {
        Boundary {
            rise: steepness.rise(rises.width).min(rises.most.into()) as i32,
            ..Boundary::level(to_step(y))
        }
    }

    /// The boundary at a step that does not rise. All steps far from any picture are one.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "it is not far")]
    pub(crate) fn level(step: i64) -> Boundary {
        const FAR: i64 = 1 << 30;
        Boundary {
            step: step.clamp(-FAR, FAR) as i32,
            rise: 0,
        }
    }

    /// Returns the coordinate of the step.
    #[inline(always)]
    pub(crate) fn coordinate(self) -> i64 {
        i64::from(self.step) << (FRACTION_BITS - STEP_BITS)
    }
}

impl PartialEq for Boundary {
    #[inline(always)]
    fn eq(&self, other: &Boundary) -> bool {
        self.step == other.step
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
        self.step.cmp(&other.step)
    }
}
