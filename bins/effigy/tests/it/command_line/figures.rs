//! `effigy render` of views from any side.

use std::{
    path::Path,
    process::{Command, Output},
};

use crate::support::{Picture, assert_refused, avatar, effigy, text};
use effigy_render::{
    Arrangement, Camera, Decoration, Facing, ImageFormat, Layers, Light, Motion, NamedPose,
    PictureSpec, Player, RenderError, Shape, Size, Skin, View,
};
use fixtures::{FakeUpstream, skin};
use tempfile::TempDir;

/// A folder with a skin and a cape.
fn files() -> TempDir {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("knight.png"), skin("knight").png).unwrap();
    std::fs::write(folder.path().join("cape.png"), fixtures::cape()).unwrap();
    folder
}

fn render(folder: &Path, arguments: &[&str]) -> Output {
    let mut command: Command = effigy();
    command.current_dir(folder).arg("render").args(arguments);
    command.output().unwrap()
}

fn of_view(view: View) -> PictureSpec {
    PictureSpec::new(view, Size::new(128).unwrap())
}

fn turned(view: View, yaw: f64, pitch: f64) -> PictureSpec {
    of_view(view).with_camera(Camera::orthographic(yaw, pitch))
}

#[test]
fn a_skin_file_from_any_side() {
    let folder = files();
    let walking = turned(View::Figure, -25.5, 10.0).with_pose(NamedPose::Walk);
    let dark = turned(View::Portrait, 180.0, -10.0).with_light(Light::Game);
    let cube = of_view(View::HeadCube).with_layers(Layers::Base);
    let lit = of_view(View::IsometricBody).with_light(Light::Soft);
    let behind = of_view(View::IsometricBody)
        .with_facing(Facing::BackLeft)
        .with_cape(true);
    let cape = |spec| Picture::of_spec(spec).with_cape();
    let decorated = of_view(View::Figure).with_decoration(Decoration {
        background: Some([0x20, 0x22, 0x25, 0xff]),
        padding: 16,
        shape: Shape::Circle,
        has_shadow: true,
    });
    let rows: [(&[&str], Picture); 8] = [
        (
            &[
                "figure",
                "--background=202225",
                "--padding=16",
                "--shape=circle",
                "--shadow",
            ],
            Picture::of_spec(decorated),
        ),
        (&["figure"], Picture::of_spec(of_view(View::Figure))),
        (
            &["figure", "--yaw", "-25.5", "--pose", "walk"],
            Picture::of_spec(walking),
        ),
        (
            &[
                "portrait",
                "--yaw=180",
                "--pitch=-10",
                "--light=game",
                "--cape=cape.png",
            ],
            cape(dark),
        ),
        (&["cube", "--no-overlay"], Picture::of_spec(cube)),
        (&["avatar", "--light", "soft"], Picture::of_spec(lit)),
        (
            &["avatar", "--facing=back-left", "--cape", "cape.png"],
            cape(behind),
        ),
        (&["avatar"], avatar(Facing::Right, 128)),
    ];
    for (arguments, picture) in rows {
        let rest = ["knight.png", "-o", "-"];
        let output = render(folder.path(), &[arguments, &rest].concat());
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
        assert!(output.stdout == picture.of(skin("knight")), "{arguments:?}");
    }
}

#[test]
fn a_player_wears_the_cape() {
    let folder = files();
    let upstream = FakeUpstream::start();
    let services = [
        "--java-identity-url",
        upstream.url(),
        "--java-session-url",
        upstream.url(),
        "--texture-url",
        upstream.url(),
        "-o",
        "-",
    ];
    let figure = ["figure", "Corvina", "--yaw", "160"];
    let expected = Picture::of_spec(turned(View::Figure, 160.0, 10.0));
    let output = render(folder.path(), &[&figure[..], &services].concat());
    assert!(output.stdout == expected.with_cape().of(skin("wizard")));
    let bare = [&figure[..], &["--no-cape"], &services].concat();
    let output = render(folder.path(), &bare);
    assert!(output.stdout == expected.of(skin("wizard")));
    // Three calls for each look-up, and one for the cape.
    assert_eq!(upstream.total_calls(), 7);
}

