//! NMSR's URLs: `/<mode>/<player>`, with many parameters in the query; and `POST /<mode>` with a
//! skin file.

use std::ops::RangeInclusive;

use effigy_player::{MAX_JAVA_NAME, Uuid, is_java_name_byte};
use effigy_render::{Camera, Layers, Light, PictureSpec, Pose, Rotation, View};
use effigy_service::PictureParams;
use effigy_upstream::TextureHash;

use super::grammar::{
    cape, fitted, flag, is_bedrock_player, model, number, picture, pixels, png, steve_or_alex,
};
use crate::routes::{
    query::Query,
    rejection::{Parsed, Rejection},
    request::Operation,
};

/// The lengths of texts that are read as the hash of a texture.
const HASH_LENGTHS: RangeInclusive<usize> = 37..=64;

/// The widths of pictures.
const WIDTHS: RangeInclusive<u32> = 16..=1024;
const DEFAULT_WIDTH: u32 = 512;

/// The height of a whole figure of the default width.
const WHOLE: u32 = 869;

/// The field of view of the lens, in degrees.
const FOV: f64 = 45.0;

/// The angle between the arms and the body, in degrees.
const ARMS: f64 = 10.0;

const BAD_PLAYER: &str = "Invalid player: write a name, a UUID or the hash of a texture";
const BAD_SIZE: &str = "Invalid size: the width must be from 16 to 1024 pixels";

/// A way of looking at a player.
#[derive(Clone, Copy)]
struct Mode {
    view: View,
    /// The yaw and the pitch of the camera, in degrees.
    angles: [f64; 2],
    /// `true` for a camera without a lens.
    is_parallel: bool,
    /// `true` for a whole figure, which is higher than wide. Other pictures are squares.
    is_whole: bool,
}

impl Mode {
    const fn flat(view: View, is_whole: bool) -> Self {
        Self::with_lens(view, [0.0, 0.0], is_whole)
    }

    const fn with_lens(view: View, angles: [f64; 2], is_whole: bool) -> Self {
        Self {
            view,
            angles,
            is_parallel: false,
            is_whole,
        }
    }

    const fn parallel(view: View, is_whole: bool) -> Self {
        Self {
            is_parallel: true,
            ..Self::with_lens(view, [45.0, 35.26], is_whole)
        }
    }
}

/// The modes of pictures with their words.
#[rustfmt::skip]
const MODES: [(&str, Mode); 8] = [
    ("fullbody full full_body", Mode::with_lens(View::Figure, [20.0, 10.0], true)),
    ("bodybust bust body_bust", Mode::with_lens(View::Portrait, [20.0, 10.0], false)),
    ("frontfull front_full", Mode::flat(View::Body, true)),
    ("frontbust front front_bust", Mode::flat(View::Bust, false)),
    ("face", Mode::flat(View::Face, false)),
    ("head", Mode::with_lens(View::Cube, [25.0, 15.0], false)),
    ("fullbodyiso full_body_iso", Mode::parallel(View::Figure, true)),
    ("headiso head_iso", Mode::parallel(View::Cube, false)),
];

/// The words for the overlay, which can be left out.
const OVERLAY: [&str; 4] = ["overlay", "overlays", "layers", "body_layers"];

/// The words for the overlay of a head.
const HAT: [&str; 3] = ["hat", "helmet", "hat_layer"];

/// Reads a path behind the prefix.
pub(super) fn parse(path: &[&str], query: &Query<'_>) -> Parsed<Operation> {
    match *path {
        [mode] => form(&mode.to_ascii_lowercase(), query),
        [mode, entry] => file(&mode.to_ascii_lowercase(), entry, query),
        _ => Err(Rejection::NOT_FOUND),
    }
}

/// Reads the path of a picture of the skin file in a form.
fn form(mode: &str, query: &Query<'_>) -> Parsed<Operation> {
    let mode = find(mode).ok_or(Rejection::NOT_FOUND)?;
    Ok(Operation::Form {
        params: png(spec(mode, query)?),
        model: model(query),
    })
}

/// Reads the path of a file of a player or a texture.
fn file(mode: &str, entry: &str, query: &Query<'_>) -> Parsed<Operation> {
    let params = match mode {
        "skin" | "texture" => PictureParams::OWN_SKIN,
        "cape" | "cloak" => return Ok(cape(checked(entry)?, None)),
        _ => {
            let mode = find(mode).ok_or(Rejection::NOT_FOUND)?;
            png(spec(mode, query)?)
        }
    };
    let entry = checked(entry)?;
    Ok(picture(params, entry, model(query), steve_or_alex(entry)))
}

fn find(word: &str) -> Option<Mode> {
    for (words, mode) in MODES {
        if words.split(' ').any(|known| known == word) {
            return Some(mode);
        }
    }
    None
}

