//! The boxes of a player and where their faces lie on the skin, written down from the game's layout.
//!
//! Texels throughout. `x` runs from the player's right to the player's left with 0 in the middle, `y`
//! downwards from the top of the head, `z` to the front.

use effigy_render::{Layers, Model, Rotation, View};
use glam::{DVec2, DVec3};

use super::camera::Look;

/// A part's box in a pose, and where its texture begins on the skin in both layers.
struct Part {
    name: Name,
    corner: DVec3,
    size: DVec3,
    base: DVec2,
    overlay: DVec2,
    /// The distance of the overlay from the box.
    off: f64,
    joint: DVec3,
    /// The way of a part of who crouches.
    lowered: DVec3,
    /// The angles about the joint, and those of the whole about its hips, in degrees.
    rotation: DVec3,
    body: DVec3,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    Head,
    Torso,
    RightArm,
    LeftArm,
    RightLeg,
    LeftLeg,
}

/// One face of a box in space and on the skin.
#[derive(Debug, Clone)]
pub(super) struct Face {
    /// The corner at the first texel, and the edges along the texture's columns and rows.
    pub(super) corner: DVec3,
    pub(super) columns: DVec3,
    pub(super) rows: DVec3,
    /// The first texel, and the numbers of columns and rows.
    pub(super) texel: DVec2,
    pub(super) count: DVec2,
    pub(super) normal: DVec3,
    /// The center of the part.
    pub(super) center: DVec3,
    part: Name,
    /// `true` if the inner side is not drawn.
    pub(super) one_sided: bool,
}

/// The parts in the order in which touching ones are painted: left leg, right leg, left arm, torso, right arm,
/// head.
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
        Part {
            name,
            corner: corner.into(),
            size: size.into(),
            base: base.into(),
            overlay: overlay.into(),
            off: if name == Name::Head { 0.5 } else { 0.25 },
            joint: joint.into(),
            lowered: DVec3::from(lowered) * f64::from(pose.is_lowered),
            rotation: degrees(rotation),
            body: degrees(pose.body),
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

fn degrees(rotation: Rotation) -> DVec3 {
    let angles = [rotation.x, rotation.y, rotation.z];
    DVec3::from(angles.map(|angle| angle.to_degrees()))
}

/// Turns a direction by the game's angles, whose `z` axis points to the back.
fn turn(direction: DVec3, degrees: DVec3) -> DVec3 {
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
        points.extend(face.corners());
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

/// The faces that are drawn: the base, and the overlay with its inner sides, which show through its gaps.
pub(super) fn faces(look: Look, model: Model) -> Vec<Face> {
    let parts = parts(look, model);
    let boxes = parts
        .iter()
        .flat_map(|part| part.unfold(part.base, DVec3::ZERO));
    let boxes: Vec<Face> = boxes.collect();
    let mut faces = Vec::new();
    for (part, bases) in parts.iter().zip(boxes.chunks(6)) {
        let met_by = |base: &Face| {
            let mut others = boxes.iter().filter(|other| other.part != part.name);
            others
                .find(|other| other.meets(base))
                .map(|other| other.part)
        };
        for base in bases.iter().filter(|base| met_by(base).is_none()) {
            faces.push(Face {
                one_sided: true,
                ..base.clone()
            });
        }
        if look.layers == Layers::WithOverlay {
            let overlays = part.unfold(part.overlay, part.inflation());
            for (overlay, base) in overlays.into_iter().zip(bases) {
                match met_by(base) {
                    Some(Name::RightLeg | Name::LeftLeg) => {}
                    other => faces.push(Face {
                        one_sided: other.is_some(),
                        ..overlay
                    }),
                }
            }
        }
    }
    faces
}

impl Part {
    /// Moves a point of the part to where it is in the pose.
    fn moved(&self, point: DVec3) -> DVec3 {
        let turned = turn(point - self.joint, self.rotation) + self.joint;
        let hips = DVec3::Y * 20.0;
        turn(turned + self.lowered + self.aside() - hips, self.body) + hips
    }

    /// The way by which a raised arm leaves the head its room: as far as the arm's outer side looks up and inwards.
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

    /// The distances of the overlay from the box. Trousers on legs in a step are narrower: from the hips to their upper edges is
    /// as far as to the jacket, 2.25 texels.
    fn inflation(&self) -> DVec3 {
        let is_leg = matches!(self.name, Name::RightLeg | Name::LeftLeg);
        match is_leg && self.rotation != DVec3::ZERO {
            true => {
                let narrow = (2.25_f64.powi(2) - self.off.powi(2)).sqrt() - 2.0;
                DVec3::new(narrow, self.off, narrow)
            }
            false => DVec3::splat(self.off),
        }
    }

    /// Front, right, top, back, left and bottom of the box. On the skin the sides lie in the order right,
    /// front, left, back, as if wound round the box; above them lie the top and the bottom, both from
    /// the back to the front.
    fn unfold(&self, texture: DVec2, off: DVec3) -> Vec<Face> {
        let [w, h, d] = self.size.to_array();
        let [x0, y0, z0] = (self.corner - off).to_array();
        let [x1, y1, z1] = (self.corner + self.size + off).to_array();
        let center = self.moved(self.corner + self.size / 2.0);
        let face = |corner: [f64; 3], right: [f64; 3], below: [f64; 3], texel, count| {
            let [corner, right, below] =
                [corner, right, below].map(|point| self.moved(point.into()));
            let (columns, rows) = (right - corner, below - corner);
            Face {
                corner,
                columns,
                rows,
                texel: texture + DVec2::from(texel),
                count: DVec2::from(count),
                normal: columns.cross(rows),
                center,
                part: self.name,
                one_sided: false,
            }
        };
        let below = turn(turn(DVec3::Y, self.rotation), self.body);
        #[rustfmt::skip]
        let faces = vec![
            face([x0, y0, z1], [x1, y0, z1], [x0, y1, z1], [d, d], [w, h]),
            face([x0, y0, z0], [x0, y0, z1], [x0, y1, z0], [0.0, d], [d, h]),
            face([x0, y0, z0], [x1, y0, z0], [x0, y0, z1], [d, 0.0], [w, d]),
            face([x1, y0, z0], [x0, y0, z0], [x1, y1, z0], [d + w + d, d], [w, h]),
            face([x1, y0, z1], [x1, y0, z0], [x1, y1, z1], [d + w, d], [d, h]),
            Face { normal: below, ..face([x0, y1, z0], [x1, y1, z0], [x0, y1, z1], [d + w, 0.0], [w, d]) },
        ];
        faces
    }
}

impl Face {
    /// The four corners in space.
    pub(super) fn corners(&self) -> [DVec3; 4] {
        let (right, below) = (self.corner + self.columns, self.corner + self.rows);
        [self.corner, right, below, right + self.rows]
    }

    /// Returns `true` if both faces have the same corners.
    fn meets(&self, other: &Face) -> bool {
        let others = other.corners();
        let is_shared = |corner: &DVec3| others.iter().any(|other| corner.distance(*other) < 1e-6);
        self.corners().iter().all(is_shared)
    }
}
