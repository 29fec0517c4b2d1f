//! The pictures that arguments of `effigy render` ask for.

use clap::Parser;
use effigy_render::{
    Angle, Camera, Crop, Decoration, Facing, Filter, Framing, Layers, Light, Limb, Model,
    NamedPose, Outline, Pose, Rotation, Shape, Size,
};

use super::*;
use crate::{Cli, Command};

pub(super) fn parse(arguments: &str) -> RenderArgs {
    let arguments = format!("effigy render {arguments} x.png");
    match Cli::try_parse_from(arguments.split(' ')).unwrap().command {
        Some(Command::Render(args)) => args,
        _ => unreachable!("the command is given"),
    }
}

fn of_view(view: View, size: u32) -> PictureSpec {
    PictureSpec::new(view, Size::new(size).unwrap())
}

/// Asserts that arguments ask for these pictures.
#[track_caller]
fn assert_mean(rows: &[(&str, PictureSpec)]) {
    for (arguments, expected) in rows {
        assert_eq!(parse(arguments).spec(), Some(*expected), "{arguments}");
    }
}

#[test]
fn crops_outlines_and_light_are_options() {
    let figure = of_view(View::Figure, 128);
    let white = Outline::new([255; 4]);
    let wide = white.with_width(4);
    let from = [Angle::degrees(-60.0), Angle::degrees(40.0)];
    assert_mean(&[
        ("figure --crop head", figure.with_crop(Crop::Head)),
        ("group --crop bust", figure.with_crop(Crop::Bust)),
        ("figure --outline white", figure.with_outline(white)),
        (
            "figure --outline white --outline-width 4",
            figure.with_outline(wide),
        ),
        ("figure --light-from -60,40", figure.with_light_from(from)),
    ]);
}

#[test]
fn words_of_views_imply_overlay_light_and_size() {
    let bare = |view, size| of_view(view, size).with_layers(Layers::Base);
    let unlit = |view, pixels| of_view(view, pixels).with_light(Light::None);
    let lit = |view| {
        let spec = of_view(view, 128).with_filter(Filter::Area);
        spec.with_light(Light::Soft)
    };
    let body = lit(View::IsometricBody);
    assert_mean(&[
        ("face", of_view(View::Face, 128)),
        ("head", bare(View::Face, 128)),
        ("player -s 40", bare(View::Body, 40)),
        ("head --overlay", of_view(View::Face, 128)),
        ("bust --no-hat", bare(View::Bust, 128)),
        ("combo --hat --size=64", of_view(View::Combo, 64)),
        ("isohead", lit(View::IsometricHead)),
        ("isobody --facing left", body.with_facing(Facing::Left)),
        ("isobody --cape c.png", body.with_cape(true)),
        ("isobody --light none", body.with_light(Light::None)),
        ("isobody --no-overlay", body.with_layers(Layers::Base)),
        ("ioshead", unlit(View::IsometricHead, 64)),
        ("iosbody", unlit(View::IsometricBody, 64)),
        ("avatar", unlit(View::IsometricBody, 128)),
        ("portrait", of_view(View::Portrait, 128)),
        ("cube", of_view(View::Cube, 128)),
        ("group", of_view(View::Figure, 128)),
        ("sheet --padding=0", of_view(View::Face, 128)),
        ("sheet --padding=0 --view head", bare(View::Face, 128)),
        ("sheet --padding=0 --view bust", of_view(View::Bust, 128)),
    ]);
    assert_eq!(parse("skin").spec(), None);
}

#[test]
fn options_of_figures_change_one_parameter_each() {
    let figure = of_view(View::Figure, 128);
    let seen = |yaw, pitch, fov| figure.with_camera(Camera::perspective(yaw, pitch, fov));
    let upside_down = |on: bool| figure.with_upside_down(Some(on));
    let decoration = Decoration::NONE
        .with_background([0x20, 0x22, 0x25, 0xff])
        .with_padding(16)
        .with_shape(Shape::Circle)
        .with_shadow(true);
    let decorated = "figure --background=202225 --padding=16 --shape=circle --shadow";
    assert_mean(&[
        ("figure", figure),
        ("figure --no-cape", figure.with_cape(false)),
        ("figure --elytra", figure.with_elytra(true)),
        ("figure --fit turn", figure.with_framing(Framing::Turning)),
        ("figure --upside-down", upside_down(true)),
        ("figure --no-upside-down", upside_down(false)),
        ("figure --yaw=-25.5", seen(-25.5, 16.0, 30.0)),
        ("figure --pitch=-90", seen(25.0, -90.0, 30.0)),
        ("figure --fov=0", seen(25.0, 16.0, 0.0)),
        ("figure --background transparent", figure),
        (decorated, figure.with_decoration(decoration)),
        ("group --names", figure.with_names(true)),
    ]);
}

#[test]
fn options_of_poses_change_the_limbs() {
    let figure = of_view(View::Figure, 128);
    let mut pose = Pose::STAND;
    pose.turn(Limb::Head, Rotation::degrees(0.0, 20.0, 0.0));
    pose.turn(Limb::RightArm, Rotation::degrees(-90.0, 0.0, 12.5));
    let running = figure
        .with_pose(NamedPose::Run.at(0.25))
        .with_camera(NamedPose::Run.camera());
    let turned = "figure --right-arm -90,0,12.5 --head=0,20,0";
    assert_mean(&[
        ("figure --pose walk", figure.with_pose(NamedPose::Walk)),
        ("figure --animate", figure.with_pose(NamedPose::Walk)),
        ("figure --pose run --phase 0.25", running),
        (turned, figure.with_pose(pose)),
    ]);
}

