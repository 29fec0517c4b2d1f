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
    let interval = match scene.filter {
        // Only both ends of the picture.
        Filter::Lanczos3 => end,
        // By area, each column lies in one pixel.
        Filter::Area => STEPS,
    };
    let count = end / interval;
    let mut fixed = Vec::new();
    reserve(&mut fixed, scene.size[0] as usize + 1 + within.len(), 1)?;
    fixed.extend((0..=count).map(|number| interval * number));
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

/// Returns the greatest width of a column in steps. Steeper lines need narrower ones. The limits
/// are fitted: `cargo run --release -p benches --example psnr` measures the quality.
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

/// The number of columns that divide a pixel if steep lines are filtered by area:
/// `base + share / length`, and at most `most`. The numbers are fitted like the limits of
/// [`widest`], so that pictures come within 45 dB of the ideal.
struct Fit {
    base: f64,
    share: f64,
    most: f64,
}

/// For isometric views, by the height of a texel in pixels.
const ISOMETRIC: Fit = Fit {
    base: 2.0,
    share: 12.0,
    most: 8.0,
};

/// For other views from far away, by the width of the picture in pixels.
const ORTHOGRAPHIC: Fit = Fit {
    base: 1.6,
    share: 130.0,
    most: 12.0,
};

/// For views through a lens, by the width of the picture in pixels.
const PERSPECTIVE: Fit = Fit {
    base: 1.6,
    share: 260.0,
    most: 12.0,
};

/// Returns the greatest width of a column with steep lines that is filtered by area. A steep line
/// crosses others in a share of the texels. Through a lens it crosses more, because hardly any line
/// is upright. In a small picture, single pixels count more.
fn widest_by_area(scene: &Scene<'_>) -> i64 {
    let picture_width = f64::from(scene.size[0]);
    if let Camera::Isometric(_) = scene.camera {
        let texel_height = scene.projection.down.length();
        return ISOMETRIC.widest(texel_height);
    }
    if scene.projection.nearness > 0.0 {
        PERSPECTIVE.widest(picture_width)
    } else {
        ORTHOGRAPHIC.widest(picture_width)
    }
}

impl Fit {
    /// Returns the width in steps of a column, of which a pixel has several.
    #[expect(clippy::cast_possible_truncation, reason = "a part of a pixel")]
    fn widest(&self, length: f64) -> i64 {
        let columns_of_pixel = f64::min(self.base + self.share / length, self.most);
        (STEPS as f64 / columns_of_pixel) as i64
    }
}
