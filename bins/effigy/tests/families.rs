//! The URLs of services whose users move here, as their clients write them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use effigy_render::{Facing, Layers};
use effigy_service::{Picture, SizeParameter};
use fixtures::{Fault, Step, player};
use support::{Server, assert_error, assert_picture};

const BASE: Layers = Layers::Base;
const WORN: Layers = Layers::WithOverlay;

fn head(layers: Layers, size: u32) -> Picture {
    let size = SizeParameter::pixels(size);
    Picture::Head { layers, size }
}

fn player_view(layers: Layers, size: u32) -> Picture {
    let size = SizeParameter::pixels(size);
    Picture::Player { layers, size }
}

fn ioshead(facing: Facing, size: u32) -> Picture {
    let size = SizeParameter::pixels(size);
    Picture::Ioshead { facing, size }
}

fn avatar(facing: Facing, size: u32) -> Picture {
    let size = SizeParameter::pixels(size);
    Picture::Avatar { facing, size }
}

fn skin_of(name: &str) -> &'static str {
    player(name).skin().unwrap().name
}

#[test]
fn every_family_gives_its_pictures() {
    let server = Server::start();
    let uuid = player("Gwendolin").uuid().unwrap();
    let (left, right) = (Facing::Left, Facing::Right);
    let rows = [
        ("/crafatar/avatars/{}", head(BASE, 160)),
        ("/crafatar/avatars/{}.png?size=64&overlay", head(WORN, 64)),
        ("/crafatar/renders/head/{}?overlay", ioshead(right, 120)),
        (
            "/crafatar/renders/body/{}?scale=4&overlay=true",
            avatar(right, 80),
        ),
        ("/crafatar/skins/{}", Picture::Skin),
        ("/minotar/avatar/Gwendolin", head(BASE, 180)),
        ("/minotar/avatar/{}/64.png", head(BASE, 64)),
        ("/minotar/helm/Gwendolin/100.png", head(WORN, 100)),
        ("/minotar/cube/Gwendolin/64", ioshead(right, 64)),
        ("/minotar/body/Gwendolin", player_view(BASE, 180)),
        ("/minotar/armor/body/Gwendolin/5000", player_view(WORN, 300)),
        ("/minotar/skin/Gwendolin", Picture::Skin),
        ("/mc-heads/avatar/Gwendolin", head(WORN, 180)),
        ("/mc-heads/avatar/{}/64/nohelm.png", head(BASE, 64)),
        ("/mc-heads/head/Gwendolin/64/left", ioshead(left, 64)),
        ("/mc-heads/body/Gwendolin/64", avatar(right, 64)),
        ("/mc-heads/player/Gwendolin/64", player_view(WORN, 64)),
        ("/mc-heads/skin/Gwendolin.png", Picture::Skin),
    ];
    for (path, picture) in rows {
        let reply = server.get(&path.replace("{}", uuid));
        assert_picture(&reply, picture, "knight");
        let kept = reply.header("cache-control").unwrap();
        assert!(kept.starts_with("public, max-age="), "{path}: {kept}");
        assert!(reply.header("etag").is_some(), "{path}");
    }
    for path in [
        "/minotar/download/Gwendolin",
        "/mc-heads/download/Gwendolin",
    ] {
        let reply = server.get(path);
        let name = reply.header("content-disposition");
        assert_eq!(
            name,
            Some("attachment; filename=\"Gwendolin_skin.png\""),
            "{path}"
        );
    }
}

#[test]
fn they_share_the_pictures_of_our_own_paths() {
    let server = Server::start();
    assert_eq!(
        server.get("/head/Gwendolin/64").header("x-cache"),
        Some("miss")
    );
    let reply = server.get("/minotar/avatar/Gwendolin/64");
    assert_eq!(reply.header("x-cache"), Some("hit"));
}

#[test]
fn nobody_is_shown_as_steve() {
    let server = Server::start();
    let nobody = "00000000111122223333444455556666".replace("00000000", "10000000");
    let steve = skin_of("MHF_Steve");
    let alex = skin_of("MHF_Alex");
    for path in ["/minotar/helm/Nobody/64", "/mc-heads/avatar/Nobody/64"] {
        assert_picture(&server.get(path), head(WORN, 64), steve);
    }
    let rows = [("steve", steve), ("MHF_Alex", alex)];
    for (default, skin) in rows {
        let path = format!("/crafatar/skins/{nobody}?default={default}");
        assert_picture(&server.get(&path), Picture::Skin, skin);
    }
    let elsewhere = format!("/crafatar/skins/{nobody}?default=https%3A%2F%2Fexample.org%2F");
    assert_eq!(server.get(&elsewhere).status, 200);
}

#[test]
fn an_outage_is_said_to_be_one() {
    let server = Server::start();
    server
        .upstream
        .set_fault(Step::Identity, Some(Fault::status(500)));
    let rows = [
        ("/minotar/avatar/Gwendolin", "Failed to render head"),
        ("/mc-heads/body/Gwendolin", "Failed to render avatar"),
    ];
    for (path, message) in rows {
        assert_error(&server.get(path), 502, message);
    }
}

#[test]
fn crafatar_refuses_what_it_refuses() {
    let server = Server::start();
    let uuid = player("Gwendolin").uuid().unwrap();
    let rows = [
        ("/crafatar/avatars/Gwendolin", "Invalid UUID"),
        ("/crafatar/avatars/{}?size=513", "Invalid Size"),
        ("/crafatar/renders/body/{}?scale=11", "Invalid Scale"),
    ];
    for (path, message) in rows {
        assert_error(&server.get(&path.replace("{}", uuid)), 422, message);
    }
    // No cape is a picture that is not found, and so is every other one.
    let cape = format!("/crafatar/capes/{uuid}");
    assert_error(&server.get(&cape), 404, "Not found");
    let reply = server.ask("POST", "/crafatar/avatars/x", &[]);
    assert_error(&reply, 405, "Method not allowed");
    assert_eq!(server.upstream.total_calls(), 0);
}

#[test]
fn minotar_moves_dashed_uuids() {
    let server = Server::start();
    let path = "/minotar/helm/523239d6-f395-4d77-8c25-aa3d0db1e779/64.png";
    let reply = server.get(path);
    assert_eq!(reply.status, 301);
    assert!(reply.body.is_empty());
    let location = reply.header("location").unwrap();
    assert_eq!(
        location,
        "/minotar/helm/523239d6f3954d778c25aa3d0db1e779/64"
    );
    assert_picture(&server.get(location), head(WORN, 64), "knight");
}

#[test]
fn old_clients_are_never_refused_by_their_name() {
    let server = Server::start();
    for agent in ["Java/1.6.0_45", "Mozilla/4.0", ""] {
        let reply = server.ask("GET", "/minotar/avatar/Gwendolin", &[("User-Agent", agent)]);
        assert_eq!(reply.status, 200, "{agent}");
    }
}
