//! The URLs of Crafthead and of Cravatar: `/<kind>/<player>[/<size>]`.

use effigy_render::{Crop, Layers, PictureSpec, Size, View};
use effigy_service::PictureParams;

use super::grammar::{cape, leading_number, model, picture, png, steve_or_alex};
use crate::routes::{
    query::Query,
    rejection::{Parsed, Rejection},
    request::{Operation, ProfileForm, STEVE},
};

const DEFAULT_SIZE: u32 = 180;
const MIN_SIZE: u32 = 8;
const MAX_SIZE: u32 = 300;

/// The largest size of Cravatar.
const MAX_CRAVATAR_SIZE: u32 = 600;

/// The lengths of the words for players: names, UUIDs without dashes and with them.
const MAX_NAME: usize = 16;
const UUIDS: [usize; 2] = [32, 36];

/// The greatest lengths of a texture's hash with the zeros before it, and without them.
const MAX_HASH: usize = 90;
const HASH: usize = 64;

/// The kinds of Crafthead's pictures.
#[rustfmt::skip]
const KINDS: [(&str, View, Layers); 8] = [
    ("avatar", View::Face, Layers::Base),
    ("helm", View::Face, Layers::WithOverlay),
    ("cube", View::IsometricHead, Layers::Base),
    ("body", View::Body, Layers::Base),
    ("bust", View::Bust, Layers::Base),
    ("armor/cube", View::IsometricHead, Layers::WithOverlay),
    ("armor/body", View::Body, Layers::WithOverlay),
    ("armor/bust", View::Bust, Layers::WithOverlay),
];

/// The kinds of Cravatar's pictures.
#[rustfmt::skip]
const CRAVATAR_KINDS: [(&str, View, Layers); 6] = [
    ("avatar", View::Face, Layers::Base),
    ("helmavatar", View::Face, Layers::WithOverlay),
    ("head", View::IsometricHead, Layers::Base),
    ("helmhead", View::IsometricHead, Layers::WithOverlay),
    ("3d", View::IsometricBody, Layers::WithOverlay),
    ("helmbody", View::Body, Layers::WithOverlay),
];

/// Reads a path of Crafthead behind the prefix.
pub(super) fn parse(path: &[&str], query: &Query<'_>) -> Parsed<Operation> {
    let path = match path {
        [game, rest @ ..] if game.eq_ignore_ascii_case("minecraft") => rest,
        _ => path,
    };
    let (prefix, path) = match path {
        [word, rest @ ..] if is_armor(word) => ("armor/", rest),
        _ => ("", path),
    };
    let (kind, id, size) = match *path {
        [kind, id] => (kind, id, None),
        [kind, id, size] => (kind, id, Some(size)),
        _ => return Err(Rejection::NOT_FOUND),
    };
    let subject = subject(id).ok_or(Rejection::NOT_FOUND)?;
    let size = size.and_then(leading_number).unwrap_or(DEFAULT_SIZE);
    let size = size.clamp(MIN_SIZE, MAX_SIZE);
    let kind = format!("{prefix}{}", kind.to_ascii_lowercase());
    let model = model(query);
    let params = match &*kind {
        "cape" => return Ok(cape(&subject, Some(cape_size(size)))),
        "profile" => return Ok(Operation::profile(ProfileForm::Crafthead, &subject)),
        "skin" => PictureParams::OWN_SKIN,
        kind => {
            let (view, layers) = find(&KINDS, kind).ok_or(Rejection::NOT_FOUND)?;
            // The longer side. A slim body or bust is narrower.
            let side = if view == View::Body { 2 * size } else { size };
            let spec = PictureSpec::new(view, Size::px(side)).with_crop(Crop::Content);
            png(spec.with_layers(layers).with_model(model))
        }
    };
    Ok(picture(params, &subject, model, steve_or_alex(&subject)))
}

/// Reads a path of Cravatar behind the prefix.
pub(super) fn parse_cravatar(path: &[&str], query: &Query<'_>) -> Parsed<Operation> {
    let (kind, player, size) = match *path {
        [kind, player] => (kind, player, None),
        [kind, player, size] => (kind, player, Some(size)),
        _ => return Err(Rejection::NOT_FOUND),
    };
    let kind = kind.to_ascii_lowercase();
    let params = if kind == "skin" {
        PictureParams::OWN_SKIN
    } else {
        let (view, layers) = find(&CRAVATAR_KINDS, &kind).ok_or(Rejection::NOT_FOUND)?;
        let size = size.or_else(|| query.word(&["size"]));
        let size = size.and_then(leading_number).unwrap_or(DEFAULT_SIZE);
        let size = Size::px(size.clamp(MIN_SIZE, MAX_CRAVATAR_SIZE));
        png(PictureSpec::new(view, size).with_layers(layers))
    };
    Ok(picture(params, player, None, STEVE))
}

fn is_armor(word: &str) -> bool {
    word.eq_ignore_ascii_case("armor") || word.eq_ignore_ascii_case("armour")
}

fn find(kinds: &[(&str, View, Layers)], word: &str) -> Option<(View, Layers)> {
    let (_, view, layers) = kinds.iter().find(|(known, ..)| *known == word)?;
    Some((*view, *layers))
}

/// Returns the width and height of a cape, whose front has 10 x 16 texels. Halves are rounded up.
const fn cape_size(size: u32) -> [u32; 2] {
    [(size * 5 + 4) / 8, size]
}

/// Returns the player or the texture of an id, whose length tells which. A Bedrock gamertag may be
/// longer than a name, and `char` is the old name of Steve.
fn subject(id: &str) -> Option<String> {
    if id.eq_ignore_ascii_case("char") {
        return Some(STEVE.to_owned());
    }
    if id.len() <= MAX_NAME || UUIDS.contains(&id.len()) || id.starts_with('.') {
        return Some(id.to_owned());
    }
    let is_hash = id.len() <= MAX_HASH && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hash {
        return None;
    }
    let digits = id.trim_start_matches('0');
    let digits = &digits[..digits.len().min(HASH)];
    Some(format!("{digits:0>56}"))
}
