//! Rules of the settings of pictures.

mod refused;

use effigy_render::{
    Angle, Crop, Decoration, Facing, Framing, Layers, Model, Outline, Pose, Rotation, Shape,
};

use super::*;
use crate::find;

/// Reads a picture whose parameters are written as in a URL.
fn settings(view: View, query: &str) -> Result<PictureSettings, ParameterError> {
    let pairs = query
        .split('&')
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let value = |name: &str| {
        let pair = pairs.clone().find(|pair| pair.0 == name)?;
        Some(pair.1)
    };
    PictureSettings::read(view, Limits::SERVICE, value)
}

fn spec(view: View, query: &str) -> Result<PictureSpec, ParameterError> {
    let picture = settings(view, query)?;
    Ok(picture.spec)
}

fn of_size(view: View, pixels: u32) -> PictureSpec {
    let spec = PictureSpec::new(view, Size::new(pixels).unwrap());
    if view.is_flat() {
        spec
    } else {
        spec.with_filter(Filter::Area)
    }
}

/// Asserts that queries describe these pictures.
#[track_caller]
fn assert_read(rows: &[(View, &str, PictureSpec)]) {
    for (view, query, expected) in rows {
        assert_eq!(spec(*view, query), Ok(*expected), "{query}");
    }
}

#[test]
fn flat_and_isometric_views_are_read() {
    let body = of_size(View::IsometricBody, 128).with_light(Light::Soft);
    let bust = of_size(View::Bust, 128);
    let cut = bust.with_decoration(
        Decoration::NONE
            .with_background([0x20, 0x22, 0x25, 0xff])
            .with_padding(256)
            .with_shape(Shape::Circle),
    );
    assert_read(&[
        (View::Bust, "", bust),
        (View::Bust, "size=2048", of_size(View::Bust, 2048)),
        (View::Bust, "overlay", bust),
        (View::Bust, "overlay=false", bust.with_layers(Layers::Base)),
        (View::Bust, "model=slim", bust.with_model(Some(Model::Slim))),
        (View::Bust, "background=transparent&padding=0", bust),
        (
            View::Bust,
            "background=202225&padding=256&shape=circle",
            cut,
        ),
        (View::IsometricBody, "", body),
        (
            View::IsometricBody,
            "facing=back-left",
            body.with_facing(Facing::BackLeft),
        ),
        (
            View::IsometricBody,
            "light=none",
            body.with_light(Light::None),
        ),
        (View::IsometricBody, "cape=true", body.with_cape(true)),
    ]);
}

#[test]
fn cameras_and_looks_of_figures_are_read() {
    let figure = of_size(View::Figure, 128);
    let turned = |yaw, pitch| figure.with_camera(Camera::perspective(yaw, pitch, 30.0));
    let flat = figure.with_camera(Camera::orthographic(25.0, 16.0));
    let shadowed = figure.with_decoration(Decoration::NONE.with_shadow(true));
    assert_read(&[
        (View::Figure, "", figure),
        (View::Figure, "yaw=-30", turned(-30.0, 16.0)),
        (View::Figure, "pitch=-7.5", turned(25.0, -7.5)),
        (View::Figure, "yaw=270", turned(-90.0, 16.0)),
        (View::Figure, "fov=0", flat),
        (
            View::Figure,
            "fit=turn",
            figure.with_framing(Framing::Turning),
        ),
        (View::Figure, "light=none", figure.with_light(Light::None)),
        (View::Figure, "cape=false", figure.with_cape(false)),
        (View::Figure, "shadow=true", shadowed),
    ]);
}

