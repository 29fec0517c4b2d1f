//! Positions of the limbs.

use effigy_player::word_enum;

use crate::model::Part;
use crate::scene::angle::Angle;
use glam::{DAffine3, DMat3, DVec3};

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
/// the legs about the hips. An arm that is raised beside the head moves off it. Sides are the player's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[non_exhaustive]
pub struct Pose {
    /// The head, with its ears.
    pub head: Rotation,
    /// The greatest turn of the head toward the viewer, which adds to its own. It is reached when the viewer is at 45
    /// degrees, and becomes 0 where the viewer no longer sees the face. The cube has none.
    pub gaze: Angle,
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
    /// The whole figure, about the middle of the hips. A positive `x` leans forward.
    pub body: Rotation,
    /// The angle between the cape and the back. Elytra follow it: they hang at 15 degrees when a cape hangs at 8, and
    /// higher while the player sits.
    pub cape: Angle,
    /// Moves the upper parts down and the legs back, as the game does when a player crouches.
    pub is_lowered: bool,
}

word_enum! {
    #[non_exhaustive]
    /// A pose with a name.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum NamedPose {
        /// At ease: feet apart, the arms off the body, and the head toward the viewer.
        #[default]
        Stand = "stand",
        /// As [`NamedPose::Stand`], with a glance to the side in between when it moves.
        Idle = "idle",
        /// Upright, with the limbs straight down.
        Straight = "straight",
        /// In the middle of a step.
        Walk = "walk",
        /// In the middle of a long step, leaning forward.
        Run = "run",
        /// With the right hand raised next to the head.
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

impl Pose {
    /// Upright, with the limbs straight down.
    pub const STRAIGHT: Pose = Pose::named(NamedPose::Straight);

    /// At ease: feet apart, the arms off the body, and the head toward the viewer.
    pub const STAND: Pose = Pose::named(NamedPose::Stand);

    /// The pose at a share of the way from one to another: 0 is the first, 1 the second, and what is beyond goes on.
    /// Every angle changes evenly. From the middle on the pose is lowered if the second one is.
    #[must_use]
    pub fn between(from: impl Into<Pose>, to: impl Into<Pose>, share: f64) -> Pose {
        let (mut from, mut pose): (Pose, Pose) = (from.into(), to.into());
        for (from, to) in from.rotations_mut().into_iter().zip(pose.rotations_mut()) {
            *to = from.between(*to, share);
        }
        pose.gaze = from.gaze.between(pose.gaze, share);
        pose.cape = from.cape.between(pose.cape, share);
        pose.is_lowered = if share < 0.5 { from } else { pose }.is_lowered;
        pose
    }

    /// The pose in a mirror: the right limbs do what the left ones did.
    #[must_use]
    pub fn mirrored(mut self) -> Pose {
        for rotation in self.rotations_mut() {
            *rotation = rotation.mirrored();
        }
        std::mem::swap(&mut self.right_arm, &mut self.left_arm);
        std::mem::swap(&mut self.right_leg, &mut self.left_leg);
        self
    }

    /// Returns the pose of a name.
    const fn named(name: NamedPose) -> Pose {
        const NONE: Rotation = Rotation::ZERO;
        const fn turn(x: i16, y: i16, z: i16) -> Rotation {
            Rotation::degrees(x as f64, y as f64, z as f64)
        }
        // Head, torso, right and left arm, right and left leg, the whole, the angle of the cape, and the gaze. Who walks has the
        // far leg in front, seen from the default side, so that both are seen.
        #[rustfmt::skip]
        let ([head, torso, right_arm, left_arm, right_leg, left_leg, body], cape, gaze) = match name {
            NamedPose::Stand | NamedPose::Idle => ([NONE, NONE, turn(-4, 0, 8), turn(4, 0, -8), turn(3, 0, 4), turn(-3, 0, -4), NONE], 8.0, 12.0),
            NamedPose::Straight => ([NONE; 7], 6.0, 0.0),
            NamedPose::Walk => ([NONE, NONE, turn(-24, 0, 6), turn(24, 0, -6), turn(26, 0, 1), turn(-26, 0, -1), NONE], 22.0, 12.0),
            NamedPose::Run => ([turn(-10, 0, 0), NONE, turn(-62, -8, 6), turn(48, 0, -10), turn(42, 0, 0), turn(-52, 0, 0), turn(12, 0, 0)], 42.0, 12.0),
            NamedPose::Wave => ([turn(0, 0, -6), NONE, turn(-6, 0, 142), turn(4, 0, -10), turn(2, 0, 4), turn(-2, 0, -4), NONE], 8.0, 12.0),
            // The game: legs by 1.41 radians, apart by a twentieth of a turn; the arms by a tenth of a turn, which is into the legs.
            NamedPose::Sit => ([turn(4, 0, 0), NONE, turn(-45, 0, 4), turn(-45, 0, -4), turn(-81, 18, 5), turn(-81, -18, -5), NONE], 23.0, 12.0),
            // The game: the torso forward by half a radian, the arms by 0.4.
            NamedPose::Crouch => ([NONE, turn(29, 0, 0), turn(23, 0, 0), turn(23, 0, 0), NONE, NONE, NONE], 6.0, 12.0),
            NamedPose::Point => ([turn(0, 22, 0), NONE, turn(-8, 0, 84), turn(6, 0, -10), turn(-6, 0, 4), turn(6, 0, -4), NONE], 8.0, 0.0),
            NamedPose::Cheer => ([turn(8, 0, 0), NONE, turn(-5, 0, 145), turn(-5, 0, -145), turn(4, 0, 8), turn(-4, 0, -8), NONE], 12.0, 12.0),
        };
        Pose {
            head,
            gaze: Angle::degrees(gaze),
            torso,
            right_arm,
            left_arm,
            right_leg,
            left_leg,
            body,
            cape: Angle::degrees(cape),
            is_lowered: matches!(name, NamedPose::Crouch),
        }
    }

    /// Returns the pose with the head turned toward a viewer, whose yaw is given as a cosine and a sine.
    pub(crate) fn looking_at(self, [cos_yaw, sin_yaw]: [f64; 2]) -> Pose {
        // A body that is turned is a viewer who has gone around it the other way.
        let [cos, sin] = self.body.y.cos_sin();
        let front = (cos_yaw * cos + sin_yaw * sin).max(0.0);
        self.looking(2.0 * (sin_yaw * cos - cos_yaw * sin) * front)
    }

    /// Returns the pose with the head turned by a share of its gaze.
    fn looking(self, share: f64) -> Pose {
        let mut pose = self;
        pose.head.y = self.head.y.plus(self.gaze.to_degrees() * share);
        pose.gaze = Angle::ZERO;
        pose
    }

    /// Returns the pose as it looks to both sides, and ahead: where a figure turns, it needs room for all of them.
    pub(crate) fn looking_around(self) -> [Pose; 3] {
        [0.0, 1.0, -1.0].map(|share| self.looking(share))
    }

    /// The words of the rotations, in the order of [`Pose::rotations_mut`].
    pub const ROTATIONS: [&str; 7] = [
        "head",
        "torso",
        "right-arm",
        "left-arm",
        "right-leg",
        "left-leg",
        "body",
    ];

    /// Changes the rotation of this word. A head that is turned has no gaze.
    ///
    /// Returns `false` for another word.
    pub fn turn(&mut self, word: &str, rotation: Rotation) -> bool {
        let mut words = Pose::ROTATIONS.into_iter();
        let Some(number) = words.position(|known| known == word) else {
            return false;
        };
        *self.rotations_mut()[number] = rotation;
        if word == "head" {
            self.gaze = Angle::ZERO;
        }
        true
    }

    /// The rotations of the parts, and of the whole figure.
    pub fn rotations_mut(&mut self) -> [&mut Rotation; 7] {
        [
            &mut self.head,
            &mut self.torso,
            &mut self.right_arm,
            &mut self.left_arm,
            &mut self.right_leg,
            &mut self.left_leg,
            &mut self.body,
        ]
    }

    /// Returns the movement of a part.
    pub(crate) fn transform(&self, part: Part) -> DAffine3 {
        let cape = self.cape.to_degrees();
        let (rotation, joint, lowered) = match part {
            // Hung from the shoulders behind the torso, its front to the back.
            Part::Cape => {
                let hung = Rotation::degrees(-cape, 180.0, 0.0).about([0.0, 8.0, -2.0]);
                return self.transform(Part::Torso) * hung;
            }
            // As in the game, at the shoulders, with the lower ends apart. The right one is the left one in a mirror.
            Part::RightWing | Part::LeftWing => {
                // The ground is near while the legs are forward.
                let [right, left] = [self.right_leg, self.left_leg].map(|leg| -leg.x.cos_sin()[1]);
                let away = cape + 7.0 + 23.4 * right.min(left).max(0.0);
                let hung = Rotation::degrees(away, 0.0, -15.0).about([5.0, 8.0, -2.0]);
                let side = if part == Part::RightWing { -1.0 } else { 1.0 };
                let mirror = DAffine3::from_scale(DVec3::new(side, 1.0, 1.0));
                return self.transform(Part::Torso) * mirror * hung;
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
        let mut moved = rotation.about(joint);
        // An arm is thicker on the outer side of its joint, which would reach into the head as far as it looks up and inwards.
        if let Part::RightArm | Part::LeftArm = part {
            let DVec3 { x, y, .. } = moved.matrix3.x_axis;
            // One that hangs may look anywhere.
            let share = (2.0 - 2.0 * moved.matrix3.y_axis.y).min(1.0);
            let raised = share * (-x - y * joint[0].signum()).max(0.0);
            moved.translation += DVec3::new(joint[0] * 0.1, 1.0, 0.0) * raised;
        }
        if self.is_lowered {
            moved.translation += DVec3::from(lowered);
        }
        self.body.about([0.0, 20.0, 0.0]) * moved
    }
}

impl Default for Pose {
    fn default() -> Pose {
        Pose::STRAIGHT
    }
}

impl From<NamedPose> for Pose {
    fn from(name: NamedPose) -> Pose {
        Pose::named(name)
    }
}

#[cfg(test)]
mod tests;
