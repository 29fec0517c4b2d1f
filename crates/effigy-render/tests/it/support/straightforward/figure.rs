//! The boxes of a player, and the places of their faces on the skin, written down from the game's
//! layout.
//!
//! Texels throughout. `x` runs from the player's right to the player's left with 0 in the middle,
//! `y` downwards from the top of the head, `z` to the front.

use effigy_render::{Layers, Model, Pose, Rotation, View};
use glam::{DVec2, DVec3};

use super::block::Block;
use super::camera::Look;
use super::face::Face;

/// A part's box in a pose, and the places of its textures on the skin.
pub(super) struct Part {
    pub(super) name: Name,
    pub(super) corner: DVec3,
    pub(super) size: DVec3,
    base: DVec2,
    overlay: DVec2,
    /// The distance of the overlay from the box.
    pub(super) off: f64,
    joint: DVec3,
    /// The movement of the part when the player crouches.
    lowered: DVec3,
    /// The angles about the joint, in degrees.
    rotation: DVec3,
    /// The angles of the upper body about the hips, in degrees.
    waist: DVec3,
    /// The angles of the whole figure about the hips, in degrees.
    body: DVec3,
    /// The angle by which the lower half of a limb turns to the back, in degrees.
    pub(super) bend: f64,
    /// The height of the hips.
    pub(super) hips: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Head,
    Torso,
    RightArm,
    LeftArm,
    RightLeg,
    LeftLeg,
}

/// The parts in the order in which touching ones are painted: left leg, right leg, left arm, torso,
/// right arm, head.
fn parts(look: Look, model: Model) -> Vec<Part> {
    let pose = look.pose();
    let part = |name, corner: [f64; 3], size: [f64; 3], base: [f64; 2], overlay: [f64; 2]| {
        let (rotation, joint, lowered) = match name {
            Name::Head => (pose.head, [0.0, 8.0, 0.0], [0.0, 4.2, 0.0]),
            Name::Torso => (pose.torso, [0.0, 8.0, 0.0], [0.0, 3.2, 0.0]),
            Name::RightArm => (pose.right_arm, [-5.0, 10.0, 0.0], [0.0, 3.2, 0.0]),
            Name::LeftArm => (pose.left_arm, [5.0, 10.0, 0.0], [0.0, 3.2, 0.0]),
            Name::RightLeg => (pose.right_leg, [-2.0, 20.0, 0.0], [0.0, 0.2, -4.0]),
            Name::LeftLeg => (pose.left_leg, [2.0, 20.0, 0.0], [0.0, 0.2, -4.0]),
        };
        let bend = match name {
            Name::RightArm => -pose.right_elbow.to_degrees(),
            Name::LeftArm => -pose.left_elbow.to_degrees(),
            Name::RightLeg => pose.right_knee.to_degrees(),
            Name::LeftLeg => pose.left_knee.to_degrees(),
            Name::Head | Name::Torso => 0.0,
        };
        let waist = match name {
            Name::RightLeg | Name::LeftLeg => DVec3::ZERO,
            _ => degrees(pose.waist),
        };
        Part {
            name,
            corner: corner.into(),
            size: size.into(),
            base: base.into(),
            overlay: overlay.into(),
            off: if name == Name::Head { 0.5 } else { 0.25 },
            joint: joint.into(),
            lowered: DVec3::from(lowered) * f64::from(pose.lowered),
            rotation: degrees(rotation),
            waist,
            body: degrees(pose.body),
            bend,
            hips: 20.0 + 0.2 * f64::from(pose.lowered),
        }
    };
    let arm = if model == Model::Slim { 3.0 } else { 4.0 };
    #[rustfmt::skip]
    let mut parts = vec![
        part(Name::LeftLeg, [0.0, 20.0, -2.0], [4.0, 12.0, 4.0], [16.0, 48.0], [0.0, 48.0]),
        part(Name::RightLeg, [-4.0, 20.0, -2.0], [4.0, 12.0, 4.0], [0.0, 16.0], [0.0, 32.0]),
        part(Name::LeftArm, [4.0, 8.0, -2.0], [arm, 12.0, 4.0], [32.0, 48.0], [48.0, 48.0]),
        part(Name::Torso, [-4.0, 8.0, -2.0], [8.0, 12.0, 4.0], [16.0, 16.0], [16.0, 32.0]),
        part(Name::RightArm, [-4.0 - arm, 8.0, -2.0], [arm, 12.0, 4.0], [40.0, 16.0], [40.0, 32.0]),
        part(Name::Head, [-4.0, 0.0, -4.0], [8.0, 8.0, 8.0], [0.0, 0.0], [32.0, 0.0]),
    ];
    if matches!(look.view, View::IsometricHead | View::Cube) {
        parts.drain(..5);
    }
    parts
}

/// The share of its gaze that a figure has: all of it up to a tilt of 41 degrees, and nothing from
/// 60 degrees on.
pub(super) fn uprightness(pose: Pose) -> f64 {
    let down = turn(DVec3::Y, degrees(pose.body)).y;
    ((down - 0.5) * 4.0).clamp(0.0, 1.0)
}

fn degrees(rotation: Rotation) -> DVec3 {
    let angles = [rotation.x, rotation.y, rotation.z];
    DVec3::from(angles.map(|angle| angle.to_degrees()))
}

