//! Rotations and shifts.

use crate::scene::angle::Angle;
use crate::scene::vec3::Vec3;

/// A rotation and a shift.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Transform {
    /// The directions of the axes after the rotation.
    pub(crate) axes: [Vec3; 3],
    /// The place of the origin.
    shift: Vec3,
}

impl Transform {
    pub(crate) const IDENTITY: Transform = Transform {
        axes: [
            Vec3::new(1.0, 0.0, 0.0),
            Vec3::new(0.0, 1.0, 0.0),
            Vec3::new(0.0, 0.0, 1.0),
        ],
        shift: Vec3::ZERO,
    };

    /// Half a turn about the figure's axis from front to back.
    pub(crate) const UPSIDE_DOWN: Transform = Transform {
        axes: [
            Vec3::new(-1.0, 0.0, 0.0),
            Vec3::new(0.0, -1.0, 0.0),
            Vec3::new(0.0, 0.0, 1.0),
        ],
        shift: Vec3::ZERO,
    };

    /// Rotates about a point and then moves by a distance.
    pub(crate) fn about(center: Vec3, axes: [Vec3; 3], distance: Vec3) -> Transform {
        let rotation = Transform {
            axes,
            shift: Vec3::ZERO,
        };
        Transform {
            shift: center - rotation.direction(center) + distance,
            ..rotation
        }
    }

    /// Returns the axes after rotations about `x`, `y` and `z`, in this order, by the game's angles. The
    /// game's `z` axis points to the back.
    pub(crate) fn axes([x, y, z]: [Angle; 3]) -> [Vec3; 3] {
        let ([cos_x, sin_x], [cos_y, sin_y], [cos_z, sin_z]) =
            (x.cos_sin(), y.cos_sin(), z.cos_sin());
        let rotate = |Vec3 { x, y, z }: Vec3| {
            let (y, z) = (y * cos_x + z * sin_x, z * cos_x - y * sin_x);
            let (x, z) = (x * cos_y - z * sin_y, x * sin_y + z * cos_y);
            Vec3::new(x * cos_z - y * sin_z, x * sin_z + y * cos_z, z)
        };
        Transform::IDENTITY.axes.map(rotate)
    }

    /// Applies `first` and then this transform.
    pub(crate) fn after(&self, first: &Transform) -> Transform {
        Transform {
            axes: first.axes.map(|axis| self.direction(axis)),
            shift: self.point(first.shift),
        }
    }

    pub(crate) fn point(&self, point: Vec3) -> Vec3 {
        self.direction(point) + self.shift
    }

    pub(crate) fn direction(&self, direction: Vec3) -> Vec3 {
        let [x, y, z] = self.axes;
        x * direction.x + y * direction.y + z * direction.z
    }
}
