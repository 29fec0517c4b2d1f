//! The kernels as areas.
//!
//! Colors are constant between borders, so what counts is not a kernel's height at a sample but its area
//! between two borders. It is integrated once; every weight is a difference of two areas.

use std::array;
use std::f64::consts::PI;
use std::sync::LazyLock;

use crate::rasterizer::line::FRACTION_BITS;

/// A kernel that is 0 but for `ROWS - 1` pixels around its center. An edge makes `ROWS` rows different from the one above:
/// those whose kernel contains the edge, and the first one wholly below.
pub(crate) struct Kernel<const ROWS: usize> {
    /// The area to the left of each step from the left end to the right one.
    areas: Vec<i32>,
    /// The differences from row to row near an edge, as shares of the edge's in parts of [`ONE`], for every
    /// position of the edge between two centers of rows.
    pub(crate) edges: [[i16; ROWS]; 1 << STEP_BITS],
}

/// sinc(x) sinc(x/3) for |x| < 3. (Turkowski, "Filters for Common Resampling Tasks", 1990)
pub(crate) static LANCZOS3: LazyLock<Kernel<7>> = LazyLock::new(|| {
    let whole = 2.0 * lanczos3_integral(3.0);
    Kernel::new(|x| lanczos3_integral(x) / whole)
});

/// A pixel.
pub(crate) static AREA: LazyLock<Kernel<2>> = LazyLock::new(|| Kernel::new(|x| x));

/// Fractional bits of a weight. Integers make sums exact and equal on every machine.
pub(crate) const WEIGHT_BITS: u32 = 14;

/// A weight of 1.
pub(crate) const ONE: i32 = 1 << WEIGHT_BITS;

/// Borders lie on multiples of 1/256 of a pixel.
pub(crate) const STEP_BITS: u32 = 8;

/// The steps of a pixel.
pub(crate) const STEPS: i64 = 1 << STEP_BITS;

/// Returns the step nearest to a coordinate.
#[inline]
pub(crate) fn to_step(coordinate: i64) -> i64 {
    const SHIFT: u32 = FRACTION_BITS - STEP_BITS;
    (coordinate + (1 << (SHIFT - 1))) >> SHIFT
}

impl<const ROWS: usize> Kernel<ROWS> {
    /// The distance in steps from the center at which the kernel ends.
    pub(crate) const REACH: i64 = (ROWS as i64 - 1) * STEPS / 2;

    /// Creates a kernel of an area of 1 from its integral from the center to a distance in pixels.
    #[expect(clippy::cast_possible_truncation, reason = "below 2 in 14 bits")]
    fn new(integral: impl Fn(f64) -> f64) -> Kernel<ROWS> {
        let before = |step: i64| {
            let share = integral(step as f64 / STEPS as f64);
            // Rounding away from 0 keeps the kernel symmetric.
            ONE / 2 + (share * f64::from(ONE)).round() as i32
        };
        let mut kernel = Kernel {
            areas: (-Self::REACH..=Self::REACH).map(before).collect(),
            edges: [[0; ROWS]; 1 << STEP_BITS],
        };
        kernel.edges = array::from_fn(|step| {
            let below = |row: usize| {
                let center = (1 + row as i64) * STEPS - Self::REACH;
                ONE - kernel.area_before(step as i64 - center)
            };
            array::from_fn(|row| (below(row) - row.checked_sub(1).map_or(0, below)) as i16)
        });
        kernel
    }

    /// Returns the kernel's area to the left of a step from its center. The whole area is [`ONE`].
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a step under the kernel")]
    pub(crate) fn area_before(&self, step: i64) -> i32 {
        self.areas[(step.clamp(-Self::REACH, Self::REACH) + Self::REACH) as usize]
    }
}

/// Returns the integral of Lanczos3 from 0 to x.
///
/// With t = 2πx/3 the kernel is 2 (cos t - cos 2t) / 3t²: a power series in t², which can be integrated
/// term by term. It is precise to ten digits.
fn lanczos3_integral(x: f64) -> f64 {
    const TERMS: u32 = 32;
    let square = (2.0 * PI / 3.0 * x) * (2.0 * PI / 3.0 * x);
    // The terms of the two cosines' series from t² on, divided by t².
    let (mut once, mut twice, mut sum) = (-0.5, -2.0, 0.0);
    for n in 1..=TERMS {
        sum += (once - twice) * 2.0 / 3.0 / f64::from(2 * n - 1);
        let next = f64::from((2 * n + 1) * (2 * n + 2));
        once *= -square / next;
        twice *= -4.0 * square / next;
    }
    sum * x
}
