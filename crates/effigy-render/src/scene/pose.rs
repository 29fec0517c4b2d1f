//! Positions of the limbs.

use crate::scene::angle::Angle;
use crate::scene::pose::limb::{Joint, Limb};
use crate::scene::pose::rotation::Rotation;

mod acting;
mod cycle;
mod gait;
pub(crate) mod limb;
pub(crate) mod named;
pub(crate) mod rotation;
mod sketch;

/// The positions of all parts of a figure.
///
/// Parts turn about the game's joints: the head and the torso about the neck, the arms about the
/// shoulders, the legs about the hips. An arm that is raised next to the head moves off it. Limbs
/// bend in their middle, and the upper body turns about the hips. Sides are the player's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[non_exhaustive]
pub struct Pose {
    /// The head, with its ears.
    pub head: Rotation,
    /// The greatest turn of the head toward the viewer, which adds to the head's own rotation. It
    /// is reached when the viewer is at an angle of 45 degrees to the direction of the
    /// shoulders. It fades to 0 when the viewer no longer sees the face, and when the body
    /// lies down. In a cube, it is 0.
    pub gaze: Angle,
    /// The torso, with the cape. The other parts don't follow it.
    pub torso: Rotation,
    /// The upper body: torso, head, arms and cape, about the middle of the hips. A positive `x`
    /// leans forward, `y` twists, and `z` leans to the side. The torso always ends at the hips.
    /// `x` and `z` are limited to 45 degrees to either side.
    pub waist: Rotation,
    /// The right arm.
    pub right_arm: Rotation,
    /// The left arm.
    pub left_arm: Rotation,
    /// The right leg.
    pub right_leg: Rotation,
    /// The left leg.
    pub left_leg: Rotation,
    /// The bend of the right arm in its middle, which moves the hand to the front. It is limited
    /// to 0 to 135 degrees.
    pub right_elbow: Angle,
    /// The bend of the left arm.
    pub left_elbow: Angle,
    /// The bend of the right leg in its middle, which moves the foot to the back. It has the range
    /// of an elbow.
    pub right_knee: Angle,
    /// The bend of the left leg.
    pub left_knee: Angle,
    /// The whole figure, about the middle of the hips. A positive `x` leans forward.
    pub body: Rotation,
    /// The angle between the cape and the back. Elytra follow it: they hang at 15 degrees when a
    /// cape hangs at 8, and higher while the player sits.
    pub cape: Angle,
    /// Moves the upper parts down and the legs back, as the game does when a player crouches.
    #[cfg_attr(feature = "serde", serde(alias = "is_lowered"))]
    pub lowered: bool,
}

impl Pose {
    /// The greatest bend of an elbow or a knee, in degrees.
    pub const MAX_BEND: f64 = 135.0;

    /// The greatest angles `x` and `z` of the waist to either side, in degrees.
    pub const MAX_LEAN: f64 = 45.0;

    /// Upright, with the limbs straight down.
    pub const STRAIGHT: Pose = Pose {
        head: Rotation::ZERO,
        gaze: Angle::ZERO,
        torso: Rotation::ZERO,
        waist: Rotation::ZERO,
        right_arm: Rotation::ZERO,
        left_arm: Rotation::ZERO,
        right_leg: Rotation::ZERO,
        left_leg: Rotation::ZERO,
        right_elbow: Angle::ZERO,
        left_elbow: Angle::ZERO,
        right_knee: Angle::ZERO,
        left_knee: Angle::ZERO,
        body: Rotation::ZERO,
        cape: Angle::degrees(6.0),
        lowered: false,
    };

    /// At ease: feet apart, the arms off the body and a little bent, and the head toward the
    /// viewer.
    // The joints of `acting::STAND`, written out because `Sketch::pose` can't be `const`. A test
    // keeps both alike.
    pub const STAND: Pose = Pose {
        gaze: Angle::degrees(12.0),
        right_arm: Rotation::degrees(-1.1, 0.0, 8.0),
        left_arm: Rotation::degrees(4.0, 0.0, -8.0),
        right_elbow: Angle::degrees(13.3),
        left_elbow: Angle::degrees(11.9),
        right_leg: Rotation::degrees(3.0, 0.0, 4.0),
        left_leg: Rotation::degrees(-3.0, 0.0, -4.0),
        cape: Angle::degrees(8.0),
        ..Pose::STRAIGHT
    };

    /// The pose at a share of the way from one to another: 0 is the first pose, and 1 the second.
    /// Other shares continue the movement, within the range of each joint. Every angle changes
    /// evenly. From the middle on, the pose is lowered if the second one is.
    #[must_use]
    pub fn between(from: impl Into<Pose>, to: impl Into<Pose>, share: f64) -> Pose {
        let mut first: Pose = from.into();
        let second: Pose = to.into();
        let mut pose = second;
        for (before, after) in first.rotations_mut().into_iter().zip(pose.rotations_mut()) {
            *after = before.between(*after, share);
        }
        // The range of the waist is limited, so the loop's value for it is replaced.
        pose.waist = waist_between(first.waist, second.waist, share);
        for (before, after) in first.bends_mut().into_iter().zip(pose.bends_mut()) {
            *after = limited_between(*before, *after, share, BEND);
        }
        pose.gaze = first.gaze.between(second.gaze, share);
        pose.cape = first.cape.between(second.cape, share);
        pose.lowered = if share < 0.5 {
            first.lowered
        } else {
            second.lowered
        };
        pose
    }

