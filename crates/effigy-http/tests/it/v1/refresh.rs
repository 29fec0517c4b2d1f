//! `POST /v1/refresh/{player}` checks a player now.

use effigy_render::Layers;
use fixtures::{Fault, Step};

use crate::support::{MOJANG_IS_DOWN, NOBODY, Server, assert_error, assert_picture, head};

/// More than the interval in which one profile is checked.
const MORE_THAN_INTERVAL: u64 = 6;

fn refresh(server: &Server, player: &str) -> fixtures::client::Reply {
    server.ask("POST", &format!("/v1/refresh/{player}"), &[])
}

#[test]
fn a_refresh_says_whether_a_player_has_changed() {
    let server = Server::start_with_interval();
    server.ok("/v1/face/Gwendolin?size=64");
    server.advance(MORE_THAN_INTERVAL);
    let same = refresh(&server, "Gwendolin");
    assert_eq!(same.status, 200);
    assert_eq!(same.json()["changed"], false);
    server.upstream.set_skin("Gwendolin", "robot");
    server.advance(MORE_THAN_INTERVAL);
    let changed = refresh(&server, "Gwendolin").json();
    assert_eq!(changed["changed"], true);
    assert_eq!(changed["name"], "Gwendolin");
    assert!(changed["checked_at"].as_str().unwrap().ends_with('Z'));
    let shown = server.get("/v1/face/Gwendolin?size=64");
    assert_picture(&shown, head(Layers::WithOverlay, 64), "robot");
}

#[test]
fn within_the_interval_a_refresh_returns_the_record() {
    let server = Server::start_with_interval();
    server.ok("/v1/face/Gwendolin?size=64");
    server.upstream.reset_calls();
    let reply = refresh(&server, "Gwendolin");
    assert_eq!(reply.json()["changed"], false);
    assert_eq!(server.upstream.total_calls(), 0);
}

#[test]
fn a_refresh_finds_a_player_who_was_missing() {
    let server = Server::start_with_interval();
    server.upstream.rename("Gwendolin", "Elsewhere");
    assert_eq!(server.get("/v1/face/Gwendolin").status, 404);
    server.upstream.rename("Gwendolin", "Gwendolin");
    assert_eq!(
        server.get("/v1/face/Gwendolin").status,
        404,
        "it is remembered"
    );
    assert_eq!(refresh(&server, "Gwendolin").json()["changed"], true);
    assert_eq!(server.get("/v1/face/Gwendolin").status, 200);
}

#[test]
fn a_refresh_that_fails_changes_nothing() {
    let server = Server::start_with_interval();
    server.ok("/v1/face/Gwendolin?size=64");
    server.advance(MORE_THAN_INTERVAL);
    server
        .upstream
        .set_fault(Step::Session, Some(Fault::status(500)));
    assert_error(&refresh(&server, "Gwendolin"), 502, MOJANG_IS_DOWN);
    assert_eq!(server.get("/v1/face/Gwendolin?size=64").status, 200);
}

#[test]
fn a_refresh_is_a_post_of_one_player() {
    let server = Server::start_with_interval();
    let get = server.get("/v1/refresh/Gwendolin");
    assert_error(&get, 405, "Method not allowed");
    assert_eq!(get.header("allow"), Some("POST, OPTIONS"));
    assert_error(&refresh(&server, "Nobody"), 404, NOBODY);
    assert_eq!(
        refresh(&server, "Gwendolin").header("cache-control"),
        Some("no-store")
    );
}
