//! The boxes of a player and where their faces lie on the skin, written down from the game's layout.
//!
//! Texels throughout. `x` runs from the player's right to the player's left with 0 in the middle, `y`
//! downwards from the top of the head, `z` to the front.

use effigy_render::{Layers, Model, Pose, Rotation, View};
use glam::{DVec3, dvec3};

use super::camera::Look;

/// A part's box, and where its texture begins on the skin in both layers.
struct Part {
    name: Name,
    corner: DVec3,
    size: DVec3,
    base: [f64; 2],
    overlay: [f64; 2],
    /// The distance of the overlay from the box.
    off: f64,
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
    pub(super) texel: [f64; 2],
    pub(super) count: [f64; 2],
    pub(super) normal: DVec3,
    /// The center of the part.
    pub(super) center: DVec3,
    part: Name,
    /// `true` if the inner side is not drawn.
    pub(super) one_sided: bool,
}

/// The parts in the order in which touching ones are painted: left leg, right leg, left arm, torso, right arm,
/// head.
fn parts(view: View, model: Model) -> Vec<Part> {
    let limb = |name, x: f64, y: f64, w: f64, base, overlay| Part {
        name,
        corner: dvec3(x, y, -2.0),
        size: dvec3(w, 12.0, 4.0),
        base,
        overlay,
        off: 0.25,
    };
    let arm = if model == Model::Slim { 3.0 } else { 4.0 };
    let head = Part {
        name: Name::Head,
        corner: dvec3(-4.0, 0.0, -4.0),
        size: DVec3::splat(8.0),
        base: [0.0, 0.0],
        overlay: [32.0, 0.0],
        off: 0.5,
    };
    if matches!(view, View::IsometricHead | View::Cube) {
        return vec![head];
    }
    #[rustfmt::skip]
    let parts = vec![
        limb(Name::LeftLeg, 0.0, 20.0, 4.0, [16.0, 48.0], [0.0, 48.0]),
        limb(Name::RightLeg, -4.0, 20.0, 4.0, [0.0, 16.0], [0.0, 32.0]),
        limb(Name::LeftArm, 4.0, 8.0, arm, [32.0, 48.0], [48.0, 48.0]),
        limb(Name::Torso, -4.0, 8.0, 8.0, [16.0, 16.0], [16.0, 32.0]),
        limb(Name::RightArm, -4.0 - arm, 8.0, arm, [40.0, 16.0], [40.0, 32.0]),
        head,
    ];
    parts
}

/// The rotation of a part about the game's axes in degrees.
fn rotation(pose: &Pose, part: Name) -> DVec3 {
    degrees(match part {
        Name::Head => pose.head,
        Name::Torso => pose.torso,
        Name::RightArm => pose.right_arm,
        Name::LeftArm => pose.left_arm,
        Name::RightLeg => pose.right_leg,
        Name::LeftLeg => pose.left_leg,
    })
}

fn degrees(rotation: Rotation) -> DVec3 {
    DVec3::from_array([rotation.x, rotation.y, rotation.z].map(|angle| angle.to_degrees()))
}

/// Turns a direction by the game's angles, whose `z` axis points to the back.
fn turn(direction: DVec3, degrees: DVec3) -> DVec3 {
    let [a, b, c] = degrees.to_array().map(f64::to_radians);
    let (x, y, back) = (direction.x, direction.y, -direction.z);
    let [y, back] = [y * a.cos() - back * a.sin(), y * a.sin() + back * a.cos()];
    let [x, back] = [x * b.cos() + back * b.sin(), back * b.cos() - x * b.sin()];
    let [x, y] = [x * c.cos() - y * c.sin(), x * c.sin() + y * c.cos()];
    dvec3(x, y, -back)
}

/// Moves a point of a part to where it is in a pose.
fn moved(point: DVec3, part: Name, pose: &Pose) -> DVec3 {
    let (joint, lowered) = match part {
        Name::Head => (dvec3(0.0, 8.0, 0.0), dvec3(0.0, 4.2, 0.0)),
        Name::Torso => (dvec3(0.0, 8.0, 0.0), dvec3(0.0, 3.2, 0.0)),
        Name::RightArm => (dvec3(-5.0, 10.0, 0.0), dvec3(0.0, 3.2, 0.0)),
        Name::LeftArm => (dvec3(5.0, 10.0, 0.0), dvec3(0.0, 3.2, 0.0)),
        Name::RightLeg => (dvec3(-2.0, 20.0, 0.0), dvec3(0.0, 0.2, -4.0)),
        Name::LeftLeg => (dvec3(2.0, 20.0, 0.0), dvec3(0.0, 0.2, -4.0)),
    };
    let lowered = if pose.is_lowered {
        lowered
    } else {
        DVec3::ZERO
    };
    let placed = turn(point - joint, rotation(pose, part)) + joint + lowered;
    let hips = dvec3(0.0, 20.0, 0.0);
    turn(placed - hips, degrees(pose.body)) + hips
}

