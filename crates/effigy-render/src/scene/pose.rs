//! Positions of the limbs.

use effigy_player::word_enum;

use crate::model::Part;
use crate::scene::angle::Angle;
use crate::scene::transform;
use glam::{DAffine3, DVec3};

/// The rotation of a part about its joint, as in the `Pose` of an armor stand: degrees about the game's
/// axes `x`, `y` and `z`, applied in this order.
///
/// A positive `x` moves the lower end of a limb to the back, a positive `y` turns the front to the player's
/// right, and a positive `z` moves the lower end to the player's right.
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

/// The positions of all parts of a figure.
///
/// Parts turn about the game's joints: the head and the torso about the neck, the arms about the shoulders,
/// the legs about the hips. Sides are the player's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Pose {
    /// The head, with its ears.
    pub head: Rotation,
    /// The torso, with the cape. The other parts do not follow it.
    pub torso: Rotation,
    /// The right arm.
    pub right_arm: Rotation,
    /// The left arm.
    pub left_arm: Rotation,
    /// The right leg.
    pub right_leg: Rotation,
    /// The left leg.
    pub left_leg: Rotation,
    /// Moves the upper parts down and the legs back, as the game does when a player crouches.
    pub is_lowered: bool,
}

word_enum! {
    #[non_exhaustive]
    /// A pose with a name.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum NamedPose {
        /// Upright, with the limbs down.
        #[default]
        Stand = "stand",
        /// In the middle of a step.
        Walk = "walk",
        /// In the middle of a long step.
        Run = "run",
        /// With the right arm raised to the side.
        Wave = "wave",
        /// With the legs forward, as the game shows a rider.
        Sit = "sit",
        /// Bent forward, as the game shows a sneaking player.
        Crouch = "crouch",
        /// With the right arm forward.
        Point = "point",
        /// With both arms raised.
        Cheer = "cheer",
    }
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

    fn mirrored(self) -> Rotation {
        let [x, y, z] = [self.x, self.y, self.z].map(Angle::to_degrees);
        Rotation::degrees(x, -y, -z)
    }

    fn between(self, other: Rotation, share: f64) -> Rotation {
        Rotation {
            x: self.x.between(other.x, share),
            y: self.y.between(other.y, share),
            z: self.z.between(other.z, share),
        }
    }
}

impl Pose {
    /// Upright, with the limbs down.
    pub const STAND: Pose = Pose::of([Rotation::ZERO; 6], false);

    /// The pose at a share of the way from one to another: 0 is the first, 1 the second, and what is beyond goes on.
    /// Every angle changes evenly. From the middle on the pose is lowered if the second one is.
    #[must_use]
    pub fn between(from: impl Into<Pose>, to: impl Into<Pose>, share: f64) -> Pose {
        let (from, to): (Pose, Pose) = (from.into(), to.into());
        let [first, last] = [from, to].map(Pose::rotations);
        let rotations = [0, 1, 2, 3, 4, 5].map(|part| first[part].between(last[part], share));
        let is_lowered = if share < 0.5 { from } else { to }.is_lowered;
        Pose::of(rotations, is_lowered)
    }

    /// The pose in a mirror: the right limbs do what the left ones did.
    #[must_use]
    pub fn mirrored(self) -> Pose {
        let [head, torso, right_arm, left_arm, right_leg, left_leg] =
            self.rotations().map(Rotation::mirrored);
        let rotations = [head, torso, left_arm, right_arm, left_leg, right_leg];
        Pose::of(rotations, self.is_lowered)
    }

    /// The pose with the rotations of head, torso, right and left arm, right and left leg.
    const fn of(rotations: [Rotation; 6], is_lowered: bool) -> Pose {
        let [head, torso, right_arm, left_arm, right_leg, left_leg] = rotations;
        Pose {
            head,
            torso,
            right_arm,
            left_arm,
            right_leg,
            left_leg,
            is_lowered,
        }
    }

    /// The rotations, in the order of [`Pose::of`].
    fn rotations(self) -> [Rotation; 6] {
        [
            self.head,
            self.torso,
            self.right_arm,
            self.left_arm,
            self.right_leg,
            self.left_leg,
        ]
    }

    /// Returns `true` if one leg is in front of the other.
    pub(crate) fn is_step(self) -> bool {
        self.right_leg.x != self.left_leg.x
    }

