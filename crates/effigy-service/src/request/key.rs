//! Keys of pictures: by the specification for its own routes, by what a picture shows everywhere
//! else.

use std::time::Duration;

use effigy_player::{Model, lower_case, short_xuid};
use effigy_render::{Camera, DRAWING_VERSION, ImageFormat, Layers, Motion, PictureSpec};
use effigy_store::{LIFETIME, TextureId};
use serde_json::{Map, Value};

use super::{cape_size::CapeSize, picture_params::PictureParams};

/// A key in memory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// A picture of a specified route, with the input in its one spelling. The picture is the
    /// answer for an hour.
    Specified(PictureParams, String),
    /// A picture of one player. It never changes.
    Picture(PictureKey),
    /// A picture of several players. It never changes.
    Group(GroupKey),
    /// A picture of a cape. It never changes.
    Cape(CapeKey),
}

/// Everything that decides a picture of one player.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct PictureKey {
    pub(crate) spec: PictureSpec,
    pub(crate) format: ImageFormat,
    pub(crate) motion: Option<Motion>,
    pub(crate) outfit: OutfitKey,
}

/// Everything that is seen of a player.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct OutfitKey {
    pub(crate) skin: TextureId,
    /// The player's model, or `None` if the texture tells it.
    pub(crate) model: Option<Model>,
    /// The cape, if the picture shows it.
    pub(crate) cape: Option<TextureId>,
    pub(crate) look: Look,
}

/// The effect that a name has on the look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Look {
    Plain,
    Ears,
    UpsideDown,
}

/// Everything that decides a picture of several players.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct GroupKey {
    pub(crate) spec: PictureSpec,
    /// The columns of a sheet.
    pub(crate) columns: Option<u32>,
    pub(crate) members: Vec<MemberKey>,
}

/// A member of a group.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct MemberKey {
    /// The player, or `None` for a gap.
    pub(crate) outfit: Option<OutfitKey>,
    /// The name, if the picture shows it.
    pub(crate) label: Option<String>,
}

/// Everything that decides a picture of a cape.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct CapeKey {
    pub(crate) cape: TextureId,
    pub(crate) size: CapeSize,
}

impl Look {
    /// Returns the look of a Java player with this name.
    pub(crate) fn of_name(name: &str) -> Self {
        match name {
            "deadmau5" => Self::Ears,
            "Dinnerbone" | "Grumm" => Self::UpsideDown,
            _ => Self::Plain,
        }
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Ears => "ears",
            Self::UpsideDown => "upside-down",
        }
    }
}

impl Key {
    /// The key of a specified route. It ignores the letter case if the providers do.
    pub(crate) fn specified(params: PictureParams, input: &str, ignores_case: bool) -> Self {
        let one_spelling = if ignores_case { folded(input) } else { None };
        let input = one_spelling.unwrap_or_else(|| input.to_owned());
        Self::Specified(params, input)
    }

    /// Returns the key in the store. A specified route has the specification's key; all other keys
    /// begin with the version of the drawing.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Specified(params, input) => specified_text(params, input),
            Self::Picture(key) => {
                let mut text = versioned("picture", &spec_text(&key.spec));
                text.push_str(&format!("/{}", key.format.as_str()));
                if let Some(motion) = key.motion {
                    text.push_str(&format!("/{}", json(&motion)));
                }
                text.push_str(&outfit_text(&key.outfit));
                text
            }
            Self::Group(key) => group_text(key),
            Self::Cape(key) => versioned("cape", &format!("{}/{}", cape_size(key.size), key.cape)),
        }
    }

    /// Returns `true` for pictures that never change.
    pub(crate) const fn is_immutable(&self) -> bool {
        !matches!(self, Self::Specified(..))
    }

    /// Returns the age up to which a kept picture is used. A picture of a specified route is the
    /// answer for an hour, whatever the `picture_age` of the others.
    pub(crate) const fn lifetime(&self, picture_age: Duration) -> Duration {
        if self.is_immutable() {
            picture_age
        } else {
            LIFETIME
        }
    }
}

/// Returns the one spelling of an input, in lower case and an XUID without needless zeros. Returns
/// `None` if the input is spelled so.
fn folded(input: &str) -> Option<String> {
    let mut bytes = input.bytes();
    if bytes.all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        short_xuid(input)
    } else {
        Some(lower_case(input))
    }
}

/// Returns the key of a specified route. Spec, "Common rules" 5. The last two parts contain no
/// underscore, so two requests have the same key only if they mean the same picture, whatever
/// characters the input has.
fn specified_text(params: &PictureParams, input: &str) -> String {
    let endpoint = params.endpoint.as_str();
    let Some(spec) = params.spec else {
        return format!("{endpoint}_{input}_default_default");
    };
    let size = params.size_text();
    match (spec.camera, spec.layers) {
        (Camera::Isometric(facing), _) if !spec.view.is_flat() => {
            format!("{endpoint}_{input}_{facing}_{size}")
        }
        (_, Layers::Base) => format!("{endpoint}_{input}_{size}_default"),
        _ => format!("{endpoint}_{input}_{size}_hat"),
    }
}

/// Returns a key that begins with the version of the drawing. No specified route begins with `d`
/// and a digit.
fn versioned(kind: &str, rest: &str) -> String {
    format!("d{DRAWING_VERSION}/{kind}/{rest}")
}

/// Returns the view, the size and each parameter that is not the view's default.
fn spec_text(spec: &PictureSpec) -> String {
    let default = fields(&PictureSpec::new(spec.view, spec.size));
    let mut text = format!("{}/{}", spec.view, spec.size.get());
    for (name, value) in fields(spec) {
        if default.get(&name) != Some(&value) {
            text.push_str(&format!("/{name}={value}"));
        }
    }
    text
}

fn outfit_text(outfit: &OutfitKey) -> String {
    let mut text = format!("/skin={}", outfit.skin);
    if let Some(model) = outfit.model {
        text.push_str(&format!("/{}", model.as_str()));
    }
    if let Some(cape) = outfit.cape {
        text.push_str(&format!("/cape={cape}"));
    }
    if outfit.look != Look::Plain {
        text.push_str(&format!("/{}", outfit.look.as_str()));
    }
    text
}

fn group_text(group: &GroupKey) -> String {
    let mut text = versioned("group", &spec_text(&group.spec));
    if let Some(columns) = group.columns {
        text.push_str(&format!("/columns={columns}"));
    }
    for member in &group.members {
        match &member.outfit {
            Some(outfit) => text.push_str(&outfit_text(outfit)),
            None => text.push_str("/none"),
        }
        if let Some(label) = &member.label {
            text.push_str(&format!("/name={}", json(label)));
        }
    }
    text
}

/// Returns the fields of a specification in their stored form.
fn fields(spec: &PictureSpec) -> Map<String, Value> {
    match serde_json::to_value(spec) {
        Ok(Value::Object(fields)) => fields,
        _ => unreachable!("a specification is stored as an object"),
    }
}

fn cape_size(size: CapeSize) -> String {
    match size {
        CapeSize::Width(width) => width.get().to_string(),
        CapeSize::Box([width, height]) => format!("{}x{}", width.get(), height.get()),
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("it has only texts and numbers")
}

#[cfg(test)]
mod tests;
