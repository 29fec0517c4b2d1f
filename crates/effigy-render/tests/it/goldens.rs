//! The views of the fixture skins against the committed pictures in `fixtures/renders`, which people
//! have looked at. `EFFIGY_BLESS=1` rewrites those that differ, and the test still fails.

use crate::support::drawn;
use crate::support::specs::size;

use std::panic::catch_unwind;
use std::path::Path;

use effigy_render::{Camera, Cape, Facing, Layers, Light, NamedPose, PictureSpec, Player, View};
use fixtures::{SKINS, golden, skin};

/// The test skins, whose marks tell each face from every other and each turn and flip.
const MARKED: [&str; 3] = ["uv_classic", "uv_slim", "uv_legacy"];

/// Compares the picture of a skin with `<skin>-<name>.png`. Returns the name if they differ.
fn check(name: &str, view: &PictureSpec, skin_name: &'static str, tolerance: u8) -> Option<String> {
    let skin = drawn::worn(skin(skin_name));
    let cape = Cape::decode(fixtures::cape()).expect("the cape is drawn");
    let player = Player::new(&skin).with_cape(&cape);
    let picture = view.picture(player).expect("the picture is small");
    let png = picture.encode_png().expect("the picture is small");
    let name = format!("{skin_name}-{name}.png");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/renders");
    let path = folder.join(&name);
    catch_unwind(|| golden(&path, &png, tolerance))
        .is_err()
        .then_some(name)
}

type Named = (String, PictureSpec);

/// Compares all views of all skins, then fails if any differs.
#[track_caller]
fn check_all(views: &[Named], skins: &[&'static str], tolerance: u8) {
    let rows = skins
        .iter()
        .flat_map(|skin| views.iter().map(move |(name, view)| (name, view, *skin)));
    let wrong: Vec<_> = rows
        .filter_map(|(name, view, skin)| check(name, view, skin, tolerance))
        .collect();
    assert!(wrong.is_empty(), "{wrong:?} differ");
}

fn named(name: impl Into<String>, view: PictureSpec) -> Named {
    (name.into(), view)
}

fn flat(view: View, layers: Layers) -> PictureSpec {
    PictureSpec::new(view, size(64)).with_layers(layers)
}

fn head(pixels: u32, facing: Facing, layers: Layers) -> PictureSpec {
    PictureSpec::new(View::IsometricHead, size(pixels))
        .with_facing(facing)
        .with_layers(layers)
}

fn body(pixels: u32, facing: Facing, layers: Layers) -> PictureSpec {
    PictureSpec::new(View::IsometricBody, size(pixels))
        .with_facing(facing)
        .with_layers(layers)
}

#[test]
fn flat_views_of_the_marked_skins() {
    let layers = [("", Layers::Base), ("_overlay", Layers::WithOverlay)];
    let views = layers.map(|(worn, layers)| {
        [
            named(format!("head{worn}"), flat(View::Head, layers)),
            named(format!("body{worn}"), flat(View::Body, layers)),
            named(format!("bust{worn}"), flat(View::Bust, layers)),
            named(format!("combo{worn}"), flat(View::Combo, layers)),
        ]
    });
    check_all(views.as_flattened(), &MARKED, 0);
}

#[test]
fn isometric_views_of_the_marked_skins() {
    let layers = Layers::WithOverlay;
    let facings = [
        ("left", Facing::Left),
        ("right", Facing::Right),
        ("back_left", Facing::BackLeft),
        ("back_right", Facing::BackRight),
    ];
    let views = facings.map(|(side, facing)| {
        [
            named(format!("isometric_head_{side}"), head(128, facing, layers)),
            named(format!("isometric_body_{side}"), body(128, facing, layers)),
        ]
    });
    check_all(views.as_flattened(), &MARKED, 1);
}

#[test]
fn isometric_views_without_the_overlay() {
    let layers = Layers::Base;
    let sides = [("front", Facing::Right), ("back", Facing::BackLeft)];
    let views = sides.map(|(side, facing)| {
        [
            named(format!("bare_head_{side}"), head(128, facing, layers)),
            named(format!("bare_body_{side}"), body(128, facing, layers)),
        ]
    });
    check_all(views.as_flattened(), &MARKED, 1);
}

#[test]
fn views_in_frames() {
    let layers = Layers::WithOverlay;
    let framed = |view: PictureSpec| view.with_frame([size(160), size(141)]);
    let flat = flat(View::Body, layers);
    let isometric = head(128, Facing::Right, layers);
    check_all(&[named("framed_body", framed(flat))], &["uv_classic"], 0);
    check_all(
        &[named("framed_head", framed(isometric))],
        &["uv_classic"],
        1,
    );
}

#[test]
fn characters() {
    let layers = Layers::WithOverlay;
    let drawn = SKINS.iter().map(|fixture| fixture.name);
    let characters: Vec<_> = drawn.filter(|name| !MARKED.contains(name)).collect();
    let front = [
        named("isometric_head", head(128, Facing::Right, layers)),
        named("isometric_body", body(300, Facing::Right, layers)),
    ];
    check_all(&front, &characters, 1);
    // The characters with something on their backs.
    let back = [named(
        "isometric_body_back",
        body(300, Facing::BackRight, layers),
    )];
    check_all(&back, &["diver", "fox", "ninja"], 1);
}

#[test]
fn figures() {
    let figure = |pose| PictureSpec::new(View::Figure, size(128)).with_pose(pose);
    let back = Camera::orthographic(155.0, 10.0);
    let mut views: Vec<_> = NamedPose::ALL
        .iter()
        .map(|&pose| named(format!("figure_{pose}"), figure(pose)))
        .collect();
    views.push(named(
        "figure_back",
        figure(NamedPose::Stand).with_camera(back),
    ));
    views.push(named(
        "figure_game",
        figure(NamedPose::Stand).with_light(Light::Game),
    ));
    views.push(named(
        "portrait",
        PictureSpec::new(View::Portrait, size(128)),
    ));
    views.push(named("cube", PictureSpec::new(View::HeadCube, size(128))));
    check_all(&views, &["plain", "knight"], 1);
}
