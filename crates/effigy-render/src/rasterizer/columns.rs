//! The columns of a drawing: intervals that no upright border divides.

use crate::rasterizer::face::ProjectedFace;
use crate::rasterizer::lanczos::kernel::{STEP_BITS, STEPS, to_step};
use crate::rasterizer::line::SlopedLine;
use crate::rasterizer::trapezoid::Trapezoid;
use crate::scene::filter::Filter;

/// Divides a picture of this width in pixels into columns, and returns their borders in steps of the kernel, from the left
/// end to the right: one more than there are columns, which are an even number. The last one may be empty.
///
/// A column is drawn once, along its middle. That is exact for what is upright; what is sloped is moved by
/// at most half of a column's width times its slope. With area coverage, each column lies in one pixel.
pub(crate) fn borders(
    width: u32,
    filter: Filter,
    trapezoids: &[Trapezoid],
    faces: &[ProjectedFace<'_>],
) -> Vec<i64> {
    let end = i64::from(width) << STEP_BITS;
    let mut fixed: Vec<i64> = match filter {
        Filter::Lanczos3 => vec![0, end],
        Filter::Area => (0..=i64::from(width)).map(|x| x << STEP_BITS).collect(),
    };
    let mut steepest = 0.0_f64;
    for trapezoid in trapezoids {
        fixed.extend([trapezoid.left, trapezoid.right].map(to_step));
        let face = &faces[trapezoid.surface];
        let borders = face.upright_borders(&trapezoid.cells);
        let inner = trapezoid.left..trapezoid.right;
        fixed.extend(borders.filter(|border| inner.contains(border)).map(to_step));
        let slopes = trapezoid.sides.map(SlopedLine::steepness);
        steepest = slopes.into_iter().fold(steepest, f64::max);
    }
    fixed.retain(|border| (0..=end).contains(border));
    fixed.sort_unstable();
    fixed.dedup();
    let widest = widest(steepest);
    let most = usize::try_from(end / widest).unwrap_or(0) + fixed.len() + 2;
    let mut borders = Vec::with_capacity(most);
    borders.push(0);
    for &[start, end] in fixed.array_windows() {
        let count = (end - start + widest - 1) / widest;
        borders.extend((1..=count).map(|number| start + (end - start) * number / count));
    }
    if borders.len() % 2 == 0 {
        borders.push(end);
    }
    borders
}

/// Returns the greatest width of a column in steps. Steeper lines need narrower ones.
fn widest(slope: f64) -> i64 {
    match slope {
        ..=1.25 => STEPS / 2,
        ..=5.0 => STEPS / 4,
        _ => STEPS / 8,
    }
}