#[test]
fn crops_outlines_and_directions_of_light_are_read() {
    let figure = of_size(View::Figure, 128);
    let white = Outline::new([255; 4]);
    let wide = white.with_width(32);
    let from = |yaw, pitch| Some([yaw, pitch].map(Angle::degrees));
    let lit = figure.with_light_from(from(-60.0, 12.5));
    let face = of_size(View::Face, 128);
    let body = of_size(View::IsometricBody, 128).with_light(Light::Soft);
    assert_read(&[
        (View::Figure, "crop=Head", figure.with_crop(Crop::Head)),
        (
            View::Figure,
            "crop=content",
            figure.with_crop(Crop::Content),
        ),
        (View::Figure, "outline=fff", figure.with_outline(white)),
        (
            View::Figure,
            "outline-width=32&outline=white",
            figure.with_outline(wide),
        ),
        (View::Face, "outline=white", face.with_outline(white)),
        (View::Face, "outline=transparent", face),
        (View::Face, "outline-width=3", face),
        (View::Figure, "light-from=-60, 12.5", lit),
        (
            View::IsometricBody,
            "light-from=270,-90&light=soft",
            body.with_light_from(from(-90.0, -90.0)),
        ),
    ]);
}

#[test]
fn poses_of_figures_are_read() {
    let figure = of_size(View::Figure, 128);
    let posed = |change: fn(&mut Pose)| {
        let mut pose = Pose::STAND;
        change(&mut pose);
        figure.with_pose(pose)
    };
    let nodding = posed(|pose| {
        pose.head = Rotation::degrees(1.0, -2.5, 180.0);
        pose.gaze = Angle::ZERO;
        pose.cape = Angle::degrees(40.0);
    });
    let leaning = posed(|pose| {
        pose.left_leg = Rotation::degrees(-40.0, 0.0, 0.0);
        pose.body = Rotation::degrees(15.0, 0.0, 0.0);
    });
    let bent = posed(|pose| {
        pose.waist = Rotation::degrees(20.0, -15.0, 5.0);
        pose.right_elbow = Angle::degrees(90.0);
        pose.left_knee = Angle::degrees(45.0);
    });
    let walking = figure.with_pose(NamedPose::Walk.at(0.3));
    assert_read(&[
        (View::Figure, "pose=Sit", figure.with_pose(NamedPose::Sit)),
        (View::Figure, "phase=0.3&pose=walk", walking),
        (View::Figure, "cape=40&head=1, -2.5,180", nodding),
        (View::Figure, "left-leg=-40,0,0&body=15,0,0", leaning),
        (
            View::Figure,
            "waist=20,-15,5&right-elbow=90&left-knee=45",
            bent,
        ),
    ]);
}

#[test]
fn limits_bound_sizes_and_paddings() {
    for (name, value, is_sound) in [
        ("padding", "65535", true),
        ("padding", "65536", false),
        ("size", "2147483647", true),
        ("size", "2147483648", false),
    ] {
        let parsed = find(name).unwrap().parse(value, &Limits::NONE);
        assert_eq!(parsed.is_ok(), is_sound, "{name}={value}");
    }
}

#[test]
fn parameters_of_other_views_are_not_parsed() {
    for view in View::ALL {
        for parameter in parameters() {
            if !parameter.accepts(*view) {
                let query = format!("{}=?", parameter.name);
                assert_eq!(spec(*view, &query), spec(*view, ""), "{query} {view}");
            }
        }
    }
}

#[test]
fn settings_apply_in_the_order_of_the_table() {
    let setting = |name: &str, text| find(name).unwrap().parse(text, &Limits::NONE).unwrap();
    let settings = [
        setting("right-arm", "1,2,3"),
        setting("pose", "walk"),
        setting("facing", "left"),
    ];
    let picture = PictureSettings::from_settings(View::Figure, &settings);
    let expected = spec(View::Figure, "pose=walk&right-arm=1,2,3");
    assert_eq!(Ok(picture.spec), expected);
}

#[test]
fn movements_and_columns_are_read() {
    let value = |name: &str| match name {
        "turn" => Some("no"),
        "animate" => Some(""),
        "columns" => Some("3"),
        _ => None,
    };
    let picture = PictureSettings::read(View::Figure, Limits::SERVICE, value).unwrap();
    assert_eq!(picture.turn, Some(false));
    assert_eq!(picture.animate, Some(true));
    assert_eq!(picture.columns, Some(3));
    assert_eq!(picture.sheet_columns(100), 3);
}

