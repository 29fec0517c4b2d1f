//! Poses as a designer draws them, by the directions of limbs.

use crate::Pose;
use crate::scene::angle::Angle;
use crate::scene::pose::rotation::Rotation;
use glam::{DMat3, DVec3};

/// A pose as a designer draws it. Directions are to the player's left, down and to the front, and
/// may have any length. Angles are degrees, with the meaning that they have in a [`Pose`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sketch {
    pub(super) head: DVec3,
    pub(super) torso: DVec3,
    pub(super) waist: DVec3,
    pub(super) body: DVec3,
    pub(super) right_arm: LimbDirections,
    pub(super) left_arm: LimbDirections,
    pub(super) right_leg: LimbDirections,
    pub(super) left_leg: LimbDirections,
    pub(super) cape: f64,
    pub(super) gaze: f64,
    pub(super) is_lowered: bool,
    /// The yaw and the pitch from which the pose is seen best.
    pub(super) camera: [f64; 2],
}

/// The directions of the halves of a limb.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LimbDirections {
    pub(super) upper: DVec3,
    pub(super) lower: DVec3,
}

/// The joints of a limb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Joints {
    rotation: Rotation,
    bend: Angle,
}

/// The least bend in degrees with which the lower half decides how a limb turns about its own
/// length. With less, the limb would roll at the slightest change.
const LEAST_DECISIVE_BEND: f64 = 10.0;

/// The limb whose halves point to these directions.
pub(super) const fn limb(upper: [f64; 3], lower: [f64; 3]) -> LimbDirections {
    LimbDirections {
        upper: DVec3::from_array(upper),
        lower: DVec3::from_array(lower),
    }
}

/// The limb that points to this direction without a bend.
pub(super) const fn straight(direction: [f64; 3]) -> LimbDirections {
    limb(direction, direction)
}

