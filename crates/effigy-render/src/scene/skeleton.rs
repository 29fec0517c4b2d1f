//! The joints of a figure, from the hips to the parts.
//!
//! ```text
//! hips ─┬─ waist ─┬─ torso ── cape, elytra
//!       │         ├─ head ── ears
//!       │         └─ arms ── forearms
//!       └─ legs ── shins
//! ```

use crate::model::{Cuboid, Model, Part};
use crate::scene::angle::Angle;
use crate::scene::geometry::Plane;
use crate::scene::pose::Pose;
use crate::scene::pose::rotation::Rotation;
use crate::scene::solid::Solid;
use glam::{DAffine3, DVec3};

/// The middle of the hips, about which the whole figure and its upper body turn.
const HIPS: [f64; 3] = [0.0, 20.0, 0.0];

/// The joint of the head and of the torso.
const NECK: [f64; 3] = [0.0, 8.0, 0.0];

/// The movement of the head of a player who crouches, as in the game.
const HEAD_LOWERED: DVec3 = DVec3::new(0.0, 4.2, 0.0);

/// The movement of the torso of a player who crouches, which the arms follow.
const TORSO_LOWERED: DVec3 = DVec3::new(0.0, 3.2, 0.0);

/// The movement of the legs of a player who crouches.
const LEGS_LOWERED: DVec3 = DVec3::new(0.0, 0.2, -4.0);

/// The joints of a figure in a pose.
#[derive(Debug)]
pub(crate) struct Skeleton {
    pose: Pose,
    /// The movement of the whole figure, which the legs follow.
    hips: DAffine3,
    /// The movement of the upper body within it.
    waist: DAffine3,
}

/// A limb's joint that bends.
struct Bend {
    /// The movement of the lower half in the coordinates of the straight limb.
    movement: DAffine3,
    /// The tangent of half the angle, positive if the lower end moves to the front.
    tangent: f64,
}

impl Skeleton {
    /// The joints of a figure that is upright or upside down.
    pub(crate) fn new(pose: &Pose, is_upside_down: bool) -> Skeleton {
        let pose = pose.within_limits();
        let mut hips = pose.body.about(HIPS);
        if is_upside_down {
            // Half a turn about the figure's axis from front to back.
            hips = DAffine3::from_scale(DVec3::new(-1.0, -1.0, 1.0)) * hips;
        }
        Skeleton {
            pose,
            hips,
            waist: pose.waist.about(HIPS),
        }
    }

    /// Returns the pieces of a part's box, inflated by this much along each axis: two for a limb
    /// that bends.
    pub(crate) fn solids(&self, cuboid: &Cuboid, inflation: DVec3) -> Vec<Solid> {
        let transform = self.transform(cuboid.part);
        if let Some(Bend { movement, tangent }) = self.bend(cuboid) {
            let halves = Solid::halves_of_limb(cuboid, inflation, transform, movement, tangent);
            return halves.to_vec();
        }
        if cuboid.part == Part::Torso && self.pose.waist != Rotation::ZERO {
            return vec![self.torso_on_hips(cuboid, inflation)];
        }
        vec![Solid::of_part(cuboid, inflation, transform)]
    }

    /// Returns the movement of a part, or of a limb's upper half.
    pub(crate) fn transform(&self, part: Part) -> DAffine3 {
        let pose = &self.pose;
        let upper_body = self.hips * self.waist;
        match part {
            Part::Torso => upper_body * self.torso(),
            Part::Cape => upper_body * self.torso() * self.hung_cape(),
            Part::RightWing => {
                // The left wing in a mirror.
                let mirror = DAffine3::from_scale(DVec3::new(-1.0, 1.0, 1.0));
                upper_body * self.torso() * mirror * self.hung_wing()
            }
            Part::LeftWing => upper_body * self.torso() * self.hung_wing(),
            Part::Head | Part::RightEar | Part::LeftEar => upper_body * self.head(),
            Part::RightArm => upper_body * self.arm(pose.right_arm, -5.0),
            Part::LeftArm => upper_body * self.arm(pose.left_arm, 5.0),
            Part::RightLeg => self.hips * self.leg(pose.right_leg, -2.0),
            Part::LeftLeg => self.hips * self.leg(pose.left_leg, 2.0),
        }
    }

    /// Returns the plane in which the halves of a limb meet, if it bends.
    pub(crate) fn joint(&self, cuboid: &Cuboid) -> Option<Plane> {
        let Bend { tangent, .. } = self.bend(cuboid)?;
        let transform = self.transform(cuboid.part);
        let normal = DVec3::new(0.0, 1.0, tangent).normalize();
        let middle = cuboid.center().with_z(0.0);
        Some(Plane::through(
            transform.transform_point3(middle),
            transform.transform_vector3(normal),
        ))
    }

    /// Returns the bend of a part, if it is a limb that bends.
    fn bend(&self, cuboid: &Cuboid) -> Option<Bend> {
        let pose = &self.pose;
        let angle = match cuboid.part {
            Part::RightArm => pose.right_elbow,
            Part::LeftArm => pose.left_elbow,
            Part::RightLeg => pose.right_knee,
            Part::LeftLeg => pose.left_knee,
            _ => return None,
        };
        let forward = if cuboid.part.is_leg() { -1.0 } else { 1.0 };
        if angle == Angle::ZERO {
            return None;
        }
        let [cosine, sine] = angle.cos_sin();
        let middle = [0.0, cuboid.center().y, 0.0];
        let rotation = Rotation::degrees(-forward * angle.to_degrees(), 0.0, 0.0);
        Some(Bend {
            movement: rotation.about(middle),
            tangent: forward * sine / (1.0 + cosine),
        })
    }

