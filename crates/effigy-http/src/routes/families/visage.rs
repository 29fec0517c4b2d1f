//! The URLs of Visage, now VZGE: `/<mode>[/<size>]/<player>`, with the angles `y` and `p` and a
//! list `no` in the query.

use effigy_player::{Model, Uuid};
use effigy_render::{Layers, PictureSpec, Size, View};
use effigy_service::PictureParams;
use effigy_upstream::TextureHash;

use super::{
    grammar::{fitted, flag, leading_number, model, number, of_player_or, png, steve_or_alex},
    nmsr::lens,
};
use crate::routes::{
    query::Query,
    rejection::{Parsed, Rejection},
    request::{ALEX, Operation, STEVE},
};

const DEFAULT_SIZE: u32 = 256;
const MIN_SIZE: u32 = 8;
const MAX_SIZE: u32 = 1024;

/// The unit of sizes, to which they are rounded up.
const STEP: u32 = 8;

/// The modes with their views, the yaw and the height of the eye, and `true` for a whole figure,
/// whose size is the height.
#[rustfmt::skip]
const MODES: [(&str, View, [f64; 2], bool); 9] = [
    ("face", View::Face, [0.0, 0.0], false),
    ("helm", View::Face, [0.0, 0.0], false),
    ("front", View::Bust, [0.0, 0.0], false),
    ("frontfull", View::Body, [0.0, 0.0], true),
    ("head", View::Cube, [-35.0, 20.0], false),
    ("bust", View::Portrait, [20.0, 20.0], false),
    ("portrait", View::Portrait, [20.0, 20.0], false),
    ("full", View::Figure, [20.0, 20.0], true),
    ("player", View::Figure, [20.0, 20.0], true),
];

/// Reads a path behind the prefix.
pub(super) fn parse(path: &[&str], query: &Query<'_>) -> Parsed<Operation> {
    let (mode, size, subject) = match *path {
        [mode, subject] => (mode, None, subject),
        [mode, size, subject] => (mode, leading_number(size), subject),
        _ => return Err(Rejection::NOT_FOUND),
    };
    let mode = mode.to_ascii_lowercase();
    let params = match &*mode {
        "skin" => PictureParams::OWN_SKIN,
        "processedskin" => png(PictureSpec::new(View::Layout, Size::px(64))),
        mode => {
            let found = MODES.iter().find(|(known, ..)| *known == mode);
            let (_, view, angles, is_whole) = found.ok_or(Rejection::NOT_FOUND)?;
            // The width of the old name for `full`.
            let size = match (size, mode) {
                (Some(width), "player") => Some(width.saturating_mul(13) / 8),
                _ => size,
            };
            drawn(*view, frame(size, *is_whole), *angles, query)
        }
    };
    Ok(of_subject(params, subject, query))
}

/// Returns the width and height of a picture.
fn frame(size: Option<u32>, is_whole: bool) -> [u32; 2] {
    // A whole figure is 13/8 as high as wide.
    let max = if is_whole {
        MAX_SIZE * 13 / 8
    } else {
        MAX_SIZE
    };
    let size = size.filter(|size| *size > 0).unwrap_or(DEFAULT_SIZE);
    let size = size.clamp(MIN_SIZE, max).next_multiple_of(STEP);
    if is_whole {
        // The width is 8/13 of the height. Halves are rounded up.
        [(size * 16 + 13) / 26, size]
    } else {
        [size, size]
    }
}

fn drawn(view: View, frame: [u32; 2], [yaw, pitch]: [f64; 2], query: &Query<'_>) -> PictureParams {
    let hidden = query.list(&["no"]);
    let is_shown = |words: &[&str], old: &[&str]| {
        let is_hidden = words.iter().any(|word| hidden.iter().any(|no| no == word));
        !is_hidden && flag(query, old) != Some(false)
    };
    let mut spec = fitted(view, frame).with_model(model(query));
    let is_head = matches!(view, View::Face | View::Cube);
    let has_overlay = is_shown(&["overlay"], &["overlay"]);
    let has_hat = is_shown(&["helmet", "hat"], &["hat", "helm"]);
    if !has_overlay || is_head && !has_hat {
        spec = spec.with_layers(Layers::Base);
    }
    if !view.is_free() {
        return png(spec);
    }
    // Angles are relative to those of the mode, and a negative pitch is a higher eye.
    let yaw = yaw + number(query, &["y", "yaw"]).unwrap_or(0.0);
    let pitch = pitch - number(query, &["p", "pitch"]).unwrap_or(0.0);
    let mut spec = lens(spec, [yaw, pitch]).with_cape(is_shown(&["cape"], &["cape"]));
    spec.decoration.shadow = is_shown(&["shadow"], &["shadow"]);
    png(spec)
}

/// Returns the picture of a texture, a default skin or a player. A name that nobody has is an
/// error; a UUID without a skin is Steve or Alex.
fn of_subject(params: PictureParams, subject: &str, query: &Query<'_>) -> Operation {
    if let Some(hash) = TextureHash::parse(subject) {
        let model = model(query).unwrap_or(Model::Classic);
        return Operation::File(params.of_texture(hash, Some(model)));
    }
    let default = subject.to_ascii_lowercase();
    if let Some(name) = default.strip_prefix("x-") {
        let player = if name == "alex" { ALEX } else { STEVE };
        return of_player_or(params, player, None, player);
    }
    if Uuid::parse(subject).is_some() {
        return of_player_or(params, subject, None, steve_or_alex(subject));
    }
    Operation::picture(params, subject, None)
}
