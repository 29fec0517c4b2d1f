//! Poses that move.

use std::time::Duration;

use crate::scene::angle::Angle;
use crate::{NamedPose, Pose};

impl NamedPose {
    /// The pose at a moment of its movement, which goes round: a walker makes two steps, and who
    /// does nothing else breathes. A phase of 0 is the pose itself, and so is one of 1.
    #[must_use]
    pub fn at(self, phase: f64) -> Pose {
        let [cosine, sine] = Angle::degrees(360.0 * phase).cos_sin();
        let mut pose = Pose::from(self);
        match self {
            NamedPose::Walk | NamedPose::Run => {
                pose = Pose::between(pose.mirrored(), pose, 0.5 + 0.5 * cosine);
                // The shoulders follow the arms, and the cape rises half a beat after the step.
                let [twist, sway, rise] = match self {
                    NamedPose::Walk => [3.0, 1.5, 5.0],
                    _ => [6.0, 2.5, 8.0],
                };
                pose.body.y = pose.body.y.plus(-twist * sine);
                pose.body.z = pose.body.z.plus(-sway * sine);
                pose.head.y = pose.head.y.plus(twist * sine);
                pose.cape = pose.cape.plus(rise * sine * sine);
            }
            NamedPose::Wave => {
                pose.right_arm.z = pose.right_arm.z.plus(15.0 * sine);
                pose.right_arm.x = pose.right_arm.x.plus(4.0 - 4.0 * cosine);
                pose.head.z = pose.head.z.plus(2.0 * sine);
                pose.body.z = pose.body.z.plus(-sine);
                pose.cape = pose.cape.plus(1.5 - 1.5 * cosine);
            }
            NamedPose::Cheer => {
                pose.right_arm.z = pose.right_arm.z.plus(12.0 * sine);
                pose.left_arm.z = pose.left_arm.z.plus(-12.0 * sine);
                pose.head.x = pose.head.x.plus(3.0 - 3.0 * cosine);
                pose.body.y = pose.body.y.plus(4.0 * sine);
                pose.cape = pose.cape.plus(4.0 - 4.0 * cosine);
            }
            _ => {
                // One breath; the head moves while the arms rest.
                let breath = 1.5 - 1.5 * cosine;
                pose.right_arm.z = pose.right_arm.z.plus(breath);
                pose.left_arm.z = pose.left_arm.z.plus(-breath);
                pose.head.x = pose.head.x.plus(-2.0 * sine);
                pose.cape = pose.cape.plus(breath);
                if self == NamedPose::Idle {
                    pose.head.y = pose.head.y.plus(-16.0 * sine * sine * sine);
                }
            }
        }
        pose
    }

    /// Returns `true` for the poses that are moments of a movement. Who is in another one only
    /// breathes.
    #[must_use]
    pub const fn is_moving(self) -> bool {
        use NamedPose::{Cheer, Idle, Run, Walk, Wave};
        matches!(self, Walk | Run | Wave | Cheer | Idle)
    }

    /// The time of one movement.
    #[must_use]
    pub const fn period(self) -> Duration {
        Duration::from_millis(match self {
            NamedPose::Run => 600,
            NamedPose::Cheer => 800,
            NamedPose::Walk => 1000,
            NamedPose::Wave => 1200,
            _ => 3200,
        })
    }
}
