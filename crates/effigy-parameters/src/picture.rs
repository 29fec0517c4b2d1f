//! The settings of a picture, and their limits.

use effigy_render::{Camera, Filter, Light, Motion, NamedPose, PictureSpec, Shape, Size, View};

use crate::{ParameterError, Setting, parameters};

/// The maximum values of the parameters that determine the memory of a picture.
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
    /// Only the limits of the renderer.
    pub const NONE: Limits = Limits {
        size: Size::MAX,
        padding: u16::MAX,
        columns: u32::MAX,
    };

    /// The limits of the service, which keep every file small enough for its cache.
    pub const SERVICE: Limits = Limits {
        size: 2048,
        padding: 256,
        columns: 100,
    };
}

/// The largest size of a moving picture for services and scripts. It has up to 96 frames.
pub const MAX_MOVING_SIZE: Size = Size::px(512);

/// The padding of each picture on a sheet by default.
const SHEET_PADDING: u16 = 4;

/// A picture as parameters describe it: the renderer's specification, and the settings from which
/// moving pictures and sheets are made.
///
/// ```
/// use effigy_parameters::{Limits, PictureSettings};
/// use effigy_render::{Camera, View};
///
/// let given = [("yaw", "-30"), ("pose", "walk")];
/// let value = |name: &str| given.iter().find(|pair| pair.0 == name).map(|pair| pair.1);
/// let picture = PictureSettings::read(View::Figure, Limits::NONE, value)?;
/// assert_eq!(picture.spec.camera, Camera::perspective(-30.0, 16.0, 30.0));
/// # Ok::<(), effigy_parameters::ParameterError>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct PictureSettings {
    /// The specification for the renderer.
    pub spec: PictureSpec,
    /// The pose.
    pub pose: NamedPose,
    /// The moment of the pose's movement, from 0 to 1.
    pub phase: f64,
    /// Turns the player around. For `None`, see [`motion_by_default`](Self::motion_by_default).
    pub turn: Option<bool>,
    /// Moves the limbs. For `None`, see [`motion_by_default`](Self::motion_by_default).
    pub animate: Option<bool>,
    /// The number of columns of a sheet, if it is given.
    pub columns: Option<u32>,
    /// The yaw in degrees, if it is given. It wins over the yaw of the pose.
    yaw: Option<f64>,
    /// The pitch in degrees, if it is given. It wins over the pitch of the pose.
    pitch: Option<f64>,
}

impl PictureSettings {
    /// Returns the defaults of a view. The size is 128.
    #[must_use]
    pub fn new(view: View) -> Self {
        let mut spec = PictureSpec::new(view, Size::px(128));
        if view.is_isometric() {
            // `PictureSpec` has the defaults of the compatibility paths.
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

    /// Parses the parameters of a view. Parameters that the view doesn't accept are not parsed.
    ///
    /// # Errors
    ///
    /// If a value is refused, or if two parameters contradict each other.
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
        // Flat views, which have no light, ignore its direction.
        let allows_direction = spec.light == Light::Soft || spec.view.is_flat();
        if spec.light_from.is_some() && !allows_direction {
            return Err(ParameterError {
                name: "light-from",
                expected: "left out unless the light is \"soft\"".into(),
            });
        }
        let is_ground_cropped = spec.view.shows_ground() && !spec.shows_ground();
        if spec.decoration.shadow && is_ground_cropped {
            return Err(ParameterError {
                name: "shadow",
                expected: "left out of a picture that is cropped to the head or the bust".into(),
            });
        }
        Ok(())
    }

    /// Applies settings to the defaults of a view. Settings that the view doesn't accept are
    /// ignored.
    #[must_use]
    pub fn from_settings(view: View, settings: &[Setting]) -> Self {
        let mut picture = Self::new(view);
        // In the order of the table: the rotation of a limb changes the pose.
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

    /// Returns the motion of a player who moves the limbs as the pose does (`moves`), turns around
    /// (`turns`), or both. Without either, it is `None`.
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

    /// Sets a small gap between the pictures of a sheet, unless a shape separates them. It is the
    /// default of the padding on a sheet.
    pub const fn set_sheet_gap(&mut self) {
        let decoration = &mut self.spec.decoration;
        if matches!(decoration.shape, Shape::Square) {
            decoration.padding = SHEET_PADDING;
        }
    }

    /// Checks that a moving picture is small enough.
    ///
    /// # Errors
    ///
    /// If its size is more than [`MAX_MOVING_SIZE`].
    pub fn check_moving_size(&self) -> Result<(), ParameterError> {
        if self.spec.size <= MAX_MOVING_SIZE {
            return Ok(());
        }
        let max = MAX_MOVING_SIZE.get();
        Err(ParameterError {
            name: "size",
            expected: format!("a whole number from 1 to {max} for a moving picture").into(),
        })
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

    /// Returns the number of columns of a sheet of `count` pictures. If it isn't given, the sheet
    /// has the same number of columns and rows, or one column more.
    ///
    /// ```
    /// use effigy_parameters::PictureSettings;
    /// use effigy_render::View;
    ///
    /// assert_eq!(PictureSettings::new(View::Face).sheet_columns(5), 3);
    /// ```
    #[must_use]
    pub fn sheet_columns(&self, count: usize) -> u32 {
        if let Some(columns) = self.columns {
            return columns;
        }
        let square_root = count.saturating_sub(1).isqrt() + 1;
        u32::try_from(square_root).unwrap_or(u32::MAX)
    }

    /// Changes the pose and the moment of its movement. Unless a yaw and a pitch are given, the
    /// camera moves to the side from which the pose looks best.
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

    /// Turns a free camera to the given yaw and pitch, or to the yaw and pitch of the pose.
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
        let Some([usual_yaw, usual_pitch, _]) = camera.angles() else {
            return;
        };
        let yaw = self.yaw.unwrap_or(usual_yaw.to_degrees());
        let pitch = self.pitch.unwrap_or(usual_pitch.to_degrees());
        self.spec.camera = Camera::perspective(yaw, pitch, fov.to_degrees());
    }
}

#[cfg(test)]
mod tests;
