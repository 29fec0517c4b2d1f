//! Convex pieces of faces.

use std::ops::Range;

use crate::scene::geometry::{Line, Plane, range, sides};
use crate::scene::surface::{Corner, Surface};
use glam::DVec3;

/// A convex piece of a face.
#[derive(Debug, Clone)]
pub(crate) struct Fragment {
    /// The number of the face.
    pub(crate) surface: usize,
    /// In the order of [`Surface::corners`].
    pub(crate) corners: Vec<Corner>,
}

/// The side of a plane on which a fragment lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Behind,
    InFront,
    /// The fragment lies on the plane.
    On,
    /// The plane cuts the fragment.
    Both,
}

/// The texels of a face that a fragment of it covers: columns and rows.
pub(crate) type Cells = [Range<usize>; 2];

impl Fragment {
    /// Returns the texels that the fragment of a face covers in a texture of this scale.
    #[expect(clippy::cast_possible_truncation, reason = "within the face")]
    pub(crate) fn cells(&self, surface: &Surface, scale: u32) -> Cells {
        /// Texels that are covered by less are left out.
        const TOLERANCE: f64 = 1e-6;
        let [_, counts] = surface.region.scaled(scale);
        [0, 1].map(|axis| {
            let line = |corner: &Corner| surface.line_at(axis, corner.point) * f64::from(scale);
            let [min, max] = range(self.corners.iter().map(line));
            let covered = (min + TOLERANCE).max(0.0) as usize;
            let first = covered.min(counts[axis] - 1);
            let end = (max - TOLERANCE).ceil() as usize;
            first..end.clamp(first + 1, counts[axis])
        })
    }

    /// Returns the side of a plane on which the fragment lies.
    pub(crate) fn side_of(&self, plane: Plane) -> Side {
        let mut is_behind = false;
        let mut is_in_front = false;
        for corner in &self.corners {
            let height = plane.height(corner.point);
            is_behind |= height < 0.0;
            is_in_front |= height > 0.0;
        }
        if is_behind && is_in_front {
            Side::Both
        } else if is_behind {
            Side::Behind
        } else if is_in_front {
            Side::InFront
        } else {
            Side::On
        }
    }

    /// Returns the piece of a fragment with this normal in front of a plane. The piece behind it,
    /// in front of the reversed plane, has the same new corners and the same line between them.
    pub(crate) fn in_front_of(&self, plane: Plane, normal: DVec3) -> Fragment {
        let direction = normal.cross(plane.normal()).normalize();
        let mut corners = Vec::with_capacity(self.corners.len() + 1);
        let mut cut = None;
        for [start, end] in sides(&self.corners) {
            let start_height = plane.height(start.point);
            let end_height = plane.height(end.point);
            if start_height > 0.0 {
                corners.push(start);
            }
            let point_on_plane = if start_height * end_height < 0.0 {
                let share = start_height / (start_height - end_height);
                Some(start.point + (end.point - start.point) * share)
            } else if start_height == 0.0 {
                Some(start.point)
            } else {
                None
            };
            if let Some(point) = point_on_plane {
                let cut_line = *cut.get_or_insert_with(|| Line::through(point, direction));
                // If the outline leaves the front here, it goes on along the cut.
                let edge = if end_height < 0.0 {
                    cut_line
                } else {
                    start.edge
                };
                corners.push(Corner { point, edge });
            }
        }
        Fragment {
            surface: self.surface,
            corners,
        }
    }
}
