//! The URLs of Starlight's SkinAPI: `/render/<type>/<player>/<crop>`, with the position of the
//! camera and much more in the query, and `/info/user/<player>`.

mod camera;
mod types;

use effigy_parameters::{Limits, PictureParameters};
use effigy_player::{Model, XUID_PREFIX};
use effigy_render::{Camera, Facing, Layers, PictureSpec, Size, View};
use effigy_service::PictureParams;
use effigy_upstream::TextureHash;
use hyper::StatusCode;

use self::{
    camera::Eye,
    types::{Kind, POSES, TYPES},
};
use super::grammar::{fitted, flag, number, picture, pixels, png};
use crate::routes::{
    query::Query,
    request::{Operation, Parsed, ProfileForm, Rejection, STEVE},
};

/// The sides of a picture without a width and a height, of the figures and of the flat types.
const DEFAULT_SIDE: f64 = 1159.0;
const DEFAULT_FLAT_SIDE: f64 = 800.0;

/// The longest side.
const MAX_SIDE: f64 = 2048.0;

const NOT_DRAWN: Rejection = Rejection::new(
    StatusCode::NOT_FOUND,
    "Custom models, wallpapers, ornaments and bitzel icons are not drawn here",
);

const OTHER_SKIN: &str = "A skin by URL must be at textures.minecraft.net, as in \
    skinUrl=https://textures.minecraft.net/texture/<hash>";

/// The beginnings of the URLs of textures, behind the scheme.
const TEXTURES: &str = "textures.minecraft.net/texture/";

/// The part of a player that a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Crop {
    Full,
    Bust,
    Head,
}

impl Crop {
    fn find(word: &str) -> Option<Self> {
        match &*word.to_ascii_lowercase() {
            "full" => Some(Self::Full),
            "bust" => Some(Self::Bust),
            "face" | "head" => Some(Self::Head),
            _ => None,
        }
    }
}

/// Reads a path behind the prefix.
pub(super) fn parse(path: &[&str], query: &Query<'_>) -> Parsed {
    let is = |word: &str, known: &str| word.eq_ignore_ascii_case(known);
    match *path {
        [info, user, player] if is(info, "info") && is(user, "user") => {
            let player = player_of(player);
            Ok(Operation::profile(ProfileForm::Starlight, &player))
        }
        [render, kind, ref rest @ ..] if is(render, "render") || is(render, "skin-render") => {
            self::render(&kind.to_ascii_lowercase(), rest, query)
        }
        _ => Err(Rejection::NOT_FOUND),
    }
}

/// Reads the rest of a path behind the type.
fn render(kind: &str, rest: &[&str], query: &Query<'_>) -> Parsed {
    let found = TYPES.iter().find(|row| row.has(kind));
    let found = found.ok_or(Rejection::NOT_FOUND)?;
    if found.kind == Kind::NotDrawn {
        return Err(NOT_DRAWN);
    }
    let (player, crop) = match *rest {
        [player] => (player, None),
        [player, crop] => (player, Some(crop)),
        _ => return Err(Rejection::NOT_FOUND),
    };
    let params = if found.kind == Kind::Skin {
        skin(crop)?
    } else {
        let crop = match crop {
            Some(word) => Crop::find(word).ok_or(Rejection::NOT_FOUND)?,
            None => found.crop,
        };
        drawn(found, crop, query)
    };
    let model = model(query);
    if let Some(url) = query.word(&["skinUrl"]).filter(|url| !url.is_empty()) {
        let hash = hash_of(url).ok_or_else(|| Rejection::bad_request(OTHER_SKIN))?;
        let model = model.unwrap_or(Model::Classic);
        return Ok(Operation::File(params.of_texture(hash, Some(model))));
    }
    Ok(picture(params, &player_of(player), None, STEVE))
}

/// Returns the skin file, or the texture as the game wears it, with the overlay or without.
fn skin(word: Option<&str>) -> Parsed<PictureParams> {
    let layout = PictureSpec::new(View::Layout, Size::px(64));
    match &*word.unwrap_or("default").to_ascii_lowercase() {
        "default" => Ok(PictureParams::OWN_SKIN),
        "processed" => Ok(png(layout)),
        "barebones" => Ok(png(layout.with_layers(Layers::Base))),
        _ => Err(Rejection::NOT_FOUND),
    }
}

fn drawn(found: &types::Type, crop: Crop, query: &Query<'_>) -> PictureParams {
    let spec = match found.kind {
        Kind::Flat => flat(crop, query),
        Kind::Isometric if !Eye::is_named(query) => isometric(crop, query),
        _ => figure(found, crop, query),
    };
    png(spec)
}

fn flat(crop: Crop, query: &Query<'_>) -> PictureSpec {
    let view = match crop {
        Crop::Full => View::Body,
        Crop::Bust => View::Bust,
        Crop::Head => View::Face,
    };
    fitted(view, frame(view, DEFAULT_FLAT_SIDE, query))
}

