//! The views of the fixture skins against the committed pictures in `fixtures/renders`, which people
//! have looked at. `EFFIGY_BLESS=1` rewrites those that differ, and the test still fails.

use crate::support::drawn;

use std::panic::catch_unwind;
use std::path::Path;

use effigy_render::{
    Camera, Cape, Facing, Layers, Light, NamedPose, PictureSpec, Player, Size, View,
};
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
    let mut wrong = Vec::new();
    for skin in skins {
        wrong.extend(
            views
                .iter()
                .filter_map(|(name, view)| check(name, view, skin, tolerance)),
        );
    }
    assert!(wrong.is_empty(), "{wrong:?} differ");
}

fn named(name: impl Into<String>, view: PictureSpec) -> Named {
    (name.into(), view)
}

fn flat(view: View, layers: Layers) -> PictureSpec {
    PictureSpec::new(view, Size::px(64)).with_layers(layers)
}

fn isometric(view: View, pixels: u32, facing: Facing) -> PictureSpec {
    PictureSpec::new(view, Size::px(pixels)).with_facing(facing)
}

/// The isometric head and body, named after their side.
fn both(kind: &str, side: &str, facing: Facing, layers: Layers) -> [Named; 2] {
    [("head", View::IsometricHead), ("body", View::IsometricBody)].map(|(part, view)| {
        let view = isometric(view, 128, facing).with_layers(layers);
        named(format!("{kind}_{part}_{side}"), view)
    })
}

#[test]
fn flat_views_of_the_marked_skins() {
    let layers = [("", Layers::Base), ("_overlay", Layers::WithOverlay)];
    let views = layers.map(|(worn, layers)| {
        [
            named(format!("head{worn}"), flat(View::Face, layers)),
            named(format!("body{worn}"), flat(View::Body, layers)),
            named(format!("bust{worn}"), flat(View::Bust, layers)),
            named(format!("combo{worn}"), flat(View::Combo, layers)),
        ]
    });
    check_all(views.as_flattened(), &MARKED, 0);
}

#[test]
fn isometric_views_of_the_marked_skins() {
    let worn = Layers::WithOverlay;
    let views = [
        both("isometric", "left", Facing::Left, worn),
        both("isometric", "right", Facing::Right, worn),
        both("isometric", "back_left", Facing::BackLeft, worn),
        both("isometric", "back_right", Facing::BackRight, worn),
        both("bare", "front", Facing::Right, Layers::Base),
        both("bare", "back", Facing::BackLeft, Layers::Base),
    ];
    check_all(views.as_flattened(), &MARKED, 1);
}

#[test]
fn views_in_frames() {
    let framed = |view: PictureSpec| view.with_frame([Size::px(160), Size::px(141)]);
    let head = framed(isometric(View::IsometricHead, 128, Facing::Right));
    let body = framed(flat(View::Body, Layers::WithOverlay));
    check_all(&[named("framed_body", body)], &["uv_classic"], 0);
    check_all(&[named("framed_head", head)], &["uv_classic"], 1);
}

#[test]
fn characters() {
    let drawn = SKINS.iter().map(|fixture| fixture.name);
    let characters: Vec<_> = drawn.filter(|name| !MARKED.contains(name)).collect();
    let head = isometric(View::IsometricHead, 128, Facing::Right);
    let [body, back] = [Facing::Right, Facing::BackRight]
        .map(|facing| isometric(View::IsometricBody, 300, facing));
    let [head, body] = [named("isometric_head", head), named("isometric_body", body)];
    check_all(&[head, body], &characters, 1);
    // The characters with something on their backs.
    check_all(
        &[named("isometric_body_back", back)],
        &["diver", "fox", "ninja"],
        1,
    );
}

#[test]
fn figures() {
    let of = |view| PictureSpec::new(view, Size::px(128));
    let figure = of(View::Figure);
    let back = Camera::perspective(155.0, 15.0, 30.0);
    let poses = NamedPose::ALL.iter().map(|&pose| {
        let view = figure.with_pose(pose);
        // The upright figure from far away is that of 0.2.0.
        let view = match pose {
            NamedPose::Straight => view.with_camera(Camera::orthographic(25.0, 10.0)),
            _ => view,
        };
        named(format!("figure_{pose}"), view)
    });
    let others = [
        named("figure_back", figure.with_camera(back)),
        named("figure_elytra", figure.with_camera(back).with_elytra(true)),
        named("figure_game", figure.with_light(Light::Game)),
        named("portrait", of(View::Portrait)),
        named("cube", of(View::Cube)),
    ];
    let views: Vec<_> = poses.chain(others).collect();
    check_all(&views, &["plain", "knight"], 1);
}
