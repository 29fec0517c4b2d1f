//! Random poses.

use effigy_render::{Angle, NamedPose, Pose, Rotation};
use proptest::prelude::*;
use proptest::{array, option, sample};

/// Named poses, in some of which limbs turn and joints bend by any angles, or by multiples of 45
/// degrees, with which many faces are on one plane.
pub(crate) fn any_pose() -> impl Strategy<Value = Pose> {
    let any_rotations = array::uniform4([-180.0..=180.0, -180.0..=180.0, -180.0..=180.0]);
    let any_waist = [-45.0..=45.0, -180.0..=180.0, -45.0..=45.0];
    let any_bends = array::uniform4(0.0..=135.0);
    let parts = (
        sample::select(NamedPose::ALL),
        option::of(any_rotations),
        option::of((any_waist, any_bends)),
        any::<bool>(),
    );
    parts.prop_map(|(named, limbs, joints, is_round)| {
        let angle = |degrees: f64| Angle::degrees(if is_round { round(degrees) } else { degrees });
        let rotation = |angles: [f64; 3]| {
            let [x, y, z] = angles.map(angle);
            Rotation { x, y, z }
        };
        let mut pose = Pose::from(named);
        if let Some([right_arm, left_arm, right_leg, left_leg]) = limbs {
            pose.right_arm = rotation(right_arm);
            pose.left_arm = rotation(left_arm);
            pose.right_leg = rotation(right_leg);
            pose.left_leg = rotation(left_leg);
        }
        if let Some((waist, bends)) = joints {
            pose.waist = rotation(waist);
            for (bend, degrees) in pose.bends_mut().into_iter().zip(bends) {
                *bend = angle(degrees);
            }
        }
        pose
    })
}

/// Returns the multiple of 45 degrees that is nearest.
pub(crate) fn round(degrees: f64) -> f64 {
    (degrees / 45.0).round() * 45.0
}
