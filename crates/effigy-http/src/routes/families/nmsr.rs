//! NMSR's URLs: `/<mode>/<player>`, with many parameters in the query; and `POST /<mode>` with a
//! skin file.

use effigy_player::{PlayerId, Uuid};
use effigy_render::{Camera, Layers, Light, PictureSpec, Pose, Rotation, View};
use effigy_service::PictureParams;
use effigy_upstream::TextureHash;

use super::grammar::{cape, fitted, flag, model, number, picture, pixels, png, steve_or_alex};
use crate::routes::{
    query::Query,
    rejection::{Parsed, Rejection},
    request::Operation,
};

/// The longest name of a Java player.
const MAX_NAME: usize = 16;

/// The shortest and the longest text that is taken for a texture's hash.
const HASH: std::ops::RangeInclusive<usize> = 37..=64;

/// The widths of pictures.
const WIDTHS: std::ops::RangeInclusive<u32> = 16..=1024;
const DEFAULT_WIDTH: u32 = 512;

/// The height of a whole figure of the default width.
const WHOLE: u32 = 869;

/// The field of view of the lens, in degrees.
const FOV: f64 = 45.0;

/// The angle between the arms and the body, in degrees.
const ARMS: f64 = 10.0;

const BAD_PLAYER: &str = "Invalid player: write a name, a UUID or the hash of a texture";
const BAD_SIZE: &str = "Invalid size: the width is at least 16 and at most 1024";

/// A way of looking at a player.
#[derive(Clone, Copy)]
struct Mode {
    view: View,
    /// The yaw and the height of the eye, in degrees.
    angles: [f64; 2],
    /// Without a lens.
    is_parallel: bool,
    /// Higher than wide.
    is_whole: bool,
}

impl Mode {
    const fn flat(view: View, is_whole: bool) -> Self {
        Self::new(view, [0.0, 0.0], is_whole)
    }

    const fn new(view: View, angles: [f64; 2], is_whole: bool) -> Self {
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
            ..Self::new(view, [45.0, 35.26], is_whole)
        }
    }
}

/// The modes of pictures with their words.
#[rustfmt::skip]
const MODES: [(&str, Mode); 8] = [
    ("fullbody full full_body", Mode::new(View::Figure, [20.0, 10.0], true)),
    ("bodybust bust body_bust", Mode::new(View::Portrait, [20.0, 10.0], false)),
    ("frontfull front_full", Mode::flat(View::Body, true)),
    ("frontbust front front_bust", Mode::flat(View::Bust, false)),
    ("face", Mode::flat(View::Face, false)),
    ("head", Mode::new(View::Cube, [25.0, 15.0], false)),
    ("fullbodyiso full_body_iso", Mode::parallel(View::Figure, true)),
    ("headiso head_iso", Mode::parallel(View::Cube, false)),
];

/// The words for what can be left out of a picture.
const OVERLAY: [&str; 4] = ["overlay", "overlays", "layers", "body_layers"];
const HAT: [&str; 3] = ["hat", "helmet", "hat_layer"];

/// Reads a path behind the prefix.
pub(super) fn parse(path: &[&str], query: &Query<'_>) -> Parsed<Operation> {
    let (mode, entry) = match *path {
        [mode] => (mode, None),
        [mode, entry] => (mode, Some(entry)),
        _ => return Err(Rejection::NOT_FOUND),
    };
    let mode = mode.to_ascii_lowercase();
    let params = match &*mode {
        "skin" | "texture" => PictureParams::OWN_SKIN,
        "cape" | "cloak" => {
            let entry = entry.ok_or(Rejection::NOT_FOUND)?;
            return Ok(cape(player(entry)?, None));
        }
        mode => png(spec(find(mode).ok_or(Rejection::NOT_FOUND)?, query)?),
    };
    let Some(entry) = entry else {
        // Only a picture can be made of a file.
        if params.spec.is_none() {
            return Err(Rejection::NOT_FOUND);
        }
        let model = model(query);
        return Ok(Operation::Form { params, model });
    };
    let entry = player(entry)?;
    Ok(picture(params, entry, model(query), steve_or_alex(entry)))
}

