//! Parts that must not lie in one another.

use super::*;
use crate::scene::geometry::range;

/// Returns the corners of a straight part's outer box in a pose.
fn outer_box(pose: Pose, part: Part) -> [DVec3; 8] {
    let layers = part.layers(Layers::WithOverlay);
    let inflation = layers.last().expect("a part has layers").inflation(part);
    let cuboid = part.cuboid(Model::Classic);
    let transform = Skeleton::new(&pose, false).transform(part);
    Solid::of_part(&cuboid, inflation, transform).corners
}

/// Returns the heights of the upper and the lower end of a part in a pose.
fn ends(pose: Pose, part: Part) -> [f64; 2] {
    range(outer_box(pose, part).map(|corner| corner.y).into_iter())
}

/// Returns the outer half of the cape in a pose.
fn outer_cape(pose: Pose) -> [DVec3; 8] {
    let mut corners = outer_box(pose, Part::Cape);
    for inner in 0..4 {
        corners[inner] = corners[inner].midpoint(corners[inner + 4]);
    }
    corners
}

/// Returns the corners of the pieces of a part with its overlay in a pose.
fn pieces(pose: Pose, part: Part) -> Vec<[DVec3; 8]> {
    let layers = part.layers(Layers::WithOverlay);
    let inflation = layers.last().expect("a part has layers").inflation(part);
    let solids = Skeleton::new(&pose, false).solids(&part.cuboid(Model::Classic), inflation);
    solids.iter().map(|solid| solid.corners).collect()
}

/// Returns the corners of the lower half of a limb.
fn lower_half(pose: Pose, limb: Part) -> [DVec3; 8] {
    let pieces = pieces(pose, limb);
    let mut half = pieces[pieces.len() - 1];
    if pieces.len() == 1 {
        for upper in [0, 1, 4, 5] {
            half[upper] = half[upper].midpoint(half[upper | 2]);
        }
    }
    half
}

/// Returns the directions of the edges of a piece.
fn edges(corners: [DVec3; 8]) -> Vec<DVec3> {
    let mut edges = Vec::new();
    for from in 0..8 {
        for axis in [1, 2, 4] {
            if from & axis == 0 {
                edges.push((corners[from | axis] - corners[from]).normalize());
            }
        }
    }
    edges
}

/// Returns the depth to which two convex pieces lie in one another: the least over the axes that
/// can separate them.
fn depth(a: [DVec3; 8], b: [DVec3; 8]) -> f64 {
    let all: Vec<DVec3> = edges(a).into_iter().chain(edges(b)).collect();
    let mut least = f64::MAX;
    for (number, edge) in all.iter().enumerate() {
        for other in &all[number + 1..] {
            let Some(axis) = edge.cross(*other).try_normalize() else {
                continue;
            };
            let extent = |corners: [DVec3; 8]| range(corners.iter().map(|corner| corner.dot(axis)));
            let [low, high] = extent(a);
            let [bottom, top] = extent(b);
            least = least.min(high.min(top) - low.max(bottom));
        }
    }
    least
}

const ARMS: [Part; 2] = [Part::RightArm, Part::LeftArm];
const LEGS: [Part; 2] = [Part::RightLeg, Part::LeftLeg];
const WINGS: [Part; 2] = [Part::RightWing, Part::LeftWing];

/// All moments of the named poses.
fn moments() -> Vec<(NamedPose, f64, Pose)> {
    let mut moments = Vec::new();
    for &name in NamedPose::ALL {
        // A player who only breathes hardly moves.
        let count = if name.is_moving() { 16 } else { 2 };
        for number in 0..count {
            let phase = f64::from(number) / f64::from(count);
            moments.push((name, phase, name.at(phase)));
        }
    }
    moments
}

/// Returns descriptions of the moments at which parts lie too deep in one another.
fn too_deep(find: impl Fn(NamedPose, Pose) -> Vec<(String, f64, f64)>) -> Vec<String> {
    let mut found = Vec::new();
    for (name, phase, pose) in moments() {
        for (parts, deepest, limit) in find(name, pose) {
            if deepest > limit {
                found.push(format!("{name} {phase}: {parts} {deepest:.2}"));
            }
        }
    }
    found
}

#[test]
fn no_limb_pierces_the_cape() {
    let found = too_deep(|_, pose| {
        let mut depths = Vec::new();
        for limb in ARMS.into_iter().chain(LEGS) {
            // Turning shoulders touch the edge of a cape, so only lower halves count.
            let found = depth(outer_cape(pose), lower_half(pose, limb));
            depths.push((format!("{limb:?}"), found, 0.3));
        }
        depths
    });
    assert!(found.is_empty(), "{found:#?}");
}

/// Returns the depth to which a forearm may lie in the head: more in poses with a hand on it.
fn depth_of_hand(name: NamedPose) -> f64 {
    use NamedPose::{Cower, Dab, Facepalm, Lie, Salute, Think};
    if matches!(name, Cower | Dab | Facepalm | Lie | Salute | Think) {
        3.1
    } else {
        1.25
    }
}

#[test]
fn no_arm_pierces_the_head_or_a_leg() {
    // Overlays of neighbors lie in one another, and the upper end of an arm that turns does so
    // out of sight, between shoulder and head.
    let found = too_deep(|name, pose| {
        let limits = [
            (Part::Head, [2.6, depth_of_hand(name)]),
            (Part::RightLeg, [0.501, 0.501]),
            (Part::LeftLeg, [0.501, 0.501]),
        ];
        let mut depths = Vec::new();
        for (part, limits_of_halves) in limits {
            for arm in ARMS {
                for (number, piece) in pieces(pose, arm).into_iter().enumerate() {
                    let others = pieces(pose, part).into_iter();
                    let [_, deepest] = range(others.map(|other| depth(piece, other)));
                    let words = format!("{part:?} {arm:?} {number}");
                    depths.push((words, deepest, limits_of_halves[number]));
                }
            }
        }
        depths
    });
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn an_arm_that_hangs_stays_at_the_shoulder() {
    for y in (-180..=180).step_by(15) {
        let mut pose = Pose::STRAIGHT;
        pose.right_arm = Rotation::degrees(0.0, y.into(), 0.0);
        let [top, _] = ends(pose, Part::RightArm);
        assert!((top - 7.75).abs() < 1e-9, "{y}: {top}");
    }
}

#[test]
fn wings_follow_legs_all_around() {
    let end = |degrees| {
        let mut pose = Pose::STRAIGHT;
        pose.right_leg = Rotation::degrees(degrees, 0.0, 0.0);
        pose.left_leg = pose.right_leg;
        ends(pose, Part::RightWing)[1]
    };
    assert!((end(-180.0) - end(180.0)).abs() < 1e-9);
    assert!(end(-80.0) < end(0.0));
}

#[test]
fn wings_end_above_the_ground() {
    for (name, phase, pose) in moments() {
        if name.is_stretched_out() {
            continue;
        }
        let lowest = |parts: [Part; 2]| {
            let corners = parts
                .into_iter()
                .flat_map(|part| pieces(pose, part))
                .flatten();
            range(corners.map(|corner| corner.y))[1]
        };
        let [wings, feet] = [WINGS, LEGS].map(lowest);
        assert!(wings < feet, "{name} {phase}: {wings} {feet}");
    }
}
