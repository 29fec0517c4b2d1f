//! The routes beyond the specification, under `/v1/`.

use std::time::Duration;

use crate::support::{
    Picture, SKIN, Server, area, assert_error, assert_picture, avatar, bust, combo, head, ioshead,
    picture_of, svg, without_overlay,
};
use effigy_render::{
    Camera, Cape, Decoration, Facing, Layers, Light, Model, NamedPose, PictureSpec, Shape, Size,
    View,
};
use fixtures::{Fault, Step, player};
use serde_json::{Value, json};

const MOJANG: &str = "Mojang is not answering; try again later";
const GEYSER: &str = "GeyserMC is not answering; try again later";

/// The hash of a player's texture.
fn hash_of(server: &Server, input: &str) -> String {
    let profile = server.get(&format!("/v1/profile/{input}")).json();
    let url = profile["texture_url"].as_str().unwrap().to_owned();
    url.rsplit('/').next().unwrap().to_owned()
}

fn of_view(view: View, pixels: u32) -> PictureSpec {
    PictureSpec::new(view, Size::px(pixels))
}

fn turned(spec: PictureSpec, yaw: f64, pitch: f64) -> PictureSpec {
    spec.with_camera(Camera::perspective(yaw, pitch, 30.0))
}

/// The parsers' tests have the other parameters.
#[test]
fn every_view_from_every_side() {
    let server = Server::start();
    let (base, worn) = (Layers::Base, Layers::WithOverlay);
    let figure = Picture::of_spec;
    let walking = turned(of_view(View::Figure, 48), -120.5, -15.0).with_pose(NamedPose::Walk);
    let mut upside_down = of_view(View::Figure, 128).with_model(Some(Model::Slim));
    upside_down.is_upside_down = Some(true);
    let cube = turned(of_view(View::Cube, 128), 180.0, 16.0);
    #[rustfmt::skip]
    let rows = [
        ("head/%20Gwendolin%20?overlay=0&size=+32", area(head(base, 32))),
        ("Combo/gwendolin.png?size=64&overlay=false", area(combo(base, 64))),
        ("ioshead/523239d6-f395-4d77-8c25-aa3d0db1e779?facing=back-right", area(ioshead(Facing::BackRight, 128))),
        ("avatar/Gwendolin?facing=left&overlay=false&size=100", area(without_overlay(avatar(Facing::Left, 100)))),
        ("figure/Gwendolin?yaw=-120.5&pitch=-15&pose=walk&size=48", figure(walking)),
        ("figure/Gwendolin?model=slim&upside-down=true", figure(upside_down)),
        ("bust/Gwendolin?size=64", area(bust(worn, 64))),
        ("cube/Gwendolin?yaw=180&light=game", figure(cube.with_light(Light::Game))),
    ];
    for (path, picture) in rows {
        let path = format!("/v1/{path}");
        let first = server.get(&path);
        assert_picture(&first, picture, "knight");
        assert_eq!(first.header("x-cache"), Some("miss"), "{path}");
        let again = server.get(&path);
        assert_eq!(again.header("x-cache"), Some("hit"), "{path}");
        assert_eq!(again.body, first.body, "{path}");
    }
    // Angles are rounded to tenths, so nearly the same one is the same picture.
    let again = server.get("/v1/figure/Gwendolin?yaw=-120.52&pitch=-15&pose=walk&size=48");
    assert_eq!(again.header("x-cache"), Some("hit"));
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
    let query = "size=64&background=202225&padding=16&shape=circle";
    for &view in View::ALL {
        let picture = Picture::of_spec(of_view(view, 64).with_decoration(dark));
        let reply = server.get(&format!("/v1/{view}/Gwendolin?{query}"));
        assert_picture(&reply, area(picture), "knight");
    }
}

