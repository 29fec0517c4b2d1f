//! Minotar: `/<view>/<player>[/<width>][.png]`, with a width of 180 unless it says otherwise.

use effigy_player::Uuid;
use effigy_render::{Facing, Layers};
use effigy_service::{Picture, SizeParameter};

use super::{Ask, STEVE};

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
    // Pictures of another kind are not offered, and nobody is called so.
    if player.is_empty() || rest.len() > 1 || player.to_ascii_lowercase().ends_with(".svg") {
        return None;
    }
    let picture = picture(&view.to_ascii_lowercase(), rest.first().copied())?;
    // Only the dashed form is longer than the digits.
    if let Some(uuid) = Uuid::parse(player).filter(|_| player.len() > 32) {
        let path: Vec<&str> = [view.as_str()]
            .into_iter()
            .chain(rest.iter().copied())
            .collect();
        return Some(Ask::Moved(moved(&path, uuid)));
    }
    Some(Ask::Picture {
        picture,
        input: player.to_owned(),
        otherwise: STEVE.to_owned(),
    })
}

fn picture(view: &str, width: Option<&str>) -> Option<Picture> {
    let size = size(width);
    let (base, worn) = (Layers::Base, Layers::WithOverlay);
    Some(match (view, width) {
        ("avatar", _) => Picture::Head { layers: base, size },
        ("helm", _) => Picture::Head { layers: worn, size },
        ("cube", _) => Picture::Ioshead {
            facing: Facing::Right,
            size,
        },
        ("body", _) => Picture::Player { layers: base, size },
        ("armor/body", _) => Picture::Player { layers: worn, size },
        ("skin", None) => Picture::Skin,
        ("download", None) => Picture::Download,
        _ => return None,
    })
}

/// The width, within its bounds.
fn size(text: Option<&str>) -> SizeParameter {
    let (least, most) = WIDTHS;
    let asked = SizeParameter::parse(text).or(DEFAULT_WIDTH);
    SizeParameter::pixels(asked.unwrap_or(most).clamp(least, most))
}

/// The path with the UUID without dashes. The width was read, so only what is one is repeated.
fn moved(path: &[&str], uuid: Uuid) -> String {
    let view = path.first().copied().unwrap_or_default();
    let mut moved = format!("/minotar/{view}/{uuid}");
    let digits = path
        .get(1)
        .filter(|width| width.bytes().all(|byte| byte.is_ascii_digit()));
    if let Some(width) = digits {
        moved.push('/');
        moved.push_str(width);
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
        shown(Picture::Head { layers, size }, "Notch")
    }

    fn body(layers: Layers, width: u32) -> Option<Ask> {
        let size = SizeParameter::pixels(width);
        shown(Picture::Player { layers, size }, "Notch")
    }

    #[test]
    fn views() {
        let (base, worn) = (Layers::Base, Layers::WithOverlay);
        let cube = Picture::Ioshead {
            facing: Facing::Right,
            size: SizeParameter::pixels(180),
        };
        check(&[
            ("/minotar/avatar/Notch", head(base, 180)),
            ("/minotar/avatar/Notch.png", head(base, 180)),
            ("/minotar/helm/Notch/100.png", head(worn, 100)),
            ("/minotar/cube/Notch", shown(cube, "Notch")),
            ("/minotar/body/Notch/64", body(base, 64)),
            ("/minotar/armor/body/Notch/64", body(worn, 64)),
            ("/minotar/skin/Notch", shown(Picture::Skin, "Notch")),
            ("/minotar/download/Notch", shown(Picture::Download, "Notch")),
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
        ]);
        let size = SizeParameter::pixels(180);
        let layers = Layers::Base;
        let plain = shown(Picture::Head { layers, size }, UUID);
        check(&[(&format!("/minotar/avatar/{UUID}"), plain)]);
    }

    #[test]
    fn the_rest_is_not_offered() {
        check(&[
            ("/minotar", None),
            ("/minotar/avatar", None),
            ("/minotar/avatar//64", None),
            ("/minotar/avatar/Notch/64/more", None),
            ("/minotar/avatar/Notch.svg", None),
            ("/minotar/bust/Notch", None),
            ("/minotar/armor/bust/Notch", None),
            ("/minotar/armor/skin/Notch", None),
            ("/minotar/skin/Notch/64", None),
            ("/minotar/nothing/Notch", None),
        ]);
    }
}
