//! Minotar: `/<view>/<player>[/<width>][.png]`, with a width of 180 unless it says otherwise.

use effigy_player::Uuid;
use effigy_render::{Facing, ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::{PictureParams, SizeParameter};

use super::{Ask, STEVE};
use crate::routes::v1::format_of;

const DEFAULT_WIDTH: u32 = 180;

/// The narrowest and the widest picture.
const WIDTHS: (u32, u32) = (8, 300);

/// What the segments after the prefix ask for.
pub(super) fn ask(segments: &[&str]) -> Option<Ask> {
    let (view, player, rest) = match segments {
        [word, view, player, rest @ ..] if word.eq_ignore_ascii_case("armor") => {
            (format!("armor/{view}"), *player, rest)
        }
        [view, player, rest @ ..] => ((*view).to_owned(), *player, rest),
        _ => return None,
    };
    // The extension is that of the last segment.
    let (player, width, format) = match rest {
        [] => {
            let (player, format) = format_of(player);
            (player, None, format)
        }
        [width] => {
            let (width, format) = format_of(width);
            (player, Some(width), format)
        }
        _ => return None,
    };
    if player.is_empty() {
        return None;
    }
    let picture = match format {
        ImageFormat::Png => picture(&view.to_ascii_lowercase(), width)?,
        ImageFormat::Svg => scalable(&view.to_ascii_lowercase(), width)?,
    };
    // Only the dashed form is longer than the digits.
    if let Some(uuid) = Uuid::parse(player).filter(|_| player.len() > 32) {
        return Some(Ask::Moved(moved(&view, uuid, width, format)));
    }
    Some(Ask::Picture {
        picture,
        input: player.to_owned(),
        otherwise: STEVE.to_owned(),
    })
}

fn picture(view: &str, width: Option<&str>) -> Option<PictureParams> {
    let pixels = pixels(width);
    let size = SizeParameter::pixels(pixels);
    let bust = |layers| {
        let spec = PictureSpec::new(View::Bust, Size::new(pixels)?).with_layers(layers);
        Some(PictureParams::extension(spec, ImageFormat::Png))
    };
    let (base, worn) = (Layers::Base, Layers::WithOverlay);
    Some(match (view, width) {
        ("avatar", _) => PictureParams::head(size, base),
        ("helm", _) => PictureParams::head(size, worn),
        ("cube", _) => PictureParams::ioshead(size, Facing::Right),
        ("body", _) => PictureParams::player(size, base),
        ("armor/body", _) => PictureParams::player(size, worn),
        ("bust", _) => bust(base)?,
        ("armor/bust", _) => bust(worn)?,
        ("skin", None) => PictureParams::SKIN,
        ("download", None) => PictureParams::DOWNLOAD,
        _ => return None,
    })
}

/// What is also to be had as SVG: the faces.
fn scalable(view: &str, width: Option<&str>) -> Option<PictureParams> {
    let layers = match view {
        "avatar" => Layers::Base,
        "helm" => Layers::WithOverlay,
        _ => return None,
    };
    let spec = PictureSpec::new(View::Head, Size::new(pixels(width))?).with_layers(layers);
    let format = ImageFormat::Svg;
    Some(PictureParams::extension(spec, format))
}

/// The width, within its bounds.
fn pixels(text: Option<&str>) -> u32 {
    let (least, most) = WIDTHS;
    let size = SizeParameter::parse(text);
    size.pixels_or(DEFAULT_WIDTH, most).max(least)
}

/// The path with the UUID without dashes. The width was read, so only what is one is repeated.
fn moved(view: &str, uuid: Uuid, width: Option<&str>, format: ImageFormat) -> String {
    let mut moved = format!("/minotar/{view}/{uuid}");
    let digits = width.filter(|width| width.bytes().all(|byte| byte.is_ascii_digit()));
    if let Some(width) = digits {
        moved.push('/');
        moved.push_str(width);
    }
    if format == ImageFormat::Svg {
        moved.push_str(".svg");
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, shown};
    use super::*;

    const UUID: &str = "069a79f444e94726a5befca90e38aaf5";

    fn head(layers: Layers, width: u32) -> Option<Ask> {
        let size = SizeParameter::pixels(width);
        shown(PictureParams::head(size, layers), "Notch")
    }

    fn body(layers: Layers, width: u32) -> Option<Ask> {
        let size = SizeParameter::pixels(width);
        shown(PictureParams::player(size, layers), "Notch")
    }

    #[test]
    fn views() {
        let (base, worn) = (Layers::Base, Layers::WithOverlay);
        let cube = PictureParams::ioshead(SizeParameter::pixels(180), Facing::Right);
        let face = |layers, width| {
            let size = Size::new(width).unwrap();
            let spec = PictureSpec::new(View::Head, size).with_layers(layers);
            let format = ImageFormat::Svg;
            shown(PictureParams::extension(spec, format), "Notch")
        };
        let bust = |layers, width| {
            let size = Size::new(width).unwrap();
            let spec = PictureSpec::new(View::Bust, size).with_layers(layers);
            shown(PictureParams::extension(spec, ImageFormat::Png), "Notch")
        };
        check(&[
            ("/minotar/bust/Notch", bust(base, 180)),
            ("/minotar/armor/bust/Notch/1000.png", bust(worn, 300)),
            ("/minotar/avatar/Notch.svg", face(base, 180)),
            ("/minotar/helm/Notch/100.svg", face(worn, 100)),
            ("/minotar/avatar/Notch", head(base, 180)),
            ("/minotar/avatar/Notch.png", head(base, 180)),
            ("/minotar/helm/Notch/100.png", head(worn, 100)),
            ("/minotar/cube/Notch", shown(cube, "Notch")),
            ("/minotar/body/Notch/64", body(base, 64)),
            ("/minotar/armor/body/Notch/64", body(worn, 64)),
            ("/minotar/skin/Notch", shown(PictureParams::SKIN, "Notch")),
            (
                "/minotar/download/Notch",
                shown(PictureParams::DOWNLOAD, "Notch"),
            ),
            ("/Minotar/Helm/Notch", head(worn, 180)),
        ]);
    }

    #[test]
    fn widths_have_bounds() {
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
    fn dashed_uuids_are_moved() {
        let dashed = "069A79F4-44e9-4726-a5be-fca90e38aaf5";
        let moved = |path: &str| Some(Ask::Moved(path.replace("{}", UUID)));
        let url = |path: &str| path.replace("{}", dashed);
        check(&[
            (&url("/minotar/avatar/{}"), moved("/minotar/avatar/{}")),
            (
                &url("/minotar/helm/{}/50.png"),
                moved("/minotar/helm/{}/50"),
            ),
            (
                &url("/minotar/armor/body/{}/50"),
                moved("/minotar/armor/body/{}/50"),
            ),
            (
                &url("/minotar/avatar/{}/%0d%0a"),
                moved("/minotar/avatar/{}"),
            ),
            (&url("/minotar/skin/{}"), moved("/minotar/skin/{}")),
            (
                &url("/minotar/avatar/{}.svg"),
                moved("/minotar/avatar/{}.svg"),
            ),
            (
                &url("/minotar/helm/{}/64.svg"),
                moved("/minotar/helm/{}/64.svg"),
            ),
        ]);
        let size = SizeParameter::pixels(180);
        let layers = Layers::Base;
        let plain = shown(PictureParams::head(size, layers), UUID);
        check(&[(&format!("/minotar/avatar/{UUID}"), plain)]);
    }

    #[test]
    fn the_rest_is_not_offered() {
        check(&[
            ("/minotar", None),
            ("/minotar/avatar", None),
            ("/minotar/avatar//64", None),
            ("/minotar/avatar/Notch/64/more", None),
            ("/minotar/body/Notch.svg", None),
            ("/minotar/skin/Notch.svg", None),
            ("/minotar/avatar/.svg", None),
            ("/minotar/armor/skin/Notch", None),
            ("/minotar/skin/Notch/64", None),
            ("/minotar/nothing/Notch", None),
        ]);
    }
}
