//! MCHeads' URLs: `/<view>/<player>` and, in any order, a size, `nohelm`, `left` or `right`.

use effigy_player::Model;
use effigy_render::{Facing, ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::{PictureParams, SizeParameter, parse_facing};
use effigy_upstream::TextureHash;

use super::{clamped, of_player_or_steve};
use crate::routes::request::{Errors, ParsedRequest, Rejection};

const DEFAULT_SIZE: Size = Size::new(180).expect("a size from 1 to the maximum");
const MAX_SIZE: u32 = 600;

/// The smallest face, and the smallest other picture.
const MIN_FACE_SIZE: u32 = 8;
const MIN_SIZE: u32 = 32;

/// Returns the request for `/mc-heads/` and a path.
pub(in crate::routes) fn route(path: &[&str]) -> Result<ParsedRequest, Rejection> {
    let [view, player, rest @ ..] = path else {
        return Err(Rejection::NOT_FOUND);
    };
    let params = Options::parse(rest).params(&view.to_ascii_lowercase());
    let params = params.filter(|_| !player.is_empty() && rest.len() <= 3);
    let params = params.ok_or(Rejection::NOT_FOUND)?;
    let operation = match TextureHash::parse(player) {
        // A texture does not state its model.
        Some(hash) => params.of_texture(hash, Model::Classic).into(),
        None => of_player_or_steve(params, player),
    };
    Ok(ParsedRequest::get(
        "mc-heads",
        Errors::ByStatus,
        Ok(operation),
    ))
}

/// The parameters after the player.
struct Options {
    /// The first size among them.
    size: SizeParameter,
    facing: Facing,
    layers: Layers,
}

impl Options {
    fn parse(words: &[&str]) -> Self {
        let mut sizes = words.iter().map(|word| SizeParameter::parse(Some(word)));
        let mut facings = words.iter().filter_map(|word| parse_facing(Some(word)));
        let is_base = words.iter().any(|word| word.eq_ignore_ascii_case("nohelm"));
        let layers = match is_base {
            true => Layers::Base,
            false => Layers::WithOverlay,
        };
        Self {
            size: sizes
                .find(|size| *size != SizeParameter::Default)
                .unwrap_or_default(),
            facing: facings.next().unwrap_or_default(),
            layers,
        }
    }

    fn params(&self, view: &str) -> Option<PictureParams> {
        let size = |min| SizeParameter::Given(self.size_from(min));
        let extension = |view| {
            let spec = PictureSpec::new(view, self.size_from(MIN_SIZE))
                .with_facing(self.facing)
                .with_layers(self.layers);
            PictureParams::extension(spec, ImageFormat::Png)
        };
        let is_base = self.layers == Layers::Base;
        Some(match view {
            "avatar" => PictureParams::head(size(MIN_FACE_SIZE), self.layers),
            "head" if is_base => extension(View::IsometricHead),
            "head" => PictureParams::ioshead(size(MIN_SIZE), self.facing),
            "body" if is_base => extension(View::IsometricBody),
            "body" => PictureParams::avatar(size(MIN_SIZE), self.facing),
            "player" => PictureParams::player(size(MIN_SIZE), self.layers),
            "combo" => extension(View::Combo),
            "skin" => PictureParams::SKIN,
            "download" => PictureParams::DOWNLOAD,
            _ => return None,
        })
    }

    fn size_from(&self, min: u32) -> Size {
        clamped(self.size, DEFAULT_SIZE, min..=MAX_SIZE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::{
        request::{Parsed, STEVE},
        tests::{check, extension, of_texture, shown},
    };

    const NOT_FOUND: Parsed = Err(Rejection::NOT_FOUND);

    fn notch(params: PictureParams) -> Parsed {
        shown(params, "Notch", STEVE)
    }

    fn face(layers: Layers, size: u32) -> Parsed {
        notch(PictureParams::head(SizeParameter::pixels(size), layers))
    }

    fn head(facing: Facing, size: u32) -> Parsed {
        notch(PictureParams::ioshead(SizeParameter::pixels(size), facing))
    }

    fn body(facing: Facing, size: u32) -> Parsed {
        notch(PictureParams::avatar(SizeParameter::pixels(size), facing))
    }

    #[test]
    fn specified_views() {
        let (base, overlay) = (Layers::Base, Layers::WithOverlay);
        let (left, right) = (Facing::Left, Facing::Right);
        let player = PictureParams::player(SizeParameter::pixels(100), overlay);
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
            ("/mc-heads/skin/Notch", notch(PictureParams::SKIN)),
            ("/mc-heads/download/Notch", notch(PictureParams::DOWNLOAD)),
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
        let face = PictureParams::head(SizeParameter::pixels(64), Layers::WithOverlay);
        check(&[
            (
                &format!("/mc-heads/avatar/{hash}/64"),
                of_texture(face, hash),
            ),
            (
                &format!("/mc-heads/skin/{hash}.png"),
                of_texture(PictureParams::SKIN, hash),
            ),
        ]);
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
        check(&[
            ("/mc-heads", NOT_FOUND),
            ("/mcheads/avatar/Notch", NOT_FOUND),
            ("/mc-heads/avatar", NOT_FOUND),
            ("/mc-heads/avatar/", NOT_FOUND),
            ("/mc-heads/avatar//64", NOT_FOUND),
            ("/mc-heads/minecraft/profile/Notch", NOT_FOUND),
            ("/mc-heads/avatar/Notch/1/2/3/4", NOT_FOUND),
        ]);
    }
}
