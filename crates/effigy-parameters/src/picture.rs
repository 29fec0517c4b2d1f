//! The parameters of a picture.

use effigy_render::{
    Angle, Camera, Filter, Layers, Light, Motion, NamedPose, PictureSpec, Pose, Size, View,
};

use crate::value::{
    self, ParameterError, Parsed, color, decimal, rotation, switch, whole_number, word,
};

const CAPE: &str = "\"true\", \"false\" or degrees from 0 to 180";

/// The parameters, in the order of the documentation. Some views lack some.
#[rustfmt::skip]
pub const PARAMETERS: [&str; 26] = {
    let [head, torso, right_arm, left_arm, right_leg, left_leg, body, _] = Pose::ROTATIONS;
    [
        "size", "facing", "yaw", "pitch", "fov", "pose", "phase",
        head, torso, right_arm, left_arm, right_leg, left_leg, body,
        "upside-down", "fit", "light", "cape", "elytra", "overlay", "model", "background", "padding", "shape", "shadow", "v",
    ]
};

/// Returns `true` if pictures of a view have the parameter of that name.
#[must_use]
pub fn applies_to(name: &str, view: View) -> bool {
    match name {
        "facing" => !view.is_free(),
        "yaw" | "pitch" | "fov" | "pose" | "phase" | "upside-down" | "fit" => view.is_free(),
        name if Pose::ROTATIONS.contains(&name) => view.is_free(),
        "light" => !view.is_flat(),
        "cape" | "elytra" => view.shows_cape(),
        "shadow" => view.shows_ground(),
        _ => true,
    }
}

/// Checks that the parameter of that name can have a value.
///
/// # Errors
///
/// If it cannot.
pub fn check(name: &str, value: &str) -> Result<(), ParameterError> {
    let given = |known: &str| (known == name).then_some(value);
    let reads = |view: &View| PictureParameters::read(*view, Limits::NONE, given).map(drop);
    View::ALL.iter().try_for_each(reads)
}

/// The greatest values of parameters whose pictures somebody has to make room for.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The largest size.
    pub size: u32,
    /// The largest padding.
    pub padding: u16,
}

impl Limits {
    /// What a picture can have at most.
    pub const NONE: Limits = Limits {
        size: Size::MAX,
        padding: u16::MAX,
    };
}

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
pub struct PictureParameters {
    /// The picture.
    pub spec: PictureSpec,
    /// The pose.
    pub pose: NamedPose,
    /// The moment of the pose's movement, from 0 to 1.
    pub phase: f64,
}

impl PictureParameters {
    /// Reads the parameters of a picture of a view. Those that the view lacks are not read. The view decides what missing ones
    /// are; the size is 128.
    ///
    /// # Errors
    ///
    /// If a value cannot be read.
    pub fn read<'a>(
        view: View,
        limits: Limits,
        value: impl Fn(&str) -> Option<&'a str>,
    ) -> Result<Self, ParameterError> {
        let mut parameters = Self {
            spec: PictureSpec::new(view, Size::px(128)),
            pose: NamedPose::default(),
            phase: 0.0,
        };
        if view.is_isometric() {
            // Only the routes without `/v1/` are bound to others.
            parameters.spec.filter = Filter::Area;
            parameters.spec.light = Light::Soft;
        }
        for name in PARAMETERS.into_iter().filter(|name| applies_to(name, view)) {
            value::read(name, value(name), |text| parameters.set(name, text, limits))?;
        }
        Ok(parameters)
    }

    /// Returns the movement of the pose, and of the whole around itself.
    #[must_use]
    pub fn motion(&self, moves: bool, turns: bool) -> Motion {
        Motion {
            turns,
            cycle: moves.then_some(self.pose),
            start: Angle::degrees(360.0 * self.phase),
        }
    }

    fn set(&mut self, name: &str, text: &str, limits: Limits) -> Parsed<()> {
        let spec = &mut self.spec;
        match name {
            "size" => spec.size = Size::px(whole_number(text, 1..=limits.size)?),
            "facing" => {
                let facing = word(text)?;
                if spec.view.is_isometric() {
                    spec.camera = Camera::Isometric(facing);
                }
            }
            "yaw" => aim(&mut spec.camera, 0, decimal(text, -360..=360)?),
            "pitch" => aim(&mut spec.camera, 1, decimal(text, -90..=90)?),
            "fov" => aim(&mut spec.camera, 2, decimal(text, 0..=90)?),
            "pose" => self.pose = word(text)?,
            "phase" => self.phase = decimal(text, 0..=1)?,
            "upside-down" => spec.is_upside_down = Some(switch(text)?),
            "fit" => spec.framing = word(text)?,
            "light" => spec.light = word(text)?,
            "cape" => {
                let is_worn = switch(text);
                if is_worn.is_err() {
                    let angle = decimal(text, 0..=180).map_err(|_| CAPE)?;
                    spec.pose.cape = Angle::degrees(angle);
                }
                spec.has_cape = is_worn.unwrap_or(true);
            }
            "elytra" => {
                spec.has_elytra = switch(text)?;
                spec.has_cape |= spec.has_elytra;
            }
            "overlay" => {
                spec.layers = match switch(text)? {
                    true => Layers::WithOverlay,
                    false => Layers::Base,
                }
            }
            "model" => spec.model = Some(word(text)?),
            "background" => spec.decoration.background = color(text)?,
            "padding" => {
                let padding = whole_number(text, 0..=limits.padding.into())?;
                spec.decoration.padding = padding.try_into().unwrap_or(limits.padding);
            }
            "shape" => spec.decoration.shape = word(text)?,
            "shadow" => spec.decoration.has_shadow = switch(text)?,
            "v" => {}
            limb => {
                spec.pose.turn(limb, rotation(text)?);
            }
        }
        if matches!(name, "pose" | "phase") {
            spec.pose = self.pose.at(self.phase);
        }
        Ok(())
    }
}

/// Changes one of a camera's angles.
fn aim(camera: &mut Camera, number: usize, degrees: f64) {
    if let Some(angles) = camera.angles() {
        let mut angles = angles.map(Angle::to_degrees);
        angles[number] = degrees;
        let [yaw, pitch, fov] = angles;
        *camera = Camera::perspective(yaw, pitch, fov);
    }
}

#[cfg(test)]
mod tests;
