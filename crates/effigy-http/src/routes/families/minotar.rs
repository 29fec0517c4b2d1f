//! Minotar's URLs: `/<view>/<player>[/<width>][.png]`.

use effigy_player::Uuid;
use effigy_render::{ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::PictureParams;

use super::grammar::{picture, split_armor};
use crate::routes::{
    path::{FileName, Url},
    rejection::{Parsed, Rejection},
    request::{Operation, STEVE},
    specified::parse_size,
};

const DEFAULT_WIDTH: u32 = 180;
const MIN_WIDTH: u32 = 8;
const MAX_WIDTH: u32 = 300;

/// The kinds of pictures.
#[rustfmt::skip]
const KINDS: [(&str, View, Layers); 8] = [
    ("avatar", View::Face, Layers::Base),
    ("helm", View::Face, Layers::WithOverlay),
    ("cube", View::IsometricHead, Layers::Base),
    ("cubehelm", View::IsometricHead, Layers::WithOverlay),
    ("body", View::Body, Layers::Base),
    ("armor/body", View::Body, Layers::WithOverlay),
    ("bust", View::Bust, Layers::Base),
    ("armor/bust", View::Bust, Layers::WithOverlay),
];

/// Reads a path behind the prefix.
pub(super) fn parse(path: &[&str], url: Url<'_>) -> Parsed<Operation> {
    let (prefix, path) = split_armor(path);
    let (view, player, width, format) = match *path {
        [view, player] => {
            let file = split_extension(player);
            (view, file.stem, None, file.format)
        }
        [view, player, width] => {
            let file = split_extension(width);
            (view, player, Some(file.stem), file.format)
        }
        _ => return Err(Rejection::NOT_FOUND),
    };
    if player.is_empty() {
        return Err(Rejection::NOT_FOUND);
    }
    let kind = format!("{prefix}{view}").to_ascii_lowercase();
    let params = params(&kind, width, format).ok_or(Rejection::NOT_FOUND)?;
    Ok(match without_dashes(player, url) {
        Some(location) => Operation::Redirect(location),
        None => picture(params, player, None, STEVE),
    })
}

/// Splits the last segment of a path at its first dot. Anything may follow the dot, for example a
/// date; only `.svg` at the end means something else than PNG. A dot at the beginning belongs to a
/// gamertag.
fn split_extension(segment: &str) -> FileName<'_> {
    let format = FileName::of_still(segment).format;
    for (at, letter) in segment.char_indices().skip(1) {
        if letter == '.' {
            let stem = &segment[..at];
            return FileName { stem, format };
        }
    }
    FileName {
        stem: segment,
        format: ImageFormat::Png,
    }
}

fn params(kind: &str, width: Option<&str>, format: ImageFormat) -> Option<PictureParams> {
    let is_svg = format == ImageFormat::Svg;
    match kind {
        "skin" if width.is_none() && !is_svg => return Some(PictureParams::OWN_SKIN),
        "download" if width.is_none() && !is_svg => return Some(PictureParams::OWN_DOWNLOAD),
        _ => {}
    }
    let (_, view, layers) = KINDS.iter().find(|(known, ..)| *known == kind)?;
    if is_svg && *view != View::Face {
        return None;
    }
    let pixels = parse_size(width).unwrap_or(DEFAULT_WIDTH);
    let size = Size::px(pixels.clamp(MIN_WIDTH, MAX_WIDTH));
    let spec = PictureSpec::new(*view, size).with_layers(*layers);
    Some(PictureParams::beyond_specification(spec, format))
}

/// Returns the URL of a dashed UUID without the dashes. It is relative to the URL of the request,
/// because a proxy may have removed the beginning of its path. Returns `None` for other players.
fn without_dashes(player: &str, url: Url<'_>) -> Option<String> {
    let uuid = Uuid::parse(player)?;
    let is_dashed = player.len() > 32;
    if !is_dashed {
        return None;
    }
    let (_, rest) = url.path.split_once(player)?;
    let up = "../".repeat(rest.matches('/').count());
    match url.query {
        Some(query) => Some(format!("./{up}{uuid}{rest}?{query}")),
        None => Some(format!("./{up}{uuid}{rest}")),
    }
}

#[cfg(test)]
mod tests {
    use effigy_render::Facing;

    use super::*;
    use crate::routes::{
        rejection::Parsed,
        request::STEVE,
        tests::{assert_not_found, check, extension, shown},
    };

    const UUID: &str = "069a79f444e94726a5befca90e38aaf5";

    fn notch(params: PictureParams) -> Parsed<Operation> {
        shown(params, "Notch", STEVE)
    }

    fn head(layers: Layers, width: u32) -> Parsed<Operation> {
        notch(extension(View::Face, layers, Facing::Right, width))
    }

    fn body(layers: Layers, width: u32) -> Parsed<Operation> {
        notch(extension(View::Body, layers, Facing::Right, width))
    }

