//! Tests of the parameters of pictures.

use effigy_render::{Decoration, Facing, Framing, Model, Rotation, Shape};

use super::*;

const LIMITS: Limits = Limits {
    size: 2048,
    padding: 256,
};

fn spec(view: View, query: &str) -> Result<PictureSpec, ParameterError> {
    let pairs = query
        .split('&')
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let value = |name: &str| pairs.clone().find(|pair| pair.0 == name);
    let value = |name: &str| value(name).map(|pair| pair.1);
    Ok(PictureParameters::read(view, LIMITS, value)?.spec)
}

fn of_size(view: View, pixels: u32) -> PictureSpec {
    let spec = PictureSpec::new(view, Size::new(pixels).unwrap());
    match view.is_flat() {
        true => spec,
        false => spec.with_filter(Filter::Area),
    }
}

#[test]
fn missing_parameters_have_defaults() {
    let body = of_size(View::IsometricBody, 128).with_light(Light::Soft);
    let bust = of_size(View::Bust, 128);
    let figure = of_size(View::Figure, 128);
    let turned = |yaw, pitch| figure.with_camera(Camera::perspective(yaw, pitch, 30.0));
    let posed = |change: fn(&mut Pose)| {
        let mut pose = Pose::STAND;
        change(&mut pose);
        figure.with_pose(pose)
    };
    let cut = bust.with_decoration(Decoration {
        background: Some([0x20, 0x22, 0x25, 0xff]),
        padding: 256,
        shape: Shape::Circle,
        ..Decoration::NONE
    });
    let shadowed = figure.with_decoration(Decoration {
        has_shadow: true,
        ..Decoration::NONE
    });
    let rows = [
        (bust, "", bust),
        (bust, "size=2048", of_size(View::Bust, 2048)),
        (bust, "overlay", bust),
        (bust, "overlay=false", bust.with_layers(Layers::Base)),
        (bust, "model=slim", bust.with_model(Some(Model::Slim))),
        (body, "facing=back-left", body.with_facing(Facing::BackLeft)),
        (body, "light=none", body.with_light(Light::None)),
        (body, "cape=true", body.with_cape(true)),
        (figure, "", figure),
        (figure, "yaw=-30", turned(-30.0, 16.0)),
        (figure, "pitch=-7.5", turned(25.0, -7.5)),
        (figure, "yaw=270", turned(-90.0, 16.0)),
        (
            figure,
            "fov=0",
            figure.with_camera(Camera::orthographic(25.0, 16.0)),
        ),
        (
            figure,
            "phase=0.3&pose=walk",
            figure.with_pose(NamedPose::Walk.at(0.3)),
        ),
        (
            figure,
            "cape=40&head=1, -2.5,180",
            posed(|pose| {
                pose.head = Rotation::degrees(1.0, -2.5, 180.0);
                pose.gaze = Angle::ZERO;
                pose.cape = Angle::degrees(40.0);
            }),
        ),
        (
            figure,
            "left-leg=-40,0,0&body=15,0,0",
            posed(|pose| {
                pose.left_leg = Rotation::degrees(-40.0, 0.0, 0.0);
                pose.body = Rotation::degrees(15.0, 0.0, 0.0);
            }),
        ),
        (figure, "pose=Sit", figure.with_pose(NamedPose::Sit)),
        (figure, "fit=turn", figure.with_framing(Framing::Turning)),
        (figure, "light=none", figure.with_light(Light::None)),
        (figure, "cape=false", figure.with_cape(false)),
        (bust, "background=transparent&padding=0", bust),
        (bust, "background=202225&padding=256&shape=circle", cut),
        (figure, "shadow=true", shadowed),
    ];
    for (view, query, expected) in rows {
        assert_eq!(spec(view.view, query), Ok(expected), "{query}");
    }
}

#[test]
fn invalid_parameters_are_errors() {
    let rows = [
        (
            "size=0 size=2049",
            "size must be a whole number from 1 to 2048",
        ),
        (
            "yaw=360.1 yaw=left",
            "yaw must be a number from -360 to 360",
        ),
        ("pitch=-90.1", "pitch must be a number from -90 to 90"),
        (
            "pose=dance",
            "pose must be \"stand\", \"idle\", \"straight\", \"walk\", \"run\", \"wave\", \"sit\", \"crouch\", \
             \"point\" or \"cheer\"",
        ),
        (
            "light=bright",
            "light must be \"none\", \"soft\" or \"game\"",
        ),
        (
            "cape=maybe cape=181",
            "cape must be \"true\", \"false\" or degrees from 0 to 180",
        ),
        ("fov=-1 fov=90.1", "fov must be a number from 0 to 90"),
        ("phase=1.01", "phase must be a number from 0 to 1"),
        (
            "right-arm=1,2",
            "right-arm must be three numbers from -180 to 180 with commas between them",
        ),
        (
            "background=crimson",
            "background must be \"rgb\", \"rrggbb\" or \"rrggbbaa\" in hexadecimal digits, or a basic name such as \
             \"white\"",
        ),
        (
            "padding=257 padding=-1",
            "padding must be a whole number from 0 to 256",
        ),
        (
            "shape=round",
            "shape must be \"square\", \"rounded\" or \"circle\"",
        ),
        ("model=alex", "model must be \"classic\" or \"slim\""),
        ("shadow=2", "shadow must be \"true\" or \"false\""),
    ];
    for (queries, reason) in rows {
        for query in queries.split(' ') {
            let error = spec(View::Figure, query).unwrap_err();
            assert_eq!(error.to_string(), reason, "{query}");
        }
    }
    let error = spec(View::IsometricHead, "facing=front").unwrap_err();
    let reason = "facing must be \"left\", \"right\", \"back-left\" or \"back-right\"";
    assert_eq!(error.to_string(), reason);
    for (name, value, is_sound) in [
        ("padding", "65535", true),
        ("padding", "65536", false),
        ("size", "2147483647", true),
        ("size", "2147483648", false),
        ("facing", "back-left", true),
        ("facing", "up", false),
    ] {
        assert_eq!(check(name, value).is_ok(), is_sound, "{name}={value}");
    }
}

#[test]
fn what_a_view_lacks_is_not_read() {
    for view in View::ALL {
        let lacking = PARAMETERS
            .into_iter()
            .filter(|name| !applies_to(name, *view));
        for name in lacking {
            let query = format!("{name}=?");
            assert_eq!(spec(*view, &query), spec(*view, ""), "{query} {view}");
        }
    }
}
