//! Views from any side, under `/v1/`.

use crate::support::{Picture, Server, assert_picture, avatar};
use effigy_render::{
    Camera, Decoration, Facing, Light, Model, NamedPose, PictureSpec, Shape, Size, View,
};
use fixtures::{Fault, Step};

fn of_view(view: View) -> PictureSpec {
    let spec = PictureSpec::new(view, Size::new(128).unwrap());
    match view.is_isometric() {
        true => spec.with_light(Light::Soft),
        false => spec,
    }
    .with_filter(effigy_render::Filter::Area)
}

fn turned(spec: PictureSpec, yaw: f64, pitch: f64) -> PictureSpec {
    spec.with_camera(Camera::perspective(yaw, pitch, 30.0))
}

#[test]
fn a_figure_can_be_turned_posed_and_lit() {
    let server = Server::start();
    let figure = of_view(View::Figure);
    let small = PictureSpec::new(View::Figure, Size::new(48).unwrap());
    let walking = turned(small, -120.5, -15.0).with_pose(NamedPose::Walk);
    let cube = of_view(View::Cube).with_light(Light::Game);
    let waving = of_view(View::Portrait).with_pose(NamedPose::Wave);
    let mut upside_down = figure.with_model(Some(Model::Slim));
    upside_down.is_upside_down = Some(true);
    // The parsers' tests have the other parameters.
    let rows = [
        ("Figure/A.png?yaw=25&pitch=16.04", figure),
        ("figure/A?yaw=-120.5&pitch=-15&pose=walk&size=48", walking),
        ("figure/A?model=slim&upside-down=true", upside_down),
        (
            "portrait/A?pose=wave&light=none",
            waving.with_light(Light::None),
        ),
        ("cube/A?yaw=180&light=game", turned(cube, 180.0, 16.0)),
    ]
    .map(|(path, spec)| (path.replace("/A", "/Gwendolin"), spec));
    for (path, spec) in rows {
        let reply = server.get(&format!("/v1/{path}"));
        assert_picture(&reply, Picture::of_spec(spec), "knight");
    }
    // Angles are rounded to tenths, so nearly the same one is the same picture.
    let again = server.get("/v1/figure/Gwendolin?yaw=24.99");
    assert_eq!(again.header("x-cache"), Some("hit"));
}

#[test]
fn players_wear_their_capes() {
    let server = Server::start();
    let behind = turned(of_view(View::Figure), 160.0, 16.0);
    let behind_isometric = of_view(View::IsometricBody)
        .with_facing(Facing::BackLeft)
        .with_cape(true);
    let isometric = "avatar/Corvina?facing=back-left&cape=true";
    let rows = [
        ("figure/Corvina?yaw=160", behind),
        (isometric, behind_isometric),
    ];
    for (path, spec) in rows {
        let reply = server.get(&format!("/v1/{path}"));
        assert_picture(&reply, Picture::of_spec(spec).with_cape(), "wizard");
    }
    // Name, profile, skin and cape, once for all pictures.
    assert_eq!(server.upstream.total_calls(), 4);
    let bare = server.get("/v1/figure/Corvina?yaw=160&cape=false");
    assert_picture(&bare, Picture::of_spec(behind), "wizard");
    assert_eq!(server.upstream.total_calls(), 4);
    // The specified pictures show none, and take no call for it.
    let other = Server::start();
    let reply = other.get("/avatar/Corvina/right/64");
    assert_picture(&reply, avatar(Facing::Right, 64), "wizard");
    assert_eq!(other.upstream.total_calls(), 3);
}

#[test]
fn a_picture_without_its_cape_is_not_cached() {
    let server = Server::start_forgetful();
    assert_eq!(server.get("/v1/head/Corvina").status, 200);
    let figure = Picture::of_spec(of_view(View::Figure));
    let fault = Some(Fault::status(500));
    server.upstream.set_fault(Step::Texture, fault);
    for _ in 0..2 {
        let reply = server.get("/v1/figure/Corvina");
        assert_picture(&reply, figure, "wizard");
        assert_eq!(reply.header("cache-control"), Some("no-cache"));
        assert_eq!(reply.header("x-cache"), Some("miss"));
    }
    server.upstream.set_fault(Step::Texture, None);
    let reply = server.get("/v1/figure/Corvina");
    assert_picture(&reply, figure.with_cape(), "wizard");
}

#[test]
fn every_view_can_have_a_background_and_a_shape() {
    let server = Server::start();
    let dark = Decoration {
        background: Some([0x20, 0x22, 0x25, 0xff]),
        padding: 16,
        shape: Shape::Circle,
        has_shadow: false,
    };
    let query = "background=202225&padding=16&shape=circle";
    for &view in View::ALL {
        let spec = of_view(view).with_decoration(dark);
        let reply = server.get(&format!("/v1/{view}/Gwendolin?{query}"));
        assert_picture(&reply, Picture::of_spec(spec), "knight");
    }
    let path = format!("/v1/preview/head?{query}");
    let reply = server.post(&path, fixtures::skin("fox").png);
    let head = of_view(View::Face).with_decoration(dark);
    assert_picture(&reply, Picture::of_spec(head), "fox");
}