    /// The pose in a mirror: the left and the right limbs change places.
    #[must_use]
    pub fn mirrored(mut self) -> Pose {
        for rotation in self.rotations_mut() {
            *rotation = rotation.mirrored();
        }
        std::mem::swap(&mut self.right_arm, &mut self.left_arm);
        std::mem::swap(&mut self.right_leg, &mut self.left_leg);
        std::mem::swap(&mut self.right_elbow, &mut self.left_elbow);
        std::mem::swap(&mut self.right_knee, &mut self.left_knee);
        self
    }

    /// Turns a limb. A head that is turned no longer follows the viewer.
    pub const fn turn(&mut self, limb: Limb, rotation: Rotation) {
        match limb {
            Limb::Head => {
                self.head = rotation;
                self.gaze = Angle::ZERO;
            }
            Limb::Torso => self.torso = rotation,
            Limb::RightArm => self.right_arm = rotation,
            Limb::LeftArm => self.left_arm = rotation,
            Limb::RightLeg => self.right_leg = rotation,
            Limb::LeftLeg => self.left_leg = rotation,
            Limb::Body => self.body = rotation,
            Limb::Waist => self.waist = rotation,
        }
    }

    /// Bends a joint. The angle is limited to its range.
    pub fn bend(&mut self, joint: Joint, angle: Angle) {
        let bend = limited(angle, BEND);
        match joint {
            Joint::RightElbow => self.right_elbow = bend,
            Joint::LeftElbow => self.left_elbow = bend,
            Joint::RightKnee => self.right_knee = bend,
            Joint::LeftKnee => self.left_knee = bend,
        }
    }

    /// The bends of the limbs.
    pub fn bends_mut(&mut self) -> [&mut Angle; 4] {
        [
            &mut self.right_elbow,
            &mut self.left_elbow,
            &mut self.right_knee,
            &mut self.left_knee,
        ]
    }

    /// The rotations of the parts, of the whole figure, and of its upper body.
    pub fn rotations_mut(&mut self) -> [&mut Rotation; 8] {
        [
            &mut self.head,
            &mut self.torso,
            &mut self.right_arm,
            &mut self.left_arm,
            &mut self.right_leg,
            &mut self.left_leg,
            &mut self.body,
            &mut self.waist,
        ]
    }

    /// Returns the pose with all joints in their ranges.
    pub(crate) fn within_limits(mut self) -> Pose {
        for bend in self.bends_mut() {
            *bend = limited(*bend, BEND);
        }
        self.waist.x = limited(self.waist.x, LEAN);
        self.waist.z = limited(self.waist.z, LEAN);
        self
    }

    /// Returns the pose with the head turned toward a viewer. The parameters are the cosine and the
    /// sine of the viewer's yaw.
    pub(crate) fn looking_at(self, [cos_yaw, sin_yaw]: [f64; 2]) -> Pose {
        // Turning the shoulders is the same as the viewer walking around them the other way.
        let shoulders = self.body.y.plus(self.waist.y.to_degrees());
        let [cos, sin] = shoulders.cos_sin();
        // The share is sin 2a = 2 sin a cos a, and 0 if the viewer doesn't see the face. `a` is the
        // viewer's yaw from the direction of the shoulders (`docs/projection.md`, "Poses").
        let front = (cos_yaw * cos + sin_yaw * sin).max(0.0);
        self.looking(2.0 * (sin_yaw * cos - cos_yaw * sin) * front)
    }

    /// Returns the share of the gaze that is left when the body leans: all of it up to 41 degrees,
    /// nothing from 60 degrees on.
    fn uprightness(&self) -> f64 {
        // The height of the spine's upper end above the hips: 1 if it is upright.
        let height = self.body.about([0.0; 3]).matrix3.y_axis.y;
        ((height - 0.5) * 4.0).clamp(0.0, 1.0)
    }

    /// Returns the pose with the head turned by a share of its gaze.
    fn looking(self, share: f64) -> Pose {
        let mut pose = self;
        pose.head.y = self
            .head
            .y
            .plus(self.gaze.to_degrees() * self.uprightness() * share);
        pose.gaze = Angle::ZERO;
        pose
    }

    /// Returns the pose with the head turned as far as possible to both sides, and ahead. A figure
    /// that turns needs room for all three.
    pub(crate) fn looking_around(self) -> [Pose; 3] {
        [0.0, 1.0, -1.0].map(|share| self.looking(share))
    }
}

/// The least and the greatest bend of an elbow or a knee.
const BEND: [f64; 2] = [0.0, Pose::MAX_BEND];

/// The least and the greatest angle by which the waist leans.
const LEAN: [f64; 2] = [-Pose::MAX_LEAN, Pose::MAX_LEAN];

/// Returns the nearest angle in a range.
fn limited(angle: Angle, [least, greatest]: [f64; 2]) -> Angle {
    // Not `clamp`, which may panic: formatting its message takes 17 kB of code in browsers.
    Angle::degrees(angle.to_degrees().max(least).min(greatest))
}

/// Returns the angle at a share of the way between two, all of them in a range.
fn limited_between(from: Angle, to: Angle, share: f64, range: [f64; 2]) -> Angle {
    let [least, greatest] = range;
    let from = limited(from, range).to_degrees();
    let to = limited(to, range).to_degrees();
    let degrees = from + (to - from) * share;
    Angle::degrees(degrees.max(least).min(greatest))
}

/// Returns the rotation of the waist at a share of the way between two.
fn waist_between(from: Rotation, to: Rotation, share: f64) -> Rotation {
    Rotation {
        x: limited_between(from.x, to.x, share, LEAN),
        y: from.y.between(to.y, share),
        z: limited_between(from.z, to.z, share, LEAN),
    }
}

impl Default for Pose {
    fn default() -> Pose {
        Pose::STRAIGHT
    }
}

#[cfg(test)]
mod tests;
