//! Fragments on the picture, divided at their corners so that every part has one upper and one lower line.

use std::iter::zip;

use crate::rasterizer::line::{ProjectedLine, SlopedLine, to_fixed};
use crate::scene::Piece;
use crate::scene::fragment::{Cells, Fragment};
use crate::scene::projection::Projection;

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
    /// The corners and the lines to the next ones.
    corners: Vec<(i64, ProjectedLine)>,
    /// The `x` of all corners.
    sorted: Vec<i64>,
}

impl Divider {
    pub(crate) fn divide(&mut self, piece: &Piece<'_>, trapezoids: &mut Vec<Trapezoid>) {
        let projection = &piece.scene.projection;
        self.project(piece.fragment, projection);
        let corner = piece.surface.corners[0].point;
        let extents = piece.surface.extents();
        let [u, v] = extents.map(|extent| projection.direction(corner, extent));
        let clockwise = u.x * v.y > u.y * v.x;
        for &[left, right] in self.sorted.array_windows() {
            let top = self.line_over(left, right, clockwise);
            let bottom = self.line_over(left, right, !clockwise);
            if let (Some(top), Some(bottom)) = (top, bottom) {
                trapezoids.push(Trapezoid {
                    surface: piece.fragment.surface,
                    cells: piece.cells.clone(),
                    left,
                    right,
                    sides: [top, bottom],
                });
            }
        }
    }

    /// Returns the line between two corners that leads from one `x` beyond another, to the right or to the left.
    fn line_over(&self, left: i64, right: i64, rightwards: bool) -> Option<SlopedLine> {
        let next = self.corners.iter().cycle().skip(1);
        let mut lines = zip(&self.corners, next);
        lines.find_map(|(&(from, line), &(to, _))| match line {
            ProjectedLine::Sloped(line) if (from < to) == rightwards => {
                (from.min(to) <= left && right <= from.max(to)).then_some(line)
            }
            _ => None,
        })
    }

    fn project(&mut self, fragment: &Fragment, projection: &Projection) {
        let last = fragment.corners.last().expect("a polygon has corners");
        let mut before = ProjectedLine::new(last.edge, projection);
        self.corners.clear();
        for corner in &fragment.corners {
            let after = ProjectedLine::new(corner.edge, projection);
            let x = match (before, after) {
                // All corners on an upright line have its `x`.
                (ProjectedLine::Upright(x), _) | (_, ProjectedLine::Upright(x)) => x,
                _ => to_fixed(projection.point(corner.point).x),
            };
            self.corners.push((x, after));
            before = after;
        }
        self.sorted.clear();
        self.sorted.extend(self.corners.iter().map(|(x, _)| x));
        self.sorted.sort_unstable();
        self.sorted.dedup();
    }
}
