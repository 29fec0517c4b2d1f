//! The parameters of pictures in a query.

use std::str::FromStr;

use effigy_player::Model;
use effigy_render::{
    Angle, Decoration, Facing, Layers, Light, NamedPose, PictureSpec, Shape, Size, View,
    parse_color,
};

use crate::routes::{
    parameters::{MODEL, PICTURE},
    specified::BAD_MODEL,
    target::Rejection,
    url::{Query, whole_number},
};

/// The largest size, which keeps every picture small enough for the cache. The specified paths have
/// no limit.
pub(crate) const MAX_SIZE: u32 = 2048;

/// The largest padding.
pub(crate) const MAX_PADDING: u32 = 256;

/// The size if the query has none.
const DEFAULT_SIZE: Size = Size::new(128).expect("not zero");

const BAD_SIZE: &str = "Size must be a whole number from 1 to 2048";
const BAD_FACING: &str = "Facing must be \"left\", \"right\", \"back-left\" or \"back-right\"";
const BAD_YAW: &str = "Yaw must be a number from -180 to 180";
const BAD_PITCH: &str = "Pitch must be a number from -90 to 90";
const BAD_POSE: &str = "Pose must be \"stand\", \"walk\", \"run\", \"wave\", \"sit\", \"crouch\", \
    \"point\" or \"cheer\"";
const BAD_LIGHT: &str = "Light must be \"none\", \"soft\" or \"game\"";
const BAD_CAPE: &str = "Cape must be \"true\" or \"false\"";
const BAD_BACKGROUND: &str = "Background must be \"rrggbb\" or \"rrggbbaa\" in hexadecimal digits";
const BAD_PADDING: &str = "Padding must be a whole number from 0 to 256";
const BAD_SHAPE: &str = "Shape must be \"square\", \"rounded\" or \"circle\"";
const BAD_SHADOW: &str = "Shadow must be \"true\" or \"false\"";
const BAD_OVERLAY: &str = "Overlay must be \"true\" or \"false\"";

/// The parameters in a query. The view decides what the missing ones are.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct RenderParams {
    size: Option<Size>,
    facing: Option<Facing>,
    yaw: Option<Angle>,
    pitch: Option<Angle>,
    pose: Option<NamedPose>,
    light: Option<Light>,
    has_cape: Option<bool>,
    has_overlay: Option<bool>,
    background: Option<[u8; 4]>,
    padding: Option<u16>,
    shape: Option<Shape>,
    has_shadow: Option<bool>,
    /// The model that a texture is drawn on.
    pub(super) model: Option<Model>,
}

impl RenderParams {
    /// Parses a query. Of several values of one name, the first counts. The names that no picture has
    /// are the route's.
    pub(super) fn parse(view: View, query: Query<'_>) -> Result<Self, Rejection> {
        let mut params = Self::default();
        for (name, value) in query.pairs() {
            let mut known = PICTURE.iter().chain([&MODEL]);
            let Some(parameter) = known.find(|parameter| parameter.name == name) else {
                continue;
            };
            if !parameter.applies_to(view) {
                return Err(parameter.misplaced().into());
            }
            params.read(parameter.name, value.trim())?;
        }
        Ok(params)
    }

    fn read(&mut self, name: &str, value: &str) -> Result<(), &'static str> {
        match name {
            "size" => first(&mut self.size, || size(value), BAD_SIZE),
            "facing" => first(&mut self.facing, || word(value), BAD_FACING),
            "yaw" => first(&mut self.yaw, || Angle::parse_within(value, 180.0), BAD_YAW),
            "pitch" => first(
                &mut self.pitch,
                || Angle::parse_within(value, 90.0),
                BAD_PITCH,
            ),
            "pose" => first(&mut self.pose, || word(value), BAD_POSE),
            "light" => first(&mut self.light, || word(value), BAD_LIGHT),
            "cape" => first(&mut self.has_cape, || switch(value), BAD_CAPE),
            "overlay" => first(&mut self.has_overlay, || switch(value), BAD_OVERLAY),
            "background" => first(&mut self.background, || parse_color(value), BAD_BACKGROUND),
            "padding" => first(&mut self.padding, || padding(value), BAD_PADDING),
            "shape" => first(&mut self.shape, || word(value), BAD_SHAPE),
            "shadow" => first(&mut self.has_shadow, || switch(value), BAD_SHADOW),
            "model" => first(&mut self.model, || word(value), BAD_MODEL),
            _ => Ok(()),
        }
    }

    /// Returns the picture of a view.
    pub(super) fn spec(self, view: View) -> PictureSpec {
        let default = PictureSpec::new(view, self.size.unwrap_or(DEFAULT_SIZE));
        let layers = match self.has_overlay {
            Some(false) => Layers::Base,
            _ => Layers::WithOverlay,
        };
        default
            .with_camera(default.camera.turned(self.facing, self.yaw, self.pitch))
            .with_pose(self.pose.unwrap_or_default())
            .with_light(self.light.unwrap_or(default.light))
            .with_cape(self.has_cape.unwrap_or(default.has_cape))
            .with_layers(layers)
            .with_decoration(Decoration {
                background: self.background,
                padding: self.padding.unwrap_or_default(),
                shape: self.shape.unwrap_or_default(),
                has_shadow: self.has_shadow.unwrap_or_default(),
            })
    }
}

/// Sets a parameter unless it is set already.
fn first<T>(
    parameter: &mut Option<T>,
    parse: impl FnOnce() -> Option<T>,
    reason: &'static str,
) -> Result<(), &'static str> {
    if parameter.is_none() {
        *parameter = Some(parse().ok_or(reason)?);
    }
    Ok(())
}

fn size(text: &str) -> Option<Size> {
    whole_number(text, MAX_SIZE).and_then(Size::new)
}

fn padding(text: &str) -> Option<u16> {
    match text {
        "0" => Some(0),
        text => whole_number(text, MAX_PADDING)?.try_into().ok(),
    }
}

/// Reads a switch. A name without a value turns it on.
fn switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

fn word<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

#[cfg(test)]
mod tests;
