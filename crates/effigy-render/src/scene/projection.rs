//! From the model to the picture.

use crate::scene::geometry::{Line, Plane};
use glam::{DVec2, DVec3};

/// Maps points of the model to a picture for a viewer, who may be far away. The weight of a point
/// is its depth along the direction of sight, in units of the target's distance from the eye: a
/// point twice as deep as the target has a weight of 2, and is drawn half as large. From far away,
/// all weights are 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Projection {
    /// The numbers of pixels to the right for a step along each axis of the model from the target.
    pub(crate) right: DVec3,
    /// The numbers of pixels down.
    pub(crate) down: DVec3,
    /// The direction of the viewer, of length 1.
    pub(crate) toward: DVec3,
    /// The point at which the viewer looks.
    pub(crate) target: DVec3,
    /// The inverse of the distance of the eye from the target in texels.
    pub(crate) nearness: f64,
    /// The place of the target.
    origin: DVec2,
}

impl Projection {
    /// Creates a projection for a viewer far away, in which a step along the model's axes moves a
    /// point to the right and down by these numbers of pixels.
    pub(crate) fn new(right: DVec3, down: DVec3) -> Projection {
        Projection {
            right,
            down,
            toward: right.cross(down).normalize(),
            target: DVec3::ZERO,
            nearness: 0.0,
            origin: DVec2::ZERO,
        }
    }

    /// Enlarges the picture by these factors, across and down.
    pub(crate) fn scaled(mut self, factors: DVec2) -> Projection {
        self.right *= factors.x;
        self.down *= factors.y;
        self.toward = self.right.cross(self.down).normalize();
        self
    }

    /// Enlarges the picture with all distances from its top left corner.
    pub(crate) fn zoomed(mut self, factor: f64) -> Projection {
        self.right *= factor;
        self.down *= factor;
        self.origin *= factor;
        self
    }

    /// Moves all points by these pixels, to the right and down.
    pub(crate) fn moved(mut self, distance: DVec2) -> Projection {
        self.origin += distance;
        self
    }

    /// Moves the middle of the points to the middle of a picture of this width and height.
    pub(crate) fn centered(self, points: &[DVec3], picture: DVec2) -> Projection {
        let [min, max] = self.bounds(points);
        self.moved((picture - min - max) / 2.0)
    }

    /// Moves points inside a picture of this width and height, along these axes and by the shortest
    /// way.
    pub(crate) fn moved_inside(self, axes: DVec2, points: &[DVec3], picture: DVec2) -> Projection {
        let [min, max] = self.bounds(points);
        let distance = (picture - max).min(DVec2::ZERO) + (-min).max(DVec2::ZERO);
        self.moved(distance * axes)
    }

    /// Returns the factor, at most 1, by which points have to become smaller to fit into a picture
    /// of this width and height.
    pub(crate) fn share_that_fits(&self, points: &[DVec3], picture: DVec2) -> f64 {
        let [min, max] = self.bounds(points);
        (picture / (max - min)).min_element().min(1.0)
    }

    /// Returns the least and the greatest positions of points along both axes of the picture.
    pub(crate) fn bounds(&self, points: &[DVec3]) -> [DVec2; 2] {
        let positions = points.iter().map(|&point| self.point(point));
        positions.fold([DVec2::MAX, DVec2::MIN], |[min, max], position| {
            [min.min(position), max.max(position)]
        })
    }

    /// Returns a point of a visible line that lies in front of the eye, and not too near.
    pub(crate) fn point_before_eye(&self, line: Line) -> DVec3 {
        /// A lower weight than any point of a figure has.
        const LOW: f64 = 0.1;
        let weight = self.weight(line.anchor);
        if weight > LOW {
            return line.anchor;
        }
        line.anchor + line.direction * ((1.0 - weight) / self.drift(line.direction))
    }

    /// Returns the position of a point in pixels.
    pub(crate) fn point(&self, point: DVec3) -> DVec2 {
        self.place_of(point) + self.origin
    }

    /// Returns the movement on the picture, times the weight of a point, for a movement of the
    /// point in the model.
    pub(crate) fn direction(&self, point: DVec3, direction: DVec3) -> DVec2 {
        self.flat(direction) - self.place_of(point) * self.drift(direction)
    }

    /// Returns the position of a point relative to the target's.
    fn place_of(&self, point: DVec3) -> DVec2 {
        self.flat(point - self.target) / self.weight(point)
    }

    /// Returns the movement on the picture for a movement in the plane of the target.
    fn flat(&self, movement: DVec3) -> DVec2 {
        DVec2::new(self.right.dot(movement), self.down.dot(movement))
    }

    /// Returns the weight of a point, which is positive in front of the eye.
    pub(crate) fn weight(&self, point: DVec3) -> f64 {
        1.0 + self.drift(point - self.target)
    }

    /// Returns the change of the weight for a movement.
    pub(crate) fn drift(&self, movement: DVec3) -> f64 {
        -(self.toward.dot(movement) * self.nearness)
    }

    /// Returns a number that is positive if the viewer is in front of a plane, and negative if the
    /// viewer is behind it. From far away, it is a sine.
    pub(crate) fn facing(&self, plane: Plane) -> f64 {
        plane.normal().dot(self.toward) + plane.distance(self.target) * self.nearness
    }

    /// Returns a number that is greater for points nearer to the eye. From far away, of equally
    /// near points, it is greater for points nearer to the target.
    ///
    /// With a movement `m` from the target and an eye in the direction `t` at the distance `d`, the
    /// square of the distance from the eye is `m² - 2 d (t m) + d²`. This is `(d² - square) / 2d`,
    /// which stays finite if the eye is far away.
    pub(crate) fn closeness(&self, point: DVec3) -> f64 {
        let movement = point - self.target;
        /// Decides between equally near points from far away, and nothing else.
        const FAR_AWAY: f64 = 1e-9;
        let nearness = self.nearness.max(FAR_AWAY);
        self.toward.dot(movement) - movement.length_squared() * nearness / 2.0
    }
}
