//! Pictures over time.

use std::time::Duration;

use crate::picture::crop::Content;
use crate::{Angle, Camera, Framing, NamedPose, Picture, PictureSpec, Player, Pose, RenderError};

/// The movement of a figure, a portrait or a cube. It ends where it begins. Fields may be added:
/// end a literal with `..Motion::default()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Motion {
    /// The player turns around once, unless the camera is isometric.
    pub turns: bool,
    /// The limbs move as this pose does. Those that the specification turns otherwise than the pose
    /// rest.
    pub cycle: Option<NamedPose>,
    /// The moment of the cycle with which it begins: the phase of [`NamedPose::at`], with a turn
    /// for the whole. The specification has the pose of that moment.
    pub start: Angle,
}

impl Motion {
    /// The time of a turn, if nothing else moves.
    const TURN: Duration = Duration::from_secs(3);

    /// The number of frames of a turn, if nothing else moves. They have little in common, so each
    /// makes the file longer by a picture. With fewer, a turn looks like a slide show.
    const TURN_FRAMES: u32 = 36;

    /// The least time of a turn of a player whose limbs move: 45 degrees take a second.
    const TURN_IN_MOTION: Duration = Duration::from_secs(8);

    /// The time of the whole movement.
    #[must_use]
    pub fn duration(self) -> Duration {
        match self.cycle {
            Some(_) => self.frame_time() * self.frames(),
            None => Motion::TURN,
        }
    }

    /// The number of frames.
    #[must_use]
    pub fn frames(self) -> u32 {
        match self.cycle {
            Some(pose) => times(pose.period() * self.cycles(pose), self.frame_time()),
            None if self.turns => Motion::TURN_FRAMES,
            // Nothing moves.
            None => 1,
        }
    }

    /// The time of a frame.
    #[must_use]
    pub fn frame_time(self) -> Duration {
        match (self.cycle, self.turns) {
            (None, _) => self.duration() / self.frames(),
            (Some(_), true) => Duration::from_millis(100),
            (Some(_), false) => Duration::from_millis(50),
        }
    }

    /// Returns the share of the motion that precedes each frame.
    fn shares(self) -> impl Iterator<Item = f64> {
        let frames = self.frames();
        (0..frames).map(move |number| f64::from(number) / f64::from(frames))
    }