/// Returns an entry that is a player or a texture.
///
/// # Errors
/// If it is neither.
fn checked(entry: &str) -> Parsed<&str> {
    let is_name = entry.len() <= MAX_JAVA_NAME && entry.bytes().all(is_java_name_byte);
    let is_hash = HASH_LENGTHS.contains(&entry.len()) && TextureHash::parse(entry).is_some();
    if is_name || is_hash || is_bedrock_player(entry) || Uuid::parse(entry).is_some() {
        return Ok(entry);
    }
    Err(Rejection::bad_request(BAD_PLAYER))
}

/// The words of a query for the parts that are left out of a picture.
struct LeftOut(Vec<String>);

impl LeftOut {
    fn any_of(&self, words: &[&str]) -> bool {
        self.0.iter().any(|left_out| words.contains(&&**left_out))
    }
}

fn spec(mode: Mode, query: &Query<'_>) -> Parsed<PictureSpec> {
    let frame = frame(mode.is_whole, query)?;
    let left_out = LeftOut(query.list(&["exclude", "no"]));
    let mut spec = fitted(mode.view, frame).with_model(model(query));
    let is_head = matches!(mode.view, View::Face | View::Cube);
    let is_bare = flag(query, &["nolayers"]) == Some(true)
        || left_out.any_of(&OVERLAY)
        || is_head && left_out.any_of(&HAT);
    if is_bare {
        spec = spec.with_layers(Layers::Base);
    }
    if !mode.view.is_free() {
        return Ok(spec);
    }
    spec = posed(spec, mode, query).with_cape(!left_out.any_of(&["cape"]));
    spec.decoration.shadow = !left_out.any_of(&["shadow"]);
    if left_out.any_of(&["shading"]) || flag(query, &["noshading"]) == Some(true) {
        spec = spec.with_light(Light::None);
    }
    if flag(query, &["upsidedown"]) == Some(true) {
        spec = spec.with_upside_down(Some(true));
    }
    if left_out.any_of(&["upside_down"]) {
        spec = spec.with_upside_down(Some(false));
    }
    Ok(spec)
}

/// Returns a picture with the camera and the arms that a query describes.
fn posed(spec: PictureSpec, mode: Mode, query: &Query<'_>) -> PictureSpec {
    let [default_yaw, default_pitch] = mode.angles;
    let mut yaw = number(query, &["yaw", "y"]).unwrap_or(default_yaw);
    if flag(query, &["back"]) == Some(true) {
        yaw += 180.0;
    }
    let pitch = number(query, &["pitch", "p"]).unwrap_or(default_pitch);
    let mut spec = lens(spec, [yaw, pitch]);
    if mode.is_parallel {
        spec = spec.with_camera(Camera::orthographic(yaw, pitch));
    }
    if let Some(arms) = number(query, &["arms", "arm"]) {
        spec = spec.with_pose(with_arms(arms.clamp(0.0, 180.0)));
    }
    spec
}

/// Returns the width and height of a picture.
fn frame(is_whole: bool, query: &Query<'_>) -> Parsed<[u32; 2]> {
    let mut width = DEFAULT_WIDTH;
    if let Some(number) = asked_width(is_whole, query) {
        width = pixels(number.trunc());
    }
    if !WIDTHS.contains(&width) {
        return Err(Rejection::bad_request(BAD_SIZE));
    }
    if is_whole {
        Ok([width, width * WHOLE / DEFAULT_WIDTH])
    } else {
        Ok([width, width])
    }
}

/// Returns the width in a query, or the one that follows from the height.
fn asked_width(is_whole: bool, query: &Query<'_>) -> Option<f64> {
    if let Some(width) = number(query, &["width", "w"]) {
        return Some(width);
    }
    let height = number(query, &["height", "h"])?;
    if is_whole {
        Some((height * f64::from(DEFAULT_WIDTH) / f64::from(WHOLE)).round())
    } else {
        Some(height)
    }
}

/// Returns a picture through the lens that NMSR and Visage share, of a player whose arms are a
/// little away from the body.
pub(super) fn lens(spec: PictureSpec, [yaw, pitch]: [f64; 2]) -> PictureSpec {
    spec.with_camera(Camera::perspective(yaw, pitch, FOV))
        .with_pose(with_arms(ARMS))
}

/// Returns the upright pose with the arms at this angle from the body.
fn with_arms(degrees: f64) -> Pose {
    let mut pose = Pose::STRAIGHT;
    pose.right_arm = Rotation::degrees(0.0, 0.0, degrees);
    pose.left_arm = Rotation::degrees(0.0, 0.0, -degrees);
    pose
}