fn isometric(crop: Crop, query: &Query<'_>) -> PictureSpec {
    let view = match crop {
        Crop::Full => View::IsometricBody,
        Crop::Bust => View::Portrait,
        Crop::Head => View::IsometricHead,
    };
    let spec = fitted(view, frame(view, DEFAULT_SIDE, query));
    if crop == Crop::Bust {
        let eye = Eye::of_type("isometric");
        return spec.with_camera(Camera::orthographic(eye.yaw, eye.pitch));
    }
    spec.with_facing(Facing::Left)
}

/// Returns the picture of a figure in the pose of a type.
fn figure(found: &types::Type, crop: Crop, query: &Query<'_>) -> PictureSpec {
    let view = match (found.kind, crop) {
        (Kind::Head, _) | (_, Crop::Head) => View::Cube,
        (_, Crop::Full) => View::Figure,
        (_, Crop::Bust) => View::Portrait,
    };
    let spec = fitted(view, frame(view, DEFAULT_SIDE, query));
    let mut words = words(query);
    if let Some((_, pose)) = POSES.iter().find(|(kind, _)| found.has(kind)) {
        words.extend(types::drawn_pose(pose).map(|pose| ("pose", pose.to_owned())));
    }
    let eye = Eye::of_query(found.word(), query);
    let is_isometric = flag(query, &["isometric"]).unwrap_or(found.kind == Kind::Isometric);
    let fov = if is_isometric { 0.0 } else { eye.fov() };
    with_words(spec, &words).with_camera(Camera::perspective(eye.yaw, eye.pitch, fov))
}

/// Returns the parameters of pictures under `/v1/` with the meaning of a query.
fn words(query: &Query<'_>) -> Vec<(&'static str, String)> {
    let mut words = Vec::new();
    if flag(query, &["borderHighlight"]) == Some(true) {
        let color = query.word(&["borderHighlightColor"]).unwrap_or("ffffff");
        words.push(("outline", color.trim_start_matches('#').to_owned()));
        let radius = query.word(&["borderHighlightRadius"]).unwrap_or("3");
        words.push(("outline-width", radius.to_owned()));
    }
    if flag(query, &["dropShadow"]) == Some(true) {
        words.push(("shadow", "true".to_owned()));
    }
    if flag(query, &["capeEnabled"]) == Some(false) {
        words.push(("cape", "false".to_owned()));
    }
    if flag(query, &["playerModelShading"]) == Some(false) {
        words.push(("light", "none".to_owned()));
    }
    if let Some(model) = model(query) {
        words.push(("model", model.to_string()));
    }
    words
}

/// Returns a picture with those of the parameters that can be read.
fn with_words(spec: PictureSpec, words: &[(&'static str, String)]) -> PictureSpec {
    let mut kept: Vec<(&str, &str)> = Vec::new();
    let mut changed = PictureSpec::new(spec.view, spec.size);
    for (name, value) in words {
        kept.push((name, value));
        let value_of = |wanted: &str| {
            let pair = kept.iter().find(|pair| pair.0 == wanted)?;
            Some(pair.1)
        };
        match PictureParameters::read(spec.view, Limits::SERVICE, value_of) {
            Ok(read) => changed = read.spec,
            Err(_) => {
                kept.pop();
            }
        }
    }
    changed.size = spec.size;
    changed.with_frame(spec.frame)
}

/// Returns the width and height of a picture. A missing one is the other one, and without both the
/// picture is as large as the view in the usual square.
fn frame(view: View, side: f64, query: &Query<'_>) -> [u32; 2] {
    let limited = |number: f64| pixels(number.min(MAX_SIDE));
    let is_side = |number: &f64| *number >= 1.0;
    let width = number(query, &["cameraWidth"]).filter(is_side);
    let height = number(query, &["cameraHeight"]).filter(is_side);
    match (width, height) {
        (None, None) => {
            let scale = number(query, &["renderScale"]).filter(|scale| *scale > 0.0);
            let side = limited(side * scale.unwrap_or(1.0));
            let spec = fitted(view, [side, side]);
            let unframed = PictureSpec::new(view, spec.size);
            let sides = [unframed.width(), unframed.height()];
            sides.map(|length| u32::try_from(length).unwrap_or(side))
        }
        (Some(width), height) => [width, height.unwrap_or(width)].map(limited),
        (None, Some(height)) => [height, height].map(limited),
    }
}

/// Returns the model that a query names. The service reads it only with a skin by URL.
fn model(query: &Query<'_>) -> Option<Model> {
    match &*query.word(&["skinType"])?.to_ascii_lowercase() {
        "slim" => Some(Model::Slim),
        "wide" => Some(Model::Classic),
        _ => None,
    }
}

/// Returns the texture at a URL, if it is one of the game's.
fn hash_of(url: &str) -> Option<TextureHash> {
    let (scheme, rest) = url.split_once("://")?;
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let (host, hash) = rest.split_at_checked(TEXTURES.len())?;
    if !is_web || !host.eq_ignore_ascii_case(TEXTURES) {
        return None;
    }
    TextureHash::parse(hash)
}

/// Returns a player as Effigy writes it: a dot and 16 digits are an XUID.
fn player_of(text: &str) -> String {
    match text.strip_prefix('.') {
        Some(digits) if digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{XUID_PREFIX}{digits}")
        }
        _ => text.to_owned(),
    }
}
