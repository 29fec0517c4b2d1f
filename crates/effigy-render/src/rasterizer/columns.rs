//! The columns of a drawing: intervals that no upright border divides.

use crate::rasterizer::boundary::{STEP_BITS, STEPS, to_step};
use crate::rasterizer::face::ProjectedFace;
use crate::rasterizer::line::{SlopedLine, Steepness};
use crate::rasterizer::trapezoid::Trapezoid;
use crate::scene::Scene;
use crate::scene::filter::Filter;
use crate::scratch::reserve;
use crate::{Camera, RenderError};

/// Divides the picture of a scene into columns, and returns their borders in steps, from the left
/// end to the right: one more than there are columns. With Lanczos3, the number of columns is even,
/// and the last one may be empty.
///
/// A column is drawn once, along its middle. That is exact for upright lines. With Lanczos3, sloped
/// lines are moved by at most half of a column's width times their slope; with area coverage, whose
/// columns lie in one pixel each, only the surroundings of places at which lines cross are inexact.
pub(crate) fn borders(
    scene: &Scene<'_>,
    trapezoids: &[Trapezoid],
    faces: &[ProjectedFace<'_>],
) -> Result<Vec<i64>, RenderError> {
    let end = i64::from(scene.size[0]) << STEP_BITS;
    let fixed = fixed_borders(scene, trapezoids, faces)?;
    let widest = widest(scene, steepest(trapezoids));
    let most = usize::try_from(end / widest).unwrap_or(0) + fixed.len() + 2;
    let mut borders = Vec::new();
    reserve(&mut borders, most, 1)?;
    borders.push(0);
    for &[left, right] in fixed.array_windows() {
        let count = (right - left + widest - 1) / widest;
        borders.extend((1..=count).map(|number| left + (right - left) * number / count));
    }
    if scene.filter == Filter::Lanczos3 && borders.len() % 2 == 0 {
        borders.push(end);
    }
    Ok(borders)
}

/// Returns the borders at which faces or texels begin or end, and the borders that the filter
/// needs.
fn fixed_borders(
    scene: &Scene<'_>,
    trapezoids: &[Trapezoid],
    faces: &[ProjectedFace<'_>],
) -> Result<Vec<i64>, RenderError> {
    let end = i64::from(scene.size[0]) << STEP_BITS;
    let within = borders_of_faces(scene, trapezoids, faces);
    let pixels = match scene.filter {
        Filter::Lanczos3 => 1,
        Filter::Area => scene.size[0],
    };
    let mut fixed = Vec::new();
    reserve(&mut fixed, pixels as usize + 1 + within.len(), 1)?;
    let pixel_width = end / i64::from(pixels);
    fixed.extend((0..=i64::from(pixels)).map(|pixel| pixel_width * pixel));
    fixed.extend(within.iter().filter(|border| (0..=end).contains(*border)));
    fixed.sort_unstable();
    fixed.dedup();
    Ok(fixed)
}

/// Returns the upright borders of faces and their texels, also beyond the picture.
fn borders_of_faces(
    scene: &Scene<'_>,
    trapezoids: &[Trapezoid],
    faces: &[ProjectedFace<'_>],
) -> Vec<i64> {
    let mut borders = Vec::new();
    for trapezoid in trapezoids {
        let face = &faces[trapezoid.surface];
        for x in [trapezoid.left, trapezoid.right] {
            // Two fragments of a face continue one another, so the corners of fragments alone make
            // no difference.
            if scene.filter == Filter::Lanczos3 || face.has_corner_at(x) {
                borders.push(to_step(x));
            }
        }
        for x in face.upright_borders(&trapezoid.cells) {
            if (trapezoid.left..trapezoid.right).contains(&x) {
                borders.push(to_step(x));
            }
        }
    }
    borders
}

fn steepest(trapezoids: &[Trapezoid]) -> Steepness {
    let lines = trapezoids.iter().flat_map(|trapezoid| trapezoid.sides);
    lines
        .map(SlopedLine::steepness)
        .fold(Steepness::LEVEL, Steepness::max)
}

/// Returns the greatest width of a column in steps. Steeper lines need narrower ones.
fn widest(scene: &Scene<'_>, steepest: Steepness) -> i64 {
    if steepest <= Steepness::new(1.25) {
        return STEPS / 2;
    }
    match scene.filter {
        Filter::Lanczos3 if steepest <= Steepness::new(5.0) => STEPS / 4,
        Filter::Lanczos3 => STEPS / 8,
        Filter::Area => widest_by_area(scene),
    }
}

/// Returns the greatest width of a column with which pictures by area come within 45 dB of the
/// ideal. A steep line crosses others in a share of the texels. Through a lens it crosses more,
/// because hardly any line is upright. In a small picture, single pixels count more.
#[expect(clippy::cast_possible_truncation, reason = "a part of a pixel")]
fn widest_by_area(scene: &Scene<'_>) -> i64 {
    if let Camera::Isometric(_) = scene.camera {
        let columns_of_pixel = f64::min(2.0 + 12.0 / scene.projection.down.length(), 8.0);
        return (STEPS as f64 / columns_of_pixel) as i64;
    }
    let has_lens = scene.projection.nearness > 0.0;
    let share = if has_lens { 260.0 } else { 130.0 };
    let columns_of_pixel = f64::min(1.6 + share / f64::from(scene.size[0]), 12.0);
    (STEPS as f64 / columns_of_pixel) as i64
}
