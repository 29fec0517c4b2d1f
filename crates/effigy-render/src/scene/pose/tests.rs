//! Limbs, joints and gazes.

mod collisions;
mod motions;

use super::*;
use crate::model::Part;
use crate::scene::skeleton::Skeleton;
use crate::scene::solid::Solid;
use crate::{Layers, Model, NamedPose};
use glam::DVec3;

/// Returns the place of a point of a part in a pose, in whole texels.
fn moved(pose: impl Into<Pose>, part: Part, point: [f64; 3]) -> [i32; 3] {
    let skeleton = Skeleton::new(&pose.into(), false);
    let place = skeleton
        .transform(part)
        .transform_point3(DVec3::from(point));
    #[expect(clippy::cast_possible_truncation, reason = "a point of a figure")]
    place.to_array().map(|at| at.round() as i32)
}

#[test]
fn limbs_turn_as_in_the_game() {
    let foot = [-2.0, 32.0, 0.0];
    let straight = Pose::STRAIGHT;
    assert_eq!(moved(straight, Part::RightLeg, foot), [-2, 32, 0]);
    // A rider's feet are in front of it, far from one another.
    let riding = Pose {
        right_leg: Rotation::degrees(-81.0, 18.0, 5.0),
        ..straight
    };
    assert_eq!(moved(riding, Part::RightLeg, foot), [-6, 22, 11]);
    let hand = [-6.0, 20.0, 0.0];
    let forward = Pose {
        right_arm: Rotation::degrees(-92.0, 10.0, 0.0),
        ..straight
    };
    assert_eq!(moved(forward, Part::RightArm, hand), [-8, 10, 10]);
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

#[test]
fn angles_change_evenly_between_poses_and_beyond() {
    let leaning = Pose {
        body: Rotation::degrees(12.0, 0.0, 0.0),
        right_arm: Rotation::degrees(-24.0, 0.0, 6.0),
        cape: Angle::degrees(10.0),
        ..Pose::STRAIGHT
    };
    let half = Pose::between(NamedPose::Straight, leaning, 0.5);
    assert_eq!(half.right_arm, Rotation::degrees(-12.0, 0.0, 3.0));
    assert_eq!(half.cape.to_degrees(), 8.0);
    for (share, pose) in [(0.0, NamedPose::Sit), (1.0, NamedPose::Crouch)] {
        let between = Pose::between(NamedPose::Sit, NamedPose::Crouch, share);
        assert_eq!(between, pose.into());
    }
    let beyond = Pose::between(NamedPose::Straight, leaning, 2.0);
    assert_eq!(beyond.right_arm, Rotation::degrees(-48.0, 0.0, 12.0));
    assert_eq!(beyond.body.x.to_degrees(), 24.0);
}

#[test]
fn bends_between_poses_stay_in_their_range() {
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
fn bends_change_sides_in_a_mirror() {
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
fn joints_bend_within_their_range() {
    let mut pose = Pose::STRAIGHT;
    for &joint in Joint::ALL {
        pose.bend(joint, Angle::degrees(140.0));
    }
    assert_eq!(pose.bends_mut().map(|bend| bend.to_degrees()), [135.0; 4]);
    pose.bend(Joint::LeftKnee, Angle::degrees(-5.0));
    assert_eq!(pose.left_knee, Angle::ZERO);
}

#[test]
fn every_limb_turns_its_own_part() {
    let turned = Rotation::degrees(1.0, 2.0, 3.0);
    for (number, &limb) in Limb::ALL.iter().enumerate() {
        let mut pose = Pose::STRAIGHT;
        pose.turn(limb, turned);
        let mut rotations = pose.rotations_mut().map(|rotation| *rotation);
        assert_eq!(rotations[number], turned, "{limb}");
        rotations[number] = Rotation::ZERO;
        assert_eq!(rotations, [Rotation::ZERO; 8], "{limb}");
    }
}

#[test]
fn a_turned_head_has_no_gaze() {
    let mut pose = Pose::STAND;
    pose.turn(Limb::Head, Rotation::degrees(0.0, 20.0, 0.0));
    assert_eq!(pose.gaze, Angle::ZERO);
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
fn a_gaze_starts_from_the_direction_of_the_shoulders() {
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

#[test]
fn poses_that_lie_have_no_gaze() {
    for name in [
        NamedPose::Fly,
        NamedPose::Recline,
        NamedPose::Lie,
        NamedPose::Faint,
    ] {
        assert_eq!(Pose::from(name).gaze, Angle::ZERO, "{name}");
    }
}

#[test]
fn the_stance_at_ease_is_as_it_was_drawn() {
    let mut drawn = NamedPose::Stand.sketch().pose();
    let mut stance = Pose::STAND;
    let rotations = stance
        .rotations_mut()
        .into_iter()
        .zip(drawn.rotations_mut());
    for (own, other) in rotations {
        let own = own.about([0.0; 3]).matrix3;
        let other = other.about([0.0; 3]).matrix3;
        assert!(own.abs_diff_eq(other, 0.01), "{own} {other}");
    }
    assert_eq!(stance.bends_mut(), drawn.bends_mut());
}

#[test]
fn every_pose_has_the_default_lens() {
    for &name in NamedPose::ALL {
        let camera = name.camera();
        let angles = camera.angles().expect("a free camera");
        let default = crate::Camera::DEFAULT.angles().expect("a free camera");
        assert_eq!(angles[2], default[2], "{name}");
    }
}

#[test]
fn poses_that_lie_are_seen_from_the_side_and_above() {
    assert_eq!(NamedPose::Walk.camera(), crate::Camera::DEFAULT);
    let [yaw, pitch, _] = NamedPose::Lie.camera().angles().expect("a free camera");
    assert!(yaw.to_degrees() >= 40.0 && pitch.to_degrees() >= 28.0);
}

#[test]
fn named_poses_are_within_the_limits_of_joints() {
    for &name in NamedPose::ALL {
        for number in 0..64 {
            let pose = name.at(f64::from(number) / 64.0);
            assert_eq!(pose, pose.within_limits(), "{name} {number}");
        }
    }
}
