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
        Rotation {
            x: Angle::degrees(x),
            y: Angle::degrees(y),
            z: Angle::degrees(z),
        }
    }

    pub(crate) fn mirrored(self) -> Rotation {
        Rotation::degrees(
            self.x.to_degrees(),
            -self.y.to_degrees(),
            -self.z.to_degrees(),
        )
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
        let [cos_x, sin_x] = self.x.cos_sin();
        let [cos_y, sin_y] = self.y.cos_sin();
        let [cos_z, sin_z] = self.z.cos_sin();
        let rotated = |axis: DVec3| {
            let about_x = DVec3::new(
                axis.x,
                axis.y * cos_x + axis.z * sin_x,
                axis.z * cos_x - axis.y * sin_x,
            );
            let about_y = DVec3::new(
                about_x.x * cos_y - about_x.z * sin_y,
                about_x.y,
                about_x.x * sin_y + about_x.z * cos_y,
            );
            DVec3::new(
                about_y.x * cos_z - about_y.y * sin_z,
                about_y.x * sin_z + about_y.y * cos_z,
                about_y.z,
            )
        };
        let matrix3 = DMat3::from_cols(rotated(DVec3::X), rotated(DVec3::Y), rotated(DVec3::Z));
        let joint = DVec3::from(joint);
        DAffine3 {
            matrix3,
            translation: joint - matrix3 * joint,
        }
    }
}
