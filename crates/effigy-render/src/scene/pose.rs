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

    /// Returns the rotation whose angles are three numbers of degrees from -180 to 180 with commas between them.
    #[must_use]
    pub fn parse(text: &str) -> Option<Rotation> {
        let angle = |word: &str| {
            let angle = word.trim().parse().ok();
            angle.filter(|angle| (-180.0..=180.0).contains(angle))
        };
        let angles: Option<Vec<f64>> = text.split(',').map(angle).collect();
        let [x, y, z] = angles?.try_into().ok()?;
        Some(Rotation::degrees(x, y, z))
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
mod tests {
    use super::*;
    use crate::scene::solid::{box_corners, range};
    use crate::{Layers, Model};

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
        assert_eq!(
            moved(NamedPose::Straight, Part::RightLeg, foot),
            [-2, 32, 0]
        );
        // A rider's feet are in front of it, far from one another.
        assert_eq!(moved(NamedPose::Sit, Part::RightLeg, foot), [-6, 22, 11]);
        let hand = [-6.0, 20.0, 0.0];
        let forward = Pose {
            right_arm: Rotation::degrees(-92.0, 10.0, 0.0),
            ..Pose::STRAIGHT
        };
        assert_eq!(moved(forward, Part::RightArm, hand), [-8, 10, 10]);
        let raised = moved(NamedPose::Cheer, Part::RightArm, hand);
        assert!(raised[1] < 4, "{raised:?}");
        // The whole figure leans about its hips.
        let leaning = Pose {
            body: Rotation::degrees(90.0, 0.0, 0.0),
            ..Pose::STRAIGHT
        };
        assert_eq!(moved(leaning, Part::Head, [3.0, 0.0, 1.0]), [3, 21, 20]);
        // The lower end of a cape is behind the player.
        assert_eq!(
            moved(NamedPose::Straight, Part::Cape, [0.0, 24.0, -2.0]),
            [0, 24, -4]
        );
    }

    /// Returns the corners of a part's outer box in a pose.
    fn outer_box(pose: Pose, part: Part) -> [DVec3; 8] {
        let layer = *part
            .layers(Layers::WithOverlay)
            .last()
            .expect("a part has layers");
        let inflation = layer.inflation(part);
        box_corners(
            &part.cuboid(Model::Classic),
            inflation,
            pose.transform(part),
        )
    }

    /// Returns the outer half of the cape in a pose.
    fn outer_cape(pose: Pose) -> [DVec3; 8] {
        let mut corners = outer_box(pose, Part::Cape);
        for inner in 0..4 {
            corners[inner] = corners[inner].midpoint(corners[inner + 4]);
        }
        corners
    }

    /// Returns the depth to which two boxes lie in one another: the least over the axes that can separate them.
    fn depth(a: [DVec3; 8], b: [DVec3; 8]) -> f64 {
        let edges = |[origin, x, y, _, z, ..]: [DVec3; 8]| [x, y, z].map(|corner| corner - origin);
        let (own, other) = (edges(a), edges(b));
        let crossed = own
            .into_iter()
            .flat_map(|edge| other.map(|other| edge.cross(other)));
        let axes = own.into_iter().chain(other).chain(crossed);
        let overlap = |axis: DVec3| {
            let [[low, high], [least, most]] =
                [a, b].map(|corners| range(corners.into_iter().map(|corner| corner.dot(axis))));
            high.min(most) - low.max(least)
        };
        let axes = axes.filter_map(DVec3::try_normalize);
        axes.map(overlap).fold(f64::MAX, f64::min)
    }

    const ARMS: [Part; 2] = [Part::RightArm, Part::LeftArm];
    const LEGS: [Part; 2] = [Part::RightLeg, Part::LeftLeg];
    const WINGS: [Part; 2] = [Part::RightWing, Part::LeftWing];

    /// All moments of the named poses.
    fn moments() -> impl Iterator<Item = (NamedPose, f64, Pose)> {
        let phases = (0..32).map(|number| f64::from(number) / 32.0);
        phases.flat_map(|phase| {
            NamedPose::ALL
                .iter()
                .map(move |name| (*name, phase, name.at(phase)))
        })
    }

    #[test]
    fn no_limb_pierces_the_cape() {
        for (name, phase, pose) in moments() {
            for limb in ARMS.into_iter().chain(LEGS) {
                let found = depth(outer_cape(pose), outer_box(pose, limb));
                assert!(found < 0.25, "{name} {phase}: {limb:?} {found}");
            }
        }
    }

    #[test]
    fn no_arm_pierces_the_head_or_a_leg() {
        // Overlays of neighbors lie in one another: by 0.5 texels, at the head by 0.75 and more while it turns.
        let limits = [
            (Part::Head, 1.3),
            (Part::RightLeg, 0.501),
            (Part::LeftLeg, 0.501),
        ];
        for (name, phase, pose) in moments() {
            for (part, limit) in limits {
                for arm in ARMS {
                    let found = depth(outer_box(pose, part), outer_box(pose, arm));
                    assert!(found < limit, "{name} {phase}: {part:?} {arm:?} {found}");
                }
            }
        }
    }

    #[test]
    fn an_arm_that_hangs_stays_at_the_shoulder() {
        for y in (-180..=180).step_by(15) {
            let mut pose = Pose::STRAIGHT;
            pose.right_arm = Rotation::degrees(0.0, y.into(), 0.0);
            let top = range(
                outer_box(pose, Part::RightArm)
                    .into_iter()
                    .map(|corner| corner.y),
            )[0];
            assert!((top - 7.75).abs() < 1e-9, "{y}: {top}");
        }
    }

    #[test]
    fn wings_follow_legs_all_around() {
        let end = |degrees| {
            let mut pose = Pose::STRAIGHT;
            pose.right_leg = Rotation::degrees(degrees, 0.0, 0.0);
            pose.left_leg = pose.right_leg;
            range(
                outer_box(pose, Part::RightWing)
                    .into_iter()
                    .map(|corner| corner.y),
            )[1]
        };
        assert!((end(-180.0) - end(180.0)).abs() < 1e-9);
        assert!(end(-80.0) < end(0.0));
    }

    #[test]
    fn wings_end_above_the_ground() {
        for (name, phase, pose) in moments() {
            let lowest = |parts: [Part; 2]| {
                let corners = parts.into_iter().flat_map(|part| outer_box(pose, part));
                range(corners.map(|corner| corner.y))[1]
            };
            let [wings, feet] = [WINGS, LEGS].map(lowest);
            assert!(wings < feet, "{name} {phase}: {wings} {feet}");
        }
    }

    #[test]
    fn poses_have_poses_between_them() {
        let half = Pose::between(NamedPose::Straight, NamedPose::Walk, 0.5);
        assert_eq!(half.right_arm, Rotation::degrees(-12.0, 0.0, 3.0));
        assert_eq!(half.cape.to_degrees(), 14.0);
        for (share, pose) in [(0.0, NamedPose::Sit), (1.0, NamedPose::Crouch)] {
            let between = Pose::between(NamedPose::Sit, NamedPose::Crouch, share);
            assert_eq!(between, pose.into());
        }
        let beyond = Pose::between(NamedPose::Walk, NamedPose::Run, 2.0);
        assert_eq!(beyond.right_arm, Rotation::degrees(-100.0, -16.0, 6.0));
        assert_eq!(beyond.body.x.to_degrees(), 24.0);
    }
}
