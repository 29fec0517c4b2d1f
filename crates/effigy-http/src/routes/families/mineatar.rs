//! mineatar's URLs: `/face/<player>`, `/head/<player>`, `/body/<side>/<player>` and
//! `/skin/<player>`, with `scale`, `overlay`, `square` and `download` in the query.

use effigy_player::{MAX_JAVA_NAME, Uuid};
use effigy_render::{Layers, Size, View};
use effigy_service::PictureParams;

use super::grammar::{
    fitted, flag, is_bedrock_player, leading_number, picture, png, steve_or_alex,
};
use crate::routes::{
    query::Query,
    rejection::{Parsed, Rejection},
    request::{Operation, ProfileForm},
};

const DEFAULT_SCALE: u32 = 4;
const MAX_SCALE: u32 = 64;

const BAD_UUID: &str = "Invalid UUID";

/// The kinds of pictures.
#[rustfmt::skip]
const KINDS: [(&str, View); 7] = [
    ("face", View::Face),
    ("head", View::IsometricHead),
    ("body/full", View::IsometricBody),
    ("body/front", View::Body),
    ("body/back", View::BodyBack),
    ("body/left", View::BodyLeft),
    ("body/right", View::BodyRight),
];

/// Reads a path behind the prefix.
pub(super) fn parse(path: &[&str], query: &Query<'_>) -> Parsed<Operation> {
    let [words @ .., player] = path else {
        return Err(Rejection::NOT_FOUND);
    };
    let words = words.join("/").to_ascii_lowercase();
    let mut params = match &*words {
        "uuid" => return Ok(Operation::profile(ProfileForm::PlainUuid, player)),
        "skin" => PictureParams::OWN_SKIN,
        kind => {
            let found = KINDS.iter().find(|(known, _)| *known == kind);
            let (_, view) = found.ok_or(Rejection::NOT_FOUND)?;
            drawn(*view, query)
        }
    };
    if !is_player(player) {
        return Err(Rejection::bad_request(BAD_UUID));
    }
    if flag(query, &["download"]) == Some(true) {
        params = params.as_download();
    }
    Ok(picture(params, player, None, steve_or_alex(player)))
}

fn drawn(view: View, query: &Query<'_>) -> PictureParams {
    let [width, height] = frame(view, scale(query));
    let mut spec = fitted(view, [width, height]);
    if flag(query, &["square"]) == Some(true) {
        let side = Size::px(width.max(height));
        spec = spec.with_frame([side, side]);
    }
    if flag(query, &["overlay"]) == Some(false) {
        spec = spec.with_layers(Layers::Base);
    }
    png(spec)
}

/// Returns the width and height of a view at a scale.
fn frame(view: View, scale: u32) -> [u32; 2] {
    match view {
        View::Face => [8 * scale, 8 * scale],
        View::IsometricHead => [13 * scale + 855 * scale / 1000, 16 * scale],
        View::IsometricBody => [17 * scale + (32 * scale).div_ceil(100), 39 * scale],
        _ => [16 * scale, 32 * scale],
    }
}

fn scale(query: &Query<'_>) -> u32 {
    let scale = query.word(&["scale"]).and_then(leading_number);
    scale.unwrap_or(DEFAULT_SCALE).clamp(1, MAX_SCALE)
}

/// Returns `true` for UUIDs, names and Bedrock players.
fn is_player(text: &str) -> bool {
    let is_name = text.len() <= MAX_JAVA_NAME;
    is_name || is_bedrock_player(text) || Uuid::parse(text).is_some()
}
