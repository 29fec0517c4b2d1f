//! Fragments on the picture, divided at their corners so that every part has one upper and one
//! lower line.

use crate::rasterizer::line::{SlopedLine, to_fixed};
use crate::scene::Piece;
use crate::scene::fragment::Cells;
use crate::scene::geometry::sides;

/// A part of a fragment between two upright lines.
pub(crate) struct Trapezoid {
    /// The number of the face.
    pub(crate) surface: usize,
    pub(crate) cells: Cells,
    /// The `x` of the upright lines.
    pub(crate) left: i64,
    pub(crate) right: i64,
    /// The upper and the lower line.
    pub(crate) sides: [SlopedLine; 2],
}

/// A corner of a fragment on the picture.
#[derive(Clone, Copy)]
struct PlacedCorner {
    x: i64,
    /// The line to the next corner, unless it is upright.
    line: Option<SlopedLine>,
}

/// Divides the fragment of a piece into trapezoids.
pub(crate) fn divide(piece: &Piece<'_>, trapezoids: &mut Vec<Trapezoid>) {
    let projection = &piece.scene.projection;
    let mut corners = Vec::with_capacity(piece.fragment.corners.len());
    for corner in &piece.fragment.corners {
        corners.push(PlacedCorner {
            x: to_fixed(projection.point(corner.point).x),
            line: SlopedLine::new(corner.edge, projection),
        });
    }
    let mut sorted: Vec<i64> = corners.iter().map(|corner| corner.x).collect();
    sorted.sort_unstable();
    sorted.dedup();
    for &[left, right] in sorted.array_windows() {
        let reaches =
            |[from, to]: [PlacedCorner; 2]| from.x.min(to.x) <= left && right <= from.x.max(to.x);
        let reaching = sides(&corners).filter(|side| reaches(*side));
        let mut lines = reaching.filter_map(|[from, _]| from.line);
        // A convex polygon has two lines over an interval.
        if let (Some(first), Some(second)) = (lines.next(), lines.next()) {
            let middle = left.midpoint(right);
            let sides = if first.at(middle) < second.at(middle) {
                [first, second]
            } else {
                [second, first]
            };
            trapezoids.push(Trapezoid {
                surface: piece.fragment.surface,
                cells: piece.cells.clone(),
                left,
                right,
                sides,
            });
        }
    }
}
