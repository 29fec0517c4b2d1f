//! From the model to the picture.

use crate::scene::range::range;
use glam::DVec3;

/// Maps points of the model to a picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Projection {
    /// The numbers of pixels to the right and down, of a step along each axis of the model.
    pub(crate) right: DVec3,
    pub(crate) down: DVec3,
    /// The direction of the viewer, of length 1.
    pub(crate) toward: DVec3,
    origin: [f64; 2],
}

impl Projection {
    /// Creates a projection in which a step along the model's axes moves a point to the right and down by
    /// these numbers of pixels.
    pub(crate) fn new(right: DVec3, down: DVec3) -> Projection {
        Projection {
            right,
            down,
            toward: right.cross(down).normalize(),
            origin: [0.0; 2],
        }
    }

    /// Enlarges the picture by these factors, across and down.
    pub(crate) fn scaled(self, [across, down]: [f64; 2]) -> Projection {
        Projection::new(self.right * across, self.down * down)
    }

    /// Moves the middle of the points to the middle of a picture of this width and height.
    pub(crate) fn centered(self, points: &[DVec3], picture: [f64; 2]) -> Projection {
        let middle = |axis: usize| {
            let [min, max] = self.range(axis, points);
            (picture[axis] - min - max) / 2.0
        };
        self.moved([middle(0), middle(1)])
    }

    /// Moves points along an axis of a picture of this width and height, as little as puts them inside.
    pub(crate) fn moved_inside(
        mut self,
        axis: usize,
        points: &[DVec3],
        picture: [f64; 2],
    ) -> Projection {
        let [min, max] = self.range(axis, points);
        self.origin[axis] += (picture[axis] - max).min(0.0) + (-min).max(0.0);
        self
    }

    /// Moves all points by these pixels.
    pub(crate) fn moved(mut self, [right, down]: [f64; 2]) -> Projection {
        self.origin[0] += right;
        self.origin[1] += down;
        self
    }

    /// Returns the share of their size, at most 1, at which points fit into a picture of this width and height.
    pub(crate) fn share_that_fits(&self, points: &[DVec3], picture: [f64; 2]) -> f64 {
        [0, 1].into_iter().fold(1.0, |share, axis| {
            let [min, max] = self.range(axis, points);
            share.min(picture[axis] / (max - min))
        })
    }

    /// Returns the least and the greatest position of points along an axis of the picture.
    pub(crate) fn range(&self, axis: usize, points: &[DVec3]) -> [f64; 2] {
        range(points.iter().map(|&point| self.point(point)[axis]))
    }

    /// Moves a point to a position in pixels.
    pub(crate) fn with_point_at(self, point: DVec3, position: [f64; 2]) -> Projection {
        let at = self.point(point);
        self.moved([0, 1].map(|axis| position[axis] - at[axis]))
    }

    /// Returns the position of a point in pixels.
    pub(crate) fn point(&self, point: DVec3) -> [f64; 2] {
        let [x, y] = self.direction(point);
        [x + self.origin[0], y + self.origin[1]]
    }

    /// Returns the movement on the picture for one in the model.
    pub(crate) fn direction(&self, direction: DVec3) -> [f64; 2] {
        [self.right.dot(direction), self.down.dot(direction)]
    }
}
