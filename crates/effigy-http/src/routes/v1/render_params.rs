//! The parameters of pictures in a query.

use std::str::FromStr;

use effigy_player::{Model, ParseError};
use effigy_render::{
    Angle, Decoration, Facing, Layers, Light, NamedPose, PictureSpec, Shape, Size, View,
    parse_color,
};

use crate::routes::{
    target::Rejection,
    url::{Query, whole_number},
};

/// The largest size, which keeps every picture small enough for the cache. The paths without `/v1/` have
/// no limit.
const MAX_SIZE: u32 = 2048;

/// The largest padding.
const MAX_PADDING: u32 = 256;

/// The size if the query has none.
const DEFAULT_SIZE: Size = Size::new(128).expect("not zero");

/// The parameters in the query of a picture, in the order of the documentation. Some views lack some.
pub(crate) const PICTURE_PARAMETERS: [&str; 13] = [
    "size",
    "facing",
    "yaw",
    "pitch",
    "pose",
    "light",
    "cape",
    "overlay",
    "background",
    "padding",
    "shape",
    "shadow",
    "v",
];

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
            if !applies_to(&name, view) {
                return Err(misplaced(&name).into());
            }
            params.read(&name, value.trim())?;
        }
        Ok(params)
    }

    fn read(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "size" => set(
                name,
                &mut self.size,
                size(value),
                "a whole number from 1 to 2048",
            ),
            "facing" => word(name, &mut self.facing, value),
            "yaw" => set(
                name,
                &mut self.yaw,
                Angle::parse_within(value, 180.0),
                "a number from -180 to 180",
            ),
            "pitch" => set(
                name,
                &mut self.pitch,
                Angle::parse_within(value, 90.0),
                "a number from -90 to 90",
            ),
            "pose" => word(name, &mut self.pose, value),
            "light" => word(name, &mut self.light, value),
            "cape" => switch(name, &mut self.has_cape, value),
            "overlay" => switch(name, &mut self.has_overlay, value),
            "background" => set(
                name,
                &mut self.background,
                parse_color(value),
                "\"rrggbb\" or \"rrggbbaa\" in hexadecimal digits",
            ),
            "padding" => set(
                name,
                &mut self.padding,
                padding(value),
                "a whole number from 0 to 256",
            ),
            "shape" => word(name, &mut self.shape, value),
            "shadow" => switch(name, &mut self.has_shadow, value),
            "model" => word(name, &mut self.model, value),
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

/// Returns `true` if pictures of a view have the parameter of that name.
pub(crate) fn applies_to(name: &str, view: View) -> bool {
    match name {
        "facing" => !view.is_free(),
        "yaw" | "pitch" | "pose" => view.is_free(),
        "light" => !view.is_flat(),
        "cape" => view.shows_cape(),
        "shadow" => view.shows_ground(),
        _ => true,
    }
}

/// Returns the picture of a view that a query describes.
pub(crate) fn picture_spec(view: View, query: Query<'_>) -> Result<PictureSpec, Rejection> {
    Ok(RenderParams::parse(view, query)?.spec(view))
}

fn misplaced(name: &str) -> String {
    let views = View::ALL.into_iter().filter(|view| applies_to(name, *view));
    let views: Vec<&str> = views.map(View::as_str).collect();
    format!(
        "{} applies only to {}",
        capitalized(name),
        list(&views, "and")
    )
}

/// Returns the error of a parameter with a word that it does not have.
pub(super) fn must_be_one_of(name: &str, words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    format!("{} must be {}", capitalized(name), list(&words, "or"))
}

/// Returns words as a list in English.
fn list(words: &[&str], last: &str) -> String {
    let (end, rest) = words.split_last().expect("there is a word");
    format!("{} {last} {end}", rest.join(", "))
}

fn capitalized(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}

/// Sets a parameter unless it is set already.
fn set<T>(
    name: &str,
    parameter: &mut Option<T>,
    value: Option<T>,
    expected: &str,
) -> Result<(), String> {
    if parameter.is_none() {
        let value = value.ok_or_else(|| format!("{} must be {expected}", capitalized(name)))?;
        *parameter = Some(value);
    }
    Ok(())
}

fn word<T: FromStr<Err = ParseError>>(
    name: &str,
    parameter: &mut Option<T>,
    value: &str,
) -> Result<(), String> {
    if parameter.is_none() {
        let value = value.parse();
        *parameter =
            Some(value.map_err(|error: ParseError| must_be_one_of(name, &error.expected))?);
    }
    Ok(())
}

/// Reads a switch. A name without a value turns it on.
fn switch(name: &str, parameter: &mut Option<bool>, value: &str) -> Result<(), String> {
    let value = match value.to_ascii_lowercase().as_str() {
        "true" | "1" | "" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    };
    set(name, parameter, value, "\"true\" or \"false\"")
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

#[cfg(test)]
mod tests;