/// Turns a direction by the game's angles, whose `z` axis points to the back.
pub(super) fn turn(direction: DVec3, degrees: DVec3) -> DVec3 {
    let [a, b, c] = degrees.to_array().map(f64::to_radians);
    let [x, y, back] = [direction.x, direction.y, -direction.z];
    let [y, back] = [y * a.cos() - back * a.sin(), y * a.sin() + back * a.cos()];
    let [x, back] = [x * b.cos() + back * b.sin(), back * b.cos() - x * b.sin()];
    let [x, y] = [x * c.cos() - y * c.sin(), x * c.sin() + y * c.cos()];
    DVec3::new(x, y, -back)
}

/// The corners of all boxes with their overlays, and of the cape, on a player with wide arms.
pub(super) fn outline(look: Look) -> Vec<DVec3> {
    let parts = parts(look, Model::Classic);
    let is_leg = |part: &&Part| matches!(part.name, Name::RightLeg | Name::LeftLeg);
    let mut points = Vec::new();
    let shown = parts
        .iter()
        .filter(|part| look.view != View::Portrait || !is_leg(part));
    for face in shown.flat_map(|part| part.unfold(DVec2::ZERO, DVec3::splat(part.off))) {
        points.extend(face.outline());
    }
    let torso = parts.iter().find(|part| part.name == Name::Torso);
    if let (View::Figure, Some(torso)) = (look.view, torso) {
        // Hung behind the torso.
        let hung = DVec3::X * look.pose.cape.to_degrees();
        let corners = [(0.0, -1.0), (0.0, 0.0), (16.0, -1.0), (16.0, 0.0)].into_iter();
        for (x, (y, z)) in corners.flat_map(|corner| [(-5.0, corner), (5.0, corner)]) {
            let corner = turn(DVec3::new(x, y, z), hung);
            points.push(torso.moved(corner + DVec3::new(0.0, 8.0, -2.0)));
        }
    }
    points
}

/// The faces that are drawn: the base, and the overlay with its inner sides, which show through its
/// gaps.
///
/// A face that lies within a face of another part is hidden. Overlays there show only their outer
/// sides, and those between legs neither side.
pub(super) fn faces(look: Look, model: Model) -> Vec<Face> {
    let parts = parts(look, model);
    let bases: Vec<Vec<Face>> = parts
        .iter()
        .map(|part| part.unfold(part.base, DVec3::ZERO))
        .collect();
    let mut faces = Vec::new();
    for (part, own) in parts.iter().zip(&bases) {
        let others = || bases.iter().flatten().filter(|face| face.part != part.name);
        for base in own {
            if !others().any(|other| base.lies_within(other)) {
                faces.push(Face {
                    one_sided: true,
                    ..base.clone()
                });
            }
        }
        if look.layers == Layers::Base {
            continue;
        }
        let overlays = part.unfold(part.overlay, part.inflation());
        for (overlay, base) in overlays.into_iter().zip(own) {
            let hidden_by = others().find(|other| base.lies_within(other));
            let holds_another = others().any(|other| other.lies_within(base));
            if part.is_leg() && hidden_by.is_some_and(Face::is_of_leg) {
                continue;
            }
            faces.push(Face {
                one_sided: hidden_by.is_some() || holds_another,
                ..overlay
            });
        }
    }
    faces
}

impl Part {
    /// Moves a point of the part to where it is in the pose.
    pub(super) fn moved(&self, point: DVec3) -> DVec3 {
        let hips = DVec3::Y * 20.0;
        turn(self.moved_in_body(point) - hips, self.body) + hips
    }

    /// Moves a point of the part to where it is before the whole body turns.
    pub(super) fn moved_in_body(&self, point: DVec3) -> DVec3 {
        let hips = DVec3::Y * 20.0;
        let turned = turn(point - self.joint, self.rotation) + self.joint;
        turn(turned + self.lowered + self.aside() - hips, self.waist) + hips
    }

    /// Returns `true` if the upper body turns about the hips.
    pub(super) fn has_waist(&self) -> bool {
        self.waist != DVec3::ZERO
    }

    fn is_leg(&self) -> bool {
        matches!(self.name, Name::RightLeg | Name::LeftLeg)
    }

    /// The movement by which a raised arm makes room for the head: the more, the more its outer
    /// side looks up and inwards.
    fn aside(&self) -> DVec3 {
        let outwards = match self.name {
            Name::RightArm => -1.0,
            Name::LeftArm => 1.0,
            _ => return DVec3::ZERO,
        };
        let outer = turn(DVec3::X * outwards, self.rotation);
        let raised = outer.dot(DVec3::new(-outwards, -1.0, 0.0)).max(0.0);
        // From hanging to 60 degrees below the shoulders, it leaves its place.
        let down = turn(DVec3::Y, self.rotation).y;
        let raised = raised * (2.0 * (1.0 - down)).clamp(0.0, 1.0);
        DVec3::new(outwards * 0.5, 1.0, 0.0) * raised
    }

    /// The distances of the overlay from the box. Trousers on legs in a step are narrower: from the
    /// hips to their upper edges is as far as to the jacket, 2.25 texels.
    fn inflation(&self) -> DVec3 {
        if self.is_leg() && self.rotation != DVec3::ZERO {
            let narrow = (2.25_f64.powi(2) - self.off.powi(2)).sqrt() - 2.0;
            return DVec3::new(narrow, self.off, narrow);
        }
        DVec3::splat(self.off)
    }

    /// The faces of a layer.
    fn unfold(&self, texture: DVec2, off: DVec3) -> Vec<Face> {
        let blocks = Block::of(self, off);
        let faces = blocks
            .iter()
            .flat_map(|block| block.unfold(self, texture, off));
        faces.collect()
    }
}
