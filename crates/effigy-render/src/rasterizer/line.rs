//! Straight lines on the picture.

use crate::scene::geometry::Line;
use crate::scene::projection::Projection;

/// Fractional bits of coordinates of a picture, which are integers so that sums are exact.
pub(super) const FRACTION_BITS: u32 = 32;

/// A pixel.
pub(super) const PIXEL: i64 = 1 << FRACTION_BITS;

/// A line that meets every column once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SlopedLine {
    /// The `y` at which `x` is 0. It may wrap around, and so may [`SlopedLine::at`], which wraps
    /// back: results below 2^63 are right.
    start: i64,
    slope: Slope,
}

/// The change of `y` with `x`, with the same number of fractional bits as coordinates.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slope(i64);

/// The change of `y` with `x`, upwards or downwards, in 1/256.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Steepness(u32);

/// Lines that are steeper count as upright.
const STEEPEST: f64 = (1 << 30) as f64;

impl SlopedLine {
    /// The line on the picture, unless it is upright there.
    pub(super) fn new(line: Line, projection: &Projection) -> Option<SlopedLine> {
        let point = projection.point_before_eye(line);
        let slope = slope(projection.direction(point, line.direction).to_array())?;
        let slope = Slope::new(slope);
        let [x, y] = projection.point(point).to_array().map(to_fixed);
        Some(SlopedLine {
            start: y.wrapping_sub(slope.rise(x)),
            slope,
        })
    }

    #[inline]
    pub(super) fn at(self, x: i64) -> i64 {
        self.start.wrapping_add(self.slope.rise(x))
    }

    #[inline(always)]
    pub(super) fn steepness(self) -> Steepness {
        let steepness = self.slope.0.unsigned_abs() >> (FRACTION_BITS - 8);
        Steepness(u32::try_from(steepness).unwrap_or(u32::MAX))
    }
}

impl Slope {
    pub(super) fn new(slope: f64) -> Slope {
        Slope(to_fixed(slope))
    }

    /// The change of `y` over a distance.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "see `SlopedLine::start`")]
    pub(super) fn rise(self, distance: i64) -> i64 {
        ((i128::from(self.0) * i128::from(distance)) >> FRACTION_BITS) as i64
    }
}

impl Steepness {
    pub(super) const LEVEL: Steepness = Steepness(0);

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    pub(super) const fn new(slope: f64) -> Steepness {
        Steepness((slope.abs() * 256.0) as u32)
    }

    /// The change of `y` over a distance.
    #[inline(always)]
    pub(super) const fn rise(self, distance: i64) -> i64 {
        (self.0 as i64 * distance) >> 8
    }
}

/// Returns the slope of a direction on the picture unless it is upright.
pub(super) fn slope([x, y]: [f64; 2]) -> Option<f64> {
    if x.abs() * STEEPEST > y.abs() {
        Some(y / x)
    } else {
        None
    }
}

/// Converts pixels to a coordinate.
pub(super) fn to_fixed(pixels: f64) -> i64 {
    round(pixels * PIXEL as f64)
}

/// Returns the nearest coordinate.
#[expect(clippy::cast_possible_truncation, reason = "saturates off the picture")]
pub(super) fn round(coordinate: f64) -> i64 {
    (coordinate + 0.5_f64.copysign(coordinate)) as i64
}
