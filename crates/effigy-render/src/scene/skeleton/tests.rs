//! Movements of parts.

use super::*;
use crate::Model;

/// Returns the least and the greatest coordinates of a part's solids, along each axis.
fn extent(pose: Pose, part: Part) -> [DVec3; 2] {
    let skeleton = Skeleton::new(&pose, false);
    let solids = skeleton.solids(&part.cuboid(Model::Classic), DVec3::ZERO);
    let corners: Vec<DVec3> = solids.iter().flat_map(|solid| solid.corners).collect();
    let mut least = DVec3::MAX;
    let mut greatest = DVec3::MIN;
    for corner in corners {
        least = least.min(corner);
        greatest = greatest.max(corner);
    }
    [least, greatest]
}

/// Returns the corners at which the halves of a limb meet, as heights and depths.
fn joint(pose: Pose, part: Part) -> Vec<[f64; 2]> {
    let skeleton = Skeleton::new(&pose, false);
    let solids = skeleton.solids(&part.cuboid(Model::Classic), DVec3::ZERO);
    let [upper, lower] = &solids[..] else {
        panic!("{part:?} does not bend");
    };
    let is_shared = |corner: &&DVec3| lower.corners.contains(corner);
    let shared = upper.corners.iter().filter(is_shared);
    shared.map(|corner| [corner.y, corner.z]).collect()
}

#[track_caller]
fn assert_near(actual: f64, expected: f64) {
    assert!(
        (actual - expected).abs() < 1e-9,
        "{actual} is not {expected}"
    );
}

#[test]
fn an_elbow_moves_the_hand_to_the_front() {
    let mut pose = Pose::STRAIGHT;
    pose.right_elbow = Angle::degrees(90.0);
    let joint = joint(pose, Part::RightArm);
    assert_eq!(joint.len(), 4);
    for [height, depth] in joint {
        // The outer corner is at the back.
        assert_near(height, 14.0 - depth);
        assert_near(depth.abs(), 2.0);
    }
    let [least, greatest] = extent(pose, Part::RightArm);
    assert_near(greatest.z, 6.0);
    assert_near(greatest.y, 16.0);
    assert_near(least.x, -8.0);
    assert_near(greatest.x, -4.0);
}

#[test]
fn a_knee_moves_the_foot_to_the_back() {
    let mut pose = Pose::STRAIGHT;
    pose.right_knee = Angle::degrees(90.0);
    for [height, depth] in joint(pose, Part::RightLeg) {
        assert_near(height, 26.0 + depth);
    }
    let [least, greatest] = extent(pose, Part::RightLeg);
    assert_near(least.z, -6.0);
    assert_near(greatest.y, 28.0);
}

#[test]
fn bends_have_a_range() {
    let bent = |degrees| {
        let mut pose = Pose::STRAIGHT;
        pose.left_elbow = Angle::degrees(degrees);
        extent(pose, Part::LeftArm)
    };
    assert_eq!(bent(170.0), bent(135.0));
    assert_eq!(bent(-20.0), bent(0.0));
    assert_ne!(bent(130.0), bent(135.0));
}

#[test]
fn the_torso_ends_at_the_hips_however_the_waist_turns() {
    for waist in [[40.0, 0.0, 0.0], [-30.0, 70.0, 0.0], [20.0, -20.0, 45.0]] {
        let mut pose = Pose::STRAIGHT;
        pose.waist = Rotation::degrees(waist[0], waist[1], waist[2]);
        let skeleton = Skeleton::new(&pose, false);
        for inflation in [0.0, 0.25] {
            let cuboid = Part::Torso.cuboid(Model::Classic);
            let [solid] = &skeleton.solids(&cuboid, DVec3::splat(inflation))[..] else {
                panic!("a torso is one solid");
            };
            for corner in [2, 3, 6, 7] {
                assert_near(solid.corners[corner].y, 20.0 + inflation);
            }
        }
    }
}

#[test]
fn a_torso_that_lies_across_keeps_its_end() {
    let mut pose = Pose::STRAIGHT;
    pose.torso = Rotation::degrees(80.0, 0.0, 0.0);
    let [_, straight] = extent(pose, Part::Torso);
    pose.waist.y = Angle::degrees(0.1);
    let [_, greatest] = extent(pose, Part::Torso);
    assert!(
        (greatest - straight).length() < 0.1,
        "{greatest} {straight}"
    );
}

#[test]
fn parts_above_the_hips_follow_the_waist() {
    let mut pose = Pose::STRAIGHT;
    pose.waist = Rotation::degrees(0.0, 0.0, 30.0);
    let parts = [
        Part::Head,
        Part::RightEar,
        Part::Torso,
        Part::LeftArm,
        Part::Cape,
        Part::RightWing,
    ];
    let straight = Skeleton::new(&Pose::STRAIGHT, false);
    let turned = Skeleton::new(&pose, false);
    let waist = pose.waist.about(HIPS);
    for part in parts {
        let expected = waist * straight.transform(part);
        assert!(
            turned.transform(part).abs_diff_eq(expected, 1e-12),
            "{part:?}"
        );
    }
    for part in [Part::RightLeg, Part::LeftLeg] {
        assert_eq!(turned.transform(part), straight.transform(part));
    }
}
