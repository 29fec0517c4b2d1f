//! MCHeads: `/<view>/<player>` and, in any order, a size, `nohelm`, `left` or `right`.

use effigy_player::Model;
use effigy_render::{Facing, ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::{PictureParams, SizeParameter, parse_facing};
use effigy_upstream::TextureHash;

use super::{Ask, STEVE};

const DEFAULT_SIZE: u32 = 180;

const LARGEST: u32 = 600;

/// The smallest face, and the smallest of the others.
const SMALLEST_FACE: u32 = 8;
const SMALLEST: u32 = 32;

/// What the segments after the prefix ask for.
pub(super) fn ask(segments: &[&str]) -> Option<Ask> {
    let [view, player, rest @ ..] = segments else {
        return None;
    };
    if player.is_empty() || rest.len() > 3 {
        return None;
    }
    let picture = picture(&view.to_ascii_lowercase(), rest)?;
    if let Some(hash) = TextureHash::parse(player) {
        // It does not tell the model.
        let model = Model::Classic;
        return Some(Ask::Texture {
            picture,
            hash,
            model,
        });
    }
    Some(Ask::Picture {
        picture,
        input: (*player).to_owned(),
        otherwise: STEVE.to_owned(),
    })
}

fn picture(view: &str, rest: &[&str]) -> Option<PictureParams> {
    let facing = rest.iter().find_map(|word| parse_facing(Some(word)));
    let facing = facing.unwrap_or(Facing::Right);
    let bare = rest.iter().any(|word| word.eq_ignore_ascii_case("nohelm"));
    let layers = if bare {
        Layers::Base
    } else {
        Layers::WithOverlay
    };
    let size = |smallest| SizeParameter::pixels(pixels(rest, smallest));
    let drawing = |view| {
        let size = Size::new(pixels(rest, SMALLEST))?;
        let spec = PictureSpec::new(view, size).with_layers(layers);
        Some(PictureParams::extension(
            spec.with_facing(facing),
            ImageFormat::Png,
        ))
    };
    Some(match view {
        "avatar" => PictureParams::head(size(SMALLEST_FACE), layers),
        "head" if bare => drawing(View::IsometricHead)?,
        "head" => PictureParams::ioshead(size(SMALLEST), facing),
        "body" if bare => drawing(View::IsometricBody)?,
        "body" => PictureParams::avatar(size(SMALLEST), facing),
        "player" => PictureParams::player(size(SMALLEST), layers),
        "combo" => drawing(View::Combo)?,
        "skin" => PictureParams::SKIN,
        "download" => PictureParams::DOWNLOAD,
        _ => return None,
    })
}

/// The first number among the words, within its bounds.
fn pixels(words: &[&str], smallest: u32) -> u32 {
    let mut sizes = words.iter().map(|word| SizeParameter::parse(Some(word)));
    let size = sizes.find(|size| *size != SizeParameter::Default);
    let size = size.unwrap_or_default();
    size.pixels_or(DEFAULT_SIZE, LARGEST).max(smallest)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, shown};
    use super::*;

    fn face(layers: Layers, size: u32) -> Option<Ask> {
        let size = SizeParameter::pixels(size);
        shown(PictureParams::head(size, layers), "Notch")
    }

    fn head(facing: Facing, size: u32) -> Option<Ask> {
        let size = SizeParameter::pixels(size);
        shown(PictureParams::ioshead(size, facing), "Notch")
    }

    fn body(facing: Facing, size: u32) -> Option<Ask> {
        let size = SizeParameter::pixels(size);
        shown(PictureParams::avatar(size, facing), "Notch")
    }

    #[test]
    fn views() {
        let (base, worn) = (Layers::Base, Layers::WithOverlay);
        let (left, right) = (Facing::Left, Facing::Right);
        let player = PictureParams::player(SizeParameter::pixels(100), worn);
        check(&[
            ("/mc-heads/avatar/Notch", face(worn, 180)),
            ("/mc-heads/avatar/Notch/64.png", face(worn, 64)),
            ("/mc-heads/avatar/Notch/64/nohelm.png", face(base, 64)),
            ("/mc-heads/avatar/Notch/nohelm", face(base, 180)),
            ("/mc-heads/head/Notch", head(right, 180)),
            ("/mc-heads/head/Notch/left", head(left, 180)),
            ("/mc-heads/head/Notch/64/left", head(left, 64)),
            ("/mc-heads/body/Notch/64/right", body(right, 64)),
            ("/mc-heads/body/Notch/left/64", body(left, 64)),
            ("/mc-heads/player/Notch/100", shown(player, "Notch")),
            ("/mc-heads/skin/Notch", shown(PictureParams::SKIN, "Notch")),
            (
                "/mc-heads/download/Notch",
                shown(PictureParams::DOWNLOAD, "Notch"),
            ),
        ]);
    }

    #[test]
    fn pictures_of_our_own() {
        let drawing = |view, facing, layers, size| {
            let spec = PictureSpec::new(view, Size::new(size).unwrap());
            let spec = spec.with_facing(facing).with_layers(layers);
            PictureParams::extension(spec, ImageFormat::Png)
        };
        let (base, worn) = (Layers::Base, Layers::WithOverlay);
        let head = drawing(View::IsometricHead, Facing::Left, base, 64);
        let body = drawing(View::IsometricBody, Facing::Right, base, 180);
        let combo = |layers, size| drawing(View::Combo, Facing::Right, layers, size);
        check(&[
            ("/mc-heads/head/Notch/64/left/nohelm", shown(head, "Notch")),
            ("/mc-heads/body/Notch/nohelm", shown(body, "Notch")),
            ("/mc-heads/combo/Notch", shown(combo(worn, 180), "Notch")),
            ("/mc-heads/combo/Notch/10", shown(combo(worn, 32), "Notch")),
            (
                "/mc-heads/combo/Notch/64/nohelm.png",
                shown(combo(base, 64), "Notch"),
            ),
        ]);
    }

    #[test]
    fn a_texture_may_stand_for_a_player() {
        let hash = "31f477eb1a7beee631c2ca64d06f8f68fa93a3386d04452ab27f43acdf1b60cb";
        let of_texture = |picture| {
            Some(Ask::Texture {
                picture,
                hash: TextureHash::parse(hash).unwrap(),
                model: Model::Classic,
            })
        };
        let face = PictureParams::head(SizeParameter::pixels(64), Layers::WithOverlay);
        check(&[
            (&format!("/mc-heads/avatar/{hash}/64"), of_texture(face)),
            (
                &format!("/mc-heads/skin/{hash}.png"),
                of_texture(PictureParams::SKIN),
            ),
        ]);
    }

    #[test]
    fn sizes_have_bounds() {
        let worn = Layers::WithOverlay;
        let right = Facing::Right;
        check(&[
            ("/mc-heads/avatar/Notch/7", face(worn, 8)),
            ("/mc-heads/avatar/Notch/601", face(worn, 600)),
            ("/mc-heads/avatar/Notch/99999999999", face(worn, 600)),
            ("/mc-heads/head/Notch/31", head(right, 32)),
            ("/mc-heads/head/Notch/600", head(right, 600)),
            ("/mc-heads/head/Notch/0", head(right, 180)),
            ("/mc-heads/head/Notch/big", head(right, 180)),
        ]);
    }

    #[test]
    fn the_rest_is_not_offered() {
        check(&[
            ("/mc-heads", None),
            ("/mc-heads/avatar", None),
            ("/mc-heads/avatar/", None),
            ("/mc-heads/minecraft/profile/Notch", None),
            ("/mc-heads/avatar/Notch/1/2/3/4", None),
        ]);
    }
}
