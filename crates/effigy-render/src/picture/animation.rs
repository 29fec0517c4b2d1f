//! Pictures over time.

pub(crate) mod motion;

use std::borrow::Borrow;
use std::io::Write;
use std::time::Duration;

use crate::model::Part;
use crate::picture::crop::Content;
use crate::picture::spec::drawing::Subject;
use crate::scene::figure::Figure;
use crate::{
    Angle, Camera, Framing, ImageFormat, Motion, Picture, PictureSpec, Player, Pose, RenderError,
    Renderer,
};

/// A picture and the time for which it is shown. Pairs of both, and references to pairs, are
/// frames.
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

/// Pictures of one size, each with the time for which it is shown. Files of an animation repeat it
/// for ever.
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
    /// The errors of [`Renderer::write_frames`].
    pub fn encode_apng(&self) -> Result<Vec<u8>, RenderError> {
        self.encode(ImageFormat::Png)
    }

    /// The animation as a GIF file, of at most 255 colors, each opaque or transparent.
    ///
    /// # Errors
    ///
    /// The errors of [`Renderer::write_frames`].
    pub fn encode_gif(&self) -> Result<Vec<u8>, RenderError> {
        self.encode(ImageFormat::Gif)
    }

    /// The animation as a file.
    ///
    /// # Errors
    ///
    /// The errors of [`Renderer::write_frames`].
    pub fn encode(&self, format: ImageFormat) -> Result<Vec<u8>, RenderError> {
        let mut file = Vec::new();
        self.write(format, &mut file)?;
        Ok(file)
    }

    /// Writes the animation as a file. If the writer fails, drawing stops.
    ///
    /// # Errors
    ///
    /// The errors of [`Renderer::write_frames`].
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
    /// these limbs rest and the others move.
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
        let poses = self.moving_poses(player, motion)?;
        let content = self.content_of_all(player, motion, &poses);
        let mut frames = Vec::new();
        for share in motion.shares() {
            let frame = self.frame_at(motion, share);
            let picture = frame.picture_of(Subject {
                player,
                poses: &poses,
                content,
            })?;
            frames.push((picture, motion.frame_time()));
        }
        Ok(Animation { frames })
    }

    /// The picture of one moment of an [`animation`](Self::animation), after this share of it.
    ///
    /// # Errors
    ///
    /// The errors of [`PictureSpec::animation`].
    pub fn moment<'a>(
        &self,
        player: impl Into<Player<'a>>,
        motion: Motion,
        share: f64,
    ) -> Result<Picture<'a>, RenderError> {
        let player = player.into();
        let poses = self.moving_poses(player, motion)?;
        let content = self.content_of_all(player, motion, &poses);
        let frame = self.frame_at(motion, share);
        frame.picture_of(Subject {
            player,
            poses: &poses,
            content,
        })
    }

    /// Returns the part that is visible in any frame, if the frames are cut to it.
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
                Some(others) => Some(others.union(content)),
                None => Some(content),
            };
        }
        all
    }

    /// Returns the specification of one moment of a motion.
    fn frame_at(&self, motion: Motion, share: f64) -> PictureSpec {
        let mut spec = self
            .with_framing(Framing::Turning)
            .with_pose(self.pose_at(motion, share));
        if !motion.turns() {
            return spec;
        }
        if let Some(angles) = self.camera.angles() {
            let [yaw, pitch, fov] = angles.map(Angle::to_degrees);
            spec.camera = Camera::perspective(yaw + 360.0 * share, pitch, fov);
        }
        spec
    }

    /// Returns the different poses of all frames, or an error if all frames would be the same.
    fn moving_poses(&self, player: Player<'_>, motion: Motion) -> Result<Vec<Pose>, RenderError> {
        let sees_all_sides = !self.view.is_flat() && self.camera.angles().is_some();
        if motion.turns() && !sees_all_sides {
            return Err(RenderError::CannotTurn);
        }
        let poses = self.poses(motion);
        if !motion.turns() && !self.shows_movement(player, &poses) {
            return Err(RenderError::NothingMoves);
        }
        Ok(poses)
    }

    /// Returns `true` if a part that the view shows has different places in some of these poses.
    fn shows_movement(&self, player: Player<'_>, poses: &[Pose]) -> bool {
        if self.view.is_flat() {
            return false;
        }
        let figure = self.figure(player);
        let parts: Vec<Part> = figure.parts().collect();
        let corners_in = |pose: Pose| {
            let pose = self.looking(pose, player);
            Figure { pose, ..figure }.corners(&parts)
        };
        let first = corners_in(poses[0]);
        poses[1..].iter().any(|&pose| corners_in(pose) != first)
    }

    /// Returns the different poses of all frames.
    fn poses(&self, motion: Motion) -> Vec<Pose> {
        let mut poses = Vec::new();
        for share in motion.shares() {
            let pose = self.pose_at(motion, share);
            if !poses.contains(&pose) {
                poses.push(pose);
            }
        }
        poses
    }

    /// Returns the pose after a share of a motion. A limb rests if the specification's pose changes
    /// it from the motion's own pose.
    fn pose_at(&self, motion: Motion, share: f64) -> Pose {
        let Some(cycle) = motion.cycle() else {
            return self.pose;
        };
        let start = motion.start().signed_share();
        let cycles = f64::from(motion.cycles(cycle));
        let moved = cycle.at(start + share * cycles);
        let default_pose = PictureSpec::new(self.view, self.size).pose;
        if self.pose == default_pose {
            return moved;
        }
        // The caller may have changed the pose with which this motion begins, or the named pose,
        // with which the cycle begins.
        let first_of_motion = cycle.at(start);
        let first_of_cycle = cycle.at(0.0);
        let base = more_alike(self.pose, [first_of_motion, first_of_cycle]);
        with_changed_limbs(moved, self.pose, base)
    }
}

