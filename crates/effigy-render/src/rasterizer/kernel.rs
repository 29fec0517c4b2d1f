//! The kernels as areas.
//!
//! Colors are constant between borders, so what counts is not a kernel's height at a sample but its area
//! between two borders. It is integrated once; every weight is a difference of two areas.

use std::f64::consts::PI;

use wide::{i16x8, i32x4};

use crate::rasterizer::line::FRACTION_BITS;

/// A kernel. Positions are steps from its center.
pub(crate) trait Kernel {
    /// The kernel is 0 from here on.
    const REACH: i64;

    /// The rows that an edge makes different from the one above: those whose kernel contains the edge, and the first one
    /// wholly below.
    const RESPONSES: usize;

    /// Returns the kernel's area to the left of a step. The whole area is [`ONE`].
    fn area_before(step: i64) -> i32;

    /// Adds the difference of color of an edge to the differences of the rows from the first one whose kernel contains it,
    /// for its distance from that kernel's end.
    fn add_edge(rows: &mut [i32x4], distance: usize, difference: i16x8);
}

/// sinc(x) sinc(x/3) for |x| < 3. (Turkowski, "Filters for Common Resampling Tasks", 1990)
pub(crate) enum Lanczos3 {}

/// A pixel.
pub(crate) enum Area {}

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
pub(crate) const fn to_step(coordinate: i64) -> i64 {
    const SHIFT: u32 = FRACTION_BITS - STEP_BITS;
    (coordinate + (1 << (SHIFT - 1))) >> SHIFT
}

impl Kernel for Lanczos3 {
    const REACH: i64 = 3 * STEPS;

    const RESPONSES: usize = 7;

    #[inline]
    fn area_before(step: i64) -> i32 {
        lanczos3_before(step)
    }

    #[inline(always)]
    fn add_edge(rows: &mut [i32x4], distance: usize, difference: i16x8) {
        let rows = rows.first_chunk_mut::<{ Self::RESPONSES }>();
        let rows = rows.expect("a column has more rows above and below");
        for (sum, share) in rows.iter_mut().zip(&EDGES[distance]) {
            *sum += multiply(difference, share.cast_unsigned().into());
        }
    }
}

impl Kernel for Area {
    const REACH: i64 = STEPS / 2;

    const RESPONSES: usize = 2;

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "at most the whole area")]
    fn area_before(step: i64) -> i32 {
        const SHIFT: u32 = WEIGHT_BITS - STEP_BITS;
        ((step.clamp(-Self::REACH, Self::REACH) + Self::REACH) << SHIFT) as i32
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "less than a pixel")]
    fn add_edge(rows: &mut [i32x4], distance: usize, difference: i16x8) {
        const SHIFT: u32 = WEIGHT_BITS - STEP_BITS;
        let rows = rows.first_chunk_mut::<{ Self::RESPONSES }>();
        let [row, next] = rows.expect("a column has more rows above and below");
        let above = (distance as i32) << SHIFT;
        *row += multiply(difference, ONE - above);
        *next += multiply(difference, above);
    }
}

/// Multiplies channels of 16 bits in lanes of 32.
#[inline(always)]
fn multiply(channels: i16x8, factor: i32) -> i32x4 {
    // Only the low half of each lane is multiplied.
    channels.dot(bytemuck::cast(i32x4::splat(factor)))
}

/// The steps under the kernel of Lanczos3, its ends included.
const LENGTH: usize = 6 * (1 << STEP_BITS) + 1;

/// The area of Lanczos3 to the left of each step from its left end on.
#[expect(
    clippy::cast_possible_truncation,
    reason = "areas are at most 1.1 in 14 bits"
)]
static AREAS: [i16; LENGTH] = {
    let mut areas = [0; LENGTH];
    let mut step = 0;
    while step < areas.len() {
        let x = step as f64 / STEPS as f64 - 3.0;
        let share = integral(x) / (2.0 * integral(3.0));
        // Rounded away from 0, so that the kernel stays symmetric.
        let half = (share.abs() * ONE as f64 + 0.5) as i16;
        areas[step] = (ONE / 2) as i16 + if share < 0.0 { -half } else { half };
        step += 1;
    }
    areas
};

/// The differences from row to row near an edge, as shares of the edge's in parts of [`ONE`], for every
/// position of the edge between two centers of rows.
#[expect(
    clippy::cast_possible_truncation,
    reason = "shares are below 2 in 14 bits"
)]
static EDGES: [[i16; Lanczos3::RESPONSES]; 1 << STEP_BITS] = {
    let mut edges = [[0; Lanczos3::RESPONSES]; 1 << STEP_BITS];
    let mut step = 0;
    while step < edges.len() {
        let (mut row, mut above) = (0, 0);
        while row < Lanczos3::RESPONSES {
            let below =
                ONE - lanczos3_before(step as i64 + Lanczos3::REACH - (1 + row as i64) * STEPS);
            edges[step][row] = (below - above) as i16;
            above = below;
            row += 1;
        }
        step += 1;
    }
    edges
};

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a step under the kernel")]
const fn lanczos3_before(step: i64) -> i32 {
    if step <= -Lanczos3::REACH {
        0
    } else if step >= Lanczos3::REACH {
        ONE
    } else {
        AREAS[(step + Lanczos3::REACH) as usize] as i32
    }
}

/// Returns the integral of Lanczos3 from 0 to x.
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