#[test]
fn every_view_may_be_scalable() {
    let server = Server::start();
    let hash = hash_of(&server, "Gwendolin");
    let worn = Layers::WithOverlay;
    let figure = of_view(View::Figure, 64);
    for (view, picture) in [
        ("combo", combo(worn, 64)),
        ("ioshead", area(ioshead(Facing::Right, 64))),
        ("figure", Picture::of_spec(figure)),
    ] {
        let expected = svg(picture).of(fixtures::skin("knight"));
        for path in [
            format!("/v1/{view}/Gwendolin.svg?size=64"),
            format!("/v1/texture/{hash}/{view}.svg?size=64"),
        ] {
            let reply = server.get(&path);
            assert_eq!(reply.status, 200, "{path}");
            assert_eq!(reply.header("content-type"), Some("image/svg+xml"));
            assert_eq!(reply.body, expected, "{path}");
        }
    }
}

#[test]
fn a_picture_may_be_of_a_texture() {
    let server = Server::start();
    let hash = hash_of(&server, "Gwendolin");
    let chest = bust(Layers::WithOverlay, 64);
    let path = format!("/v1/texture/{hash}/bust?size=64");
    assert_picture(&server.get(&path), chest, "knight");
    let upper = format!("/v1/texture/{}/bust?size=64", hash.to_uppercase());
    let again = server.get(&upper);
    assert_eq!(again.header("x-cache"), Some("hit"));
    // Only the arms of the other model differ.
    let slim = server.get(&format!("{path}&model=slim"));
    assert_ne!(picture_of(&slim), picture_of(&again));
    assert_picture(
        &server.get(&format!("/v1/texture/{hash}.png")),
        SKIN,
        "knight",
    );
    let counts = server.get("/allstats").json();
    assert_eq!(counts["count"], 0, "a texture is nobody's");

    let nowhere = format!("/v1/texture/{}", "ab".repeat(32));
    assert_error(&server.get(&nowhere), 404, "No such texture");
    assert_error(
        &server.get(&format!("{nowhere}/head")),
        404,
        "No such texture",
    );
}

