//! Pictures of the fixture skins, compared with the committed pictures in `fixtures/renders`, which
//! people have looked at. `EFFIGY_BLESS=1` rewrites pictures that differ, and the test still fails.

use crate::support::drawn;

use std::panic::catch_unwind;
use std::path::Path;

use effigy_render::{
    Angle, Camera, Cape, Crop, DRAWING_VERSION, Decoration, Facing, Layers, Light, NamedPose,
    Outline, PictureSpec, Player, Size, View,
};
use fixtures::{SKINS, golden};

/// The test skins, whose marks tell each face from every other and each turn and flip.
const MARKED: [&str; 3] = ["uv_classic", "uv_slim", "uv_legacy"];

type Named = (String, PictureSpec);

/// Compares the pictures of all skins with `<skin>-<name>.png`, then fails if any differs.
#[track_caller]
fn check(views: &[Named], skins: &[&str], tolerance: u8) {
    let cape = Cape::decode(fixtures::cape()).expect("the cape is drawn");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/renders");
    let mut wrong = Vec::new();
    for skin_name in skins {
        let skin = drawn::named(skin_name);
        let player = Player::new(&skin).with_cape(&cape);
        for (name, view) in views {
            let picture = view.picture(player).expect("the picture is small");
            let png = picture.encode_png().expect("the picture is small");
            let path = folder.join(format!("{skin_name}-{name}.png"));
            if catch_unwind(|| golden(&path, &png, tolerance)).is_err() {
                wrong.push(path);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?} differ");
}

fn named(name: impl Into<String>, view: View, pixels: u32) -> Named {
    (name.into(), PictureSpec::new(view, Size::px(pixels)))
}

#[test]
fn flat_views_of_marked_skins_are_golden() {
    for (worn, layers) in [("", Layers::Base), ("_overlay", Layers::WithOverlay)] {
        let views = [
            ("head", View::Face),
            ("body", View::Body),
            ("bust", View::Bust),
            ("body_back", View::BodyBack),
            ("body_left", View::BodyLeft),
            ("body_right", View::BodyRight),
            ("combo", View::Combo),
            ("layout", View::Layout),
        ];
        let views = views.map(|(name, view)| {
            let (name, spec) = named(format!("{name}{worn}"), view, 64);
            (name, spec.with_layers(layers))
        });
        check(&views, &MARKED, 0);
    }
}

#[test]
fn isometric_views_of_marked_skins_are_golden() {
    let worn = Layers::WithOverlay;
    for (kind, side, facing, layers) in [
        ("isometric", "left", Facing::Left, worn),
        ("isometric", "right", Facing::Right, worn),
        ("isometric", "back_left", Facing::BackLeft, worn),
        ("isometric", "back_right", Facing::BackRight, worn),
        ("bare", "front", Facing::Right, Layers::Base),
        ("bare", "back", Facing::BackLeft, Layers::Base),
    ] {
        let views = [("head", View::IsometricHead), ("body", View::IsometricBody)];
        let views = views.map(|(part, view)| {
            let (name, spec) = named(format!("{kind}_{part}_{side}"), view, 128);
            (name, spec.with_facing(facing).with_layers(layers))
        });
        check(&views, &MARKED, 1);
    }
}

#[test]
fn views_in_frames_are_golden() {
    for (name, view, pixels, tolerance) in [
        ("framed_body", View::Body, 64, 0),
        ("framed_head", View::IsometricHead, 128, 1),
    ] {
        let (name, spec) = named(name, view, pixels);
        let framed = spec.with_frame([Size::px(160), Size::px(141)]);
        check(&[(name, framed)], &["uv_classic"], tolerance);
    }
}

#[test]
fn characters_are_golden() {
    let drawn = SKINS.iter().map(|fixture| fixture.name);
    let characters: Vec<_> = drawn.filter(|name| !MARKED.contains(name)).collect();
    let head = named("isometric_head", View::IsometricHead, 128);
    let body = named("isometric_body", View::IsometricBody, 300);
    check(&[head, body], &characters, 1);
    // The characters with something on their backs.
    let (name, back) = named("isometric_body_back", View::IsometricBody, 300);
    let back = (name, back.with_facing(Facing::BackRight));
    check(&[back], &["diver", "fox", "ninja"], 1);
}

#[test]
fn figures_are_golden() {
    let figure = PictureSpec::new(View::Figure, Size::px(128));
    let back = figure.with_camera(Camera::perspective(155.0, 15.0, 30.0));
    let posed = |pose: NamedPose| {
        let view = figure.with_pose(pose).with_camera(pose.camera());
        let name = format!("figure_{pose}");
        if pose == NamedPose::Straight {
            // Version 0.2.0 drew the upright figure from far away.
            return (name, view.with_camera(Camera::orthographic(25.0, 10.0)));
        }
        (name, view)
    };
    let others = [
        ("figure_back".to_owned(), back),
        ("figure_elytra".to_owned(), back.with_elytra(true)),
        ("figure_game".to_owned(), figure.with_light(Light::Game)),
        named("portrait", View::Portrait, 128),
        named("cube", View::Cube, 128),
    ];
    let mut all: Vec<Named> = NamedPose::ALL.iter().copied().map(posed).collect();
    all.extend(others.clone());
    check(&all, &["knight"], 1);
    let few = [
        NamedPose::Stand,
        NamedPose::Straight,
        NamedPose::Walk,
        NamedPose::Run,
        NamedPose::Wave,
        NamedPose::Sit,
        NamedPose::Crouch,
        NamedPose::Cheer,
    ];
    let mut some: Vec<Named> = few.into_iter().map(posed).collect();
    some.extend(others);
    check(&some, &["plain"], 1);
}

#[test]
fn crops_outlines_and_directed_light_are_golden() {
    let figure = PictureSpec::new(View::Figure, Size::px(128));
    let white = Outline::new([255; 4]);
    let thick = Outline::new([0x8f, 0xd0, 0xba, 255]).with_width(5);
    let shadowed = figure
        .with_pose(NamedPose::Sit)
        .with_decoration(Decoration::NONE.with_shadow(true));
    let content = shadowed.with_crop(Crop::Content);
    let from = |yaw, pitch| [yaw, pitch].map(Angle::degrees);
    let (name, body) = named("outline_body", View::Body, 64);
    let (isometric_name, isometric) = named("outline_isobody", View::IsometricBody, 128);
    let isometric = isometric.with_facing(Facing::Left);
    let views = [
        (name, body.with_outline(white)),
        (isometric_name, isometric.with_outline(white)),
        ("outline_figure".to_owned(), shadowed.with_outline(thick)),
        (
            "crop_head".to_owned(),
            figure.with_crop(Crop::Head).with_outline(white),
        ),
        ("crop_content".to_owned(), content),
        (
            "crop_content_outline".to_owned(),
            content.with_outline(thick),
        ),
        (
            "light_from_left".to_owned(),
            figure.with_light_from(from(-70.0, 30.0)),
        ),
        (
            "light_from_below".to_owned(),
            figure.with_light_from(from(60.0, -60.0)),
        ),
    ];
    check(&views, &["plain", "knight"], 1);
}

/// The key of a stored picture has its parameters and [`DRAWING_VERSION`]. If the bytes change and
/// the version doesn't, a service keeps showing the old picture.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the test reads files, not the renderer"
)]
fn the_drawing_version_is_raised_when_pictures_change() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/renders");
    let mut names = Vec::new();
    for entry in folder.read_dir().expect("the pictures are there") {
        let path = entry.expect("the folder can be read").path();
        if path.extension().is_some_and(|extension| extension == "png") {
            names.push(path);
        }
    }
    names.sort();
    let mut checksum = flate2::Crc::new();
    for path in &names {
        checksum.update(&std::fs::read(path).expect("the picture can be read"));
    }
    let found = format!("{DRAWING_VERSION} {:08x}", checksum.sum());
    let path = folder.join("drawing-version");
    let recorded = std::fs::read_to_string(&path).expect("the version is recorded");
    assert_eq!(
        recorded.trim(),
        found,
        "pictures changed: raise DRAWING_VERSION, and write the right side into {}",
        path.display()
    );
}
