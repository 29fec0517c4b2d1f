//! The kernel as areas.
//!
//! Colors are constant between borders, so a weight is not a kernel's height at a sample but its
//! area between two borders. The kernel is integrated once; every weight is a difference of two
//! areas.

use std::f64::consts::PI;

use crate::rasterizer::boundary::{STEP_BITS, STEPS};

/// The number of rows that an edge makes different from the row above: the rows whose kernel
/// contains the edge, and the first row wholly below.
pub(crate) const ROWS: usize = 7;

/// The distance in steps from the center at which the kernel ends.
pub(crate) const REACH: i64 = (ROWS as i64 - 1) * STEPS / 2;

/// Fractional bits of a weight. Integers make sums exact and equal on every machine.
pub(crate) const WEIGHT_BITS: u32 = 14;

/// A weight of 1.
pub(crate) const ONE: i32 = 1 << WEIGHT_BITS;

/// The area of sinc(x) sinc(x/3) for |x| < 3 to the left of each step, from the left end to the
/// right one. (Turkowski, "Filters for Common Resampling Tasks", 1990)
static AREAS: [i32; 1 + (ROWS - 1) * (1 << STEP_BITS)] = {
    let mut areas = [0; _];
    let mut step = 0;
    while step < areas.len() {
        let x = step as f64 / STEPS as f64 - 3.0;
        let share = integral(x) / (2.0 * integral(3.0));
        // Rounded away from 0, so that the kernel stays symmetric.
        #[expect(clippy::cast_possible_truncation, reason = "at most 1.1 in 14 bits")]
        let half = (share.abs() * ONE as f64 + 0.5) as i32;
        areas[step] = ONE / 2 + if share < 0.0 { -half } else { half };
        step += 1;
    }
    areas
};

/// The differences from row to row near an edge, as shares of the edge's in parts of [`ONE`], for
/// every position of the edge between two centers of rows.
pub(crate) static EDGES: [[i16; ROWS]; 1 << STEP_BITS] = {
    let mut edges = [[0; _]; _];
    let mut step = 0;
    while step < edges.len() {
        let mut row = 0;
        let mut above = 0;
        while row < ROWS {
            let center = (1 + row as i64) * STEPS - REACH;
            let below = ONE - area_before(step as i64 - center);
            #[expect(clippy::cast_possible_truncation, reason = "below 2 in 14 bits")]
            let share = (below - above) as i16;
            edges[step][row] = share;
            above = below;
            row += 1;
        }
        step += 1;
    }
    edges
};

/// Returns the kernel's area to the left of a step from its center. The whole area is [`ONE`].
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a step under the kernel")]
pub(crate) const fn area_before(step: i64) -> i32 {
    if step <= -REACH {
        0
    } else if step >= REACH {
        ONE
    } else {
        AREAS[(step + REACH) as usize]
    }
}

/// Returns the integral of Lanczos3 from 0 to x.
///
/// With t = 2πx/3 the kernel is 2 (cos t - cos 2t) / 3t²: a power series in t², which can be
/// integrated term by term. It is precise to ten digits.
const fn integral(x: f64) -> f64 {
    const TERMS: usize = 32;
    let square = (2.0 * PI / 3.0 * x) * (2.0 * PI / 3.0 * x);
    // The terms of the two cosines' series from t² on, divided by t².
    let mut once = -0.5;
    let mut twice = -2.0;
    let mut sum = 0.0;
    let mut n = 1;
    while n <= TERMS {
        sum += (once - twice) * 2.0 / 3.0 / (2 * n - 1) as f64;
        let next = ((2 * n + 1) * (2 * n + 2)) as f64;
        once *= -square / next;
        twice *= -4.0 * square / next;
        n += 1;
    }
    sum * x
}
