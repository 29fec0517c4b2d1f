//! The URLs of Crafthead and of Cravatar: `/<kind>/<player>[/<size>]`.

use effigy_player::MAX_JAVA_NAME;
use effigy_render::{Crop, Layers, PictureSpec, Size, View};
use effigy_service::PictureParams;

use super::grammar::{cape, leading_number, model, picture, png, split_armor, steve_or_alex};
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

/// The lengths of UUIDs without dashes and with them.
const UUID_LENGTHS: [usize; 2] = [32, 36];

/// The greatest length of a texture's hash with zeros before it.
const MAX_PADDED_HASH: usize = 90;

/// The greatest length of a texture's hash without zeros before it.
const MAX_HASH: usize = 64;

/// A kind of picture.
struct Kind {
    /// The words of the path before the player.
    words: &'static str,
    view: View,
    layers: Layers,
}

impl Kind {
    const fn new(words: &'static str, view: View, layers: Layers) -> Self {
        Self {
            words,
            view,
            layers,
        }
    }
}

/// The kinds of Crafthead's pictures.
#[rustfmt::skip]
const KINDS: [Kind; 8] = [
    Kind::new("avatar", View::Face, Layers::Base),
    Kind::new("helm", View::Face, Layers::WithOverlay),
    Kind::new("cube", View::IsometricHead, Layers::Base),
    Kind::new("body", View::Body, Layers::Base),
    Kind::new("bust", View::Bust, Layers::Base),
    Kind::new("armor/cube", View::IsometricHead, Layers::WithOverlay),
    Kind::new("armor/body", View::Body, Layers::WithOverlay),
    Kind::new("armor/bust", View::Bust, Layers::WithOverlay),
];

/// The kinds of Cravatar's pictures.
#[rustfmt::skip]
const CRAVATAR_KINDS: [Kind; 6] = [
    Kind::new("avatar", View::Face, Layers::Base),
    Kind::new("helmavatar", View::Face, Layers::WithOverlay),
    Kind::new("head", View::IsometricHead, Layers::Base),
    Kind::new("helmhead", View::IsometricHead, Layers::WithOverlay),
    Kind::new("3d", View::IsometricBody, Layers::WithOverlay),
    Kind::new("helmbody", View::Body, Layers::WithOverlay),
];

/// Reads a path of Crafthead behind the prefix.
pub(super) fn parse(path: &[&str], query: &Query<'_>) -> Parsed<Operation> {
    let path = match path {
        [game, rest @ ..] if game.eq_ignore_ascii_case("minecraft") => rest,
        _ => path,
    };
    let (prefix, path) = split_armor(path);
    let (word, id, size) = match *path {
        [word, id] => (word, id, None),
        [word, id, size] => (word, id, Some(size)),
        _ => return Err(Rejection::NOT_FOUND),
    };
    let subject = subject(id).ok_or(Rejection::NOT_FOUND)?;
    let kind = format!("{prefix}{}", word.to_ascii_lowercase());
    let pixels = size.and_then(leading_number).unwrap_or(DEFAULT_SIZE);
    let pixels = pixels.clamp(MIN_SIZE, MAX_SIZE);
    let model = model(query);
    let params = match &*kind {
        "cape" => return Ok(cape(&subject, Some(cape_size(pixels)))),
        "profile" => return Ok(Operation::profile(ProfileForm::Crafthead, &subject)),
        "skin" => PictureParams::OWN_SKIN,
        _ => {
            let kind = find(&KINDS, &kind).ok_or(Rejection::NOT_FOUND)?;
            png(drawn(kind, pixels).with_model(model))
        }
    };
    Ok(picture(params, &subject, model, steve_or_alex(&subject)))
}

/// Returns a picture of this width, or narrower if the player has slim arms.
fn drawn(kind: &Kind, width: u32) -> PictureSpec {
    // The size of a cut picture is its longer side.
    let longer_side = if kind.view == View::Body {
        2 * width
    } else {
        width
    };
    PictureSpec::new(kind.view, Size::px(longer_side))
        .with_crop(Crop::Content)
        .with_layers(kind.layers)
}

/// Reads a path of Cravatar behind the prefix.
pub(super) fn parse_cravatar(path: &[&str], query: &Query<'_>) -> Parsed<Operation> {
    let (word, player, size) = match *path {
        [word, player] => (word, player, query.word(&["size"])),
        [word, player, size] => (word, player, Some(size)),
        _ => return Err(Rejection::NOT_FOUND),
    };
    let word = word.to_ascii_lowercase();
    if word == "skin" {
        return Ok(picture(PictureParams::OWN_SKIN, player, None, STEVE));
    }
    let kind = find(&CRAVATAR_KINDS, &word).ok_or(Rejection::NOT_FOUND)?;
    let pixels = size.and_then(leading_number).unwrap_or(DEFAULT_SIZE);
    let pixels = pixels.clamp(MIN_SIZE, MAX_CRAVATAR_SIZE);
    let spec = PictureSpec::new(kind.view, Size::px(pixels)).with_layers(kind.layers);
    Ok(picture(png(spec), player, None, STEVE))
}

fn find<'a>(kinds: &'a [Kind], words: &str) -> Option<&'a Kind> {
    kinds.iter().find(|kind| kind.words == words)
}

/// Returns the width and height of a cape's picture. The front of a cape has 10 x 16 texels.
const fn cape_size(height: u32) -> [u32; 2] {
    // Rounded to the nearest number.
    let width = (height * 5 + 4) / 8;
    [width, height]
}

/// Returns the player or the texture of an id, as its length distinguishes them.
fn subject(id: &str) -> Option<String> {
    // The old name of Steve.
    if id.eq_ignore_ascii_case("char") {
        return Some(STEVE.to_owned());
    }
    let is_bedrock = id.starts_with('.');
    if id.len() <= MAX_JAVA_NAME || UUID_LENGTHS.contains(&id.len()) || is_bedrock {
        return Some(id.to_owned());
    }
    let is_hexadecimal = id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hexadecimal || id.len() > MAX_PADDED_HASH {
        return None;
    }
    let digits = id.trim_start_matches('0');
    let hash = &digits[..digits.len().min(MAX_HASH)];
    Some(format!("{hash:0>56}"))
}
