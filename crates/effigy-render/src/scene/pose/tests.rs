use super::*;
use crate::model::Part;
use crate::scene::geometry::range;
use crate::scene::skeleton::Skeleton;
use crate::scene::solid::Solid;
use crate::{Layers, Model};
use glam::DVec3;

fn moved(pose: impl Into<Pose>, part: Part, [x, y, z]: [f64; 3]) -> [i32; 3] {
    let skeleton = Skeleton::new(&pose.into(), false);
    let DVec3 { x, y, z } = skeleton
        .transform(part)
        .transform_point3(DVec3::new(x, y, z));
    #[expect(clippy::cast_possible_truncation, reason = "a point of a figure")]
    [x, y, z].map(|at| at.round() as i32)
}

#[test]
fn limbs_turn_as_in_the_game() {
    let foot = [-2.0, 32.0, 0.0];
    let straight = Pose::STRAIGHT;
    assert_eq!(moved(straight, Part::RightLeg, foot), [-2, 32, 0]);
    // A rider's feet are in front of it, far from one another.
    assert_eq!(moved(NamedPose::Sit, Part::RightLeg, foot), [-6, 22, 11]);
    let hand = [-6.0, 20.0, 0.0];
    let forward = Pose {
        right_arm: Rotation::degrees(-92.0, 10.0, 0.0),
        ..straight
    };
    assert_eq!(moved(forward, Part::RightArm, hand), [-8, 10, 10]);
    let raised = moved(NamedPose::Cheer, Part::RightArm, hand);
    assert!(raised[1] < 4, "{raised:?}");
    // The whole figure leans about its hips.
    let leaning = Pose {
        body: Rotation::degrees(90.0, 0.0, 0.0),
        ..straight
    };
    assert_eq!(moved(leaning, Part::Head, [3.0, 0.0, 1.0]), [3, 21, 20]);
    // The lower end of a cape is behind the player.
    let lower = [0.0, 24.0, -2.0];
    assert_eq!(moved(straight, Part::Cape, lower), [0, 24, -4]);
}

/// Returns the corners of a part's outer box in a pose.
fn outer_box(pose: Pose, part: Part) -> [DVec3; 8] {
    let layers = part.layers(Layers::WithOverlay);
    let inflation = layers.last().expect("a part has layers").inflation(part);
    let cuboid = part.cuboid(Model::Classic);
    let transform = Skeleton::new(&pose, false).transform(part);
    Solid::of_part(&cuboid, inflation, transform).corners
}

/// Returns how high the upper and the lower end of a part are in a pose.
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

/// Returns the depth to which two boxes lie in one another: the least over the axes that can
/// separate them.
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
    let names = NamedPose::ALL.iter();
    phases.flat_map(move |phase| {
        names
            .clone()
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
    // Overlays of neighbors lie in one another: by 0.5 texels, at the head by 0.75 and more while
    // it turns.
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
        let lowest = |parts: [Part; 2]| range(parts.map(|part| ends(pose, part)[1]).into_iter())[1];
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

#[test]
fn bends_stay_in_their_range_between_and_beyond_poses() {
    let mut bent = Pose::STRAIGHT;
    bent.right_elbow = Angle::degrees(100.0);
    bent.left_knee = Angle::degrees(60.0);
    bent.waist = Rotation::degrees(30.0, 40.0, -20.0);
    let pose = |share| Pose::between(Pose::STRAIGHT, bent, share);
    assert_eq!(pose(0.5).right_elbow, Angle::degrees(50.0));
    assert_eq!(pose(0.5).waist, Rotation::degrees(15.0, 20.0, -10.0));
    assert_eq!(pose(2.0).right_elbow, Angle::degrees(135.0));
    assert_eq!(pose(2.0).left_knee, Angle::degrees(120.0));
    assert_eq!(pose(2.0).waist, Rotation::degrees(45.0, 80.0, -40.0));
    assert_eq!(pose(-1.0).right_elbow, Angle::ZERO);
    assert_eq!(pose(-2.0).waist, Rotation::degrees(-45.0, -80.0, 40.0));
}

#[test]
fn bends_change_sides_in_a_mirror_and_keep_their_value() {
    let mut pose = Pose::STRAIGHT;
    pose.right_elbow = Angle::degrees(70.0);
    pose.left_knee = Angle::degrees(20.0);
    pose.waist = Rotation::degrees(10.0, 20.0, -5.0);
    let mirrored = pose.mirrored();
    assert_eq!(mirrored.left_elbow, Angle::degrees(70.0));
    assert_eq!(mirrored.right_knee, Angle::degrees(20.0));
    assert_eq!(mirrored.right_elbow, Angle::ZERO);
    assert_eq!(mirrored.waist, Rotation::degrees(10.0, -20.0, 5.0));
    assert_eq!(mirrored.mirrored(), pose);
}

#[test]
fn words_change_bends_within_their_range() {
    let mut pose = Pose::STRAIGHT;
    for word in Pose::BENDS {
        assert!(pose.bend(word, Angle::degrees(140.0)), "{word}");
    }
    assert_eq!(pose.bends_mut().map(|bend| bend.to_degrees()), [135.0; 4]);
    assert!(pose.bend("left-knee", Angle::degrees(-5.0)));
    assert_eq!(pose.left_knee, Angle::ZERO);
    assert!(!pose.bend("neck", Angle::degrees(5.0)));
    assert!(pose.turn("waist", Rotation::degrees(1.0, 2.0, 3.0)));
    assert_eq!(pose.waist, Rotation::degrees(1.0, 2.0, 3.0));
}

/// Returns the turn of the head toward a viewer at a yaw of 45 degrees.
fn gaze(change: impl Fn(&mut Pose)) -> f64 {
    let mut pose = Pose::STRAIGHT;
    pose.gaze = Angle::degrees(12.0);
    change(&mut pose);
    let yaw = Angle::degrees(45.0).cos_sin();
    pose.looking_at(yaw).head.y.to_degrees()
}

#[test]
fn a_gaze_starts_where_the_shoulders_look() {
    assert_eq!(gaze(|_| {}), 12.0);
    assert_eq!(gaze(|pose| pose.waist.y = Angle::degrees(45.0)), 0.0);
    assert_eq!(gaze(|pose| pose.waist.y = Angle::degrees(90.0)), -12.0);
    let both = |pose: &mut Pose| {
        pose.waist.y = Angle::degrees(20.0);
        pose.body.y = Angle::degrees(25.0);
    };
    assert_eq!(gaze(both), 0.0);
}

#[test]
fn a_figure_that_lies_has_no_gaze() {
    for degrees in [72.0, -82.0, -88.0] {
        assert_eq!(gaze(|pose| pose.body.x = Angle::degrees(degrees)), 0.0);
        assert_eq!(gaze(|pose| pose.body.z = Angle::degrees(degrees)), 0.0);
    }
    assert_eq!(gaze(|pose| pose.body.x = Angle::degrees(-24.0)), 12.0);
}
