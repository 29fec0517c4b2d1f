//! The picture that parameters describe.

use effigy_render::{Camera, Filter, Light, Motion, NamedPose, PictureSpec, Size, View};

use crate::{ParameterError, Setting, parameters};

/// The largest values of the parameters that decide on the memory for a picture.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The largest size.
    pub size: u32,
    /// The largest padding.
    pub padding: u16,
    /// The largest number of columns.
    pub columns: u32,
}

impl Limits {
    /// The limits of every picture.
    pub const NONE: Limits = Limits {
        size: Size::MAX,
        padding: u16::MAX,
        columns: u32::MAX,
    };

    /// The limits of a service, which keep every file small enough for its cache.
    pub const SERVICE: Limits = Limits {
        size: 2048,
        padding: 256,
        columns: 100,
    };
}

/// The largest size of a moving picture for services and scripts. It has up to 96 frames.
pub const MAX_MOVING_SIZE: Size = Size::px(512);

/// The picture that parameters describe.
///
/// ```
/// use effigy_parameters::{Limits, PictureParameters};
/// use effigy_render::{Camera, View};
///
/// let given = [("yaw", "-30"), ("pose", "walk")];
/// let value = |name: &str| given.iter().find(|pair| pair.0 == name).map(|pair| pair.1);
/// let picture = PictureParameters::read(View::Figure, Limits::NONE, value)?;
/// assert_eq!(picture.spec.camera, Camera::perspective(-30.0, 16.0, 30.0));
/// # Ok::<(), effigy_parameters::ParameterError>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct PictureParameters {
    /// The picture.
    pub spec: PictureSpec,
    /// The pose.
    pub pose: NamedPose,
    /// The moment of the pose's movement, from 0 to 1.
    pub phase: f64,
    /// Turns the player around. `None` leaves this to the maker of a moving picture.
    pub turn: Option<bool>,
    /// Moves the player as the pose does. `None` leaves this to the maker of a moving picture.
    pub animate: Option<bool>,
    /// The number of columns of a sheet.
    pub columns: Option<u32>,
    /// The yaw in degrees, if it is given. It counts more than that of the pose.
    yaw: Option<f64>,
    /// The pitch in degrees, if it is given.
    pitch: Option<f64>,
}

impl PictureParameters {
    /// Returns the picture of a view without parameters. Its size is 128.
    #[must_use]
    pub fn new(view: View) -> Self {
        let mut spec = PictureSpec::new(view, Size::px(128));
        if view.is_isometric() {
            // `PictureSpec` has the filter and the light of the routes without `/v1/`.
            spec.filter = Filter::Area;
            spec.light = Light::Soft;
        }
        Self {
            spec,
            pose: NamedPose::default(),
            phase: 0.0,
            turn: None,
            animate: None,
            columns: None,
            yaw: None,
            pitch: None,
        }
    }

    /// Reads the parameters of a picture of a view. Parameters that the view lacks are not read.
    ///
    /// # Errors
    ///
    /// If a value cannot be read, or if two parameters contradict each other.
    pub fn read<'a>(
        view: View,
        limits: Limits,
        value: impl Fn(&str) -> Option<&'a str>,
    ) -> Result<Self, ParameterError> {
        let mut picture = Self::new(view);
        for parameter in parameters() {
            if !parameter.accepts(view) || !parameter.changes_pictures() {
                continue;
            }
            if let Some(text) = value(parameter.name) {
                parameter.parse(text, &limits)?.apply(&mut picture);
            }
        }
        picture.check()?;
        Ok(picture)
    }

    /// Checks that no parameter contradicts another one.
    ///
    /// # Errors
    ///
    /// If one does. It names the parameter that has to be left out.
    pub fn check(&self) -> Result<(), ParameterError> {
        let spec = &self.spec;
        let is_bright = spec.light == Light::Soft || spec.view.is_flat();
        let (name, reason) = if spec.light_from.is_some() && !is_bright {
            ("light-from", "left out unless the light is \"soft\"")
        } else if spec.decoration.shadow && spec.view.shows_ground() && !spec.shows_ground() {
            (
                "shadow",
                "left out of a picture that is cropped to the head or the bust",
            )
        } else {
            return Ok(());
        };
        Err(ParameterError {
            name,
            expected: reason.into(),
        })
    }

    /// Returns the picture of a view with these settings. Settings that the view lacks are ignored.
    #[must_use]
    pub fn from_settings(view: View, settings: &[Setting]) -> Self {
        let mut picture = Self::new(view);
        // The order of the table counts: a rotation changes the pose that is set before it.
        for parameter in parameters() {
            if !parameter.accepts(view) {
                continue;
            }
            for setting in settings {
                if setting.parameter().name == parameter.name {
                    setting.apply(&mut picture);
                }
            }
        }
        picture
    }

    /// Returns the movement of a player who moves as the pose does, turns around, or both, or
    /// `None` for a player who does neither.
    #[must_use]
    pub fn motion(&self, moves: bool, turns: bool) -> Option<Motion> {
        let motion = match (moves, turns) {
            (true, true) => Motion::of(self.pose).turning(),
            (true, false) => Motion::of(self.pose),
            (false, true) => Motion::TURN,
            (false, false) => return None,
        };
        Some(motion.starting_at(self.phase))
    }

    /// Returns the movement of a moving picture, or `None` if the parameters rule out both kinds.
    /// Without them, a pose that is a moment of a movement moves, and in other poses the player
    /// turns around.
    #[must_use]
    pub fn motion_by_default(&self) -> Option<Motion> {
        let moves = self.animate.unwrap_or(self.pose.is_moving());
        let turns = self.turn.unwrap_or(!moves);
        self.motion(moves, turns)
    }

    /// Changes the pose and the moment of its movement. The player is seen from the side from which
    /// the pose is seen best, unless another one is given.
    pub(crate) fn set_pose(&mut self, pose: NamedPose, phase: f64) {
        self.pose = pose;
        self.phase = phase;
        self.spec.pose = pose.at(phase);
        self.aim();
    }

    /// Changes the yaw of a free camera.
    pub(crate) fn set_yaw(&mut self, degrees: f64) {
        self.yaw = Some(degrees);
        self.aim();
    }

    /// Changes the pitch of a free camera.
    pub(crate) fn set_pitch(&mut self, degrees: f64) {
        self.pitch = Some(degrees);
        self.aim();
    }

    /// Changes the field of view of a free camera.
    pub(crate) fn set_fov(&mut self, degrees: f64) {
        if let Some([yaw, pitch, _]) = self.spec.camera.angles() {
            self.spec.camera = Camera::perspective(yaw.to_degrees(), pitch.to_degrees(), degrees);
        }
    }

    /// Turns a free camera to the side that is given, or else to that of the pose.
    fn aim(&mut self) {
        let Some([_, _, fov]) = self.spec.camera.angles() else {
            return;
        };
        // A head looks the same way in every pose.
        let camera = if self.spec.view == View::Cube {
            Camera::DEFAULT
        } else {
            self.pose.camera()
        };
        let Some([yaw, pitch, _]) = camera.angles() else {
            return;
        };
        let yaw = self.yaw.unwrap_or(yaw.to_degrees());
        let pitch = self.pitch.unwrap_or(pitch.to_degrees());
        self.spec.camera = Camera::perspective(yaw, pitch, fov.to_degrees());
    }
}

#[cfg(test)]
mod tests;