/// Returns a moving pose in which every joint, and the cape, rests that differs between a specified
/// pose and its base. Gaze and height are always those that are specified.
fn with_changed_limbs(mut moving: Pose, mut specified: Pose, mut base: Pose) -> Pose {
    if specified.cape != base.cape {
        moving.cape = specified.cape;
    }
    moving.gaze = specified.gaze;
    moving.lowered = specified.lowered;
    take_changed(
        &mut moving.rotations_mut(),
        specified.rotations_mut(),
        base.rotations_mut(),
    );
    take_changed(
        &mut moving.bends_mut(),
        specified.bends_mut(),
        base.bends_mut(),
    );
    moving
}

/// Replaces the moving joints that a specification changes from the pose on which it is based.
fn take_changed<T: Copy + PartialEq, const N: usize>(
    moving: &mut [&mut T; N],
    specified: [&mut T; N],
    base: [&mut T; N],
) {
    for joint in 0..N {
        if specified[joint] != base[joint] {
            *moving[joint] = *specified[joint];
        }
    }
}

/// Returns the one of two poses that has more joints in common with a pose, or the first one if
/// both have equally many.
fn more_alike(pose: Pose, [first, second]: [Pose; 2]) -> Pose {
    if equal_joints(pose, second) > equal_joints(pose, first) {
        second
    } else {
        first
    }
}

/// Returns the number of rotations and bends that two poses have in common.
fn equal_joints(mut one: Pose, mut other: Pose) -> usize {
    let rotations = one.rotations_mut().into_iter().zip(other.rotations_mut());
    let equal_rotations = rotations.filter(|pair| pair.0 == pair.1).count();
    let bends = one.bends_mut().into_iter().zip(other.bends_mut());
    let equal_bends = bends.filter(|pair| pair.0 == pair.1).count();
    equal_rotations + equal_bends
}

#[cfg(test)]
mod tests;
