//! Convex pieces of faces.

use std::ops::Range;

use crate::scene::projection::Projection;
use crate::scene::solid::{Corner, Line, Surface, TOLERANCE, range, sides};
use glam::{DVec3, DVec4};

/// A convex piece of a face.
#[derive(Debug, Clone)]
pub(crate) struct Fragment {
    /// The number of the face.
    pub(crate) surface: usize,
    /// In the order of [`Surface::corners`].
    pub(crate) corners: Vec<Corner>,
}

/// The texels of a face that a fragment of it covers: columns and rows.
pub(crate) type Cells = [Range<usize>; 2];

/// An oriented plane: a normal of length 1, and its negative distance from the origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plane(DVec4);

impl Plane {
    /// The plane through a point with a normal of length 1.
    pub(crate) fn through(point: DVec3, normal: DVec3) -> Plane {
        Plane(normal.extend(-normal.dot(point)))
    }

    /// Returns a number that is positive if a viewer is in front of the plane, and else negative: a sine from far away.
    pub(crate) fn facing(&self, viewer: &Projection) -> f64 {
        let distance = self.0.dot(viewer.target.extend(1.0));
        self.normal().dot(viewer.toward) + distance * viewer.nearness
    }

    /// The signed distance of a point, 0 if it is on the plane.
    fn height(&self, point: DVec3) -> f64 {
        let height = self.0.dot(point.extend(1.0));
        if height.abs() < TOLERANCE {
            0.0
        } else {
            height
        }
    }

    /// Returns if a fragment has corners behind the plane, and if it has some in front of it.
    pub(crate) fn sides(&self, fragment: &Fragment) -> (bool, bool) {
        let corners = fragment.corners.iter();
        let [lowest, highest] = range(corners.map(|corner| self.height(corner.point)));
        (lowest < 0.0, highest > 0.0)
    }

    /// Returns the plane as seen from the other side.
    pub(crate) fn reversed(self) -> Plane {
        Plane(-self.0)
    }

    fn normal(self) -> DVec3 {
        self.0.truncate()
    }
}

impl Fragment {
    /// Returns the texels that the fragment of a face covers in a texture of this scale.
    #[expect(clippy::cast_possible_truncation, reason = "within the face")]
    pub(crate) fn cells(&self, surface: &Surface, scale: u32) -> Cells {
        /// Texels that are touched by less do not count.
        const TOLERANCE: f64 = 1e-6;
        let [_, counts] = surface.region.scaled(scale);
        let extents = surface.extents();
        [0, 1].map(|axis| {
            let extent = extents[axis];
            let place = |corner: &Corner| {
                let share = (corner.point - surface.corners[0].point).dot(extent);
                share / extent.length_squared() * counts[axis] as f64
            };
            let [min, max] = range(self.corners.iter().map(place));
            let first = (min + TOLERANCE).max(0.0) as usize;
            let first = first.min(counts[axis] - 1);
            let end = (max - TOLERANCE).ceil() as usize;
            first..end.clamp(first + 1, counts[axis])
        })
    }

    /// Returns the piece of a fragment with this normal in front of a plane. The piece behind it, in front of the reversed
    /// plane, has the same new corners and the same line between them.
    pub(crate) fn in_front_of(&self, plane: Plane, normal: DVec3) -> Fragment {
        let direction = normal.cross(plane.normal()).normalize();
        let mut corners = Vec::with_capacity(self.corners.len() + 1);
        let mut cut = None;
        for [start, end] in sides(&self.corners) {
            let [height, next] = [start, end].map(|corner| plane.height(corner.point));
            if height > 0.0 {
                corners.push(start);
            }
            let on_plane = match height * next < 0.0 {
                true => Some(start.point + (end.point - start.point) * (height / (height - next))),
                false => (height == 0.0).then_some(start.point),
            };
            if let Some(point) = on_plane {
                let cut = *cut.get_or_insert_with(|| Line::through(point, direction));
                let edge = if next < 0.0 { cut } else { start.edge };
                corners.push(Corner { point, edge });
            }
        }
        Fragment {
            surface: self.surface,
            corners,
        }
    }
}
