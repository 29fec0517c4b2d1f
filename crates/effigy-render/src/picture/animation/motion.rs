//! Movements of players.

use std::time::Duration;

use crate::{Angle, NamedPose};

/// A moment of a movement that repeats: its share of the whole, from 0 to 1, in steps of 1/3600.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Phase(Angle);

impl Phase {
    /// The beginning, which is also the end.
    pub const START: Phase = Phase(Angle::ZERO);

    /// The moment after this share of the movement. Whole repetitions make no difference: 1.25 is
    /// 0.25, and -0.25 is 0.75. Infinities and NaN are the start.
    #[must_use]
    pub const fn new(share: f64) -> Phase {
        let angle = Angle::degrees(360.0 * share);
        // Half a turn to the left and half a turn to the right are one moment.
        if angle.to_degrees() == -180.0 {
            return Phase(Angle::degrees(180.0));
        }
        Phase(angle)
    }

    /// The share of the movement, from 0 to less than 1.
    #[must_use]
    pub const fn share(self) -> f64 {
        let signed = self.signed_share();
        if signed < 0.0 { signed + 1.0 } else { signed }
    }

    /// Returns the share of the movement from its start, forwards or backwards, whichever is less:
    /// from more than -0.5 to 0.5.
    pub(crate) const fn signed_share(self) -> f64 {
        self.0.to_degrees() / 360.0
    }
}

impl From<f64> for Phase {
    fn from(share: f64) -> Phase {
        Phase::new(share)
    }
}

/// The movement of a player, which ends as it begins: [`Motion::TURN`], [`Motion::of`] a pose, or
/// both. Only a camera with a yaw sees a turn. Limbs also move before the isometric camera, but not
/// in flat views.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "stored::Motion"))]
#[must_use]
pub struct Motion {
    turns: bool,
    cycle: Option<NamedPose>,
    start: Phase,
}

impl Motion {
    /// One turn of the player, in the pose of the specification.
    pub const TURN: Motion = Motion {
        turns: true,
        cycle: None,
        start: Phase::START,
    };

    /// The time of a turn, if nothing else moves.
    const TURN_TIME: Duration = Duration::from_secs(3);

    /// The number of frames of a turn, if nothing else moves. They have little in common, so each
    /// adds a whole picture to the file. With fewer frames, a turn looks like a slide show.
    const TURN_FRAMES: u32 = 36;

    /// The least time of a turn of a player whose limbs move: 45 degrees take a second.
    const TURN_IN_MOTION: Duration = Duration::from_secs(8);

    /// Moves the limbs as this pose does. All poses move: a player who does nothing else breathes.
    pub const fn of(pose: NamedPose) -> Motion {
        Motion {
            turns: false,
            cycle: Some(pose),
            start: Phase::START,
        }
    }

    /// Also turns the player around once.
    pub const fn turning(mut self) -> Motion {
        self.turns = true;
        self
    }

    /// Changes the moment of the pose's movement with which the motion begins. It has no effect on
    /// a turn.
    pub fn starting_at(mut self, phase: impl Into<Phase>) -> Motion {
        self.start = phase.into();
        self
    }

    /// Returns `true` if the player turns around.
    #[must_use]
    pub const fn turns(self) -> bool {
        self.turns
    }

    /// The pose whose movement the limbs follow, or `None` if they rest.
    #[must_use]
    pub const fn cycle(self) -> Option<NamedPose> {
        self.cycle
    }

    /// The moment of the pose's movement with which the motion begins.
    #[must_use]
    pub const fn start(self) -> Phase {
        self.start
    }

    /// The time of the whole movement.
    #[must_use]
    pub fn duration(self) -> Duration {
        match self.cycle {
            Some(_) => self.frame_time() * self.frames(),
            None => Motion::TURN_TIME,
        }
    }

    /// The number of frames.
    #[must_use]
    pub fn frames(self) -> u32 {
        match self.cycle {
            Some(pose) => {
                let time = pose.period() * self.cycles(pose);
                count_filling(time, self.frame_time())
            }
            None => Motion::TURN_FRAMES,
        }
    }

    /// The time of a frame.
    #[must_use]
    pub fn frame_time(self) -> Duration {
        if self.cycle.is_none() {
            Motion::TURN_TIME / Motion::TURN_FRAMES
        } else if self.turns {
            Duration::from_millis(100)
        } else {
            Duration::from_millis(50)
        }
    }

    /// Returns the share of the motion before each frame.
    pub(crate) fn shares(self) -> impl Iterator<Item = f64> {
        let frames = self.frames();
        (0..frames).map(move |number| f64::from(number) / f64::from(frames))
    }

    /// Returns the number of times that the limbs repeat their movement.
    pub(crate) fn cycles(self, pose: NamedPose) -> u32 {
        if self.turns {
            count_filling(Motion::TURN_IN_MOTION, pose.period())
        } else {
            1
        }
    }
}

/// Returns the least number of short times that fill a long one.
fn count_filling(long: Duration, short: Duration) -> u32 {
    let mut count = 1;
    while short * count < long {
        count += 1;
    }
    count
}

/// The forms in which motions are stored.
#[cfg(feature = "serde")]
mod stored {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::{NamedPose, Phase};

    /// A motion that hasn't been checked.
    #[derive(Deserialize, Default)]
    #[serde(default)]
    pub(super) struct Motion {
        turns: bool,
        cycle: Option<NamedPose>,
        start: Phase,
    }

    impl TryFrom<Motion> for super::Motion {
        type Error = &'static str;

        fn try_from(stored: Motion) -> Result<Self, Self::Error> {
            if stored.cycle.is_none() && !stored.turns {
                return Err("a motion has a cycle or turns");
            }
            Ok(super::Motion {
                turns: stored.turns,
                cycle: stored.cycle,
                start: stored.start,
            })
        }
    }

    impl Serialize for Phase {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            self.share().serialize(to)
        }
    }

    impl<'de> Deserialize<'de> for Phase {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            f64::deserialize(from).map(Phase::new)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_repeat_after_1() {
        for (share, expected) in [
            (0.0, 0.0),
            (0.25, 0.25),
            (0.75, 0.75),
            (1.0, 0.0),
            (1.25, 0.25),
            (-0.25, 0.75),
            (f64::NAN, 0.0),
        ] {
            let phase = Phase::new(share).share();
            assert!((phase - expected).abs() < 1e-9, "{share}: {phase}");
        }
    }

    #[test]
    fn half_a_movement_back_is_half_a_movement_ahead() {
        assert_eq!(Phase::new(-0.5), Phase::new(0.5));
    }

    #[cfg(feature = "serde")]
    #[test]
    fn motions_are_stored_as_text() {
        let motion = Motion::of(NamedPose::Walk).starting_at(0.75);
        let text = serde_json::to_string(&motion).expect("a motion has a text");
        assert_eq!(text, r#"{"turns":false,"cycle":"walk","start":0.75}"#);
        assert_eq!(
            serde_json::from_str::<Motion>(&text).expect("whole"),
            motion
        );
    }

    #[cfg(feature = "serde")]
    #[test]
    fn motions_stored_without_a_start_are_read() {
        // The text of version 0.2.0.
        let old = r#"{"turns":true,"cycle":null}"#;
        let turn: Motion = serde_json::from_str(old).expect("it turns");
        assert_eq!(turn, Motion::TURN);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_stored_motion_has_to_move_something() {
        let still = r#"{"turns":false,"cycle":null}"#;
        serde_json::from_str::<Motion>(still).expect_err("nothing moves");
    }
}
