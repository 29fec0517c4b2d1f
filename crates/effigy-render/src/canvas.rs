//! The working canvas: patches painted back to front, texel by texel, with hard edges.

use tiny_skia::{FillRule, Paint, Path, PathBuilder, Pixmap, Transform};

use crate::parts::Part;
use crate::projection::{PIXEL, Projection};
use crate::scene::{self, Patch};
use crate::{RenderError, Skin};

/// Paints the parts of a skin onto a canvas of the projection's size.
pub(crate) fn paint(
    parts: &[Part],
    skin: &Skin,
    projection: &Projection,
) -> Result<Pixmap, RenderError> {
    let mut canvas = blank(projection.width, projection.height)?;
    for patch in scene::patches(parts, skin.model()) {
        paint_patch(&mut canvas, &patch, skin, projection);
    }
    Ok(canvas)
}

/// An empty canvas; tiny-skia's own constructor aborts where memory runs out.
fn blank(width: u64, height: u64) -> Result<Pixmap, RenderError> {
    let too_large = || RenderError::TooLarge { width, height };
    let size = |pixels: u64| u32::try_from(pixels).map_err(|_| too_large());
    let (width, height) = (size(width)?, size(height)?);
    let size = tiny_skia::IntSize::from_wh(width, height).ok_or_else(too_large)?;
    let bytes = u64::from(width) * u64::from(height) * 4;
    let bytes = usize::try_from(bytes).map_err(|_| too_large())?;
    let mut data = Vec::new();
    data.try_reserve_exact(bytes)
        .map_err(|_| RenderError::OutOfMemory { width, height })?;
    data.resize(bytes, 0);
    Pixmap::from_vec(data, size).ok_or_else(too_large)
}

fn paint_patch(canvas: &mut Pixmap, patch: &Patch, skin: &Skin, projection: &Projection) {
    let scale = skin.scale();
    let region = patch.region;
    for row in 0..region.height * scale {
        for column in 0..region.width * scale {
            let [r, g, b, a] = skin.texel(region.x * scale + column, region.y * scale + row);
            if a == 0 {
                continue;
            }
            let Some(path) = outline(patch, [column, row], scale, projection) else {
                continue;
            };
            let mut paint = Paint {
                anti_alias: false,
                ..Paint::default()
            };
            paint.set_color_rgba8(r, g, b, a);
            canvas.fill_path(
                &path,
                &paint,
                FillRule::Winding,
                Transform::identity(),
                None,
            );
        }
    }
}

/// The four-cornered shape of one texel on the canvas, as far as it lies in the patch.
fn outline(patch: &Patch, texel: [i32; 2], scale: i32, projection: &Projection) -> Option<Path> {
    let orientation = patch.face.orientation();
    let (columns, reversed) = orientation.columns;
    let across = span(
        patch,
        columns,
        texel[0],
        patch.region.width * scale,
        reversed,
    )?;
    let down = span(
        patch,
        orientation.rows,
        texel[1],
        patch.region.height * scale,
        false,
    )?;
    let mut builder = PathBuilder::new();
    for (i, (s, t)) in [(0, 0), (1, 0), (1, 1), (0, 1)].into_iter().enumerate() {
        let mut point = patch.bounds.min.map(f64::from);
        point[columns] = across[s];
        point[orientation.rows] = down[t];
        let (x, y) = project(projection, point);
        if i == 0 {
            builder.move_to(x, y);
        } else {
            builder.line_to(x, y);
        }
    }
    builder.close();
    builder.finish()
}

/// Where a texel begins and ends along an axis, cut to the patch, in quarters of a texel.
fn span(patch: &Patch, axis: usize, texel: i32, count: i32, reversed: bool) -> Option<[f64; 2]> {
    let (start, end) = (
        f64::from(patch.solid.min[axis]),
        f64::from(patch.solid.max[axis]),
    );
    let index = if reversed { count - 1 - texel } else { texel };
    let at = |k: i32| start + (end - start) * f64::from(k) / f64::from(count);
    let low = at(index).max(f64::from(patch.bounds.min[axis]));
    let high = at(index + 1).min(f64::from(patch.bounds.max[axis]));
    (low < high).then_some([low, high])
}

/// A point of the model to canvas pixels. Exact: corners lie on a lattice finer than a pixel and
/// coarser than an `f32`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "tiny-skia's coordinates are f32"
)]
#[expect(
    clippy::cast_precision_loss,
    reason = "lattice steps are far below 2^53"
)]
fn project(projection: &Projection, [x, y, z]: [f64; 3]) -> (f32, f32) {
    let (left, top) = projection.point([0, 0, 0]);
    let across = projection.across as f64;
    let down = projection.down as f64;
    let pixel = PIXEL as f64;
    (
        ((left as f64 + across * (x + z)) / pixel) as f32,
        ((top as f64 + down * y + across * (z - x) / 2.0) / pixel) as f32,
    )
}
