//! Places in a column at which its color changes.

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

/// The place at which a line crosses a column: the step in the middle of the column and, in the
/// lower bits, the rise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Boundary(i64);

/// The bits of a rise. The other bits are enough for a step at any distance.
const RISE_BITS: u32 = 16;

/// How lines rise within a column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rises {
    /// The width of the column in steps.
    pub(crate) width: i64,
    /// The greatest rise in steps, which steeper lines are cut to. Lines that cross within the
    /// column still ramp past the crossing, which is wrong there, so ramps are kept short.
    pub(crate) most: i64,
}

impl Rises {
    /// All lines are level.
    #[cfg(feature = "lanczos3")]
    pub(crate) const NONE: Rises = Rises { width: 0, most: 0 };
}

impl Boundary {
    /// Above all rows.
    pub(crate) const TOP: Boundary = Boundary(i64::MIN);

    /// Below all rows.
    pub(crate) const BOTTOM: Boundary = Boundary::level(i64::MAX >> RISE_BITS);

    /// The boundary at a coordinate.
    #[inline(always)]
    pub(crate) fn new(y: i64, steepness: Steepness, rises: Rises) -> Boundary {
        let rise = steepness.rise(rises.width).min(rises.most);
        Boundary(Boundary::level(to_step(y)).0 | rise)
    }

    /// A boundary that does not rise.
    #[inline(always)]
    pub(crate) const fn level(step: i64) -> Boundary {
        Boundary(step << RISE_BITS)
    }

    /// The step in the middle of the column.
    #[inline(always)]
    pub(crate) const fn step(self) -> i64 {
        self.0 >> RISE_BITS
    }

    /// The steps that the line passes from one side of the column to the other.
    #[inline(always)]
    pub(crate) const fn rise(self) -> i64 {
        self.0 & ((1 << RISE_BITS) - 1)
    }

    /// Returns the coordinate of the step.
    #[inline(always)]
    pub(crate) const fn coordinate(self) -> i64 {
        self.step() << (FRACTION_BITS - STEP_BITS)
    }
}
