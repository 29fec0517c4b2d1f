//! Frames and moments, without drawing them.

use super::*;
use crate::{Cape, NamedPose, Size, Skin, View};

/// Returns the distance in pixels by which the figure of a picture lies beyond its edges.
fn cut_off(picture: &Picture<'_>) -> f64 {
    let scene = picture.scene().expect("it is no flat view");
    // A cape has room whether it is there or not.
    let back = match scene.figure.back {
        [] => crate::scene::figure::CAPE,
        back => back,
    };
    let framed = crate::scene::figure::Figure {
        back,
        ..scene.figure
    };
    let corners = framed.corners(&framed.parts().collect::<Vec<_>>());
    let [min, max] = scene.projection.bounds(&corners);
    let beyond = max - glam::DVec2::from(scene.size.map(f64::from));
    (-min).max(beyond).max_element()
}

#[test]
fn every_frame_has_room() {
    let skin = Skin::decode(include_bytes!("../../../assets/skin.png"), None).expect("a skin");
    let cape = Cape::from_rgba(64, 32, &[255; 64 * 32 * 4]).expect("a cape with elytra");
    let player = Player::new(&skin).with_cape(&cape);
    let spec = PictureSpec::new(View::Figure, Size::px(48));
    // The others breathe as these do.
    let others = [NamedPose::CrossLegged, NamedPose::Lie, NamedPose::Fly];
    for &name in NamedPose::ALL {
        if !name.is_moving() && !others.contains(&name) {
            continue;
        }
        for turns in [false, true] {
            for camera in [
                Camera::orthographic(-35.0, 10.0),
                Camera::perspective(25.0, 16.0, 60.0),
            ] {
                let spec = spec.with_pose(name).with_camera(camera).with_elytra(true);
                let mut motion = Motion::of(name);
                if turns {
                    motion = motion.turning();
                }
                let animation = spec.animation(player, motion).expect("small pictures");
                let cut = animation.frames.iter().map(|(frame, _)| cut_off(frame));
                let cut = cut.fold(f64::MIN, f64::max);
                assert!(cut < 1e-6, "{name} {camera:?}: {cut} pixels");
            }
        }
    }
}

/// Returns the height in pixels at which the lowest point of a figure's body is shown.
fn ground(picture: &Picture<'_>) -> f64 {
    let scene = picture.scene().expect("it is no flat view");
    let corners = scene.figure.corners(scene.figure.body);
    let lowest = corners
        .iter()
        .max_by(|one, other| one.y.total_cmp(&other.y))
        .expect("a body has corners");
    scene.projection.point(*lowest).y
}

#[test]
fn every_frame_stands_on_one_ground() {
    let skin = Skin::decode(include_bytes!("../../../assets/skin.png"), None).expect("a skin");
    for &name in NamedPose::ALL.iter().filter(|name| name.is_moving()) {
        for view in [View::Figure, View::Portrait] {
            // Level with the ground, every point of it is at one height.
            let spec = PictureSpec::new(view, Size::px(48))
                .with_pose(name)
                .with_camera(Camera::orthographic(35.0, 0.0));
            let animation = spec
                .animation(&skin, Motion::of(name))
                .expect("small pictures");
            let first = ground(&animation.frames[0].0);
            for (frame, _) in &animation.frames {
                assert!((ground(frame) - first).abs() < 1e-6, "{name} {view}");
            }
        }
    }
}

#[test]
fn all_poses_have_one_scale() {
    let skin = Skin::decode(include_bytes!("../../../assets/skin.png"), None).expect("a skin");
    let spec = PictureSpec::new(View::Figure, Size::px(48)).with_framing(Framing::All);
    for fov in [0.0, 30.0, 90.0] {
        let mut scales = Vec::new();
        for &pose in NamedPose::ALL {
            if pose.is_stretched_out() {
                continue;
            }
            for yaw in [0.0, 77.0, -135.0] {
                let camera = Camera::perspective(yaw, 16.0, fov);
                let spec = spec.with_pose(pose).with_camera(camera);
                let picture = spec.picture(&skin).expect("a small picture");
                assert!(cut_off(&picture) < 1e-6, "{pose} {camera:?}");
                let scene = picture.scene().expect("it is no flat view");
                scales.push(scene.projection.right.length());
            }
        }
        let differs = |scale: &f64| (scale / scales[0] - 1.0).abs() > 1e-9;
        assert!(!scales.iter().any(differs), "{fov}: {scales:?}");
    }
}

#[test]
fn limbs_of_the_specification_rest() {
    let spec = PictureSpec::new(View::Figure, Size::px(48));
    let arm = crate::Rotation::degrees(-90.0, 0.0, 0.0);
    for phase in [0.0, 0.3, 0.5, 1.0] {
        let mut spec = spec.with_pose(NamedPose::Walk.at(phase));
        spec.pose.left_arm = arm;
        spec.pose.left_elbow = Angle::degrees(60.0);
        let motion = Motion::of(NamedPose::Walk).starting_at(phase);
        let [first, moved] = [0.0, 0.25].map(|share| spec.pose_at(motion, share));
        assert_eq!(first, spec.pose);
        assert_eq!(moved.left_arm, arm);
        assert_eq!(moved.left_elbow, Angle::degrees(60.0));
        assert_ne!(moved.right_arm, spec.pose.right_arm);
        assert_ne!(moved.right_leg, spec.pose.right_leg);
    }
}

#[test]
fn a_specification_without_a_pose_moves_as_the_motion() {
    let spec = PictureSpec::new(View::Figure, Size::px(48));
    let motion = Motion::of(NamedPose::Run).starting_at(0.25);
    let moved = spec.pose_at(motion, 0.5);
    assert_eq!(moved, NamedPose::Run.at(0.75));
    // The specification may have the pose of the cycle's beginning, or of the motion's start.
    for pose in [NamedPose::Run.at(0.0), NamedPose::Run.at(0.25)] {
        assert_eq!(spec.with_pose(pose).pose_at(motion, 0.5), moved);
    }
    let mut posed = Pose::from(NamedPose::Run);
    posed.turn(
        crate::Limb::LeftArm,
        crate::Rotation::degrees(0.0, 0.0, -90.0),
    );
    let raised = spec.with_pose(posed).pose_at(motion, 0.5);
    assert_eq!(raised.left_arm, posed.left_arm);
    assert_eq!(raised.right_arm, moved.right_arm);
}
