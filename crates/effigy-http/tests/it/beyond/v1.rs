//! The routes beyond the specification, under `/v1/`.

use std::time::Duration;

use crate::support::{
    Picture, SKIN, Server, area, assert_error, assert_picture, avatar, bust, combo, head, ioshead,
    picture_of, player as player_view, svg, unzipped, without_overlay,
};
use effigy_render::{Cape, Facing, Layers, PictureSpec, Size, View};
use effigy_upstream::Rate;
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

#[test]
fn every_view_from_every_side() {
    let server = Server::start();
    let (base, worn) = (Layers::Base, Layers::WithOverlay);
    let rows = [
        ("head/%20Gwendolin%20?overlay=0&size=+32", head(base, 32)),
        ("player/Gwendolin.png?size=64", player_view(worn, 64)),
        ("Combo/gwendolin?size=64&overlay=false", combo(base, 64)),
        (
            "ioshead/523239d6-f395-4d77-8c25-aa3d0db1e779?facing=back-right",
            ioshead(Facing::BackRight, 128),
        ),
        (
            "avatar/Gwendolin?facing=left&overlay=false&size=100",
            without_overlay(avatar(Facing::Left, 100)),
        ),
    ];
    for (path, picture) in rows {
        let path = format!("/v1/{path}");
        let first = server.get(&path);
        assert_picture(&first, area(picture), "knight");
        assert_eq!(first.header("x-cache"), Some("miss"), "{path}");
        let again = server.get(&path);
        assert_eq!(again.header("x-cache"), Some("hit"), "{path}");
        assert_eq!(again.body, first.body, "{path}");
        let tag = first.header("etag").unwrap();
        let known = server.ask("GET", &path, &[("If-None-Match", tag)]);
        assert_eq!(known.status, 304, "{path}");
    }
}

#[test]
fn every_view_may_be_scalable() {
    let server = Server::start();
    let hash = hash_of(&server, "Gwendolin");
    let worn = Layers::WithOverlay;
    let figure = PictureSpec::new(View::Figure, Size::new(64).unwrap());
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
        for field in ["texture_url", "cape_url"] {
            if let Some(url) = profile[field].as_str() {
                assert!(url.starts_with(server.upstream.url()), "{url}");
                profile[field] = json!("its own");
            }
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
    let mut caped = java("Corvina", "classic");
    caped["cape_url"] = json!("its own");
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
        ("Corvina", caped),
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
fn both_forms_of_a_text_have_one_tag() {
    let server = Server::start();
    let gzip = ("Accept-Encoding", "gzip");
    for path in ["/v1/profile/Gwendolin", "/v1/figure/Gwendolin.svg", "/docs"] {
        let drawn = server.get(path);
        let plain = server.get(path);
        let packed = server.ask("GET", path, &[gzip]);
        assert_eq!(plain.header("content-encoding"), None, "{path}");
        assert_eq!(packed.header("content-encoding"), Some("gzip"), "{path}");
        assert_eq!(unzipped(&packed), plain.body, "{path}");
        assert_eq!(plain.body, drawn.body, "{path}");
        let tag = plain.header("etag").unwrap();
        let known = ("If-None-Match", tag);
        let known = [&[known][..], &[known, gzip]].map(|headers| server.ask("GET", path, headers));
        assert!(known.iter().all(|reply| reply.status == 304), "{path}");
        for reply in known.iter().chain([&drawn, &packed]) {
            assert_eq!(reply.header("etag"), Some(tag), "{path}");
            assert_eq!(reply.header("vary"), Some("Accept-Encoding"), "{path}");
        }
    }
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
fn invalid_requests_are_refused_before_any_look_up() {
    let server = Server::start();
    let size = "Size must be a whole number from 1 to 2048";
    assert_error(&server.get("/v1/head/Notch?size=0"), 400, size);
    let long = format!("/v1/profile/{}", "x".repeat(257));
    let message = "A player may be at most 256 bytes long; this one has 257.";
    assert_error(&server.get(&long), 400, message);
    let sized = "Not found. Did you mean \"/v1/face/Notch?size=64\"?";
    assert_error(&server.get("/helm/Notch/64"), 404, sized);
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

#[test]
fn a_spent_rate_limit_says_when_to_retry() {
    let server = Server::start_with(|settings| {
        settings.upstream.rate_limits.session = Rate::new(1, Duration::from_secs(3_600));
    });
    assert_eq!(server.get("/v1/profile/Gwendolin").status, 200);
    for path in [
        "/v1/profile/Reynard",
        "/v1/head/Reynard",
        "/minotar/helm/Reynard",
    ] {
        let reply = server.get(path);
        assert_eq!(reply.status, 503, "{path}");
        let seconds: u64 = reply.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=3600).contains(&seconds), "{path}: {seconds}");
    }
}
