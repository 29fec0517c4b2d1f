//! Pictures over time.

pub(crate) mod motion;

use std::borrow::Borrow;
use std::io::Write;
use std::time::Duration;

use crate::picture::crop::Content;
use crate::{
    Angle, Camera, Framing, ImageFormat, Motion, Picture, PictureSpec, Player, Pose, RenderError,
    Renderer,
};

/// A picture and the time for which it is shown: a pair of them, or a reference to one.
pub trait Frame<'a> {
    /// The picture.
    fn picture(&self) -> &Picture<'a>;

    /// The time for which the picture is shown.
    fn time(&self) -> Duration;
}

impl<'a, P: Borrow<Picture<'a>>> Frame<'a> for (P, Duration) {
    fn picture(&self) -> &Picture<'a> {
        self.0.borrow()
    }

    fn time(&self) -> Duration {
        self.1
    }
}

impl<'a, F: Frame<'a>> Frame<'a> for &F {
    fn picture(&self) -> &Picture<'a> {
        (*self).picture()
    }

    fn time(&self) -> Duration {
        (*self).time()
    }
}

/// Pictures of one size, each with the time for which it is shown. Its files repeat them for ever.
///
/// [`PictureSpec::animation`] makes one of a [`Motion`], `Animation::from` one of other frames. To
/// write several, give each to [`Renderer::write_frames`].
#[derive(Debug)]
#[must_use]
#[non_exhaustive]
pub struct Animation<'a> {
    /// The pictures with their times.
    pub frames: Vec<(Picture<'a>, Duration)>,
}

impl Animation<'_> {
    /// The time of all frames.
    #[must_use]
    pub fn duration(&self) -> Duration {
        self.frames.iter().map(Frame::time).sum()
    }

    /// The animation as an APNG file, which programs that know only PNG show as its first frame.
    ///
    /// # Errors
    ///
    /// The errors are the ones of [`Renderer::write_frames`].
    pub fn encode_apng(&self) -> Result<Vec<u8>, RenderError> {
        self.encode(ImageFormat::Png)
    }

    /// The animation as a GIF file, of at most 255 colors, each opaque or transparent.
    ///
    /// # Errors
    ///
    /// The errors are the ones of [`Renderer::write_frames`].
    pub fn encode_gif(&self) -> Result<Vec<u8>, RenderError> {
        self.encode(ImageFormat::Gif)
    }

    /// The animation as a file.
    ///
    /// # Errors
    ///
    /// The errors are the ones of [`Renderer::write_frames`].
    pub fn encode(&self, format: ImageFormat) -> Result<Vec<u8>, RenderError> {
        let mut file = Vec::new();
        self.write(format, &mut file)?;
        Ok(file)
    }

    /// Writes the animation as a file. If the writer fails, drawing stops.
    ///
    /// # Errors
    ///
    /// The errors are the ones of [`Renderer::write_frames`].
    pub fn write(&self, format: ImageFormat, to: impl Write) -> Result<(), RenderError> {
        Renderer::new().write_frames(self, format, to)
    }
}

impl<'a> From<Vec<(Picture<'a>, Duration)>> for Animation<'a> {
    fn from(frames: Vec<(Picture<'a>, Duration)>) -> Self {
        Animation { frames }
    }
}

impl<'a> IntoIterator for Animation<'a> {
    type Item = (Picture<'a>, Duration);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.frames.into_iter()
    }
}

impl<'b, 'a> IntoIterator for &'b Animation<'a> {
    type Item = &'b (Picture<'a>, Duration);
    type IntoIter = std::slice::Iter<'b, (Picture<'a>, Duration)>;

    fn into_iter(self) -> Self::IntoIter {
        self.frames.iter()
    }
}