    /// Returns the movement of a part.
    pub(crate) fn transform(&self, part: Part) -> DAffine3 {
        let turned = |Rotation { x, y, z }| transform::rotation([x, y, z]);
        let (rotation, joint, lowered) = match part {
            // Hung from the shoulders behind the torso, its front to the back, and turned by 6 degrees.
            Part::Cape => {
                let shoulders = DVec3::new(0.0, 8.0, -2.0);
                let rotation = turned(Rotation::degrees(-6.0, 180.0, 0.0));
                let hung = transform::rotate_about(shoulders, rotation, DVec3::ZERO);
                return self.transform(Part::Torso) * hung;
            }
            Part::Head | Part::RightEar | Part::LeftEar => {
                (self.head, [0.0, 8.0, 0.0], [0.0, 4.2, 0.0])
            }
            Part::Torso => (self.torso, [0.0, 8.0, 0.0], [0.0, 3.2, 0.0]),
            Part::RightArm => (self.right_arm, [-5.0, 10.0, 0.0], [0.0, 3.2, 0.0]),
            Part::LeftArm => (self.left_arm, [5.0, 10.0, 0.0], [0.0, 3.2, 0.0]),
            Part::RightLeg => (self.right_leg, [-2.0, 20.0, 0.0], [0.0, 0.2, -4.0]),
            Part::LeftLeg => (self.left_leg, [2.0, 20.0, 0.0], [0.0, 0.2, -4.0]),
        };
        let [joint, lowered] = [joint, lowered].map(DVec3::from_array);
        let distance = if self.is_lowered {
            lowered
        } else {
            DVec3::ZERO
        };
        transform::rotate_about(joint, turned(rotation), distance)
    }
}

impl From<NamedPose> for Pose {
    fn from(name: NamedPose) -> Pose {
        const NONE: Rotation = Rotation::ZERO;
        let turn = |x: i16, y: i16, z: i16| Rotation::degrees(x.into(), y.into(), z.into());
        let (x, z) = (|degrees| turn(degrees, 0, 0), |degrees| turn(0, 0, degrees));
        // Head, torso, right and left arm, right and left leg.
        let rotations = match name {
            NamedPose::Stand => [NONE; 6],
            NamedPose::Walk => [NONE, NONE, x(-28), x(28), x(28), x(-28)],
            NamedPose::Run => [NONE, NONE, x(-60), x(60), x(50), x(-50)],
            NamedPose::Wave => [z(-5), NONE, z(145), z(-8), NONE, NONE],
            // The game: arms forward by a tenth of a turn; legs by 1.41 radians, apart by a twentieth of a turn.
            NamedPose::Sit => {
                let [right_leg, left_leg] = [turn(-81, 18, 5), turn(-81, -18, -5)];
                [NONE, NONE, x(-36), x(-36), right_leg, left_leg]
            }
            // The game: the torso forward by half a radian, the arms by 0.4.
            NamedPose::Crouch => [NONE, x(29), x(23), x(23), NONE, NONE],
            NamedPose::Point => [turn(0, 10, 0), NONE, turn(-92, 10, 0), z(-6), NONE, NONE],
            NamedPose::Cheer => [x(-10), NONE, z(152), z(-152), z(6), z(-6)],
        };
        Pose::of(rotations, name == NamedPose::Crouch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(pose: impl Into<Pose>, part: Part, [x, y, z]: [f64; 3]) -> [i32; 3] {
        let DVec3 { x, y, z } = pose
            .into()
            .transform(part)
            .transform_point3(DVec3::new(x, y, z));
        #[expect(clippy::cast_possible_truncation, reason = "a point of a figure")]
        [x, y, z].map(|at| at.round() as i32)
    }

    #[test]
    fn limbs_turn_as_in_the_game() {
        let foot = [-2.0, 32.0, 0.0];
        assert_eq!(moved(NamedPose::Stand, Part::RightLeg, foot), [-2, 32, 0]);
        // A rider's feet are in front of it, far from one another.
        assert_eq!(moved(NamedPose::Sit, Part::RightLeg, foot), [-6, 22, 11]);
        let hand = [-6.0, 20.0, 0.0];
        assert_eq!(moved(NamedPose::Point, Part::RightArm, hand), [-8, 10, 10]);
        let raised = moved(NamedPose::Cheer, Part::RightArm, hand);
        assert!(raised[1] < 2, "{raised:?}");
        // The lower end of a cape is behind the player.
        assert_eq!(
            moved(NamedPose::Stand, Part::Cape, [0.0, 24.0, -2.0]),
            [0, 24, -4]
        );
    }

    #[test]
    fn poses_have_poses_between_them() {
        let half = Pose::between(NamedPose::Stand, NamedPose::Walk, 0.5);
        assert_eq!(half.right_arm, Rotation::degrees(-14.0, 0.0, 0.0));
        assert_eq!(half.left_leg.x.to_degrees(), -14.0);
        for (share, pose) in [(0.0, NamedPose::Sit), (1.0, NamedPose::Crouch)] {
            let between = Pose::between(NamedPose::Sit, NamedPose::Crouch, share);
            assert_eq!(between, pose.into());
        }
        let beyond = Pose::between(NamedPose::Walk, NamedPose::Run, 2.0);
        assert_eq!(beyond.left_arm, Rotation::degrees(92.0, 0.0, 0.0));
    }
}