/// The corners of a box.
fn corners(low: DVec3, high: DVec3) -> impl Iterator<Item = DVec3> {
    let corner = move |bits: usize| [0, 1, 2].map(|axis| [low, high][bits >> axis & 1][axis]);
    (0..8).map(corner).map(DVec3::from_array)
}

/// The corners of all boxes with their overlays, and of the cape, on a player with wide arms.
pub(super) fn outline(look: Look) -> Vec<DVec3> {
    let parts = parts(look.view, Model::Classic);
    let is_upper =
        |name| look.view != View::Portrait || !matches!(name, Name::RightLeg | Name::LeftLeg);
    let mut points = Vec::new();
    for part in parts.iter().filter(|part| is_upper(part.name)) {
        for face in unfold(part, [0.0; 2], part.off, &look.pose()) {
            points.extend(face.corners());
        }
    }
    if look.view == View::Figure {
        // Hung behind the torso.
        for hung in corners(dvec3(-5.0, 0.0, -1.0), dvec3(5.0, 16.0, 0.0)) {
            let hung = turn(hung, dvec3(look.pose.cape.to_degrees(), 0.0, 0.0));
            let point = hung + dvec3(0.0, 8.0, -2.0);
            points.push(moved(point, Name::Torso, &look.pose()));
        }
    }
    points
}

/// The faces that are drawn: the base, and the overlay with its inner sides, which show through its gaps.
pub(super) fn faces(look: Look, model: Model) -> Vec<Face> {
    let parts = parts(look.view, model);
    let boxes: Vec<Face> = parts
        .iter()
        .flat_map(|part| unfold(part, part.base, 0.0, &look.pose()))
        .collect();
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
            let overlays = unfold(part, part.overlay, part.off, &look.pose());
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

/// Front, right, top, back, left and bottom of a box. On the skin the sides lie in the order right,
/// front, left, back, as if wound round the box; above them lie the top and the bottom, both from
/// the back to the front.
fn unfold(part: &Part, [u, v]: [f64; 2], off: f64, pose: &Pose) -> Vec<Face> {
    let [w, h, d] = part.size.to_array();
    let [x0, y0, z0] = (part.corner - off).to_array();
    let [x1, y1, z1] = (part.corner + part.size + off).to_array();
    let at = |point| moved(point, part.name, pose);
    let center = at(part.corner + part.size / 2.0);
    let face = |corner, right, below, texel: [f64; 2], count: [f64; 2]| {
        let [corner, right, below] = [corner, right, below].map(|point: [f64; 3]| at(point.into()));
        let (columns, rows) = (right - corner, below - corner);
        Face {
            corner,
            columns,
            rows,
            texel,
            count,
            normal: columns.cross(rows),
            center,
            part: part.name,
            one_sided: false,
        }
    };
    let below = turn(
        turn(DVec3::Y, rotation(pose, part.name)),
        degrees(pose.body),
    );
    #[rustfmt::skip]
    let faces = vec![
        face([x0, y0, z1], [x1, y0, z1], [x0, y1, z1], [u + d, v + d], [w, h]),
        face([x0, y0, z0], [x0, y0, z1], [x0, y1, z0], [u, v + d], [d, h]),
        face([x0, y0, z0], [x1, y0, z0], [x0, y0, z1], [u + d, v], [w, d]),
        face([x1, y0, z0], [x0, y0, z0], [x1, y1, z0], [u + d + w + d, v + d], [w, h]),
        face([x1, y0, z1], [x1, y0, z0], [x1, y1, z1], [u + d + w, v + d], [d, h]),
        Face { normal: below, ..face([x0, y1, z0], [x1, y1, z0], [x0, y1, z1], [u + d + w, v], [w, d]) },
    ];
    faces
}

impl Face {
    /// The four corners in space.
    pub(super) fn corners(&self) -> [DVec3; 4] {
        [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
            .map(|[s, t]| self.corner + s * self.columns + t * self.rows)
    }

    /// Returns `true` if both faces have the same corners.
    fn meets(&self, other: &Face) -> bool {
        let near = |a: DVec3, b: DVec3| a.distance_squared(b) < 1e-12;
        self.corners()
            .into_iter()
            .all(|a| other.corners().into_iter().any(|b| near(a, b)))
    }
}
