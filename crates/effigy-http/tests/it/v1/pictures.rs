//! The pictures under `/v1/`, and the errors in their place.

use std::time::Duration;

use effigy_render::{
    Decoration, Facing, Layers, Light, Model, NamedPose, PictureSpec, Shape, View,
};
use fixtures::Step;

use crate::support::{
    MOJANG_IS_DOWN, NOBODY, Server, as_under_v1, assert_error, assert_picture, avatar, bust, combo,
    head, ioshead, of_view, svg, turned,
};

const BASE: Layers = Layers::Base;
const WORN: Layers = Layers::WithOverlay;

/// The path of a walking figure that is turned.
const WALKING: &str = "/v1/figure/Gwendolin?yaw=-120.5&pitch=-15&pose=walk&size=48";

/// Rows of a path and its picture. The parsers' tests have the other parameters.
fn pictures_by_path() -> [(&'static str, PictureSpec); 8] {
    let back_right = as_under_v1(ioshead(Facing::BackRight, 128));
    let left = as_under_v1(avatar(Facing::Left, 100)).with_layers(BASE);
    let walking = turned(of_view(View::Figure, 48), -120.5, -15.0).with_pose(NamedPose::Walk);
    let mut upside_down = of_view(View::Figure, 128).with_model(Some(Model::Slim));
    upside_down.upside_down = Some(true);
    let cube = turned(of_view(View::Cube, 128), 180.0, 16.0);
    #[rustfmt::skip]
    let rows = [
        ("/v1/head/%20Gwendolin%20?overlay=0&size=+32", as_under_v1(head(BASE, 32))),
        ("/v1/Combo/gwendolin.png?size=64&overlay=false", as_under_v1(combo(BASE, 64))),
        ("/v1/ioshead/523239d6-f395-4d77-8c25-aa3d0db1e779?facing=back-right", back_right),
        ("/v1/avatar/Gwendolin?facing=left&overlay=false&size=100", left),
        (WALKING, walking),
        ("/v1/figure/Gwendolin?model=slim&upside-down=true", upside_down),
        ("/v1/bust/Gwendolin?size=64", as_under_v1(bust(WORN, 64))),
        ("/v1/cube/Gwendolin?yaw=180&light=game", cube.with_light(Light::Game)),
    ];
    rows
}

#[test]
fn each_path_gives_the_picture_of_its_parameters() {
    let server = Server::start();
    for (path, picture) in pictures_by_path() {
        let first = server.get(path);
        assert_picture(&first, picture, "knight");
        assert_eq!(first.header("x-cache"), Some("miss"), "{path}");
        let again = server.get(path);
        assert_eq!(again.header("x-cache"), Some("hit"), "{path}");
        assert_eq!(again.body, first.body, "{path}");
    }
}

#[test]
fn an_angle_is_rounded_to_tenths() {
    let server = Server::start();
    server.ok(WALKING);
    let nearly_the_same = WALKING.replace("-120.5", "-120.52");
    let reply = server.get(&nearly_the_same);
    assert_eq!(reply.header("x-cache"), Some("hit"));
}

#[test]
fn every_view_can_have_a_background_and_a_shape() {
    let server = Server::start();
    let dark_circle = Decoration::NONE
        .with_background([0x20, 0x22, 0x25, 0xff])
        .with_padding(16)
        .with_shape(Shape::Circle)
        .with_shadow(false);
    let query = "size=64&background=202225&padding=16&shape=circle";
    for &view in View::ALL {
        let picture = of_view(view, 64).with_decoration(dark_circle);
        let reply = server.get(&format!("/v1/{view}/Gwendolin?{query}"));
        assert_picture(&reply, as_under_v1(picture), "knight");
    }
}

#[test]
fn a_picture_of_a_player_or_a_texture_may_be_svg() {
    let server = Server::start();
    let hash = server.hash_of("Gwendolin");
    for (view, picture) in [
        ("combo", combo(WORN, 64)),
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
}

#[test]
fn a_missing_player_is_not_found_in_any_view() {
    let server = Server::start();
    let nobody = "10000000111122223333444455556666";
    let by_uuid = "No Java player has the UUID 10000000-1111-2222-3333-444455556666.";
    for view in ["head", "avatar", "skin", "profile"] {
        for (input, message) in [("Nobody", NOBODY), (nobody, by_uuid)] {
            let reply = server.get(&format!("/v1/{view}/{input}"));
            assert_error(&reply, 404, message);
        }
    }
}

#[test]
fn the_fallback_of_a_specified_path_is_not_shown() {
    let server = Server::start();
    server.ok("/skin/.Nobody");
    let message = "No Bedrock player has the gamertag Nobody.";
    assert_error(&server.get("/v1/skin/.Nobody"), 404, message);
}

#[test]
fn a_player_without_a_skin_is_not_found() {
    let reply = Server::start().get("/v1/head/.NoPocketSkin");
    assert_error(&reply, 404, "No skin of the player is known.");
}

#[test]
fn a_player_of_more_than_256_bytes_is_refused() {
    let reply = Server::start().get(&format!("/v1/profile/{}", "x".repeat(257)));
    let message = "A player may be at most 256 bytes long; this one has 257.";
    assert_error(&reply, 400, message);
}

/// No fallback is looked up for a picture that may not show it.
#[test]
fn a_missing_bedrock_player_takes_no_call_to_mojang() {
    let server = Server::start();
    server.fail(Step::Identity);
    for path in ["/v1/head/.Nobody", "/v1/profile/.Nobody"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    // Mojang's identity service counts as the same step as that of gamertags.
    let requests = server.upstream.requests();
    let of_mojang = requests.iter().any(|request| request.contains("minecraft"));
    assert!(!of_mojang, "{requests:?}");
}

/// Asserts that a path is an error while a step fails, and a success afterwards.
#[track_caller]
fn assert_outage(step: Step, path: &str, message: &str) {
    let server = Server::start_with(|settings| {
        settings.service.fresh = Duration::ZERO;
        settings.upstream.missing_player_ttl = Duration::ZERO;
    });
    let texture = server.upstream.texture_url("knight");
    let (_, hash) = texture.rsplit_once('/').unwrap();
    let path = path.replace("{hash}", hash);
    server.fail(step);
    assert_error(&server.get(&path), 502, message);
    server.mend(step);
    server.ok(&path);
}

#[test]
fn an_outage_of_mojang_is_said_and_heals() {
    for path in [
        "/v1/head/Gwendolin",
        "/minotar/avatar/Gwendolin",
        "/mc-heads/body/Gwendolin",
        "/v1/profile/Hazel",
    ] {
        assert_outage(Step::Identity, path, MOJANG_IS_DOWN);
    }
    assert_outage(Step::Session, "/v1/avatar/Gwendolin", MOJANG_IS_DOWN);
    for path in [
        "/v1/bust/Gwendolin",
        "/v1/cape/Corvina",
        "/v1/texture/{hash}/head",
    ] {
        assert_outage(Step::Texture, path, MOJANG_IS_DOWN);
    }
}

/// The specified paths show Steve here.
#[test]
fn an_outage_of_geysermc_is_said_and_heals() {
    let message = "GeyserMC is not answering; try again later";
    assert_outage(Step::Xuid, "/v1/head/.Bluejay", message);
    assert_outage(Step::BedrockSkin, "/v1/profile/.Bluejay", message);
}
