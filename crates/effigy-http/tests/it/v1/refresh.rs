//! `POST /v1/refresh/{player}` checks a player now.

use effigy_render::Layers;
use fixtures::{Step, client::Reply};

use crate::support::{
    MOJANG_IS_DOWN, MORE_THAN_INTERVAL, NOBODY, Server, assert_error, assert_picture, head,
};

fn refresh(server: &Server, player: &str) -> Reply {
    server.ask("POST", &format!("/v1/refresh/{player}"), &[])
}

/// A server that has shown Gwendolin, and may check her again.
fn server_that_knows_gwendolin() -> Server {
    let server = Server::start_with_interval();
    server.ok("/v1/face/Gwendolin?size=64");
    server.advance(MORE_THAN_INTERVAL);
    server
}

#[test]
fn a_refresh_says_that_nothing_has_changed() {
    let same = refresh(&server_that_knows_gwendolin(), "Gwendolin");
    assert_eq!(same.status, 200);
    assert_eq!(same.json()["changed"], false);
}

#[test]
fn a_refresh_finds_a_changed_skin() {
    let server = server_that_knows_gwendolin();
    server.upstream.set_skin("Gwendolin", "robot");
    let changed = refresh(&server, "Gwendolin").json();
    assert_eq!(changed["changed"], true);
    assert_eq!(changed["name"], "Gwendolin");
    assert!(changed["checked_at"].as_str().unwrap().ends_with('Z'));
    let shown = server.get("/v1/face/Gwendolin?size=64");
    assert_picture(&shown, head(Layers::WithOverlay, 64), "robot");
}

#[test]
fn within_the_interval_a_refresh_makes_no_call() {
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
    let remembered = server.get("/v1/face/Gwendolin");
    assert_eq!(remembered.status, 404);
    assert_eq!(refresh(&server, "Gwendolin").json()["changed"], true);
    assert_eq!(server.get("/v1/face/Gwendolin").status, 200);
}

#[test]
fn a_refresh_that_fails_changes_nothing() {
    let server = server_that_knows_gwendolin();
    server.fail(Step::Session);
    assert_error(&refresh(&server, "Gwendolin"), 502, MOJANG_IS_DOWN);
    assert_eq!(server.get("/v1/face/Gwendolin?size=64").status, 200);
}

#[test]
fn a_refresh_of_a_missing_player_is_not_found() {
    let server = Server::start_with_interval();
    assert_error(&refresh(&server, "Nobody"), 404, NOBODY);
}

#[test]
fn a_refresh_is_a_post_that_is_not_cached() {
    let server = Server::start_with_interval();
    let get = server.get("/v1/refresh/Gwendolin");
    assert_error(&get, 405, "Method not allowed");
    assert_eq!(get.header("allow"), Some("POST, OPTIONS"));
    let post = refresh(&server, "Gwendolin");
    assert_eq!(post.header("cache-control"), Some("no-store"));
}
