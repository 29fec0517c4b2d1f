//! Tests of the parameters of pictures.

use effigy_render::{
    Angle, Camera, Decoration, Facing, Filter, Framing, Layers, Light, Model, NamedPose,
    PictureSpec, Pose, Rotation, Shape,
};

use super::*;
use crate::routes::{
    request::Operation,
    tests::{parse, rejected},
};

fn spec(view: View, query: &str) -> Result<PictureSpec, Rejection> {
    Ok(picture(view, &Query::parse(Some(query))?)?.spec)
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
    let on = |color| {
        bust.with_decoration(Decoration {
            background: Some(color),
            ..Decoration::NONE
        })
    };
    let cut = bust.with_decoration(Decoration {
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
        (bust, "size=064&size=0", of_size(View::Bust, 64)),
        (bust, "overlay", bust),
        (bust, "overlay=&size=128", bust),
        (bust, "overlay=false", bust.with_layers(Layers::Base)),
        (bust, "overlay=+FALSE+", bust.with_layers(Layers::Base)),
        (bust, "size=+64%09", of_size(View::Bust, 64)),
        (bust, "shape=+square", bust),
        (bust, "model=slim", bust.with_model(Some(Model::Slim))),
        (body, "facing=left", body.with_facing(Facing::Left)),
        (body, "facing=back-left", body.with_facing(Facing::BackLeft)),
        (body, "light=none", body.with_light(Light::None)),
        (body, "cape=true", body.with_cape(true)),
        (figure, "", figure),
        (figure, "yaw=-30", turned(-30.0, 16.0)),
        (figure, "pitch=-7.5", turned(25.0, -7.5)),
        (figure, "yaw=0.04&pitch=-0", turned(0.0, 0.0)),
        (
            figure,
            "fov=0",
            figure.with_camera(Camera::orthographic(25.0, 16.0)),
        ),
        (
            figure,
            "pose=walk&phase=0.3",
            figure.with_pose(NamedPose::Walk.at(0.3)),
        ),
        (
            figure,
            "head=1,+-2.5,180&cape=40",
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
        (figure, "pose=sit", figure.with_pose(NamedPose::Sit)),
        (figure, "fit=turn", figure.with_framing(Framing::Turning)),
        (figure, "light=none", figure.with_light(Light::None)),
        (figure, "cape=false", figure.with_cape(false)),
        (bust, "background=202225", on([0x20, 0x22, 0x25, 0xff])),
        (bust, "background=FFaa0080", on([0xff, 0xaa, 0x00, 0x80])),
        (bust, "padding=0", bust),
        (bust, "padding=256&shape=circle", cut),
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
            "size=0 size=2049 size=99999999999 size=-1 size=%2B1 size=1.5 size=",
            "Size must be a whole number from 1 to 2048",
        ),
        (
            "yaw=360.1 yaw=left yaw= yaw=NaN yaw=inf",
            "Yaw must be a number from -360 to 360",
        ),
        ("pitch=-90.1", "Pitch must be a number from -90 to 90"),
        (
            "pose=dance",
            "Pose must be \"stand\", \"idle\", \"straight\", \"walk\", \"run\", \"wave\", \"sit\", \"crouch\", \
             \"point\" or \"cheer\"",
        ),
        (
            "light=bright",
            "Light must be \"none\", \"soft\" or \"game\"",
        ),
        (
            "cape=maybe cape=181",
            "Cape must be \"true\", \"false\" or degrees from 0 to 180",
        ),
        ("fov=-1 fov=90.1", "Fov must be a number from 0 to 90"),
        ("phase=1.01", "Phase must be a number from 0 to 1"),
        (
            "right-arm=1,2 right-arm=1,2,3,4 right-arm=0,0,181 right-arm=NaN,0,0",
            "Right-arm must be three numbers from -180 to 180 with commas between them",
        ),
        (
            "background=crimson background=2022 background=+20222 background=",
            "Background must be \"rgb\", \"rrggbb\" or \"rrggbbaa\" in hexadecimal digits, or a basic name such as \
             \"white\"",
        ),
        (
            "padding=257 padding=-1",
            "Padding must be a whole number from 0 to 256",
        ),
        (
            "shape=round",
            "Shape must be \"square\", \"rounded\" or \"circle\"",
        ),
        ("shadow=2", "Shadow must be \"true\" or \"false\""),
    ];
    for (queries, reason) in rows {
        for query in queries.split(' ') {
            let refused = spec(View::Figure, query);
            assert_eq!(refused, Err(Rejection::bad_request(reason)), "{query}");
        }
    }
    for query in ["facing=front", "facing="] {
        let reason = "Facing must be \"left\", \"right\", \"back-left\" or \"back-right\"";
        let refused = spec(View::IsometricHead, query);
        assert_eq!(refused, Err(Rejection::bad_request(reason)), "{query}");
    }
    // The document says to which views each parameter applies, and is tested.
    let reason = "Light applies only to isohead, isobody, figure, portrait and cube";
    let refused = spec(View::Face, "light=none");
    assert_eq!(refused, Err(Rejection::bad_request(reason)));
}

#[test]
fn other_forms_of_a_value_are_understood() {
    let rows = [
        ("yaw=270", "yaw=-90"),
        ("yaw=-190.5", "yaw=169.5"),
        ("background=fff", "background=ffffff"),
        ("background=%23a1B2c3", "background=A1b2C3"),
        ("background=White", "background=ffffff"),
        ("background=transparent", ""),
        ("overlay=no", "overlay=false"),
        ("overlay=Off", "overlay=false"),
        ("overlay=yes", "overlay=true"),
        ("cape=on", "cape=true"),
        ("pose=Walk", "pose=walk"),
        ("light=+GAME+", "light=game"),
    ];
    for (query, same) in rows {
        assert_eq!(
            spec(View::Figure, query),
            spec(View::Figure, same),
            "{query}"
        );
    }
}

#[test]
fn a_query_names_the_default() {
    let rows = [
        ("?", None),
        ("?default=404", None),
        ("?default=steve", Some(STEVE)),
        ("?default=+Steve+", Some(STEVE)),
        ("?default=ALEX", Some(ALEX)),
        ("?default=Notch", Some("Notch")),
        ("?default=.Two+Words", Some(".Two Words")),
    ];
    for (query, expected) in rows {
        for path in ["/v1/head/a", "/v1/figure/a.svg", "/v1/skin/a"] {
            let url = format!("{path}{query}");
            let Ok(Operation::File(request)) = parse(&url).operation else {
                panic!("{url} is no picture");
            };
            let expected = expected.map(|player| Substitute {
                player: player.into(),
                otherwise: None,
                in_outage: true,
            });
            assert_eq!(request.substitute.as_ref(), expected.as_ref(), "{url}");
        }
    }
}

#[test]
fn a_default_must_name_somebody() {
    let bad_default = "Default must be a player, \"steve\", \"alex\" or \"404\"";
    let long = format!("/v1/head/a?default={}", "x".repeat(257));
    for url in ["/v1/head/a?default=", "/v1/skin/a?default=+", &long] {
        assert_eq!(rejected(url), Rejection::bad_request(bad_default), "{url}");
    }
}