#[test]
fn moving_picture_moves_as_its_pose_does_or_turns() {
    let walk = Motion::of(NamedPose::Walk);
    let rows = [
        ("pose=walk", Some(walk)),
        ("pose=sit", Some(Motion::TURN)),
        ("pose=walk&phase=0.5", Some(walk.starting_at(0.5))),
        ("pose=walk&turn=true", Some(walk.turning())),
        ("pose=walk&animate=false", Some(Motion::TURN)),
        ("pose=walk&animate=false&turn=false", None),
        ("pose=sit&turn=false", None),
    ];
    for (query, expected) in rows {
        let motion = settings(View::Figure, query).unwrap().motion_by_default();
        assert_eq!(motion, expected, "{query}");
    }
}

#[test]
fn sheets_are_square_by_default() {
    let picture = PictureSettings::new(View::Face);
    for (players, columns) in [
        (1, 1),
        (2, 2),
        (4, 2),
        (5, 3),
        (9, 3),
        (10, 4),
        (99, 10),
        (100, 10),
    ] {
        assert_eq!(picture.sheet_columns(players), columns, "{players}");
    }
}

#[test]
fn synonyms_of_poses_are_read() {
    for (word, pose) in [
        ("walking", NamedPose::Walk),
        ("Running", NamedPose::Run),
        ("marching", NamedPose::March),
        ("crossed", NamedPose::ArmsCrossed),
        ("crossed-arms", NamedPose::ArmsCrossed),
        ("criss_cross", NamedPose::CrossLegged),
        ("criss-cross", NamedPose::CrossLegged),
        ("cheering", NamedPose::Cheer),
        ("pointing", NamedPose::Point),
        ("lunging", NamedPose::Lunge),
        ("relaxing", NamedPose::Recline),
        ("sleeping", NamedPose::Lie),
        ("dead", NamedPose::Faint),
        ("reading", NamedPose::Read),
        ("kicking", NamedPose::Kick),
        ("cowering", NamedPose::Cower),
        ("trudging", NamedPose::Trudge),
        ("crouching", NamedPose::Crouch),
        ("SNEAKING", NamedPose::Crouch),
        ("sitting", NamedPose::Sit),
        ("waving", NamedPose::Wave),
        ("dancing", NamedPose::Dance),
        ("thinking", NamedPose::Think),
        ("saluting", NamedPose::Salute),
    ] {
        let typed = spec(View::Figure, &format!("pose={word}"));
        assert_eq!(typed, spec(View::Figure, &format!("pose={pose}")), "{word}");
    }
    spec(View::Figure, "pose=walkin").unwrap_err();
}

#[test]
fn pose_moves_the_camera_unless_it_is_given() {
    let camera = |view, query: &str| spec(view, query).unwrap().camera;
    let angles = NamedPose::Lie.camera().angles().unwrap();
    let [own_yaw, own_pitch, fov] = angles.map(Angle::to_degrees);
    let rows = [
        ("pose=lie", [own_yaw, own_pitch, fov]),
        ("pose=lie&phase=0.4", [own_yaw, own_pitch, fov]),
        ("yaw=-30&pose=lie", [-30.0, own_pitch, fov]),
        ("pose=lie&pitch=5", [own_yaw, 5.0, fov]),
        ("pose=sleeping&yaw=25&pitch=16&fov=0", [25.0, 16.0, 0.0]),
        ("pose=walk", [25.0, 16.0, fov]),
    ];
    for view in [View::Figure, View::Portrait] {
        for (query, [yaw, pitch, lens]) in rows {
            let expected = Camera::perspective(yaw, pitch, lens);
            assert_eq!(camera(view, query), expected, "{view} {query}");
        }
    }
    // A head looks the same way in every pose.
    assert_eq!(camera(View::Cube, "pose=lie"), Camera::DEFAULT);
}