impl PictureSpec {
    /// The pictures of a player who moves. The figure has one size and place in all of them.
    ///
    /// The specification needs no pose. If it has the motion's own pose with some limbs changed,
    /// these rest and the others move.
    ///
    /// # Errors
    ///
    /// [`RenderError::CannotTurn`] and [`RenderError::NothingMoves`] if the motion has no effect,
    /// and the errors of [`PictureSpec::picture`].
    pub fn animation<'a>(
        &self,
        player: impl Into<Player<'a>>,
        motion: Motion,
    ) -> Result<Animation<'a>, RenderError> {
        let player = player.into();
        let poses = self.moving_poses(motion)?;
        let content = self.content_of_all(player, motion, &poses);
        let mut frames = Vec::new();
        for share in motion.shares() {
            let frame = self.frame_at(motion, share);
            let picture = frame.picture_of(player, &poses, content)?;
            frames.push((picture, motion.frame_time()));
        }
        Ok(Animation { frames })
    }

    /// The picture of one moment of an [`animation`](Self::animation), after this share of it.
    ///
    /// # Errors
    ///
    /// The errors are the ones of [`PictureSpec::animation`].
    pub fn moment<'a>(
        &self,
        player: impl Into<Player<'a>>,
        motion: Motion,
        share: f64,
    ) -> Result<Picture<'a>, RenderError> {
        let player = player.into();
        let poses = self.moving_poses(motion)?;
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
        if let (Some(angles), true) = (self.camera.angles(), motion.turns()) {
            let [yaw, pitch, fov] = angles.map(Angle::to_degrees);
            spec.camera = Camera::perspective(yaw + 360.0 * share, pitch, fov);
        }
        spec
    }

    /// Returns the poses of all frames, each of them once, if something moves.
    fn moving_poses(&self, motion: Motion) -> Result<Vec<Pose>, RenderError> {
        let sees_all_sides = !self.view.is_flat() && self.camera.angles().is_some();
        if motion.turns() && !sees_all_sides {
            return Err(RenderError::CannotTurn);
        }
        let poses = self.poses(motion);
        let has_moments = poses.len() > 1 && !self.view.is_flat();
        if !has_moments && !motion.turns() {
            return Err(RenderError::NothingMoves);
        }
        Ok(poses)
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
        let Some(cycle) = motion.cycle() else {
            return self.pose;
        };
        let start = motion.start().turns();
        let cycles = f64::from(motion.cycles(cycle));
        let mut pose = cycle.at(start + share * cycles);
        if self.pose == PictureSpec::new(self.view, self.size).pose {
            return pose;
        }
        let mut own = self.pose;
        let mut still = more_alike(own, [cycle.at(start), cycle.at(0.0)]);
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
        pose.lowered = own.lowered;
        pose
    }
}

/// Returns the one of two poses that sets more limbs as a pose does, or the first one.
fn more_alike(pose: Pose, others: [Pose; 2]) -> Pose {
    let [first, second] = others;
    if equal_limbs(pose, second) > equal_limbs(pose, first) {
        second
    } else {
        first
    }
}

/// Returns the number of rotations and bends that two poses have in common.
fn equal_limbs(mut one: Pose, mut other: Pose) -> usize {
    let rotations = one.rotations_mut().into_iter().zip(other.rotations_mut());
    let equal_rotations = rotations.filter(|pair| pair.0 == pair.1).count();
    let bends = one.bends_mut().into_iter().zip(other.bends_mut());
    equal_rotations + bends.filter(|pair| pair.0 == pair.1).count()
}

#[cfg(test)]
mod tests {
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
        let skin = Skin::decode(include_bytes!("../../assets/skin.png"), None).expect("a skin");
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
            let motion = Motion::of(NamedPose::Walk).starting_at(phase);
            let [first, moved] = [0.0, 0.25].map(|share| spec.moved(motion, share));
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
        let moved = spec.moved(motion, 0.5);
        assert_eq!(moved, NamedPose::Run.at(0.75));
        // Its pose may be that of the beginning, or of the motion's start.
        for pose in [NamedPose::Run.at(0.0), NamedPose::Run.at(0.25)] {
            assert_eq!(spec.with_pose(pose).moved(motion, 0.5), moved);
        }
        let mut posed = Pose::from(NamedPose::Run);
        posed.turn(
            crate::Limb::LeftArm,
            crate::Rotation::degrees(0.0, 0.0, -90.0),
        );
        let raised = spec.with_pose(posed).moved(motion, 0.5);
        assert_eq!(raised.left_arm, posed.left_arm);
        assert_eq!(raised.right_arm, moved.right_arm);
    }
}
