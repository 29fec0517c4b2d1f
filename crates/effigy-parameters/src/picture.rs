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
    let [head, torso, right_arm, left_arm, right_leg, left_leg, body] = Pose::ROTATIONS;
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
    let mut views = View::ALL.iter().filter(|view| applies_to(name, **view));
    let reads = |view: &View| PictureParameters::read(*view, Limits::NONE, given).map(drop);
    views.try_for_each(reads)
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
                spec.has_cape = switch(text).unwrap_or(true);
                if switch(text).is_err() {
                    let angle = decimal(text, 0..=180).map_err(|_| CAPE)?;
                    spec.pose.cape = Angle::degrees(angle);
                }
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
mod tests {
    use super::*;

    fn read(view: View, given: &[(&str, &str)]) -> Result<PictureSpec, ParameterError> {
        let value = |name: &str| given.iter().find(|pair| pair.0 == name);
        let value = |name: &str| value(name).map(|pair| pair.1);
        Ok(PictureParameters::read(view, Limits::NONE, value)?.spec)
    }

    #[test]
    fn every_parameter_but_the_version_changes_a_picture_that_has_it() {
        #[rustfmt::skip]
        let values = [
            ("size", "7"), ("yaw", "1"), ("pitch", "1"), ("fov", "1"), ("pose", "run"), ("phase", "0.3"), ("upside-down", "true"),
            ("fit", "turn"), ("light", "game"), ("cape", "false"), ("elytra", "true"), ("overlay", "off"), ("model", "slim"),
            ("background", "fff"), ("padding", "1"), ("shape", "circle"), ("shadow", ""),
        ];
        for name in PARAMETERS.into_iter().filter(|name| *name != "facing") {
            let value = values.iter().find(|row| row.0 == name);
            let value = value.map_or("1,2,3", |row| row.1);
            let walking = ("pose", "walk");
            let spec = read(View::Figure, &[(name, value), walking]);
            let is_changed = spec != read(View::Figure, &[walking]);
            assert_eq!(is_changed, name != "v", "{name}={value}");
        }
        let left = read(View::IsometricBody, &[("facing", "left")]);
        assert_ne!(left, read(View::IsometricBody, &[]));
    }

    #[test]
    fn the_order_does_not_matter() {
        let given = [
            ("cape", "30"),
            ("head", "1,2,3"),
            ("phase", "0.3"),
            ("pose", "run"),
            ("fov", "0"),
            ("yaw", "5"),
        ];
        let mut reversed = given;
        reversed.reverse();
        let spec = read(View::Figure, &given).unwrap();
        assert_eq!(read(View::Figure, &reversed), Ok(spec));
        assert_eq!(spec.pose.cape, Angle::degrees(30.0));
        assert_eq!(spec.pose.right_arm, NamedPose::Run.at(0.3).right_arm);
        assert_eq!(spec.camera, Camera::perspective(5.0, 16.0, 0.0));
    }

    #[test]
    fn what_a_view_lacks_is_not_read() {
        for view in View::ALL {
            for name in PARAMETERS
                .into_iter()
                .filter(|name| !applies_to(name, *view))
            {
                assert_eq!(
                    read(*view, &[(name, "?")]),
                    read(*view, &[]),
                    "{name} {view}"
                );
            }
        }
    }

    #[test]
    fn limits_and_bad_values_are_told() {
        let limits = Limits {
            size: 10,
            padding: 3,
        };
        for (name, value, expected) in [
            ("size", "11", "size must be a whole number from 1 to 10"),
            ("padding", "4", "padding must be a whole number from 0 to 3"),
            ("fit", "all ", "fit must be \"pose\", \"turn\" or \"all\""),
            (
                "cape",
                "181",
                "cape must be \"true\", \"false\" or degrees from 0 to 180",
            ),
        ] {
            let given = |known: &str| (known == name).then_some(value);
            let error = PictureParameters::read(View::Figure, limits, given).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
        for (name, value, is_sound) in [
            ("padding", "65535", true),
            ("padding", "65536", false),
            ("size", "2147483647", true),
            ("size", "2147483648", false),
            ("facing", "back-left", true),
            ("facing", "up", false),
        ] {
            assert_eq!(check(name, value).is_ok(), is_sound, "{name}={value}");
        }
    }
}
