//! Minotar's URLs: `/<view>/<player>[/<width>][.png]`.

use effigy_player::Uuid;
use effigy_render::{ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::PictureParams;

use super::grammar::picture;
use crate::routes::{
    parse_size,
    path::without_extension,
    rejection::{Parsed, Rejection},
    request::{Operation, STEVE},
};

const DEFAULT_WIDTH: u32 = 180;
const MIN_WIDTH: u32 = 8;
const MAX_WIDTH: u32 = 300;

/// Reads a path after `/minotar/`, which is the end of the path and query of a URL.
pub(super) fn parse(path: &[&str], url: (&str, Option<&str>)) -> Parsed<Operation> {
    let is = |word: &str, known| word.eq_ignore_ascii_case(known);
    let (prefix, path) = match path {
        [word, path @ ..] if is(word, "armor") || is(word, "armour") => ("armor/", path),
        _ => ("", path),
    };
    let (view, (player, format), width) = match *path {
        [view, player] => (view, split_extension(player), None),
        [view, player, width] => {
            let (width, format) = split_extension(width);
            (view, (player, format), Some(width))
        }
        _ => return Err(Rejection::NOT_FOUND),
    };
    let view = format!("{prefix}{view}");
    let params = params(&view.to_ascii_lowercase(), width, format);
    let params = params.filter(|_| !player.is_empty());
    let params = params.ok_or(Rejection::NOT_FOUND)?;
    Ok(match without_dashes(player, url) {
        Some(url) => Operation::Redirect(url),
        None => picture(params, player, None, STEVE),
    })
}

/// Splits the last segment of a path at its first dot, behind which anything may follow: a date,
/// for example. All extensions but `.svg` mean PNG. A dot at the beginning belongs to a gamertag.
fn split_extension(segment: &str) -> (&str, ImageFormat) {
    let bytes = segment.bytes().enumerate().skip(1);
    let mut dots = bytes.filter(|(_, byte)| *byte == b'.');
    let Some((dot, _)) = dots.next() else {
        return (segment, ImageFormat::Png);
    };
    let format = if without_extension(segment, ".svg").is_some() {
        ImageFormat::Svg
    } else {
        ImageFormat::Png
    };
    (&segment[..dot], format)
}

fn params(view: &str, width: Option<&str>, format: ImageFormat) -> Option<PictureParams> {
    let (base, overlay) = (Layers::Base, Layers::WithOverlay);
    let (view, layers) = match (view, width) {
        ("avatar", _) => (View::Face, base),
        ("helm", _) => (View::Face, overlay),
        _ if format == ImageFormat::Svg => return None,
        ("cube", _) => (View::IsometricHead, base),
        ("cubehelm", _) => (View::IsometricHead, overlay),
        ("body", _) => (View::Body, base),
        ("armor/body", _) => (View::Body, overlay),
        ("bust", _) => (View::Bust, base),
        ("armor/bust", _) => (View::Bust, overlay),
        ("skin", None) => return Some(PictureParams::OWN_SKIN),
        ("download", None) => return Some(PictureParams::OWN_DOWNLOAD),
        _ => return None,
    };
    let width = parse_size(width).unwrap_or(DEFAULT_WIDTH);
    let width = Size::px(width.clamp(MIN_WIDTH, MAX_WIDTH));
    let spec = PictureSpec::new(view, width).with_layers(layers);
    Some(PictureParams::extension(spec, format))
}

/// Returns the URL with the dashed UUID of a player without dashes, relative to the one with them,
/// because a proxy may have removed the beginning of its path. A player who is not written so has
/// none.
fn without_dashes(player: &str, (path, query): (&str, Option<&str>)) -> Option<String> {
    // Only the dashed form is longer than the digits.
    let uuid = Uuid::parse(player).filter(|_| player.len() > 32)?;
    let (_, rest) = path.split_once(player)?;
    let up = "../".repeat(rest.matches('/').count());
    let query = query.map(|query| format!("?{query}"));
    Some(format!("./{up}{uuid}{rest}{}", query.unwrap_or_default()))
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
        let (base, overlay, right) = (Layers::Base, Layers::WithOverlay, Facing::Right);
        let helm = extension(View::IsometricHead, overlay, right, 180);
        let cube = extension(View::IsometricHead, base, right, 180);
        let svg = |layers, width| {
            let spec = PictureSpec::new(View::Face, Size::new(width).unwrap());
            let params = PictureParams::extension(spec.with_layers(layers), ImageFormat::Svg);
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
