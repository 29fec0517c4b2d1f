//! The viewer of a scene.

use glam::DVec3;

/// The position of the viewer, who may be far away. Points are weighted with their distance from the eye: a point
/// that is twice as far as the target has a weight of 2, and is half as large. From far away all weights are 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Viewer {
    /// The direction of the viewer, of length 1.
    pub(crate) toward: DVec3,
    /// The point at which the viewer looks.
    pub(crate) target: DVec3,
    /// The inverse of the distance of the eye from the target in texels.
    pub(crate) nearness: f64,
}

impl Viewer {
    /// A viewer in this direction who is so far away that parallels stay parallel.
    pub(crate) fn far(toward: DVec3) -> Viewer {
        Viewer {
            toward,
            target: DVec3::ZERO,
            nearness: 0.0,
        }
    }

    /// Returns the weight of a point, which is positive in front of the eye.
    pub(crate) fn weight(&self, point: DVec3) -> f64 {
        1.0 + self.drift(point - self.target)
    }

    /// Returns the change of the weight for a movement.
    pub(crate) fn drift(&self, movement: DVec3) -> f64 {
        -(self.toward.dot(movement) * self.nearness)
    }

    /// Returns the direction from a point to the eye, of length 1 at the target.
    pub(crate) fn toward_from(&self, point: DVec3) -> DVec3 {
        self.toward - (point - self.target) * self.nearness
    }

    /// Returns a number that is greater for points that are nearer to the eye.
    pub(crate) fn closeness(&self, point: DVec3) -> f64 {
        let movement = point - self.target;
        self.toward.dot(movement) - movement.length_squared() * self.nearness / 2.0
    }
}