    /// Returns the torso of a figure whose waist turns. It ends at the legs, so that no wedge
    /// opens.
    fn torso_on_hips(&self, cuboid: &Cuboid, inflation: DVec3) -> Solid {
        let solid = Solid::of_part(cuboid, inflation, self.waist * self.torso());
        let legs = DVec3::from(HIPS) + self.lowering(LEGS_LOWERED).with_z(0.0);
        let end = Plane::through(legs + DVec3::Y * inflation.y, DVec3::NEG_Y);
        solid.ending_at(end).moved(self.hips)
    }

    fn head(&self) -> DAffine3 {
        moved(self.pose.head.about(NECK), self.lowering(HEAD_LOWERED))
    }

    fn torso(&self) -> DAffine3 {
        moved(self.pose.torso.about(NECK), self.lowering(TORSO_LOWERED))
    }

    fn leg(&self, rotation: Rotation, x: f64) -> DAffine3 {
        moved(rotation.about([x, 20.0, 0.0]), self.lowering(LEGS_LOWERED))
    }

    /// Returns the movement of the arm whose joint has this `x`.
    fn arm(&self, rotation: Rotation, x: f64) -> DAffine3 {
        let turned = rotation.about([x, 10.0, 0.0]);
        let outwards = x.signum();
        // An arm is thicker on the outer side of its joint. If the arm is raised, this side faces
        // the head or looks up, and would cut into the head or stand above the shoulder. So the arm
        // is pushed away from both, by half a texel out and a texel down.
        let outer_side = turned.matrix3.x_axis * outwards;
        let toward_head = -outer_side.x * outwards;
        let upwards = -outer_side.y;
        // 0 for an arm that hangs, and 1 from 60 degrees on.
        let raised = (2.0 - 2.0 * turned.matrix3.y_axis.y).min(1.0);
        let share = raised * (toward_head + upwards).max(0.0);
        let away = DVec3::new(0.5 * outwards, 1.0, 0.0) * share;
        moved(moved(turned, away), self.lowering(TORSO_LOWERED))
    }

    /// Returns the movement of the cape on the torso. It hangs from the shoulders, with its front
    /// to the back.
    fn hung_cape(&self) -> DAffine3 {
        let cape = self.pose.cape.to_degrees();
        Rotation::degrees(-cape, 180.0, 0.0).about([0.0, 8.0, -2.0])
    }

    /// Returns the movement of the left wing on the torso. As in the game, it hangs from the
    /// shoulder, with the lower ends of both wings apart.
    fn hung_wing(&self) -> DAffine3 {
        /// The angle in degrees of a wing to the back of a player whose cape hangs straight down.
        const HANGING: f64 = 7.0;
        /// The angle in degrees by which a wing rises if both legs point straight ahead.
        const ABOVE_LEGS: f64 = 23.4;
        let forward = |leg: Rotation| -leg.x.cos_sin()[1];
        let lifted = forward(self.pose.right_leg).min(forward(self.pose.left_leg));
        // The ground is near while the legs are forward.
        let usual = self.pose.cape.to_degrees() + HANGING + ABOVE_LEGS * lifted.max(0.0);
        let away = usual.max(self.wing_above_ground());
        Rotation::degrees(away, 0.0, -15.0).about([5.0, 8.0, -2.0])
    }

    /// Returns the least angle in degrees at which a wing ends above the ground, on which the soles
    /// or the knees of the player are. It is 0 if there is room for any angle.
    fn wing_above_ground(&self) -> f64 {
        /// The height of a wing whose lower end is apart, in texels.
        const LENGTH: f64 = 19.3;
        /// The height of the shoulders, lower by the distance that a thick wing keeps from the
        /// ground.
        const SHOULDERS: f64 = 8.0 + 3.0;
        let right = self.lowest_of_leg(Part::RightLeg, self.pose.right_leg, -2.0);
        let left = self.lowest_of_leg(Part::LeftLeg, self.pose.left_leg, 2.0);
        let height = right.max(left) - SHOULDERS;
        let share = height / LENGTH;
        if share >= 1.0 {
            return 0.0;
        }
        Angle::of(share, (1.0 - share * share).max(0.0).sqrt()).to_degrees()
    }

    /// Returns the height of the lowest point of a leg: its sole or its knee.
    fn lowest_of_leg(&self, part: Part, rotation: Rotation, x: f64) -> f64 {
        let leg = self.leg(rotation, x);
        let cuboid = part.cuboid(Model::Classic);
        let mut shin = leg;
        if let Some(Bend { movement, .. }) = self.bend(&cuboid) {
            shin = leg * movement;
        }
        let knee = leg.transform_point3(cuboid.center().with_z(0.0));
        let sole = shin.transform_point3(DVec3::new(x, 32.0, 0.0));
        knee.y.max(sole.y)
    }

    /// Returns a movement if the pose is lowered, and no movement otherwise.
    fn lowering(&self, movement: DVec3) -> DVec3 {
        if self.pose.lowered {
            movement
        } else {
            DVec3::ZERO
        }
    }
}

/// Returns a movement followed by a shift.
fn moved(transform: DAffine3, distance: DVec3) -> DAffine3 {
    DAffine3 {
        translation: transform.translation + distance,
        ..transform
    }
}

#[cfg(test)]
mod tests;
