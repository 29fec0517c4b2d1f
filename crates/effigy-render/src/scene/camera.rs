//! Directions from which a figure is seen.

use effigy_player::word_enum;

use crate::scene::angle::Angle;
use crate::scene::pose::rotation::Rotation;
use crate::scene::projection::Projection;
use glam::DVec3;

word_enum! {
    #[non_exhaustive]
    /// The direction in which the player of an isometric view looks: to the left or right of the
    /// picture, and toward the viewer or away.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Facing {
        /// Toward the viewer, to the left: the exact mirror image of [`Facing::Right`].
        Left = "left",
        /// Toward the viewer, to the right: the viewer sees the player's front, right side and
        /// top.
        #[default]
        Right = "right",
        /// Away from the viewer, to the left: the viewer sees the player's back, left side and top.
        /// It is [`Facing::Right`] after half a turn of the player.
        BackLeft = "back-left",
        /// Away from the viewer, to the right: the exact mirror image of [`Facing::BackLeft`].
        BackRight = "back-right",
    }
}

/// The widest field of view in degrees.
const MAX_FOV: f64 = 90.0;

/// Half the height in texels of a player who fills the field of view.
const HALF: f64 = 18.0;

/// The direction and the distance from which a figure is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Camera {
    /// The projection of the isometric views, from an upper corner. It enlarges upright lines, so
    /// it isn't truly orthographic.
    Isometric(Facing),
    /// An orthographic projection. The viewer is far away, so parallel edges stay parallel.
    Orthographic {
        /// The direction in which the figure looks: at 0 degrees toward the viewer, at 90 to the
        /// right of the picture, at -90 to the left, at 180 away.
        yaw: Angle,
        /// The height of the viewer, from -90 to 90 degrees: at 0 level with the figure, at 90
        /// above it.
        pitch: Angle,
    },
    /// A perspective projection: nearer parts are larger.
    Perspective {
        /// The direction in which the figure looks, as for [`Camera::Orthographic`].
        yaw: Angle,
        /// The height of the viewer, as for [`Camera::Orthographic`].
        pitch: Angle,
        /// The field of view: the vertical angle that a player of 36 texels fills, up to 90
        /// degrees. If the eye would be too near for the pose, it is moved back.
        fov: Angle,
    },
}

impl Camera {
    /// The camera that shows most of a figure: from a little to its right and a little above,
    /// through a quiet lens.
    pub const DEFAULT: Camera = Camera::perspective(25.0, 16.0, 30.0);

    /// An orthographic projection from these degrees, rounded to tenths. A yaw beyond -180 to 180
    /// is turned back by whole turns, and a pitch beyond -90 to 90 is the nearest of these. NaN is
    /// 0.
    #[must_use]
    pub const fn orthographic(yaw: f64, pitch: f64) -> Camera {
        Camera::Orthographic {
            yaw: Angle::degrees(yaw),
            pitch: Angle::degrees(pitch.clamp(-90.0, 90.0)),
        }
    }

    /// A perspective projection from these degrees, as [`Camera::orthographic`] takes them. A field
    /// of view beyond 0 to 90 is the nearest of these, and with 0 the projection is the
    /// orthographic one.
    #[must_use]
    pub const fn perspective(yaw: f64, pitch: f64, fov: f64) -> Camera {
        let fov = Angle::degrees(fov.clamp(0.0, MAX_FOV));
        match Camera::orthographic(yaw, pitch) {
            Camera::Orthographic { yaw, pitch } if fov.to_degrees() > 0.0 => {
                Camera::Perspective { yaw, pitch, fov }
            }
            orthographic => orthographic,
        }
    }

    /// The yaw, the pitch and the field of view, which is 0 for an orthographic projection. The
    /// isometric camera has no angles.
    #[must_use]
    pub const fn angles(self) -> Option<[Angle; 3]> {
        match self {
            Camera::Isometric(_) => None,
            Camera::Orthographic { yaw, pitch } => Some([yaw, pitch, Angle::ZERO]),
            Camera::Perspective { yaw, pitch, fov } => Some([yaw, pitch, fov]),
        }
    }

    /// Returns the projection with one pixel for a texel. A lens looks at the origin.
    pub(crate) fn projection(self) -> Projection {
        match self {
            Camera::Isometric(facing) => {
                let forward = match facing {
                    Facing::Left | Facing::Right => 1.0,
                    Facing::BackLeft | Facing::BackRight => -1.0,
                };
                let right = DVec3::new(0.9, 0.0, 0.9) * forward;
                let down = DVec3::new(-0.45 * forward, 1.0, 0.45 * forward);
                Projection::new(right, down)
            }
            Camera::Orthographic { yaw, pitch } | Camera::Perspective { yaw, pitch, .. } => {
                let pitch = pitch.to_degrees().clamp(-90.0, 90.0);
                let turned = Rotation::degrees(-pitch, yaw.to_degrees(), 0.0).about([0.0; 3]);
                let mut projection = Projection::new(turned.matrix3.x_axis, turned.matrix3.y_axis);
                if let Camera::Perspective { fov, .. } = self {
                    let fov = Angle::degrees(fov.to_degrees().clamp(0.1, MAX_FOV));
                    let [cosine, sine] = fov.cos_sin();
                    projection.nearness = 1.0 / (HALF * (1.0 + cosine) / sine);
                }
                projection
            }
        }
    }

    /// Returns `true` if the picture is the mirror image of the projection.
    pub(crate) fn is_mirrored(self) -> bool {
        matches!(self, Camera::Isometric(Facing::Left | Facing::BackRight))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The isometric projection is an orthographic one from 45 degrees, stretched in both
    /// directions.
    #[test]
    fn the_isometric_camera_is_a_stretched_orthographic_one() {
        let yaw = 45.0_f64.to_radians();
        let pitch = (0.45 * 2.0_f64.sqrt()).atan();
        let right = DVec3::new(yaw.cos(), 0.0, yaw.sin()) * (0.9 * 2.0_f64.sqrt());
        let down = DVec3::new(
            -yaw.sin() * pitch.sin(),
            pitch.cos(),
            yaw.cos() * pitch.sin(),
        ) * (1.0 / pitch.cos());
        let steps = Camera::Isometric(Facing::Right).projection();
        assert!((steps.right - right).length() < 1e-15, "{steps:?}");
        assert!((steps.down - down).length() < 1e-15, "{steps:?}");
    }

    #[test]
    fn angles_are_turned_back_or_limited() {
        for ([yaw, pitch], [equal_yaw, equal_pitch]) in [
            ([180.1, -90.1], [-179.9, -90.0]),
            ([f64::NAN, f64::NAN], [0.0, 0.0]),
            ([-720.0, f64::INFINITY], [0.0, 90.0]),
        ] {
            let equal = Camera::orthographic(equal_yaw, equal_pitch);
            assert_eq!(Camera::orthographic(yaw, pitch), equal);
        }
    }
}
