//! MCHeads' URLs: `/<view>/<player>` and, in any order, a size, `nohelm`, `left` or `right`.

use effigy_render::{ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::PictureParams;
use effigy_upstream::TextureHash;

use super::of_player_or;
use crate::routes::{
    parse_facing, parse_size,
    request::{Operation, Parsed, Rejection, STEVE},
};

const DEFAULT_SIZE: u32 = 180;
const MAX_SIZE: u32 = 600;

/// The smallest face, and the smallest other picture.
const MIN_FACE_SIZE: u32 = 8;
const MIN_SIZE: u32 = 32;

/// Reads a path after `/mc-heads/`.
pub(in crate::routes) fn parse(path: &[&str]) -> Parsed {
    let [view, player, options @ ..] = path else {
        return Err(Rejection::NOT_FOUND);
    };
    let params = params(&view.to_ascii_lowercase(), options);
    let params = params.filter(|_| !player.is_empty() && options.len() <= 3);
    let params = params.ok_or(Rejection::NOT_FOUND)?;
    Ok(match TextureHash::parse(player) {
        Some(hash) => Operation::File(params.of_texture(hash, None)),
        None => of_player_or(params, player, None, STEVE),
    })
}

fn params(view: &str, options: &[&str]) -> Option<PictureParams> {
    let (view, min_size) = match view {
        "avatar" => (View::Face, MIN_FACE_SIZE),
        "head" => (View::IsometricHead, MIN_SIZE),
        "body" => (View::IsometricBody, MIN_SIZE),
        "player" => (View::Body, MIN_SIZE),
        "combo" => (View::Combo, MIN_SIZE),
        "skin" => return Some(PictureParams::OWN_SKIN),
        "download" => return Some(PictureParams::OWN_DOWNLOAD),
        _ => return None,
    };
    let mut options = options.iter();
    let size = options.clone().find_map(|word| parse_size(Some(word)));
    let facing = options.clone().find_map(|word| parse_facing(Some(word)));
    let layers = if options.any(|word| word.eq_ignore_ascii_case("nohelm")) {
        Layers::Base
    } else {
        Layers::WithOverlay
    };
    let size = Size::px(size.unwrap_or(DEFAULT_SIZE).clamp(min_size, MAX_SIZE));
    let spec = PictureSpec::new(view, size)
        .with_facing(facing.unwrap_or_default())
        .with_layers(layers);
    Some(PictureParams::extension(spec, ImageFormat::Png))
}

#[cfg(test)]
mod tests {
    use effigy_render::Facing;

    use super::*;
    use crate::routes::{
        request::{Parsed, STEVE},
        tests::{assert_not_found, check, extension, of_texture, shown},
    };

    fn notch(params: PictureParams) -> Parsed {
        shown(params, "Notch", STEVE)
    }

    fn face(layers: Layers, size: u32) -> Parsed {
        notch(extension(View::Face, layers, Facing::Right, size))
    }

    fn head(facing: Facing, size: u32) -> Parsed {
        notch(extension(
            View::IsometricHead,
            Layers::WithOverlay,
            facing,
            size,
        ))
    }

    fn body(facing: Facing, size: u32) -> Parsed {
        notch(extension(
            View::IsometricBody,
            Layers::WithOverlay,
            facing,
            size,
        ))
    }

    #[test]
    fn views_of_the_specification_too() {
        let (base, overlay) = (Layers::Base, Layers::WithOverlay);
        let (left, right) = (Facing::Left, Facing::Right);
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
        let (base, overlay, right) = (Layers::Base, Layers::WithOverlay, Facing::Right);
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
    fn a_texture_takes_the_place_of_a_player() {
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
            "/mc-heads /mcheads/avatar/Notch /mc-heads/avatar /mc-heads/avatar/ /mc-heads/avatar//64 \
             /mc-heads/minecraft/profile/Notch /mc-heads/avatar/Notch/1/2/3/4",
        );
    }
}
