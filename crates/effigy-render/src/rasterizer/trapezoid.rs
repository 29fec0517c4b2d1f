//! Fragments on the canvas, divided at their corners so that every part has one upper and one lower line.

use crate::Skin;
use crate::rasterizer::face::{Cells, texels};
use crate::scene::fragment::Fragment;
use crate::scene::projection::{CanvasLine, Projection, SlopedLine, to_fixed};
use crate::scene::solid::Surface;
use crate::scene::vec3::Vec3;

/// A part of a fragment between two upright lines.
pub(crate) struct Trapezoid {
    /// The number of the face.
    pub(crate) surface: usize,
    pub(crate) cells: Cells,
    /// The `x` of the upright lines.
    pub(crate) left: i64,
    pub(crate) right: i64,
    top: SlopedLine,
    bottom: SlopedLine,
}

impl Trapezoid {
    /// Divides a fragment.
    pub(crate) fn divide(
        fragment: &Fragment,
        surface: &Surface,
        cells: &Cells,
        projection: &Projection,
        mut take: impl FnMut(Trapezoid),
    ) {
        let corners = &fragment.corners;
        let lines: Vec<CanvasLine> = corners.iter().map(|c| projection.line(c.edge)).collect();
        let before = lines.iter().cycle().skip(lines.len() - 1);
        let borders: Vec<i64> = (corners.iter().zip(&lines).zip(before))
            .map(|((corner, after), before)| match (before, after) {
                // All corners on an upright line have its `x`.
                (CanvasLine::Upright(x), _) | (_, CanvasLine::Upright(x)) => *x,
                _ => to_fixed(projection.point(corner.point)[0]),
            })
            .collect();
        let [[ux, uy], [vx, vy]] = surface.extents().map(|extent| projection.direction(extent));
        let clockwise = ux * vy > uy * vx;

        let mut sorted = borders.clone();
        sorted.sort_unstable();
        sorted.dedup();
        for pair in sorted.array_windows() {
            let [left, right] = *pair;
            let (mut top, mut bottom) = (None, None);
            for (index, line) in lines.iter().enumerate() {
                let (from, to) = (borders[index], borders[(index + 1) % borders.len()]);
                let spans = from.min(to) <= left && right <= from.max(to);
                if let (true, &CanvasLine::Sloped(line)) = (spans, line) {
                    let side = if (from < to) == clockwise {
                        &mut top
                    } else {
                        &mut bottom
                    };
                    *side = Some(line);
                }
            }
            if let (Some(top), Some(bottom)) = (top, bottom) {
                let surface = fragment.surface;
                let cells = cells.clone();
                take(Trapezoid {
                    surface,
                    cells,
                    left,
                    right,
                    top,
                    bottom,
                });
            }
        }
    }

    /// Returns where a canvas column enters and leaves the trapezoid.
    #[inline]
    pub(crate) fn crossing(&self, x: i64) -> [i64; 2] {
        [self.top.at(x), self.bottom.at(x)]
    }
}

/// Returns the texels of a face that a fragment covers.
#[expect(
    clippy::cast_possible_truncation,
    reason = "fragments lie within their face"
)]
pub(crate) fn cells(fragment: &Fragment, surface: &Surface, skin: &Skin) -> Cells {
    /// Texels that are touched by less do not count.
    const TOLERANCE: f64 = 1e-6;
    let counts = texels(surface, skin);
    let extents = surface.extents();
    [0, 1].map(|axis| {
        let (count, extent) = (counts[axis] as f64, extents[axis]);
        let position =
            |point: Vec3| (point - surface.corners[0].point).dot(extent) / extent.dot(extent);
        let positions = fragment
            .corners
            .iter()
            .map(|corner| position(corner.point) * count);
        let (min, max) = positions.fold((count, 0.0_f64), |(min, max), at| {
            (min.min(at), max.max(at))
        });
        let (first, end) = (
            (min + TOLERANCE).max(0.0) as usize,
            (max - TOLERANCE).ceil() as usize,
        );
        let first = first.min(counts[axis] - 1);
        first..end.clamp(first + 1, counts[axis])
    })
}