    #[test]
    fn views() {
        let base = Layers::Base;
        let overlay = Layers::WithOverlay;
        let right = Facing::Right;
        let helm = extension(View::IsometricHead, overlay, right, 180);
        let cube = extension(View::IsometricHead, base, right, 180);
        let svg = |layers, width| {
            let spec = PictureSpec::new(View::Face, Size::new(width).unwrap());
            let params =
                PictureParams::beyond_specification(spec.with_layers(layers), ImageFormat::Svg);
            notch(params)
        };
        let bust = |layers, width| notch(extension(View::Bust, layers, right, width));
        let dotted = || shown(PictureParams::OWN_SKIN, "My", STEVE);
        check(&[
            ("/minotar/bust/Notch", bust(base, 180)),
            ("/minotar/armor/bust/Notch/1000.png", bust(overlay, 300)),
            ("/minotar/avatar/Notch.svg", svg(base, 180)),
            ("/minotar/helm/Notch/100.svg", svg(overlay, 100)),
            ("/minotar/avatar/Notch", head(base, 180)),
            ("/minotar/avatar/Notch.png", head(base, 180)),
            ("/minotar/avatar/Notch.jpg", head(base, 180)),
            ("/minotar/avatar/Notch/100.jpeg", head(base, 100)),
            ("/minotar/skin/Notch.WebP", notch(PictureParams::OWN_SKIN)),
            ("/minotar/skin/My.Name", dotted()),
            ("/minotar/skin/My.Name.png", dotted()),
            ("/minotar/skin/My.Name.gif", dotted()),
            ("/minotar/helm/Notch.08062020.png", head(overlay, 180)),
            (
                "/minotar/helm/Notch/128.08062020-1947.png",
                head(overlay, 128),
            ),
            ("/minotar/helm/Notch/100.png", head(overlay, 100)),
            ("/minotar/cube/Notch", notch(cube)),
            ("/minotar/cubehelm/Notch", notch(helm)),
            ("/minotar/body/Notch/64", body(base, 64)),
            ("/minotar/armor/body/Notch/64", body(overlay, 64)),
            ("/minotar/Armour/body/Notch/64", body(overlay, 64)),
            ("/minotar/skin/Notch", notch(PictureParams::OWN_SKIN)),
            (
                "/minotar/download/Notch",
                notch(PictureParams::OWN_DOWNLOAD),
            ),
            ("/Minotar/Helm/Notch", head(overlay, 180)),
        ]);
    }

    #[test]
    fn widths_are_limited() {
        let base = Layers::Base;
        check(&[
            ("/minotar/avatar/Notch/8", head(base, 8)),
            ("/minotar/avatar/Notch/7", head(base, 8)),
            ("/minotar/avatar/Notch/300", head(base, 300)),
            ("/minotar/avatar/Notch/301", head(base, 300)),
            ("/minotar/avatar/Notch/99999999999", head(base, 300)),
            ("/minotar/avatar/Notch/wide", head(base, 180)),
            ("/minotar/avatar/Notch/0", head(base, 180)),
        ]);
    }

    #[test]
    fn dashed_uuids_are_redirected() {
        let dashed = "069A79F4-44e9-4726-a5be-fca90e38aaf5";
        let rows = [
            ("/minotar/avatar/{}", "./{}"),
            ("/minotar/avatar/{}/", "./../{}/"),
            ("/minotar/avatar/{}.jpg?t=/1", "./{}.jpg?t=/1"),
            ("/minotar/helm/{}/50.png", "./../{}/50.png"),
            ("/minotar/armor/body/{}/50/", "./../../{}/50/"),
            ("/minotar/avatar/{}/%0d%0a", "./../{}/%0d%0a"),
            ("/minotar/skin/{}", "./{}"),
            ("/minotar/avatar/{}.svg", "./{}.svg"),
            ("/minotar/helm/{}/64.svg", "./../{}/64.svg"),
        ];
        for (path, location) in rows {
            let location = location.replace("{}", UUID);
            let redirect = Ok(Operation::Redirect(location));
            check(&[(&path.replace("{}", dashed), redirect)]);
        }
    }

    /// The redirect replaces the UUID in the path as it was sent, so it can't find an escaped one.
    #[test]
    fn other_uuids_are_drawn_without_a_redirect() {
        let plain = extension(View::Face, Layers::Base, Facing::Right, 180);
        let escaped = "069a79f4%2d44e9%2d4726%2da5be%2dfca90e38aaf5";
        check(&[
            (
                &format!("/minotar/avatar/{UUID}"),
                shown(plain, UUID, STEVE),
            ),
            (
                &format!("/minotar/avatar/{escaped}"),
                shown(plain, "069a79f4-44e9-4726-a5be-fca90e38aaf5", STEVE),
            ),
        ]);
    }

    #[test]
    fn other_paths_are_not_found() {
        assert_not_found(
            "/minotar /minotar/avatar /minotar/avatar/Notch/64/more /minotar/body/Notch.svg \
             /minotar/skin/Notch.svg  /minotar/armor/skin/Notch /minotar/skin/Notch/64 \
             /minotar/nothing/Notch",
        );
    }
}