#[test]
fn models_are_flags() {
    let bust = of_view(View::Bust, 128);
    assert_mean(&[
        ("bust", bust),
        ("bust --slim", bust.with_model(Some(Model::Slim))),
        ("bust --classic", bust.with_model(Some(Model::Classic))),
    ]);
}

#[test]
fn motions_are_flags_or_extensions() {
    let turning = Some(Motion::TURN);
    assert_eq!(parse("cube --turn").motion(), turning);
    let waving = parse("cube --pose wave --animate").motion();
    assert_eq!(waving, Some(Motion::of(NamedPose::Wave)));
    let walking = Some(Motion::of(NamedPose::Walk));
    for (words, expected) in [
        ("cube", None),
        ("cube -o a.png", None),
        ("cube -o a.apng", turning),
        ("cube -o a.gif", turning),
        ("cube --gif", turning),
        ("cube --gif --pose walk", walking),
        ("cube -o a.APNG --pose walk", walking),
        ("cube -o a.apng --animate", walking),
        ("cube --animate", walking),
        ("cube -o a.apng --turn --pose walk", turning),
        ("face -o a.apng", None),
        ("group -o a.apng", None),
    ] {
        assert_eq!(parse(words).motion(), expected, "{words}");
    }
}

#[test]
fn frames_and_rate_together_change_the_duration() {
    for (words, expected) in [
        ("cube --animate", (20, 50)),
        ("cube --animate --frames 10", (10, 100)),
        ("cube --animate --rate 10", (10, 100)),
        ("cube --animate --pose run --rate 1", (1, 600)),
        ("cube --animate --frames 10 --rate 20", (10, 50)),
        ("cube --turn", (36, 83)),
        ("cube --turn --rate 20", (60, 50)),
        ("cube --turn --frames 20", (20, 150)),
        ("cube --turn --frames 20 --rate 2", (20, 500)),
    ] {
        let args = parse(words);
        let (frames, time) = args.frames(args.motion().unwrap());
        assert_eq!((frames, time.as_millis()), expected, "{words}");
    }
}

#[test]
fn columns_are_square_unless_they_are_given() {
    assert_eq!(parse("sheet").columns(10), 4);
    assert_eq!(parse("sheet --columns 5").columns(2), 5);
}

#[test]
fn drawings_follow_from_views_and_motions() {
    let figure = of_view(View::Figure, 128);
    let face = of_view(View::Face, 128);
    let gap = Decoration::NONE.with_padding(4);
    for (words, expected) in [
        ("skin", Drawing::SkinFile),
        ("cape --size 40", Drawing::Cape(Size::px(40))),
        ("face", Drawing::Player(face)),
        ("figure --turn", Drawing::MovingPlayer(figure, Motion::TURN)),
        ("group", Drawing::Group(figure)),
        ("sheet", Drawing::Sheet(face.with_decoration(gap))),
        ("sheet --padding 0", Drawing::Sheet(face)),
        (
            "sheet --poses",
            Drawing::SheetOfPoses(figure.with_names(true)),
        ),
    ] {
        assert_eq!(parse(words).drawing(), expected, "{words}");
    }
}

#[test]
fn poses_have_synonyms_and_cameras() {
    let figure = of_view(View::Figure, 128);
    let posed = |pose: NamedPose| figure.with_pose(pose).with_camera(pose.camera());
    let side = Camera::perspective(90.0, 16.0, 30.0);
    assert_mean(&[
        ("figure --pose walking", posed(NamedPose::Walk)),
        ("figure --pose crossed-arms", posed(NamedPose::ArmsCrossed)),
        ("figure --pose sleeping", posed(NamedPose::Lie)),
        (
            "figure --pose walk --yaw 90",
            posed(NamedPose::Walk).with_camera(side),
        ),
    ]);
}

#[test]
fn sheets_of_poses_show_figures_with_words() {
    let named = |view| of_view(view, 128).with_names(true);
    assert_mean(&[
        ("sheet --poses", named(View::Figure)),
        ("sheet --poses --view portrait", named(View::Portrait)),
    ]);
    let refused = "effigy render sheet --poses --pose walk x.png";
    Cli::try_parse_from(refused.split(' ')).unwrap_err();
    let matches = |arguments: &str| {
        let command = RenderArgs::augment_args(clap::Command::new("render"));
        command.get_matches_from(format!("render {arguments} x.png").split(' '))
    };
    for (arguments, expected) in [
        ("sheet --poses", Ok(())),
        ("figure --poses", Err("--poses is only for sheet")),
        (
            "sheet --poses --view face",
            Err("--poses is only for sheets of figures, portraits and cubes"),
        ),
    ] {
        let checked = parse(arguments).check_options(&matches(arguments));
        assert_eq!(checked, expected.map_err(str::to_owned), "{arguments}");
    }
}
