//! The routes beyond the specification, under `/v1/`.

use std::time::Duration;

use crate::support::{
    MOJANG_IS_DOWN, NOBODY, Picture, Server, as_under_v1, assert_error, assert_picture, avatar,
    bust, combo, head, ioshead, of_view, picture_of, svg,
};
use effigy_render::{
    Camera, Cape, Decoration, Facing, Layers, Light, Model, NamedPose, PictureSpec, Player, Shape,
    Size, Skin, View,
};
use fixtures::{Step, player};
use serde_json::{Value, json};

fn turned(spec: PictureSpec, yaw: f64, pitch: f64) -> PictureSpec {
    spec.with_camera(Camera::perspective(yaw, pitch, 30.0))
}

/// The parsers' tests have the other parameters.
#[test]
fn every_view_from_every_side() {
    let server = Server::start();
    let (base, worn) = (Layers::Base, Layers::WithOverlay);
    let walking = turned(of_view(View::Figure, 48), -120.5, -15.0).with_pose(NamedPose::Walk);
    let mut upside_down = of_view(View::Figure, 128).with_model(Some(Model::Slim));
    upside_down.upside_down = Some(true);
    let cube = turned(of_view(View::Cube, 128), 180.0, 16.0);
    #[rustfmt::skip]
    let rows = [
        ("head/%20Gwendolin%20?overlay=0&size=+32", as_under_v1(head(base, 32))),
        ("Combo/gwendolin.png?size=64&overlay=false", as_under_v1(combo(base, 64))),
        ("ioshead/523239d6-f395-4d77-8c25-aa3d0db1e779?facing=back-right", as_under_v1(ioshead(Facing::BackRight, 128))),
        ("avatar/Gwendolin?facing=left&overlay=false&size=100", as_under_v1(avatar(Facing::Left, 100)).with_layers(base)),
        ("figure/Gwendolin?yaw=-120.5&pitch=-15&pose=walk&size=48", walking),
        ("figure/Gwendolin?model=slim&upside-down=true", upside_down),
        ("bust/Gwendolin?size=64", as_under_v1(bust(worn, 64))),
        ("cube/Gwendolin?yaw=180&light=game", cube.with_light(Light::Game)),
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
    let dark = Decoration::NONE
        .with_background([0x20, 0x22, 0x25, 0xff])
        .with_padding(16)
        .with_shape(Shape::Circle)
        .with_shadow(false);
    let query = "size=64&background=202225&padding=16&shape=circle";
    for &view in View::ALL {
        let picture = of_view(view, 64).with_decoration(dark);
        let reply = server.get(&format!("/v1/{view}/Gwendolin?{query}"));
        assert_picture(&reply, as_under_v1(picture), "knight");
    }
}

#[test]
fn every_view_may_be_scalable_and_of_a_texture() {
    let server = Server::start();
    let hash = server.hash_of("Gwendolin");
    let worn = Layers::WithOverlay;
    for (view, picture) in [
        ("combo", combo(worn, 64)),
        ("ioshead", as_under_v1(ioshead(Facing::Right, 64))),
        ("figure", of_view(View::Figure, 64)),
    ] {
        let expected = svg(picture).of(fixtures::skin("knight"));
        for path in [
            format!("/v1/{view}/Gwendolin.svg?size=64"),
            format!("/v1/texture/{hash}/{view}.svg?size=64"),
        ] {
            let reply = server.ok(&path);
            assert_eq!(reply.header("content-type"), Some("image/svg+xml"));
            assert_eq!(reply.body, expected, "{path}");
        }
    }
    let texture = format!("/v1/texture/{hash}");
    let chest = server.get(&format!("{texture}/bust?size=64"));
    assert_picture(&chest, bust(worn, 64), "knight");
    // Only the arms of the other model differ.
    let slim = server.get(&format!("{texture}/bust?size=64&model=slim"));
    assert_ne!(picture_of(&slim), picture_of(&chest));
    for path in ["/v1/texture", "/mc-heads/download"] {
        let file = server.get(&format!("{path}/{hash}.png"));
        assert_picture(&file, Picture::Skin, "knight");
    }

    let nowhere = "ab".repeat(32);
    for path in ["/v1/texture/", "/mc-heads/avatar/"] {
        let path = format!("{path}{nowhere}");
        assert_error(&server.get(&path), 404, "No such texture");
    }
}

#[test]
fn profiles() {
    let server = Server::start();
    let check = |input: &str, expected: &Value| {
        let reply = server.ok(&format!("/v1/profile/{input}"));
        assert_eq!(reply.header("content-type"), Some("application/json"));
        let mut profile = reply.json();
        if let Some(url) = profile["texture_url"].as_str() {
            assert!(url.starts_with(server.upstream.url()), "{url}");
            profile["texture_url"] = json!("its own");
        }
        let checked_at = profile["checked_at"].take();
        assert!(checked_at.as_str().unwrap().ends_with('Z'), "{checked_at}");
        assert_eq!(profile, *expected, "{input}");
    };
    let java = |name: &str, model: &str, is_default: bool| {
        json!({
            "edition": "java", "name": name, "uuid": player(name).uuid(), "xuid": null,
            "model": model, "texture_url": "its own", "default_skin": is_default, "cape_url": null,
            "legacy": false, "profile_actions": [], "provider": "mojang", "checked_at": null,
        })
    };
    check("gwendolin", &java("Gwendolin", "classic", false));
    check("Reynard.png", &java("Reynard", "slim", false));
    check("Newcomer", &java("Newcomer", "slim", true));
    let mut bedrock = json!({
        "edition": "bedrock", "name": "Bluejay", "uuid": null, "xuid": "2535468413142004",
        "model": "classic", "texture_url": "its own", "default_skin": false, "cape_url": null,
        "legacy": false, "profile_actions": [], "provider": "geyser", "checked_at": null,
    });
    let xuid = "00002535468413142004";
    bedrock["name"] = Value::Null;
    check(xuid, &bedrock);
    check("00000000-0000-0000-0009-01febe1ac3f4", &bedrock);
    // The record knows the gamertag from now on.
    bedrock["name"] = json!("Bluejay");
    check(".Bluejay", &bedrock);
    check(xuid, &bedrock);
    let bare = server.ok("/v1/profile/.NoPocketSkin").json();
    let found = ["texture_url", "model", "default_skin"].map(|name| &bare[name]);
    assert_eq!(found, [&Value::Null, &Value::Null, &json!(true)]);
}

#[test]
fn capes() {
    let server = Server::start();
    let cape = Cape::decode(fixtures::cape()).unwrap();
    for input in ["Corvina", "CapeBearer.png"] {
        let reply = server.ok(&format!("/v1/cape/{input}"));
        assert_eq!(reply.body, fixtures::cape(), "{input}");
        assert_eq!(reply.header("content-type"), Some("image/png"));
        let front = server.get(&format!("/v1/cape/{input}?size=40"));
        let picture = cape.front(Size::px(40)).unwrap();
        assert!(front.body == picture.encode_png().unwrap());
    }
    let behind = turned(of_view(View::Figure, 128), 160.0, 16.0);
    let wizard = Skin::decode(fixtures::skin("wizard").png, Model::Classic).unwrap();
    let picture = behind.picture(Player::new(&wizard).with_cape(&cape));
    let worn = server.get("/v1/figure/Corvina?yaw=160");
    assert!(worn.body == picture.unwrap().encode_png().unwrap());
    assert_eq!(server.get("/v1/cape/Corvina?size=0").status, 400);
    let none = "The player has no cape";
    for (input, message) in [("Gwendolin", none), (".Bluejay", none), ("Nobody", NOBODY)] {
        let reply = server.get(&format!("/v1/cape/{input}"));
        assert_error(&reply, 404, message);
    }
}

#[test]
fn a_cape_that_cannot_be_drawn_is_named_with_its_size() {
    let server = Server::start();
    server.upstream.replace_cape("knight");
    let message = "The cape of this player is 64 x 64 pixels, which can't be drawn";
    assert_error(&server.get("/v1/cape/Corvina?size=40"), 404, message);
    // A figure is drawn without it.
    server.ok("/v1/figure/Corvina?yaw=160");
}

#[test]
fn unknown_players_are_not_found() {
    let server = Server::start();
    // It shows Steve's, and another route must not find that in the cache.
    server.ok("/skin/.Nobody");
    let nobody = "10000000111122223333444455556666";
    let by_uuid = "No Java player has the UUID 10000000-1111-2222-3333-444455556666.";
    for view in ["head", "avatar", "skin", "profile"] {
        for (input, message) in [("Nobody", NOBODY), (nobody, by_uuid)] {
            let reply = server.get(&format!("/v1/{view}/{input}"));
            assert_error(&reply, 404, message);
        }
    }
    let no_skin = "No skin of the player is known.";
    assert_error(&server.get("/v1/head/.NoPocketSkin"), 404, no_skin);
    let long = format!("/v1/profile/{}", "x".repeat(257));
    let message = "A player may be at most 256 bytes long; this one has 257.";
    assert_error(&server.get(&long), 400, message);
    // No fallback is looked up for a picture that may not show it, so an outage of Mojang makes no difference.
    server.fail(Step::Identity);
    let identity_calls = server.upstream.calls(Step::Identity);
    let by_gamertag = "No Bedrock player has the gamertag Nobody.";
    for path in ["/v1/head/.Nobody", "/v1/profile/.Nobody"] {
        assert_error(&server.get(path), 404, by_gamertag);
    }
    assert_eq!(server.upstream.calls(Step::Identity), identity_calls);
}

#[test]
fn an_outage_is_said_of_a_player_never_seen_and_heals() {
    let names =
        "/v1/head/Gwendolin /minotar/avatar/Gwendolin /mc-heads/body/Gwendolin /v1/profile/Hazel";
    let textures = "/v1/bust/Gwendolin /v1/cape/Corvina /v1/texture/{hash}/head";
    let geyser = "GeyserMC is not answering; try again later";
    for (step, paths, message) in [
        (Step::Identity, names, MOJANG_IS_DOWN),
        (Step::Session, "/v1/avatar/Gwendolin", MOJANG_IS_DOWN),
        (Step::Texture, textures, MOJANG_IS_DOWN),
        // The specified paths show Steve here.
        (Step::Xuid, "/v1/head/.Bluejay", geyser),
        (Step::BedrockSkin, "/v1/profile/.Bluejay", geyser),
    ] {
        for path in paths.split(' ') {
            let server = Server::start_with(|settings| {
                settings.service.fresh = Duration::ZERO;
                settings.upstream.missing_player_ttl = Duration::ZERO;
            });
            let hash = server.upstream.texture_url("knight");
            let hash = hash.rsplit('/').next().unwrap();
            let path = path.replace("{hash}", hash);
            server.fail(step);
            assert_error(&server.get(&path), 502, message);
            server.mend(step);
            server.ok(&path);
        }
    }
}
