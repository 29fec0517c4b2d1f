//! The views of the drawn skins against the committed pictures in `fixtures/renders`, which people
//! have looked at. `EFFIGY_BLESS=1` rewrites what differs and still fails.

mod drawn;

use std::panic::catch_unwind;
use std::path::Path;

use effigy_render::{Body, Facing, Head, IsometricBody, IsometricHead, Layers, Size, View};
use fixtures::{SKINS, golden, skin};

/// The test skins, whose marks tell each face from every other and each turn and flip.
const MARKED: [&str; 3] = ["uv_classic", "uv_slim", "uv_legacy"];

/// Holds the picture of a skin to `<skin>-<name>.png`. Returns the name where it differs.
fn check(name: &str, view: &dyn View, skin_name: &'static str, tolerance: u8) -> Option<String> {
    let skin = drawn::worn(skin(skin_name));
    let render = view.render(&skin).expect("the picture is small");
    let png = render.encode_png().expect("the picture is small");
    let name = format!("{skin_name}-{name}.png");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/renders");
    let path = folder.join(&name);
    catch_unwind(|| golden(&path, &png, tolerance))
        .is_err()
        .then_some(name)
}

/// Checks rows of name, view and skin, all of them before it fails.
#[track_caller]
fn check_all<'a>(
    rows: impl IntoIterator<Item = (&'a str, &'a dyn View, &'static str)>,
    tolerance: u8,
) {
    let checked = rows
        .into_iter()
        .filter_map(|(name, view, skin)| check(name, view, skin, tolerance));
    let wrong: Vec<_> = checked.collect();
    assert!(wrong.is_empty(), "{wrong:?} differ");
}

fn size(pixels: u32) -> Size {
    Size::new(pixels).expect("sizes are positive")
}

#[test]
fn flat_views_of_the_marked_skins() {
    let size = size(64);
    let [base, overlay] = [Layers::Base, Layers::WithOverlay];
    let views: [(&str, &dyn View); 4] = [
        ("head", &Head { size, layers: base }),
        (
            "head_overlay",
            &Head {
                size,
                layers: overlay,
            },
        ),
        ("body", &Body { size, layers: base }),
        (
            "body_overlay",
            &Body {
                size,
                layers: overlay,
            },
        ),
    ];
    let rows = MARKED
        .iter()
        .flat_map(|skin| views.map(|(name, view)| (name, view, *skin)));
    check_all(rows, 0);
}

#[test]
fn isometric_views_of_the_marked_skins() {
    let size = size(128);
    let [left, right] = [Facing::Left, Facing::Right];
    let layers = Layers::WithOverlay;
    let views: [(&str, &dyn View); 4] = [
        (
            "isometric_head_left",
            &IsometricHead {
                size,
                facing: left,
                layers,
            },
        ),
        (
            "isometric_head_right",
            &IsometricHead {
                size,
                facing: right,
                layers,
            },
        ),
        (
            "isometric_body_left",
            &IsometricBody {
                size,
                facing: left,
                layers,
            },
        ),
        (
            "isometric_body_right",
            &IsometricBody {
                size,
                facing: right,
                layers,
            },
        ),
    ];
    let rows = MARKED
        .iter()
        .flat_map(|skin| views.map(|(name, view)| (name, view, *skin)));
    check_all(rows, 1);
}

#[test]
fn characters() {
    let (facing, layers) = (Facing::Right, Layers::WithOverlay);
    let head = IsometricHead {
        size: size(128),
        facing,
        layers,
    };
    let body = IsometricBody {
        size: size(300),
        facing,
        layers,
    };
    let views: [(&str, &dyn View); 2] = [("isometric_head", &head), ("isometric_body", &body)];
    let drawn = SKINS.iter().map(|fixture| fixture.name);
    let characters = drawn.filter(|name| !MARKED.contains(name));
    let rows = characters.flat_map(|skin| views.map(|(name, view)| (name, view, skin)));
    check_all(rows, 1);
}