fn find(word: &str) -> Option<Mode> {
    let has = |words: &str| words.split(' ').any(|known| known == word);
    let found = MODES.iter().find(|(words, _)| has(words));
    found.map(|(_, mode)| *mode)
}

/// Returns an entry that is a player or a texture.
fn player(entry: &str) -> Parsed<&str> {
    let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_name = entry.len() <= MAX_NAME && entry.bytes().all(is_name_byte);
    let is_hash = HASH.contains(&entry.len()) && TextureHash::parse(entry).is_some();
    let is_bedrock = matches!(
        PlayerId::detect(entry),
        Ok(PlayerId::BedrockGamertag(_) | PlayerId::BedrockXuid(_))
    );
    if is_name || is_hash || is_bedrock || Uuid::parse(entry).is_some() {
        return Ok(entry);
    }
    Err(Rejection::bad_request(BAD_PLAYER))
}

fn spec(mode: Mode, query: &Query<'_>) -> Parsed<PictureSpec> {
    let mut spec = fitted(mode.view, frame(mode.is_whole, query)?).with_model(model(query));
    let hidden = query.list(&["exclude", "no"]);
    let is_shown = |words: &[&str]| !words.iter().any(|word| hidden.iter().any(|no| no == word));
    let has_layers = flag(query, &["nolayers"]) != Some(true) && is_shown(&OVERLAY);
    let is_head = matches!(mode.view, View::Face | View::Cube);
    if !has_layers || is_head && !is_shown(&HAT) {
        spec = spec.with_layers(Layers::Base);
    }
    if !mode.view.is_free() {
        return Ok(spec);
    }
    let mut yaw = number(query, &["yaw", "y"]).unwrap_or(mode.angles[0]);
    if flag(query, &["back"]) == Some(true) {
        yaw += 180.0;
    }
    let pitch = number(query, &["pitch", "p"]).unwrap_or(mode.angles[1]);
    spec = lens(spec, [yaw, pitch]);
    if mode.is_parallel {
        spec = spec.with_camera(Camera::orthographic(yaw, pitch));
    }
    if let Some(arms) = number(query, &["arms", "arm"]) {
        spec = spec.with_pose(with_arms(arms.clamp(0.0, 180.0)));
    }
    spec = spec.with_cape(is_shown(&["cape"]));
    spec.decoration.shadow = is_shown(&["shadow"]);
    if !is_shown(&["shading"]) || flag(query, &["noshading"]) == Some(true) {
        spec = spec.with_light(Light::None);
    }
    if flag(query, &["upsidedown"]) == Some(true) {
        spec = spec.with_upside_down(Some(true));
    }
    if !is_shown(&["upside_down"]) {
        spec = spec.with_upside_down(Some(false));
    }
    Ok(spec)
}

/// Returns the width and height of a picture: the other side follows from the one in the query.
fn frame(is_whole: bool, query: &Query<'_>) -> Parsed<[u32; 2]> {
    let height_of = |width: u32| {
        if is_whole {
            width * WHOLE / DEFAULT_WIDTH
        } else {
            width
        }
    };
    let width = match (
        number(query, &["width", "w"]),
        number(query, &["height", "h"]),
    ) {
        (Some(width), _) => width,
        (None, Some(height)) if is_whole => {
            (height * f64::from(DEFAULT_WIDTH) / f64::from(WHOLE)).round()
        }
        (None, Some(height)) => height,
        (None, None) => return Ok([DEFAULT_WIDTH, height_of(DEFAULT_WIDTH)]),
    };
    let width = pixels(width.trunc());
    if !WIDTHS.contains(&width) {
        return Err(Rejection::bad_request(BAD_SIZE));
    }
    Ok([width, height_of(width)])
}

/// Returns a picture through the lens of these services, of a player with the arms off the body.
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
