//! Poses that move.

use std::time::Duration;

use crate::scene::angle::Angle;
use crate::scene::pose::acting::motions;
use crate::scene::pose::gait::Gait;
use crate::scene::pose::sketch::Sketch;
use crate::{NamedPose, Pose};

/// The movement of the upper body of a figure that walks.
struct Swing {
    /// The angle in degrees by which the shoulders lean to either side. The head stays upright.
    sway: f64,
    /// The angle in degrees by which the cape rises, half a beat after the step.
    rise: f64,
}

impl NamedPose {
    /// The pose at a moment of its movement, which repeats: a walker makes two steps, and a player
    /// who does nothing else breathes. At a phase of 0, and again at 1, it is the pose itself.
    ///
    /// A pose doesn't contain the height of a figure whose legs move. With
    /// [`Framing::Turning`](crate::Framing::Turning), its lowest point stays on the ground.
    #[must_use]
    pub fn at(self, phase: f64) -> Pose {
        if self.is_moving() && self != NamedPose::Idle {
            return self.sketch_at(phase).pose();
        }
        let pose = Pose::from(self);
        self.breathing(pose, phase)
    }

    /// Returns the drawn pose at a moment of its movement.
    pub(super) fn sketch_at(self, phase: f64) -> Sketch {
        // Rounded to 1/3600 of the movement, to keep the number of different poses small.
        let phase = Angle::degrees(360.0 * phase).to_degrees() / 360.0;
        let sketch = self.sketch();
        let walking = |gait: &Gait, sway, rise| {
            let swing = Swing { sway, rise };
            walked(sketch, sketch.mirrored(), gait, &swing, phase)
        };
        match self {
            NamedPose::Walk => walking(&motions::WALKING, 2.0, 5.0),
            NamedPose::Run => walking(&motions::RUNNING, 3.0, 8.0),
            NamedPose::March => walking(&motions::MARCHING, 1.0, 3.0),
            NamedPose::Zombie => {
                let swing = Swing {
                    sway: 4.0,
                    rise: 2.0,
                };
                walked(
                    sketch,
                    motions::REACHING,
                    &motions::SHUFFLING,
                    &swing,
                    phase,
                )
            }
            NamedPose::Wave => between_moments(&motions::WAVING, phase),
            NamedPose::Cheer => between_moments(&motions::CHEERING, phase),
            NamedPose::Dance => between_moments(&motions::DANCING, phase),
            NamedPose::Clap => between_moments(&motions::CLAPPING, phase),
            NamedPose::Kick => between_moments(&motions::KICKING, phase),
            NamedPose::Fight => between_moments(&motions::FIGHTING, phase),
            // A pose that gets a movement here also belongs in `is_moving` and `period`.
            _ => sketch,
        }
    }

    /// Returns a pose at a moment of one breath. The head moves while the arms rest.
    fn breathing(self, mut pose: Pose, phase: f64) -> Pose {
        let [cosine, sine] = Angle::degrees(360.0 * phase).cos_sin();
        let breath = 1.5 - 1.5 * cosine;
        pose.right_arm.z = pose.right_arm.z.plus(breath);
        pose.left_arm.z = pose.left_arm.z.plus(-breath);
        pose.head.x = pose.head.x.plus(-2.0 * sine);
        pose.cape = pose.cape.plus(breath);
        if self == NamedPose::Idle {
            // A glance to the side.
            pose.head.y = pose.head.y.plus(-16.0 * sine * sine * sine);
        }
        pose
    }

    /// Returns `true` for the poses that are moments of a movement. In all other poses, the player
    /// only breathes.
    #[must_use]
    pub const fn is_moving(self) -> bool {
        use NamedPose::{Cheer, Clap, Dance, Fight, Idle, Kick, March, Run, Walk, Wave, Zombie};
        matches!(
            self,
            Idle | Walk | Run | March | Wave | Cheer | Dance | Clap | Kick | Fight | Zombie
        )
    }

    /// The time of one movement.
    #[must_use]
    pub const fn period(self) -> Duration {
        Duration::from_millis(match self {
            NamedPose::Run => 600,
            NamedPose::Clap => 700,
            NamedPose::Walk | NamedPose::March | NamedPose::Cheer | NamedPose::Fight => 1000,
            NamedPose::Wave | NamedPose::Kick => 1200,
            NamedPose::Dance | NamedPose::Zombie => 1600,
            _ => 3200,
        })
    }
}

/// Returns a moment of a walk: the legs of the gait, and the upper body on its way from one sketch
/// to another and back.
fn walked(from: Sketch, to: Sketch, gait: &Gait, swing: &Swing, phase: f64) -> Sketch {
    let [cosine, sine] = Angle::degrees(360.0 * phase).cos_sin();
    let mut sketch = from.toward(to, 0.5 - 0.5 * cosine);
    sketch.waist.z -= swing.sway * sine;
    sketch.head.z += swing.sway * sine;
    sketch.cape += swing.rise * sine * sine;
    sketch.right_leg = gait.right_leg(phase);
    sketch.left_leg = gait.left_leg(phase);
    sketch
}

/// Returns a moment of a movement that passes smoothly through drawn moments, and returns from the
/// last one to the first.
fn between_moments(moments: &[Sketch], phase: f64) -> Sketch {
    let position = phase.rem_euclid(1.0) * moments.len() as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a position in the list"
    )]
    let from = position as usize % moments.len();
    let share = position.fract();
    let moment = |number: usize| moments[(from + number) % moments.len()];
    let before = moment(moments.len() - 1);
    let start = moment(0);
    let end = moment(1);
    let after = moment(2);
    // The curve of Catmull and Rom, as Barry and Goldman compute it.
    let early = before.toward(start, share + 1.0);
    let middle = start.toward(end, share);
    let late = end.toward(after, share - 1.0);
    let first = early.toward(middle, (share + 1.0) / 2.0);
    let second = middle.toward(late, share / 2.0);
    first.toward(second, share)
}
