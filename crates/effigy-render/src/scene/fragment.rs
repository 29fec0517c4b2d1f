//! Convex pieces of faces.

use std::ops::Range;

use crate::scene::solid::{Corner, Line, Surface, TOLERANCE};
use crate::scene::vec3::{Vec3, range};

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

/// An oriented plane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plane {
    /// Of length 1.
    pub(crate) normal: Vec3,
    distance: f64,
}

/// The sides of a plane on which the corners of a fragment lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sides {
    pub(crate) behind: bool,
    pub(crate) in_front: bool,
}

impl Plane {
    pub(crate) fn of(surface: &Surface) -> Plane {
        Plane {
            normal: surface.normal,
            distance: surface.normal.dot(surface.corners[0].point),
        }
    }

    /// The signed distance of a point, 0 if it is on the plane.
    fn height(&self, point: Vec3) -> f64 {
        let height = self.normal.dot(point) - self.distance;
        if height.abs() < TOLERANCE {
            0.0
        } else {
            height
        }
    }

    pub(crate) fn sides(&self, fragment: &Fragment) -> Sides {
        let heights = fragment
            .corners
            .iter()
            .map(|corner| self.height(corner.point));
        let none = Sides {
            behind: false,
            in_front: false,
        };
        heights.fold(none, |sides, height| Sides {
            behind: sides.behind || height < 0.0,
            in_front: sides.in_front || height > 0.0,
        })
    }

    /// Returns the plane as seen from the other side.
    fn reversed(self) -> Plane {
        Plane {
            normal: self.normal * -1.0,
            distance: -self.distance,
        }
    }
}

impl Fragment {
    /// Returns the texels that the fragment of a face covers in a texture of this scale.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "fragments lie within their face"
    )]
    pub(crate) fn cells(&self, surface: &Surface, scale: u32) -> Cells {
        /// Texels that are touched by less do not count.
        const TOLERANCE: f64 = 1e-6;
        let counts = surface.texels(scale);
        let corners = self.corners.iter();
        let corners: Vec<[f64; 2]> = corners
            .map(|corner| surface.texel_at(corner.point, scale))
            .collect();
        [0, 1].map(|axis| {
            let [min, max] = range(corners.iter().map(|corner| corner[axis]));
            let first = (min + TOLERANCE).max(0.0) as usize;
            let first = first.min(counts[axis] - 1);
            let end = (max - TOLERANCE).ceil() as usize;
            first..end.clamp(first + 1, counts[axis])
        })
    }

    /// Splits a fragment that lies on both sides of a plane into the pieces behind and in front of it.
    /// Both have the same new corners and the same line between them.
    pub(crate) fn split(&self, plane: Plane, normal: Vec3) -> [Fragment; 2] {
        let direction = normal.cross(plane.normal).normalized();
        let mut cut = None;
        let crossings: Vec<Option<Vec3>> = (0..self.corners.len())
            .map(|index| {
                let [a, b] = self.edge(index).map(|corner| corner.point);
                let [above, below] = [plane.height(a), plane.height(b)];
                let crosses = above * below < 0.0;
                let point = crosses.then(|| a + (b - a) * (above / (above - below)));
                let on_plane = point.or((above == 0.0).then_some(a));
                cut = cut.or(on_plane.map(|point| Line::through(point, direction)));
                point
            })
            .collect();
        let cut = cut.expect("the plane divides the fragment");
        [plane.reversed(), plane].map(|plane| self.keep(plane, &crossings, cut))
    }

    /// The part in front of a plane.
    fn keep(&self, plane: Plane, crossings: &[Option<Vec3>], cut: Line) -> Fragment {
        let mut corners = Vec::with_capacity(self.corners.len() + 1);
        for (index, crossing) in crossings.iter().enumerate() {
            let [start, end] = self.edge(index);
            let [height, next] = [start, end].map(|corner| plane.height(corner.point));
            if height > 0.0 || height == 0.0 && next >= 0.0 {
                corners.push(start);
            } else if height == 0.0 {
                corners.push(Corner { edge: cut, ..start });
            }
            if let Some(point) = *crossing {
                let edge = if height > 0.0 { cut } else { start.edge };
                corners.push(Corner { point, edge });
            }
        }
        Fragment {
            surface: self.surface,
            corners,
        }
    }

    fn edge(&self, index: usize) -> [Corner; 2] {
        [
            self.corners[index],
            self.corners[(index + 1) % self.corners.len()],
        ]
    }
}
