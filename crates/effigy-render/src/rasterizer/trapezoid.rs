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

/// Divides the fragment of a piece into trapezoids.
pub(crate) fn divide(piece: &Piece<'_>, trapezoids: &mut Vec<Trapezoid>) {
    let projection = &piece.scene.projection;
    // The `x` of the corners, and the lines to the next ones that are not upright.
    let corners = piece.fragment.corners.iter().map(|corner| {
        let x = to_fixed(projection.point(corner.point).x);
        (x, SlopedLine::new(corner.edge, projection))
    });
    let corners: Vec<(i64, Option<SlopedLine>)> = corners.collect();
    let mut sorted: Vec<i64> = corners.iter().map(|(x, _)| *x).collect();
    sorted.sort_unstable();
    sorted.dedup();
    for &[left, right] in sorted.array_windows() {
        let mut lines = sides(&corners).filter_map(|[(from, line), (to, _)]| {
            let reaches = from.min(to) <= left && right <= from.max(to);
            line.filter(|_| reaches)
        });
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
