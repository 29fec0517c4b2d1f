//! mineatar's URLs: `/face/<player>`, `/head/<player>`, `/body/<side>/<player>` and
//! `/skin/<player>`, with `scale`, `overlay`, `square` and `download` in the query.

use effigy_player::{PlayerId, Uuid};
use effigy_render::{Layers, Size, View};
use effigy_service::PictureParams;

use super::grammar::{fitted, flag, leading_number, picture, png, steve_or_alex};
use crate::routes::{
    query::Query,
    rejection::{Parsed, Rejection},
    request::{Operation, ProfileForm},
};

const DEFAULT_SCALE: u32 = 4;
const MAX_SCALE: u32 = 64;

/// The longest name of a Java player.
const MAX_NAME: usize = 16;

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
    let kind = words.join("/").to_ascii_lowercase();
    let params = match &*kind {
        "uuid" => return Ok(Operation::profile(ProfileForm::PlainUuid, player)),
        "skin" => PictureParams::OWN_SKIN,
        kind => {
            let found = KINDS.iter().find(|(known, ..)| *known == kind);
            let (_, view) = found.ok_or(Rejection::NOT_FOUND)?;
            drawn(*view, frame(*view, scale(query)), query)
        }
    };
    if !is_player(player) {
        return Err(Rejection::bad_request(BAD_UUID));
    }
    let params = if flag(query, &["download"]) == Some(true) {
        params.as_download()
    } else {
        params
    };
    Ok(picture(params, player, None, steve_or_alex(player)))
}

fn drawn(view: View, size: [u32; 2], query: &Query<'_>) -> PictureParams {
    let layers = if flag(query, &["overlay"]) == Some(false) {
        Layers::Base
    } else {
        Layers::WithOverlay
    };
    let mut spec = fitted(view, size);
    if flag(query, &["square"]) == Some(true) {
        let side = size[0].max(size[1]);
        spec = spec.with_frame([side, side].map(Size::px));
    }
    png(spec.with_layers(layers))
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
    let is_name = text.len() <= MAX_NAME;
    let is_bedrock = !matches!(
        PlayerId::detect(text),
        Ok(PlayerId::JavaName(_) | PlayerId::JavaUuid(_)) | Err(_)
    );
    is_name || is_bedrock || Uuid::parse(text).is_some()
}
