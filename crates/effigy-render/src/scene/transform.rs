//! Rotations by the game's angles.

use glam::{DAffine3, DMat3, DVec3};

use crate::scene::angle::Angle;

/// Rotates about a point and then moves by a distance.
pub(crate) fn rotate_about(center: DVec3, rotation: DMat3, distance: DVec3) -> DAffine3 {
    DAffine3 {
        matrix3: rotation,
        translation: center - rotation * center + distance,
    }
}

/// Returns the rotation about `x`, `y` and `z`, in this order, by the game's angles. The game's `z` axis points to the
/// back.
pub(crate) fn rotation(angles: [Angle; 3]) -> DMat3 {
    let [[cos_x, sin_x], [cos_y, sin_y], [cos_z, sin_z]] = angles.map(Angle::cos_sin);
    let rotate = |DVec3 { x, y, z }: DVec3| {
        let (y, z) = (y * cos_x + z * sin_x, z * cos_x - y * sin_x);
        let (x, z) = (x * cos_y - z * sin_y, x * sin_y + z * cos_y);
        DVec3::new(x * cos_z - y * sin_z, x * sin_z + y * cos_z, z)
    };
    DMat3::from_cols(rotate(DVec3::X), rotate(DVec3::Y), rotate(DVec3::Z))
}
