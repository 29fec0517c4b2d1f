//! Movements of players.

use std::time::Duration;

use crate::{Angle, NamedPose};

/// A moment of a movement that goes round: its share of the whole, from 0 to 1, in steps of 1/3600.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Phase(Angle);

impl Phase {
    /// The beginning, which is the end too.
    pub const START: Phase = Phase(Angle::ZERO);

    /// The moment after this share of the movement. Whole rounds make no difference: 1.25 is 0.25,
    /// and -0.25 is 0.75. Infinities and NaN are the start.
    #[must_use]
    pub const fn new(share: f64) -> Phase {
        let angle = Angle::degrees(360.0 * share);
        // Half a turn to either side is one moment.
        if angle.to_degrees() == -180.0 {
            return Phase(Angle::degrees(180.0));
        }
        Phase(angle)
    }

    /// The share of the movement, from 0 to less than 1.
    #[must_use]
    pub const fn share(self) -> f64 {
        let turns = self.turns();
        if turns < 0.0 { turns + 1.0 } else { turns }
    }

    /// Returns the share as a turn to either side, at most half of one.
    pub(crate) const fn turns(self) -> f64 {
        self.0.to_degrees() / 360.0
    }
}

impl From<f64> for Phase {
    fn from(share: f64) -> Phase {
        Phase::new(share)
    }
}

/// The movement of a figure, a portrait or a cube, which ends where it begins: [`Motion::TURN`],
/// [`Motion::of`] a pose, or both.
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
    /// makes the file longer by a picture. With fewer, a turn looks like a slide show.
    const TURN_FRAMES: u32 = 36;

    /// The least time of a turn of a player whose limbs move: 45 degrees take a second.
    const TURN_IN_MOTION: Duration = Duration::from_secs(8);

    /// Moves the limbs as those of this pose do. All poses move: a player who does nothing else
    /// breathes.
    pub const fn of(pose: NamedPose) -> Motion {
        Motion {
            turns: false,
            cycle: Some(pose),
            start: Phase::START,
        }
    }

    /// Turns the player around once in addition.
    pub const fn turning(mut self) -> Motion {
        self.turns = true;
        self
    }

    /// Changes the moment of the pose's movement with which the motion begins. A turn alone has no
    /// moments.
    pub fn starting_at(mut self, phase: impl Into<Phase>) -> Motion {
        self.start = phase.into();
        self
    }

    /// Returns `true` if the player turns around.
    #[must_use]
    pub const fn turns(self) -> bool {
        self.turns
    }

    /// The pose as which the limbs move, or `None` if they rest.
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
            Some(pose) => times(pose.period() * self.cycles(pose), self.frame_time()),
            None => Motion::TURN_FRAMES,
        }
    }

    /// The time of a frame.
    #[must_use]
    pub fn frame_time(self) -> Duration {
        match (self.cycle, self.turns) {
            (None, _) => Motion::TURN_TIME / Motion::TURN_FRAMES,
            (Some(_), true) => Duration::from_millis(100),
            (Some(_), false) => Duration::from_millis(50),
        }
    }

    /// Returns the share of the motion that precedes each frame.
    pub(crate) fn shares(self) -> impl Iterator<Item = f64> {
        let frames = self.frames();
        (0..frames).map(move |number| f64::from(number) / f64::from(frames))
    }

    /// Returns the number of movements of the limbs.
    pub(crate) fn cycles(self, pose: NamedPose) -> u32 {
        if self.turns {
            times(Motion::TURN_IN_MOTION, pose.period())
        } else {
            1
        }
    }
}

/// Returns the least number of equal times that fill a longer one.
fn times(long: Duration, short: Duration) -> u32 {
    let fills = |number: &u32| short * *number >= long;
    (1..).find(fills).expect("movements take some seconds")
}

/// The stored forms of motions.
#[cfg(feature = "serde")]
mod stored {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::{NamedPose, Phase};

    /// A motion that may move nothing.
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
    fn phases_go_round() {
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
    fn a_phase_that_is_half_round_is_one_moment() {
        assert_eq!(Phase::new(-0.5), Phase::new(0.5));
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_stored_motion_moves_something() {
        let motion = Motion::of(NamedPose::Walk).starting_at(0.75);
        let text = serde_json::to_string(&motion).expect("a motion has a text");
        assert_eq!(text, r#"{"turns":false,"cycle":"walk","start":0.75}"#);
        assert_eq!(
            serde_json::from_str::<Motion>(&text).expect("whole"),
            motion
        );
        // The text of version 0.2.0, which had no start.
        let old = r#"{"turns":true,"cycle":null}"#;
        let turn: Motion = serde_json::from_str(old).expect("it turns");
        assert_eq!(turn, Motion::TURN);
        let still = r#"{"turns":false,"cycle":null}"#;
        serde_json::from_str::<Motion>(still).expect_err("nothing moves");
    }
}
