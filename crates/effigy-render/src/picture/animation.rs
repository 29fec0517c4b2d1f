//! Pictures over time.

use std::time::Duration;

use crate::{Angle, Camera, Framing, Picture, PictureSpec, Player, Pose, RenderError};

/// The movement of a figure, a portrait or a cube. It ends where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Motion {
    /// The player turns around once.
    pub turns: bool,
    /// The limbs move: between the pose and its mirror image if it is a step, else from standing to the pose and back.
    pub moves: bool,
}

/// A picture over time, which is an APNG file when it is encoded. Programs that do not know APNG show the first frame.
#[derive(Debug)]
pub struct Animation<'a> {
    pub(crate) frames: Vec<Picture<'a>>,
}

impl Animation<'_> {
    /// The number of frames.
    pub const FRAMES: u32 = 24;

    /// The time of a frame.
    pub const FRAME_TIME: Duration = Duration::from_millis(100);

    /// The frames, all of one size.
    #[must_use]
    pub fn frames(&self) -> &[Picture<'_>] {
        &self.frames
    }
}

impl PictureSpec {
    /// The picture of a player who moves. The figure has one size and place in all frames. A view that is not seen from any
    /// side stands still.
    ///
    /// # Errors
    ///
    /// Those of [`PictureSpec::picture`].
    pub fn animation<'a>(
        &self,
        player: impl Into<Player<'a>>,
        motion: Motion,
    ) -> Result<Animation<'a>, RenderError> {
        let player = player.into();
        // Limbs that pass each other are lowest when they are down.
        let room @ [first, last, _] = match motion.moves {
            true if self.pose.is_step() => [self.pose.mirrored(), self.pose, Pose::STAND],
            true => [Pose::STAND, self.pose, Pose::STAND],
            false => [self.pose; 3],
        };
        let frame = |number: u32| {
            let passed = f64::from(number) / f64::from(Animation::FRAMES);
            let mut spec = self.with_framing(Framing::Turning);
            if let (Some(angles), true) = (self.camera.angles(), motion.turns) {
                let [yaw, pitch, fov] = angles.map(Angle::to_degrees);
                spec.camera = Camera::perspective(yaw + 360.0 * passed, pitch, fov);
            }
            if motion.moves {
                // Four steps, or two movements to the pose and back, fast in the middle.
                let share = 0.5 - 0.5 * Angle::degrees(720.0 * passed).cos_sin()[0];
                spec.pose = Pose::between(first, last, share);
            }
            spec.picture_with_room(player, &room)
        };
        let frames = (0..Animation::FRAMES)
            .map(frame)
            .collect::<Result<_, _>>()?;
        Ok(Animation { frames })
    }
}