    /// Returns the number of movements of the limbs.
    fn cycles(self, pose: NamedPose) -> u32 {
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

impl PictureSpec {
    /// The pictures of a player who moves, each with its time, for
    /// [`Renderer::write_frames`](crate::Renderer::write_frames). The figure has one size and place
    /// in all of them. A view that is not seen from any side stands still.
    ///
    /// # Errors
    ///
    /// The errors are the ones of [`PictureSpec::picture`].
    pub fn animation<'a>(
        &self,
        player: impl Into<Player<'a>>,
        motion: Motion,
    ) -> Result<Vec<(Picture<'a>, Duration)>, RenderError> {
        let player = player.into();
        let poses = self.poses(motion);
        let content = self.content_of_all(player, motion, &poses);
        let mut frames = Vec::new();
        for share in motion.shares() {
            let frame = self.frame_at(motion, share);
            let picture = frame.picture_of(player, &poses, content)?;
            frames.push((picture, motion.frame_time()));
        }
        Ok(frames)
    }

    /// The picture of one moment of an [`animation`](Self::animation), after this share of it.
    ///
    /// # Errors
    ///
    /// The errors are the ones of [`PictureSpec::picture`].
    pub fn moment<'a>(
        &self,
        player: impl Into<Player<'a>>,
        motion: Motion,
        share: f64,
    ) -> Result<Picture<'a>, RenderError> {
        let player = player.into();
        let poses = self.poses(motion);
        let content = self.content_of_all(player, motion, &poses);
        let frame = self.frame_at(motion, share);
        frame.picture_of(player, &poses, content)
    }

    /// Returns what is seen of a player in all frames together, if they are cut to that.
    fn content_of_all(
        &self,
        player: Player<'_>,
        motion: Motion,
        poses: &[Pose],
    ) -> Option<Content> {
        let mut all: Option<Content> = None;
        for share in motion.shares() {
            let content = self.frame_at(motion, share).content(player, poses)?;
            all = match all {
                Some(others) => Some(others.with(content)),
                None => Some(content),
            };
        }
        all
    }

    /// Returns the specification of one moment of a motion.
    fn frame_at(&self, motion: Motion, share: f64) -> PictureSpec {
        let pose = self.moved(motion, share);
        let mut spec = self.with_framing(Framing::Turning).with_pose(pose);
        if let (Some(angles), true) = (self.camera.angles(), motion.turns) {
            let [yaw, pitch, fov] = angles.map(Angle::to_degrees);
            spec.camera = Camera::perspective(yaw + 360.0 * share, pitch, fov);
        }
        spec
    }

    /// Returns the poses of all frames, each of them once.
    fn poses(&self, motion: Motion) -> Vec<Pose> {
        let mut poses = Vec::new();
        for share in motion.shares() {
            let pose = self.moved(motion, share);
            if !poses.contains(&pose) {
                poses.push(pose);
            }
        }
        poses
    }

    /// Returns the pose after a share of a motion.
    fn moved(&self, motion: Motion, share: f64) -> Pose {
        let Some(cycle) = motion.cycle else {
            return self.pose;
        };
        let start = motion.start.to_degrees() / 360.0;
        let cycles = f64::from(motion.cycles(cycle));
        let mut own = self.pose;
        let mut still = cycle.at(start);
        let mut pose = cycle.at(start + share * cycles);
        let rotations = own.rotations_mut().into_iter().zip(still.rotations_mut());
        for ((set, usual), moved) in rotations.zip(pose.rotations_mut()) {
            if set != usual {
                *moved = *set;
            }
        }
        let bends = own.bends_mut().into_iter().zip(still.bends_mut());
        for ((set, usual), moved) in bends.zip(pose.bends_mut()) {
            if set != usual {
                *moved = *set;
            }
        }
        if own.cape != still.cape {
            pose.cape = own.cape;
        }
        pose.gaze = own.gaze;
        pose.is_lowered = own.is_lowered;
        pose
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cape, Size, Skin, View};

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
        let skin = Skin::decode(include_bytes!("../../assets/skin.png"), None).expect("a skin");
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
                    let cycle = Some(name);
                    let spec = spec.with_pose(name).with_camera(camera).with_elytra(true);
                    let motion = Motion {
                        turns,
                        cycle,
                        ..Motion::default()
                    };
                    let animation = spec.animation(player, motion).expect("small pictures");
                    let cut = animation.iter().map(|(frame, _)| cut_off(frame));
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
        let skin = Skin::decode(include_bytes!("../../assets/skin.png"), None).expect("a skin");
        for &name in NamedPose::ALL.iter().filter(|name| name.is_moving()) {
            for view in [View::Figure, View::Portrait] {
                // Level with the ground, every point of it is at one height.
                let spec = PictureSpec::new(view, Size::px(48))
                    .with_pose(name)
                    .with_camera(Camera::orthographic(35.0, 0.0));
                let motion = Motion {
                    cycle: Some(name),
                    ..Motion::default()
                };
                let animation = spec.animation(&skin, motion).expect("small pictures");
                let first = ground(&animation[0].0);
                for (frame, _) in &animation {
                    assert!((ground(frame) - first).abs() < 1e-6, "{name} {view}");
                }
            }
        }
    }

    #[test]
    fn all_poses_have_one_scale() {
        let skin = Skin::decode(include_bytes!("../../assets/skin.png"), None).expect("a skin");
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
            let motion = Motion {
                turns: false,
                cycle: Some(NamedPose::Walk),
                start: Angle::degrees(360.0 * phase),
            };
            let [first, moved] = [0.0, 0.25].map(|share| spec.moved(motion, share));
            assert_eq!(first, spec.pose);
            assert_eq!(moved.left_arm, arm);
            assert_eq!(moved.left_elbow, Angle::degrees(60.0));
            assert_ne!(moved.right_arm, spec.pose.right_arm);
            assert_ne!(moved.right_leg, spec.pose.right_leg);
        }
    }

    #[test]
    fn what_neither_moves_nor_turns_is_one_frame() {
        assert_eq!(Motion::default().frames(), 1);
    }
}