/// Angles about the axes `x`, `y` and `z`.
pub(super) const fn turn(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

impl Sketch {
    /// Returns the pose.
    pub(super) fn pose(&self) -> Pose {
        let right_arm = self.right_arm.joints(1.0);
        let left_arm = self.left_arm.joints(1.0);
        let right_leg = self.right_leg.joints(-1.0);
        let left_leg = self.left_leg.joints(-1.0);
        Pose {
            head: rotation(self.head),
            gaze: Angle::degrees(self.gaze),
            torso: rotation(self.torso),
            waist: rotation(self.waist),
            right_arm: right_arm.rotation,
            left_arm: left_arm.rotation,
            right_leg: right_leg.rotation,
            left_leg: left_leg.rotation,
            right_elbow: right_arm.bend,
            left_elbow: left_arm.bend,
            right_knee: right_leg.bend,
            left_knee: left_leg.bend,
            body: rotation(self.body),
            cape: Angle::degrees(self.cape),
            lowered: self.is_lowered,
        }
    }

    /// Returns the sketch in a mirror: the left and the right limbs change places.
    pub(super) const fn mirrored(self) -> Sketch {
        Sketch {
            head: mirrored(self.head),
            torso: mirrored(self.torso),
            waist: mirrored(self.waist),
            body: mirrored(self.body),
            right_arm: self.left_arm.mirrored(),
            left_arm: self.right_arm.mirrored(),
            right_leg: self.left_leg.mirrored(),
            left_leg: self.right_leg.mirrored(),
            ..self
        }
    }

    /// Returns the sketch at a share of the way to another one. Limbs move from direction to
    /// direction by the shortest way.
    pub(super) fn toward(self, other: Sketch, share: f64) -> Sketch {
        Sketch {
            head: self.head.lerp(other.head, share),
            torso: self.torso.lerp(other.torso, share),
            waist: self.waist.lerp(other.waist, share),
            body: self.body.lerp(other.body, share),
            right_arm: self.right_arm.toward(other.right_arm, share),
            left_arm: self.left_arm.toward(other.left_arm, share),
            right_leg: self.right_leg.toward(other.right_leg, share),
            left_leg: self.left_leg.toward(other.left_leg, share),
            cape: self.cape + (other.cape - self.cape) * share,
            ..self
        }
    }
}

impl LimbDirections {
    pub(super) const fn mirrored(self) -> LimbDirections {
        LimbDirections {
            upper: DVec3::new(-self.upper.x, self.upper.y, self.upper.z),
            lower: DVec3::new(-self.lower.x, self.lower.y, self.lower.z),
        }
    }

    /// Returns the limb at a share of the way to another one.
    pub(super) fn toward(self, other: LimbDirections, share: f64) -> LimbDirections {
        LimbDirections {
            upper: self.upper.normalize().lerp(other.upper.normalize(), share),
            lower: self.lower.normalize().lerp(other.lower.normalize(), share),
        }
    }

    /// Returns the joints of a limb. `forward` is 1 for an arm, which bends to the front, and -1
    /// for a leg, which bends to the back.
    fn joints(self, forward: f64) -> Joints {
        let down = self.upper.normalize();
        let lower = self.lower.normalize();
        let along = down.dot(lower);
        let aside = lower - down * along;
        let bend = Angle::of(along, aside.length());
        let matrix = if bend.to_degrees() < LEAST_DECISIVE_BEND {
            shortest_turn(down)
        } else {
            let front = aside.normalize() * forward;
            DMat3::from_cols(down.cross(front), down, front)
        };
        Joints {
            rotation: rotation_of(matrix),
            bend,
        }
    }
}

/// Returns the shortest turn of a limb that hangs straight down into a direction.
fn shortest_turn(direction: DVec3) -> DMat3 {
    let DVec3 { x, y, z } = direction;
    let share = 1.0 / (1.0 + y);
    if !share.is_finite() {
        // Straight up: half a turn to the front.
        return DMat3::from_cols(DVec3::X, DVec3::NEG_Y, DVec3::NEG_Z);
    }
    DMat3::from_cols(
        DVec3::new(1.0 - x * x * share, -x, -x * z * share),
        direction,
        DVec3::new(-x * z * share, -z, 1.0 - z * z * share),
    )
}

/// Returns the rotation that moves the axes of a limb into the columns of a matrix: the inverse of
/// [`Rotation::about`]. The first column is `(cos y cos z, cos y sin z, sin y)`. The last row is
/// `(sin y, -sin x cos y, cos x cos y)`.
fn rotation_of(matrix: DMat3) -> Rotation {
    let side = matrix.x_axis;
    let level = (side.x * side.x + side.y * side.y).sqrt();
    if level < 1e-6 {
        // The side points to the front or to the back: x and z turn about one axis.
        return Rotation {
            x: Angle::of(matrix.y_axis.y, matrix.y_axis.x * side.z),
            y: Angle::degrees(90.0 * side.z),
            z: Angle::ZERO,
        };
    }
    Rotation {
        x: Angle::of(matrix.z_axis.z, -matrix.y_axis.z),
        y: Angle::of(level, side.z),
        z: Angle::of(side.x, side.y),
    }
}

/// Returns the angles in a mirror.
const fn mirrored(angles: DVec3) -> DVec3 {
    DVec3::new(angles.x, -angles.y, -angles.z)
}

fn rotation(degrees: DVec3) -> Rotation {
    Rotation::degrees(degrees.x, degrees.y, degrees.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the directions of the halves of a limb with these joints.
    fn directions(joints: Joints, forward: f64) -> LimbDirections {
        let turned = joints.rotation.about([0.0; 3]).matrix3;
        let [cosine, sine] = joints.bend.cos_sin();
        LimbDirections {
            upper: turned.y_axis,
            lower: turned * DVec3::new(0.0, cosine, sine * forward),
        }
    }

    #[test]
    fn limbs_point_to_their_directions() {
        let numbers = [-1.0, -0.3, 0.0, 0.7];
        let mut all = Vec::new();
        for x in numbers {
            for y in numbers {
                all.extend(numbers.map(|z| DVec3::new(x, y, z)));
            }
        }
        all.retain(|direction| *direction != DVec3::ZERO);
        for &upper in &all {
            for &lower in &all {
                // No limb folds back onto itself, and the side to which it would fold is unknown.
                if upper.normalize().dot(lower.normalize()) < -0.99 {
                    continue;
                }
                let limb = LimbDirections { upper, lower };
                for forward in [1.0, -1.0] {
                    let joints = limb.joints(forward);
                    let found = directions(joints, forward);
                    let upper_error = (found.upper - upper.normalize()).length();
                    let lower_error = (found.lower - lower.normalize()).length();
                    assert!(upper_error < 0.003, "{upper} {lower}: {joints:?}");
                    // The side to which a limb bends a little is not its own.
                    if joints.bend.to_degrees() >= LEAST_DECISIVE_BEND {
                        assert!(lower_error < 0.004, "{upper} {lower}: {joints:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn joints_are_known_for_two_drawn_limbs() {
        let arm = limb([-0.85, -0.35, 0.15], [-0.1, -1.0, 0.1]).joints(1.0);
        assert_eq!(arm.bend.to_degrees().round(), 61.0);
        let rotation = arm.rotation;
        let degrees = [rotation.x, rotation.y, rotation.z].map(|angle| angle.to_degrees().round());
        assert_eq!(degrees, [-81.0, 81.0, 31.0]);
        let leg = limb([0.0, 0.2, 1.0], [0.0, 1.0, 0.12]).joints(-1.0);
        assert_eq!(leg.rotation.x.to_degrees().round(), -79.0);
        assert_eq!(leg.bend.to_degrees().round(), 72.0);
    }

    #[test]
    fn a_limb_without_a_bend_does_not_roll() {
        let arm = straight([-0.1, 0.12, 1.0]).joints(1.0);
        let degrees = arm.rotation.x.to_degrees().round();
        assert_eq!(degrees, -83.0);
        assert_eq!(arm.bend, Angle::ZERO);
        let up = straight([0.0, -1.0, 0.0]).joints(1.0);
        assert_eq!(directions(up, 1.0).upper.round(), DVec3::NEG_Y);
    }
}
