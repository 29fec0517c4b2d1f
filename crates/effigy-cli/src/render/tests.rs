//! Arguments of `effigy render`, and the pictures that they mean.

use clap::Parser;
use effigy_render::{
    Camera, Decoration, Facing, Framing, Layers, Light, Model, NamedPose, Pose, Rotation, Shape,
    Size,
};

use super::*;
use crate::{Cli, Command};

fn parse(arguments: &str) -> RenderArgs {
    let arguments = format!("effigy render {arguments} x.png");
    match Cli::try_parse_from(arguments.split(' ')).unwrap().command {
        Some(Command::Render(args)) => args,
        _ => unreachable!("the command is given"),
    }
}

fn of_view(view: View, size: u32) -> PictureSpec {
    PictureSpec::new(view, Size::new(size).unwrap())
}

#[test]
fn flags_change_one_parameter_each() {
    let flat = |view, size| of_view(view, size).with_layers(Layers::Base);
    let figure = of_view(View::Figure, 128);
    let isometric = |view, pixels| of_view(view, pixels).with_light(Light::None);
    let lit = |view| {
        let spec = of_view(view, 128).with_filter(Filter::Area);
        spec.with_light(Light::Soft)
    };
    let mut pose = Pose::STAND;
    pose.turn("head", Rotation::degrees(0.0, 20.0, 0.0));
    pose.turn("right-arm", Rotation::degrees(-90.0, 0.0, 12.5));
    let posed = figure.with_pose(pose);
    let running = NamedPose::Run.at(0.25);
    let seen = |yaw, pitch, fov| figure.with_camera(Camera::perspective(yaw, pitch, fov));
    let decoration = Decoration {
        background: Some([0x20, 0x22, 0x25, 0xff]),
        padding: 16,
        shape: Shape::Circle,
        has_shadow: true,
    };
    let (head, body) = (lit(View::IsometricHead), lit(View::IsometricBody));
    for (arguments, expected) in [
        ("face", of_view(View::Face, 128)),
        ("head", flat(View::Face, 128)),
        ("player -s 40", flat(View::Body, 40)),
        ("head --overlay", of_view(View::Face, 128)),
        ("bust --no-hat", flat(View::Bust, 128)),
        ("combo --hat --size=64", of_view(View::Combo, 64)),
        ("isohead", head),
        ("isobody --facing left", body.with_facing(Facing::Left)),
        ("isobody --cape c.png", body.with_cape(true)),
        ("isobody --light none", body.with_light(Light::None)),
        ("isobody --no-overlay", body.with_layers(Layers::Base)),
        ("ioshead", isometric(View::IsometricHead, 64)),
        ("iosbody", isometric(View::IsometricBody, 64)),
        ("avatar", isometric(View::IsometricBody, 128)),
        ("figure", figure),
        ("figure --no-cape", figure.with_cape(false)),
        ("figure --pose walk", figure.with_pose(NamedPose::Walk)),
        ("figure --fit turn", figure.with_framing(Framing::Turning)),
        ("figure --upside-down", figure.with_upside_down(Some(true))),
        (
            "figure --no-upside-down",
            figure.with_upside_down(Some(false)),
        ),
        ("figure --elytra", figure.with_elytra(true)),
        ("group --names", figure.with_names(true)),
        ("figure --yaw=-25.5", seen(-25.5, 16.0, 30.0)),
        ("figure --pitch=-90", seen(25.0, -90.0, 30.0)),
        ("figure --fov=0", seen(25.0, 16.0, 0.0)),
        ("figure --pose run --phase 0.25", figure.with_pose(running)),
        (
            "figure --background=202225 --padding=16 --shape=circle --shadow",
            figure.with_decoration(decoration),
        ),
        ("figure --right-arm -90,0,12.5 --head=0,20,0", posed),
        ("portrait", of_view(View::Portrait, 128)),
        ("cube", of_view(View::Cube, 128)),
        ("group", figure),
        ("figure --background transparent", figure),
        ("figure --animate", figure.with_pose(NamedPose::Walk)),
        ("sheet", of_view(View::Face, 128)),
        ("sheet --view head", flat(View::Face, 128)),
        ("sheet --view bust", of_view(View::Bust, 128)),
    ] {
        assert_eq!(parse(arguments).spec(), Some(expected), "{arguments}");
    }
    assert_eq!(parse("skin").spec(), None);
}

#[test]
fn models_motions_and_columns() {
    let models = ["--slim", "--classic", ""].map(|flag| {
        let spec = parse(format!("bust {flag}").trim()).spec();
        spec.unwrap().model
    });
    assert_eq!(models, [Some(Model::Slim), Some(Model::Classic), None]);
    let motion = |turns, cycle| {
        let motion = Motion::default();
        Some(Motion {
            turns,
            cycle,
            ..motion
        })
    };
    assert_eq!(parse("cube --turn").motion(), motion(true, None));
    let waving = parse("cube --pose wave --animate").motion();
    assert_eq!(waving, motion(false, Some(NamedPose::Wave)));
    let walking = motion(false, Some(NamedPose::Walk));
    for (words, expected) in [
        ("cube", None),
        ("cube -o a.png", None),
        ("cube -o a.apng", motion(true, None)),
        ("cube -o a.gif", motion(true, None)),
        ("cube -o a.APNG --pose walk", walking),
        ("cube -o a.apng --animate", walking),
        ("cube --animate", walking),
        ("cube -o a.apng --turn --pose walk", motion(true, None)),
        ("face -o a.apng", None),
        ("group -o a.apng", None),
    ] {
        assert_eq!(parse(words).motion(), expected, "{words}");
    }
    for (words, expected) in [
        ("cube --animate", (20, 50)),
        ("cube --animate --frames 10", (10, 100)),
        ("cube --animate --rate 10", (10, 100)),
        ("cube --animate --pose run --rate 1", (1, 600)),
        ("cube --animate --frames 10 --rate 20", (10, 50)),
        ("cube --turn", (20, 400)),
        ("cube --turn --rate 20", (160, 50)),
    ] {
        let args = parse(words);
        let (frames, time) = args.frames(args.motion().unwrap());
        assert_eq!((frames, time.as_millis()), expected, "{words}");
    }
    let square = [1, 2, 4, 5, 9, 10].map(|players| parse("sheet").columns(players));
    assert_eq!(square, [1, 2, 2, 3, 3, 4]);
    assert_eq!(parse("sheet --columns 5").columns(2), 5);
}
