//! Rotations about joints.

use crate::scene::angle::Angle;
use glam::{DAffine3, DMat3, DVec3};

/// The rotation of a part about its joint, as in the `Pose` of an armor stand: degrees about the
/// game's axes `x`, `y` and `z`, applied in this order.
///
/// A positive `x` moves the lower end of a limb to the back, a positive `y` turns the front to the
/// player's right, and a positive `z` moves the lower end to the player's right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rotation {
    /// About the axis from the player's right to its left.
    pub x: Angle,
    /// About the upright axis.
    pub y: Angle,
    /// About the axis from the front to the back.
    pub z: Angle,
}

impl Rotation {
    /// No turn.
    pub const ZERO: Rotation = Rotation::degrees(0.0, 0.0, 0.0);

    /// A rotation by these degrees, as [`Angle::degrees`] takes them.
    #[must_use]
    pub const fn degrees(x: f64, y: f64, z: f64) -> Rotation {
        let [x, y, z] = [Angle::degrees(x), Angle::degrees(y), Angle::degrees(z)];
        Rotation { x, y, z }
    }

    pub(crate) fn mirrored(self) -> Rotation {
        let [x, y, z] = [self.x, self.y, self.z].map(Angle::to_degrees);
        Rotation::degrees(x, -y, -z)
    }

    pub(crate) fn between(self, other: Rotation, share: f64) -> Rotation {
        Rotation {
            x: self.x.between(other.x, share),
            y: self.y.between(other.y, share),
            z: self.z.between(other.z, share),
        }
    }

    /// Returns the rotation about a joint. The game's `z` axis points to the back.
    pub(crate) fn about(self, joint: [f64; 3]) -> DAffine3 {
        let [[cos_x, sin_x], [cos_y, sin_y], [cos_z, sin_z]] =
            [self.x, self.y, self.z].map(Angle::cos_sin);
        let rotate = |DVec3 { x, y, z }: DVec3| {
            let (y, z) = (y * cos_x + z * sin_x, z * cos_x - y * sin_x);
            let (x, z) = (x * cos_y - z * sin_y, x * sin_y + z * cos_y);
            DVec3::new(x * cos_z - y * sin_z, x * sin_z + y * cos_z, z)
        };
        let matrix3 = DMat3::from_cols(rotate(DVec3::X), rotate(DVec3::Y), rotate(DVec3::Z));
        let joint = DVec3::from(joint);
        DAffine3 {
            matrix3,
            translation: joint - matrix3 * joint,
        }
    }
}