#[test]
fn misplaced_and_invalid_arguments_are_refused() {
    let folder = files();
    let rows: [(&[&str], i32, &str); 11] = [
        (
            &["head", "--shadow"],
            2,
            "--shadow is only for figure, isobody and group",
        ),
        (&["head", "--background", "red"], 2, "rrggbb"),
        (
            &["bust", "--yaw", "10"],
            2,
            "--yaw is only for figure, portrait, cube and group",
        ),
        (
            &["avatar", "--pose", "sit"],
            2,
            "--pose is only for figure, portrait, cube and group",
        ),
        (
            &["figure", "--facing", "left"],
            2,
            "--facing is only for isometric views",
        ),
        (
            &["head", "--light", "soft"],
            2,
            "--light is only for views that are not flat",
        ),
        (
            &["cube", "--cape", "cape.png"],
            2,
            "--cape is only for figure, portrait",
        ),
        (
            &["figure", "--cape", "knight.png"],
            1,
            "knight.png is not a cape",
        ),
        (
            &["figure", "--cape", "missing.png"],
            1,
            "cannot read missing.png",
        ),
        (
            &["figure", "--yaw", "181"],
            2,
            "a number of degrees from -180 to 180",
        ),
        (&["figure", "--pose", "dance"], 2, "crouch"),
    ];
    for (arguments, code, words) in rows {
        let output = render(folder.path(), &[arguments, &["knight.png"]].concat());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
}

#[test]
fn several_players_are_in_one_picture() {
    let folder = files();
    std::fs::create_dir(folder.path().join("skins")).unwrap();
    for name in ["fox", "wizard"] {
        let file = folder.path().join(format!("skins/{name}.png"));
        std::fs::write(file, skin(name).png).unwrap();
    }
    std::fs::write(folder.path().join("skins/fox.cape.png"), fixtures::cape()).unwrap();
    let decoded = |name| Skin::decode(skin(name).png, None).unwrap();
    let skins = ["knight", "fox", "wizard"].map(decoded);
    let players = skins.each_ref().map(|skin| Some(Player::new(skin)));
    let png = |arrangement: Result<Arrangement<'_>, RenderError>| {
        let picture = arrangement.unwrap().picture;
        picture.encode(ImageFormat::Png).unwrap()
    };
    let figures = of_view(View::Figure).with_pose(NamedPose::Wave);
    let flat = |view| of_view(view).with_layers(Layers::Base);
    let faces = flat(View::Head);
    let rows: [(&[&str], &str, Vec<u8>); 4] = [
        (
            &["group", "--pose=wave"],
            "group.png",
            png(figures.group(&players)),
        ),
        (&["sheet"], "sheet.png", png(faces.sheet(&players, 2))),
        (
            &["sheet", "--columns=3"],
            "sheet.png",
            png(faces.sheet(&players, 3)),
        ),
        (
            &["sheet", "--view=bust", "-o", "all.png"],
            "all.png",
            png(flat(View::Bust).sheet(&players, 2)),
        ),
    ];
    for (arguments, file, expected) in rows {
        let output = render(
            folder.path(),
            &[arguments, &["knight.png", "skins"]].concat(),
        );
        assert_eq!(
            text(&output.stderr),
            format!("Wrote {file}\n"),
            "{arguments:?}"
        );
        let written = std::fs::read(folder.path().join(file)).unwrap();
        assert!(written == expected, "{arguments:?}");
    }
    for (arguments, words) in [
        (["group", "--columns=2"], "--columns is only for sheet"),
        (["face", "--view=bust"], "--view is only for sheet"),
        (["sheet", "--view=group"], "invalid value 'group'"),
        (["group", "missing.png"], "cannot read missing.png"),
    ] {
        let output = render(folder.path(), &[&arguments[..], &["knight.png"]].concat());
        assert!(
            text(&output.stderr).contains(words),
            "{}",
            text(&output.stderr)
        );
        assert!(!output.status.success());
    }
}

#[test]
fn views_have_two_words_each() {
    let folder = files();
    for (word, other) in [("face", "head"), ("body", "player"), ("isobody", "avatar")] {
        let [one, another] = [word, other].map(|word| {
            let output = render(folder.path(), &[word, "knight.png", "-o", "-"]);
            assert_eq!(text(&output.stderr), "", "{word}");
            output.stdout
        });
        assert!(one == another, "{word}");
    }
    let sized = |arguments: &[&str]| render(folder.path(), arguments).stdout;
    let small = sized(&["isohead", "knight.png", "--size=64", "-o", "-"]);
    assert!(small == sized(&["ioshead", "knight.png", "-o", "-"]));
    let small = sized(&["isobody", "knight.png", "--size=64", "-o", "-"]);
    assert!(small == sized(&["iosbody", "knight.png", "-o", "-"]));
}

#[test]
fn a_figure_moves() {
    let folder = files();
    let skin = Skin::decode(skin("knight").png, None).unwrap();
    let drawn = |spec: PictureSpec, turns, moves| {
        let mut file = Vec::new();
        let animation = spec.animation(Player::new(&skin), Motion { turns, moves });
        let mut renderer = effigy_render::Renderer::new();
        renderer
            .write_animation(&animation.unwrap(), &mut file)
            .unwrap();
        file
    };
    let size = Size::new(32).unwrap();
    let walking = PictureSpec::new(View::Figure, size).with_pose(NamedPose::Walk);
    let cube = PictureSpec::new(View::HeadCube, size);
    let rows: [(&[&str], &str, Vec<u8>); 3] = [
        (
            &["figure", "--pose=walk", "--animate"],
            "knight_figure.apng",
            drawn(walking, false, true),
        ),
        (
            &["cube", "--turn", "-ocube.png"],
            "cube.png",
            drawn(cube, true, false),
        ),
        (
            &["cube", "--turn", "-ocube.apng"],
            "cube.apng",
            drawn(cube, true, false),
        ),
    ];
    for (arguments, file, expected) in rows {
        let output = render(
            folder.path(),
            &[arguments, &["knight.png", "--size=32"]].concat(),
        );
        assert_eq!(
            text(&output.stderr),
            format!("Wrote {file}\n"),
            "{arguments:?}"
        );
        assert!(
            std::fs::read(folder.path().join(file)).unwrap() == expected,
            "{arguments:?}"
        );
    }
    let rows: [(&[&str], &str); 5] = [
        (
            &["face", "--turn"],
            "--turn is only for figure, portrait and cube",
        ),
        (
            &["group", "--animate"],
            "--animate is only for figure, portrait and cube",
        ),
        (&["figure", "--turn", "--svg"], "--svg"),
        (
            &["figure", "--turn", "-ox.svg"],
            "a moving picture is an APNG",
        ),
        (&["figure", "-ox.apng"], "pictures are PNG or SVG"),
    ];
    for (arguments, words) in rows {
        let output = render(folder.path(), &[arguments, &["knight.png"]].concat());
        assert_refused(&output, 2, &[words]);
    }
}
