//! MCHeads' URLs: `/<view>/<player>` and, in any order, a size, `nohelm`, `left` or `right`; and
//! profiles in JSON.

use effigy_render::{Facing, Layers, PictureSpec, Size, View};
use effigy_service::PictureParams;

use super::grammar::{cape, picture, png};
use crate::routes::{
    query::Query,
    rejection::{Parsed, Rejection},
    request::{Operation, ProfileForm, STEVE},
    specified::{parse_facing, parse_size},
};

const DEFAULT_SIZE: u32 = 180;
const MAX_SIZE: u32 = 600;

/// The smallest face, and the smallest other picture.
const MIN_FACE_SIZE: u32 = 8;
const MIN_SIZE: u32 = 32;

/// The views with the smallest size of each.
#[rustfmt::skip]
const VIEWS: [(&str, View, u32); 7] = [
    ("avatar", View::Face, MIN_FACE_SIZE),
    ("helm", View::Face, MIN_FACE_SIZE),
    ("head", View::IsometricHead, MIN_SIZE),
    ("body", View::IsometricBody, MIN_SIZE),
    ("player", View::Body, MIN_SIZE),
    ("bust", View::Bust, MIN_SIZE),
    ("combo", View::Combo, MIN_SIZE),
];

/// Reads a path behind the prefix.
pub(super) fn parse(path: &[&str], query: &Query<'_>) -> Parsed<Operation> {
    match *path {
        [game, ref rest @ ..] if is(game, "minecraft") => profile(rest),
        [json, word] if is(json, "json") && is(word, "get_user") => user(query),
        // In `/player/body/Notch/64`, the player is the third word. In `/player/body/64`, it is the
        // second.
        [view, body, player, ref options @ ..]
            if is(view, "player") && is(body, "body") && parse_size(Some(player)).is_none() =>
        {
            file(view, player, options)
        }
        [view, player, ref options @ ..] => file(view, player, options),
        _ => Err(Rejection::NOT_FOUND),
    }
}

fn is(word: &str, known: &str) -> bool {
    word.eq_ignore_ascii_case(known)
}

/// Reads a view and a player, and the options after them in any order.
fn file(view: &str, player: &str, options: &[&str]) -> Parsed<Operation> {
    if options.len() > 3 {
        return Err(Rejection::NOT_FOUND);
    }
    let view = view.to_ascii_lowercase();
    if view == "cape" {
        return Ok(cape(player, cape_size(options)));
    }
    let params = params(&view, options).ok_or(Rejection::NOT_FOUND)?;
    Ok(picture(params, player, None, STEVE))
}

/// Reads the path of a profile, in the form of the session server.
fn profile(path: &[&str]) -> Parsed<Operation> {
    match *path {
        [word, player] if is(word, "profile") => {
            Ok(Operation::profile(ProfileForm::Session, player))
        }
        [word, player, signed] if is(word, "profile") && is(signed, "signed") => {
            Ok(Operation::profile(ProfileForm::SignedSession, player))
        }
        _ => Err(Rejection::NOT_FOUND),
    }
}

/// Reads the query of a search for a player.
fn user(query: &Query<'_>) -> Parsed<Operation> {
    match query.word(&["u"]) {
        None | Some("") => Err(Rejection::NOT_FOUND),
        Some(player) => Ok(Operation::profile(ProfileForm::User, player)),
    }
}

/// Returns the width and height of a cape's picture, if the options have a size. Without one, the
/// cape is the file.
fn cape_size(options: &[&str]) -> Option<[u32; 2]> {
    let width = size(options)?.clamp(MIN_FACE_SIZE, MAX_SIZE);
    // The height is 1.6 times the width, rounded.
    let height = (width * 16 + 5) / 10;
    Some([width, height])
}

fn size(options: &[&str]) -> Option<u32> {
    options.iter().find_map(|word| parse_size(Some(word)))
}

fn facing(options: &[&str]) -> Option<Facing> {
    options.iter().find_map(|word| parse_facing(Some(word)))
}

fn layers(options: &[&str]) -> Layers {
    if options.iter().any(|word| is(word, "nohelm")) {
        Layers::Base
    } else {
        Layers::WithOverlay
    }
}