#[test]
fn profiles() {
    let server = Server::start();
    let profile = |input: &str| {
        let reply = server.get(&format!("/v1/profile/{input}"));
        assert_eq!(reply.status, 200, "{input}");
        assert_eq!(reply.header("content-type"), Some("application/json"));
        let kept = reply.header("cache-control").unwrap();
        assert!(kept.starts_with("public, max-age="), "{kept}");
        let mut profile = reply.json();
        if let Some(url) = profile["texture_url"].as_str() {
            assert!(url.starts_with(server.upstream.url()), "{url}");
            profile["texture_url"] = json!("its own");
        }
        profile
    };
    let java = |name: &str, model: &str| {
        json!({
            "edition": "java", "name": name, "uuid": player(name).uuid(), "xuid": null,
            "model": model, "texture_url": "its own", "default_skin": false, "cape_url": null,
            "provider": "mojang",
        })
    };
    let mut default = java("Newcomer", "slim");
    default["default_skin"] = json!(true);
    let mut bluejay = json!({
        "edition": "bedrock", "name": "Bluejay", "uuid": null, "xuid": "2535468413142004",
        "model": "classic", "texture_url": "its own", "default_skin": false, "cape_url": null,
        "provider": "geyser",
    });
    assert_eq!(profile(".Bluejay"), bluejay);
    bluejay["name"] = Value::Null;
    let rows = [
        ("gwendolin", java("Gwendolin", "classic")),
        ("Reynard.png", java("Reynard", "slim")),
        ("Newcomer", default),
        ("00002535468413142004", bluejay.clone()),
        ("00000000-0000-0000-0009-01febe1ac3f4", bluejay),
    ];
    for (input, expected) in rows {
        assert_eq!(profile(input), expected, "{input}");
    }
    let bare = profile(".NoPocketSkin");
    assert_eq!(
        (&bare["texture_url"], &bare["model"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(bare["default_skin"], true);
    assert_eq!(server.get("/allstats").json()["count"], 0);
}

#[test]
fn capes() {
    let server = Server::start();
    for input in ["Corvina", "CapeBearer.png"] {
        let reply = server.get(&format!("/v1/cape/{input}"));
        assert_eq!(
            (reply.status, reply.body.as_slice()),
            (200, fixtures::cape())
        );
        assert_eq!(reply.header("content-type"), Some("image/png"));
        let front = server.get(&format!("/v1/cape/{input}?size=40"));
        let cape = Cape::decode(fixtures::cape()).unwrap();
        let picture = cape.front(Size::px(40)).unwrap();
        assert_eq!((picture.width(), picture.height()), (40, 64));
        assert!(front.body == picture.encode_png().unwrap());
    }
    let behind = turned(of_view(View::Figure, 128), 160.0, 16.0);
    let worn = server.get("/v1/figure/Corvina?yaw=160");
    assert_picture(&worn, Picture::of_spec(behind).with_cape(), "wizard");
    assert_eq!(server.get("/v1/cape/Corvina?size=0").status, 400);
    let none = "The player has no cape";
    let nobody =
        "No Java player is named Nobody. For a Bedrock player, put a dot in front: .Nobody";
    for (input, message) in [("Gwendolin", none), (".Bluejay", none), ("Nobody", nobody)] {
        let reply = server.get(&format!("/v1/cape/{input}"));
        assert_error(&reply, 404, message);
    }
}

#[test]
fn unknown_players_are_not_found() {
    let server = Server::start();
    // It shows Steve's, and another route must not find that in the cache.
    assert_eq!(server.get("/skin/.Nobody").status, 200);
    let by_name =
        "No Java player is named Nobody. For a Bedrock player, put a dot in front: .Nobody";
    let by_uuid = "No Java player has the UUID 10000000-1111-2222-3333-444455556666.";
    for view in ["head", "avatar", "skin", "profile"] {
        for (input, message) in [
            ("Nobody", by_name),
            ("10000000111122223333444455556666", by_uuid),
        ] {
            let reply = server.get(&format!("/v1/{view}/{input}"));
            assert_error(&reply, 404, message);
        }
    }
    let no_skin = "No skin of the player is known.";
    assert_error(&server.get("/v1/head/.NoPocketSkin"), 404, no_skin);
    // No fallback is looked up for a picture that may not show it, so an outage of Mojang makes no difference.
    let identity_calls = server.upstream.calls(Step::Identity);
    for status in [None, Some(500)] {
        server
            .upstream
            .set_fault(Step::Identity, status.map(Fault::status));
        let by_gamertag = "No Bedrock player has the gamertag Nobody.";
        for path in ["/v1/head/.Nobody", "/v1/profile/.Nobody"] {
            assert_error(&server.get(path), 404, by_gamertag);
        }
    }
    assert_eq!(server.upstream.calls(Step::Identity), identity_calls);
}

#[test]
fn a_player_that_is_too_long_is_refused_before_any_look_up() {
    let server = Server::start();
    let long = format!("/v1/profile/{}", "x".repeat(257));
    let message = "A player may be at most 256 bytes long; this one has 257.";
    assert_error(&server.get(&long), 400, message);
    assert_eq!(server.upstream.total_calls(), 0);
}

#[test]
fn an_outage_is_said_to_be_one_and_heals() {
    let server = Server::start_with(|settings| {
        settings.service.player_ttl = Duration::ZERO;
        settings.upstream.missing_player_ttl = Duration::ZERO;
    });
    let hash = hash_of(&server, "Gwendolin");
    let by_hash = format!("/v1/texture/{hash}/head");
    let rows = [
        (Step::Identity, "/v1/head/Gwendolin", MOJANG),
        (Step::Session, "/v1/avatar/Gwendolin", MOJANG),
        (Step::Texture, "/v1/bust/Gwendolin", MOJANG),
        (Step::Texture, by_hash.as_str(), MOJANG),
        (Step::Texture, "/v1/cape/Corvina", MOJANG),
        (Step::Identity, "/minotar/avatar/Gwendolin", MOJANG),
        (Step::Identity, "/mc-heads/body/Gwendolin", MOJANG),
        (Step::Identity, "/v1/profile/Hazel", MOJANG),
        // The specified paths show Steve here.
        (Step::Xuid, "/v1/head/.Bluejay", GEYSER),
        (Step::BedrockSkin, "/v1/profile/.Bluejay", GEYSER),
    ];
    for (step, path, message) in rows {
        server.upstream.set_fault(step, Some(Fault::status(500)));
        assert_error(&server.get(path), 502, message);
        server.upstream.set_fault(step, None);
        assert_eq!(server.get(path).status, 200, "{path}");
    }
}
