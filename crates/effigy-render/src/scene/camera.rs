//! Directions from which a figure is seen.

use std::fmt;

use crate::Facing;
use crate::scene::angle::Angle;
use crate::scene::vec3::Vec3;

/// The direction from which a figure is seen. The viewer is far away, so parallel edges stay parallel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Camera {
    /// The projection of the isometric views, from an upper corner. It enlarges upright lines and is no
    /// true orthographic one.
    Isometric(Facing),
    /// An orthographic projection.
    Orthographic {
        /// The direction in which the figure looks: at 0 degrees towards the viewer, at 90 to the right of
        /// the picture, at -90 to the left, at 180 away.
        yaw: Angle,
        /// The height of the viewer, from -90 to 90 degrees: at 0 level with the figure, at 90 above it.
        pitch: Angle,
    },
}

/// The steps on a picture, to the right and down, of a step along each axis of the model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Steps {
    pub(crate) right: Vec3,
    pub(crate) down: Vec3,
}

impl Camera {
    /// The camera that shows most of a figure: from a little to its right and a little above.
    pub const DEFAULT: Camera = Camera::Orthographic {
        yaw: Angle::whole(25),
        pitch: Angle::whole(10),
    };

    /// An orthographic projection from these degrees, rounded to tenths. Returns `None` for a yaw beyond
    /// -180 to 180 or a pitch beyond -90 to 90.
    #[must_use]
    pub fn orthographic(yaw: f64, pitch: f64) -> Option<Camera> {
        let pitch = (-90.0..=90.0).contains(&pitch).then_some(pitch)?;
        Some(Camera::Orthographic {
            yaw: Angle::degrees(yaw)?,
            pitch: Angle::degrees(pitch)?,
        })
    }

    /// Changes the parts of the camera that are given: the way in which the player of an isometric view looks, or
    /// the angles of an orthographic one.
    #[must_use]
    pub fn turned(
        self,
        to_face: Option<Facing>,
        to_yaw: Option<Angle>,
        to_pitch: Option<Angle>,
    ) -> Camera {
        match self {
            Camera::Isometric(facing) => Camera::Isometric(to_face.unwrap_or(facing)),
            Camera::Orthographic { yaw, pitch } => Camera::Orthographic {
                yaw: to_yaw.unwrap_or(yaw),
                pitch: to_pitch.unwrap_or(pitch),
            },
        }
    }

    /// Returns the steps for one texel.
    pub(crate) fn steps(self) -> Steps {
        match self {
            Camera::Isometric(facing) => {
                let forward = if facing.is_away() { -1.0 } else { 1.0 };
                Steps {
                    right: Vec3::new(0.9, 0.0, 0.9) * forward,
                    down: Vec3::new(-0.45 * forward, 1.0, 0.45 * forward),
                }
            }
            Camera::Orthographic { yaw, pitch } => {
                let ([cos_yaw, sin_yaw], [cos_pitch, sin_pitch]) = (yaw.cos_sin(), pitch.cos_sin());
                Steps {
                    right: Vec3::new(cos_yaw, 0.0, sin_yaw),
                    down: Vec3::new(-sin_yaw * sin_pitch, cos_pitch, cos_yaw * sin_pitch),
                }
            }
        }
    }

    /// Returns `true` if the viewer is above the ground.
    pub(crate) fn shows_ground(self) -> bool {
        match self {
            Camera::Isometric(_) => true,
            Camera::Orthographic { pitch, .. } => pitch > Angle::whole(0),
        }
    }

    pub(crate) fn is_isometric(self) -> bool {
        matches!(self, Camera::Isometric(_))
    }

    /// Returns `true` if the picture is the mirror image of the projection.
    pub(crate) fn is_mirrored(self) -> bool {
        matches!(
            self,
            Camera::Isometric(Facing::Left) | Camera::Isometric(Facing::BackRight)
        )
    }
}

/// The direction of an isometric camera, or the angles: `right`, `yaw25pitch10`.
impl fmt::Display for Camera {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Camera::Isometric(facing) => facing.fmt(f),
            Camera::Orthographic { yaw, pitch } => write!(f, "yaw{yaw}pitch{pitch}"),
        }
    }
}

impl Default for Camera {
    fn default() -> Camera {
        Camera::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The isometric projection is an orthographic one from 45 degrees, stretched in both directions.
    #[test]
    fn the_isometric_camera_is_a_stretched_orthographic_one() {
        let yaw = 45.0_f64.to_radians();
        let pitch = (0.45 * 2.0_f64.sqrt()).atan();
        let right = Vec3::new(yaw.cos(), 0.0, yaw.sin()) * (0.9 * 2.0_f64.sqrt());
        let down = Vec3::new(
            -yaw.sin() * pitch.sin(),
            pitch.cos(),
            yaw.cos() * pitch.sin(),
        ) * (1.0 / pitch.cos());
        let steps = Camera::Isometric(Facing::Right).steps();
        assert!((steps.right - right).length() < 1e-15, "{steps:?}");
        assert!((steps.down - down).length() < 1e-15, "{steps:?}");
    }

    #[test]
    fn angles_have_bounds() {
        assert!(Camera::orthographic(-180.0, 90.0).is_some());
        assert!(Camera::orthographic(180.1, 0.0).is_none());
        assert!(Camera::orthographic(0.0, -90.1).is_none());
        assert!(Camera::orthographic(f64::NAN, 0.0).is_none());
        let words =
            [Camera::DEFAULT, Camera::Isometric(Facing::BackLeft)].map(|camera| camera.to_string());
        assert_eq!(words, ["yaw25pitch10", "back-left"]);
    }
}