fn params(view: &str, options: &[&str]) -> Option<PictureParams> {
    if view == "skin" {
        return Some(PictureParams::OWN_SKIN);
    }
    if view == "download" {
        return Some(PictureParams::OWN_DOWNLOAD);
    }
    let (_, view, min_size) = VIEWS.iter().find(|(known, ..)| *known == view)?;
    let pixels = size(options).unwrap_or(DEFAULT_SIZE);
    let spec = PictureSpec::new(*view, Size::px(pixels.clamp(*min_size, MAX_SIZE)))
        .with_facing(facing(options).unwrap_or_default())
        .with_layers(layers(options));
    Some(png(spec))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::{
        rejection::Parsed,
        request::STEVE,
        tests::{assert_not_found, check, extension, of_texture, shown},
    };

    fn notch(params: PictureParams) -> Parsed<Operation> {
        shown(params, "Notch", STEVE)
    }

    fn face(layers: Layers, size: u32) -> Parsed<Operation> {
        notch(extension(View::Face, layers, Facing::Right, size))
    }

    fn head(facing: Facing, size: u32) -> Parsed<Operation> {
        notch(extension(
            View::IsometricHead,
            Layers::WithOverlay,
            facing,
            size,
        ))
    }

    fn body(facing: Facing, size: u32) -> Parsed<Operation> {
        notch(extension(
            View::IsometricBody,
            Layers::WithOverlay,
            facing,
            size,
        ))
    }

    #[test]
    fn views_of_the_specification() {
        let base = Layers::Base;
        let overlay = Layers::WithOverlay;
        let left = Facing::Left;
        let right = Facing::Right;
        let player = extension(View::Body, overlay, right, 100);
        check(&[
            ("/mc-heads/avatar/Notch", face(overlay, 180)),
            ("/MC-Heads/avatar/Notch/64.png", face(overlay, 64)),
            ("/mc-heads/avatar/Notch/64/nohelm.png", face(base, 64)),
            ("/mc-heads/avatar/Notch/nohelm", face(base, 180)),
            ("/mc-heads/head/Notch", head(right, 180)),
            ("/mc-heads/head/Notch/left", head(left, 180)),
            ("/mc-heads/head/Notch/64/left", head(left, 64)),
            ("/mc-heads/body/Notch/64/right", body(right, 64)),
            ("/mc-heads/body/Notch/left/64", body(left, 64)),
            ("/mc-heads/player/Notch/100", notch(player)),
            ("/mc-heads/skin/Notch", notch(PictureParams::OWN_SKIN)),
            (
                "/mc-heads/download/Notch",
                notch(PictureParams::OWN_DOWNLOAD),
            ),
        ]);
    }

    #[test]
    fn views_beyond_the_specification() {
        let base = Layers::Base;
        let overlay = Layers::WithOverlay;
        let right = Facing::Right;
        let head = extension(View::IsometricHead, base, Facing::Left, 64);
        let body = extension(View::IsometricBody, base, right, 180);
        let combo = |layers, size| notch(extension(View::Combo, layers, right, size));
        check(&[
            ("/mc-heads/head/Notch/64/left/nohelm", notch(head)),
            ("/mc-heads/body/Notch/nohelm", notch(body)),
            ("/mc-heads/combo/Notch", combo(overlay, 180)),
            ("/mc-heads/combo/Notch/10", combo(overlay, 32)),
            ("/mc-heads/combo/Notch/64/nohelm.png", combo(base, 64)),
        ]);
    }

    #[test]
    fn texture_takes_the_place_of_a_player() {
        let hash = "31f477eb1a7beee631c2ca64d06f8f68fa93a3386d04452ab27f43acdf1b60cb";
        let face = extension(View::Face, Layers::WithOverlay, Facing::Right, 64);
        let skin = PictureParams::OWN_SKIN;
        for (path, params) in [("avatar/{}/64", face), ("skin/{}.png", skin)] {
            let url = format!("/mc-heads/{}", path.replace("{}", hash));
            check(&[(&url, of_texture(params, hash))]);
        }
    }

    #[test]
    fn sizes_are_limited() {
        let overlay = Layers::WithOverlay;
        let right = Facing::Right;
        check(&[
            ("/mc-heads/avatar/Notch/7", face(overlay, 8)),
            ("/mc-heads/avatar/Notch/601", face(overlay, 600)),
            ("/mc-heads/avatar/Notch/99999999999", face(overlay, 600)),
            ("/mc-heads/head/Notch/31", head(right, 32)),
            ("/mc-heads/head/Notch/600", head(right, 600)),
            ("/mc-heads/head/Notch/0", head(right, 180)),
            ("/mc-heads/head/Notch/big", head(right, 180)),
        ]);
    }

    #[test]
    fn other_paths_are_not_found() {
        assert_not_found(
            "/mc-heads /mc/avatar/Notch /mc-heads/avatar /mc-heads/avatar/ \
             /mc-heads/minecraft/profile /mc-heads/json/get_user /mc-heads/avatar/Notch/1/2/3/4",
        );
    }
}
