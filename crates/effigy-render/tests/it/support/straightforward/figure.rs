//! The boxes of a player and where their faces lie on the skin, written down from the game's layout.
//!
//! Texels throughout. `x` runs from the player's right to the player's left with 0 in the middle, `y`
//! downwards from the top of the head, `z` to the front.

use effigy_render::{Layers, Model, Pose, Rotation, View};

use super::camera::{Look, cross, dot};

pub(super) type Point = [f64; 3];

/// A part's box, and where its texture begins on the skin in both layers.
struct Part {
    name: Name,
    corner: Point,
    size: Point,
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
    pub(super) corner: Point,
    pub(super) columns: Point,
    pub(super) rows: Point,
    /// The first texel, and the numbers of columns and rows.
    pub(super) texel: [f64; 2],
    pub(super) count: [f64; 2],
    pub(super) normal: Point,
    /// The center of the part.
    pub(super) center: Point,
    part: Name,
    /// `true` if the inner side is not drawn.
    pub(super) one_sided: bool,
}

/// The parts in the order in which touching ones are painted: left leg, right leg, left arm, torso, right arm,
/// head.
fn parts(view: View, model: Model) -> Vec<Part> {
    let limb = |name, x: f64, y: f64, w: f64, base, overlay| Part {
        name,
        corner: [x, y, -2.0],
        size: [w, 12.0, 4.0],
        base,
        overlay,
        off: 0.25,
    };
    let arm = if model == Model::Slim { 3.0 } else { 4.0 };
    let head = Part {
        name: Name::Head,
        corner: [-4.0, 0.0, -4.0],
        size: [8.0, 8.0, 8.0],
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
fn rotation(pose: &Pose, part: Name) -> Point {
    degrees(match part {
        Name::Head => pose.head,
        Name::Torso => pose.torso,
        Name::RightArm => pose.right_arm,
        Name::LeftArm => pose.left_arm,
        Name::RightLeg => pose.right_leg,
        Name::LeftLeg => pose.left_leg,
    })
}

fn degrees(rotation: Rotation) -> Point {
    [rotation.x, rotation.y, rotation.z].map(|angle| angle.to_degrees())
}

/// Turns a direction by the game's angles, whose `z` axis points to the back.
fn turn([x, y, z]: Point, degrees: Point) -> Point {
    let [a, b, c] = degrees.map(f64::to_radians);
    let back = -z;
    let [y, back] = [y * a.cos() - back * a.sin(), y * a.sin() + back * a.cos()];
    let [x, back] = [x * b.cos() + back * b.sin(), back * b.cos() - x * b.sin()];
    let [x, y] = [x * c.cos() - y * c.sin(), x * c.sin() + y * c.cos()];
    [x, y, -back]
}

/// Moves a point of a part to where it is in a pose.
fn moved(point: Point, part: Name, pose: &Pose) -> Point {
    let (joint, lowered) = match part {
        Name::Head => ([0.0, 8.0, 0.0], [0.0, 4.2, 0.0]),
        Name::Torso => ([0.0, 8.0, 0.0], [0.0, 3.2, 0.0]),
        Name::RightArm => ([-5.0, 10.0, 0.0], [0.0, 3.2, 0.0]),
        Name::LeftArm => ([5.0, 10.0, 0.0], [0.0, 3.2, 0.0]),
        Name::RightLeg => ([-2.0, 20.0, 0.0], [0.0, 0.2, -4.0]),
        Name::LeftLeg => ([2.0, 20.0, 0.0], [0.0, 0.2, -4.0]),
    };
    let turned = turn(difference(point, joint), rotation(pose, part));
    let lowered = if pose.is_lowered { lowered } else { [0.0; 3] };
    let aside = aside(part, pose);
    let placed = [0, 1, 2].map(|axis| turned[axis] + joint[axis] + lowered[axis] + aside[axis]);
    let hips = [0.0, 20.0, 0.0];
    let leant = turn(difference(placed, hips), degrees(pose.body));
    [0, 1, 2].map(|axis| leant[axis] + hips[axis])
}

/// The way by which a raised arm leaves the head its room: as far as the arm's outer side looks up and inwards.
fn aside(part: Name, pose: &Pose) -> Point {
    let outwards = match part {
        Name::RightArm => -1.0,
        Name::LeftArm => 1.0,
        _ => return [0.0; 3],
    };
    let outer = turn([outwards, 0.0, 0.0], rotation(pose, part));
    let raised = dot(outer, [-outwards, -1.0, 0.0]).max(0.0);
    // From hanging to 60 degrees below the shoulders, it leaves its place.
    let down = turn([0.0, 1.0, 0.0], rotation(pose, part))[1];
    let raised = raised * (2.0 * (1.0 - down)).clamp(0.0, 1.0);
    [outwards * 0.5 * raised, raised, 0.0]
}

/// The corners of a box.
fn corners(low: Point, high: Point) -> impl Iterator<Item = Point> {
    let corner = move |bits: usize| [0, 1, 2].map(|axis| [low, high][bits >> axis & 1][axis]);
    (0..8).map(corner)
}

/// The corners of all boxes with their overlays, and of the cape, on a player with wide arms.
pub(super) fn outline(look: Look) -> Vec<Point> {
    let parts = parts(look.view, Model::Classic);
    let is_upper =
        |name| look.view != View::Portrait || !matches!(name, Name::RightLeg | Name::LeftLeg);
    let mut points = Vec::new();
    for part in parts.iter().filter(|part| is_upper(part.name)) {
        for face in unfold(part, [0.0; 2], [part.off; 3], &look.pose()) {
            points.extend(face.corners());
        }
    }
    if look.view == View::Figure {
        // Hung behind the torso.
        for hung in corners([-5.0, 0.0, -1.0], [5.0, 16.0, 0.0]) {
            let [x, y, z] = turn(hung, [look.pose.cape.to_degrees(), 0.0, 0.0]);
            points.push(moved([x, y + 8.0, z - 2.0], Name::Torso, &look.pose()));
        }
    }
    points
}

/// The faces that are drawn: the base, and the overlay with its inner sides, which show through its gaps.
pub(super) fn faces(look: Look, model: Model) -> Vec<Face> {
    let parts = parts(look.view, model);
    let boxes: Vec<Face> = parts
        .iter()
        .flat_map(|part| unfold(part, part.base, [0.0; 3], &look.pose()))
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
            let off = off(part, &look.pose());
            let overlays = unfold(part, part.overlay, off, &look.pose());
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

/// The distances of an overlay from its box. Trousers on legs in a step are narrower: from the hips to their upper edges is as
/// far as to the jacket, 2.25 texels.
fn off(part: &Part, pose: &Pose) -> Point {
    let is_leg = matches!(part.name, Name::RightLeg | Name::LeftLeg);
    match is_leg && rotation(pose, part.name) != [0.0; 3] {
        true => {
            let narrow = 2.25_f64.powi(2) - part.off.powi(2);
            [narrow.sqrt() - 2.0, part.off, narrow.sqrt() - 2.0]
        }
        false => [part.off; 3],
    }
}

/// Front, right, top, back, left and bottom of a box. On the skin the sides lie in the order right,
/// front, left, back, as if wound round the box; above them lie the top and the bottom, both from
/// the back to the front.
fn unfold(part: &Part, [u, v]: [f64; 2], off: Point, pose: &Pose) -> Vec<Face> {
    let [w, h, d] = part.size;
    let [x0, y0, z0] = difference(part.corner, off);
    let [x1, y1, z1] = [0, 1, 2].map(|axis| part.corner[axis] + part.size[axis] + off[axis]);
    let at = |point| moved(point, part.name, pose);
    let center = at([0, 1, 2].map(|axis| part.corner[axis] + part.size[axis] / 2.0));
    let face = |corner: Point, right: Point, below: Point, texel: [f64; 2], count: [f64; 2]| {
        let [corner, right, below] = [corner, right, below].map(at);
        let (columns, rows) = (difference(right, corner), difference(below, corner));
        Face {
            corner,
            columns,
            rows,
            texel,
            count,
            normal: cross(columns, rows),
            center,
            part: part.name,
            one_sided: false,
        }
    };
    let below = turn(
        turn([0.0, 1.0, 0.0], rotation(pose, part.name)),
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
    pub(super) fn corners(&self) -> [Point; 4] {
        [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(|[s, t]| {
            [0, 1, 2].map(|axis| self.corner[axis] + s * self.columns[axis] + t * self.rows[axis])
        })
    }

    /// Returns `true` if both faces have the same corners.
    fn meets(&self, other: &Face) -> bool {
        let near = |a: Point, b: Point| {
            let between = difference(a, b);
            dot(between, between) < 1e-12
        };
        self.corners()
            .into_iter()
            .all(|a| other.corners().into_iter().any(|b| near(a, b)))
    }
}

pub(super) fn difference(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
