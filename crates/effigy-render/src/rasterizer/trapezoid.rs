//! Fragments on the picture, divided at their corners so that every part has one upper and one lower line.

use std::iter::zip;

use crate::rasterizer::line::{SlopedLine, to_fixed};
use crate::scene::Piece;
use crate::scene::fragment::Cells;

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

/// Divides fragments into trapezoids. It keeps its memory from one to the next.
#[derive(Default)]
pub(crate) struct Divider {
    /// The `x` of the corners, and the lines to the next ones that are not upright.
    corners: Vec<(i64, Option<SlopedLine>)>,
    /// The `x` of all corners.
    sorted: Vec<i64>,
}

impl Divider {
    pub(crate) fn divide(&mut self, piece: &Piece<'_>, trapezoids: &mut Vec<Trapezoid>) {
        let projection = &piece.scene.projection;
        self.corners.clear();
        self.corners
            .extend(piece.fragment.corners.iter().map(|corner| {
                let x = to_fixed(projection.point(corner.point).x);
                (x, SlopedLine::new(corner.edge, projection))
            }));
        self.sorted.clear();
        self.sorted.extend(self.corners.iter().map(|(x, _)| x));
        self.sorted.sort_unstable();
        self.sorted.dedup();
        for &[left, right] in self.sorted.array_windows() {
            let mut lines = self.lines_between(left, right);
            if let (Some(first), Some(second)) = (lines.next(), lines.next()) {
                let middle = left.midpoint(right);
                let is_first_above = first.at(middle) < second.at(middle);
                trapezoids.push(Trapezoid {
                    surface: piece.fragment.surface,
                    cells: piece.cells.clone(),
                    left,
                    right,
                    sides: match is_first_above {
                        true => [first, second],
                        false => [second, first],
                    },
                });
            }
        }
    }

    /// Returns the lines between corners that lead from one `x` or before to another or beyond. A convex polygon has two.
    fn lines_between(&self, left: i64, right: i64) -> impl Iterator<Item = SlopedLine> {
        let next = self.corners.iter().cycle().skip(1);
        zip(&self.corners, next).filter_map(move |(&(from, line), &(to, _))| {
            let reaches = from.min(to) <= left && right <= from.max(to);
            line.filter(|_| reaches)
        })
    }
}
