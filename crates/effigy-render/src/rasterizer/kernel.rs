//! The Lanczos3 kernel as areas.
//!
//! Colors are constant between borders, so what counts is not the kernel's height at a sample but its area
//! between two borders. It is integrated once; every weight is a difference of two areas.

use std::f64::consts::PI;

use crate::scene::projection::FRACTION_BITS;

/// Fractional bits of a weight. Integers make sums exact and equal on every machine.
pub(crate) const WEIGHT_BITS: u32 = 14;

/// A weight of 1.
pub(crate) const ONE: i32 = 1 << WEIGHT_BITS;

/// Borders lie on multiples of 1/256 of a pixel.
pub(crate) const STEP_BITS: u32 = 8;

/// The steps of a pixel.
pub(crate) const STEPS: i64 = 1 << STEP_BITS;

/// Radius of the kernel in pixels.
pub(crate) const RADIUS: i64 = 3;

/// Radius of the kernel in steps.
pub(crate) const REACH: i64 = RADIUS * STEPS;

/// The steps under the kernel, its ends included.
const LENGTH: usize = 6 * (1 << STEP_BITS) + 1;

/// The kernel's area to the left of each step from its left end on. The whole area is [`ONE`].
#[expect(
    clippy::cast_possible_truncation,
    reason = "areas are at most 1.1 in 14 bits"
)]
static AREAS: [i16; LENGTH] = {
    let mut areas = [0; LENGTH];
    let mut step = 0;
    while step < areas.len() {
        let x = step as f64 / STEPS as f64 - RADIUS as f64;
        let share = integral(x) / (2.0 * integral(RADIUS as f64));
        // Rounded away from 0, so that the kernel stays symmetric.
        let half = (share.abs() * ONE as f64 + 0.5) as i16;
        areas[step] = (ONE / 2) as i16 + if share < 0.0 { -half } else { half };
        step += 1;
    }
    areas
};

/// Returns the step nearest to a coordinate.
#[inline]
pub(crate) const fn to_step(coordinate: i64) -> i64 {
    const SHIFT: u32 = FRACTION_BITS - STEP_BITS;
    (coordinate + (1 << (SHIFT - 1))) >> SHIFT
}

/// Returns the kernel's area to the left of a step, counted from the kernel's center.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a step under the kernel")]
pub(crate) const fn area_before(step: i64) -> i32 {
    if step <= -REACH {
        0
    } else if step >= REACH {
        ONE
    } else {
        AREAS[(step + REACH) as usize] as i32
    }
}

/// Returns the integral from 0 to x of the kernel, sinc(x) sinc(x/3) for |x| < 3.
/// (Turkowski, "Filters for Common Resampling Tasks", 1990)
///
/// With t = 2πx/3 the kernel is 2 (cos t - cos 2t) / 3t²: a power series in t², which can be integrated
/// term by term. It is precise to ten digits.
const fn integral(x: f64) -> f64 {
    const TERMS: usize = 32;
    let square = (2.0 * PI / 3.0 * x) * (2.0 * PI / 3.0 * x);
    // The terms of the two cosines' series from t² on, divided by t².
    let (mut once, mut twice) = (-0.5, -2.0);
    let (mut sum, mut n) = (0.0, 1);
    while n <= TERMS {
        sum += (once - twice) * 2.0 / 3.0 / (2 * n - 1) as f64;
        let next = ((2 * n + 1) * (2 * n + 2)) as f64;
        once *= -square / next;
        twice *= -4.0 * square / next;
        n += 1;
    }
    sum * x
}
