//! A changed skin shows everywhere, and an outage shows the last known one.

use std::time::{Duration, Instant};

use effigy_render::{Layers, View};
use fixtures::{Fault, Step, assert_within, client::Reply};

use crate::support::{MORE_THAN_FRESH, Picture, Server, assert_picture, head, of_view, uuid_of};

const WORN: Layers = Layers::WithOverlay;

/// The skins of Gwendolin before and after the change.
const BEFORE: &str = "knight";
const AFTER: &str = "robot";

/// A server that has shown Gwendolin at these paths before her skin changed.
fn server_after_change(paths: &[&str]) -> Server {
    let server = Server::start_with_interval();
    for path in paths {
        server.ok(path);
    }
    server.upstream.set_skin("Gwendolin", AFTER);
    server.advance(MORE_THAN_FRESH);
    server
}

#[test]
fn a_changed_skin_shows_in_every_size_and_spelling() {
    let uuid = uuid_of("Gwendolin");
    let rows = [
        (format!("/v1/face/{uuid}?size=128"), 128),
        (format!("/v1/face/{uuid}?size=120"), 120),
        ("/v1/face/Gwendolin?size=128".to_owned(), 128),
        ("/v1/face/GWENDOLIN?size=128".to_owned(), 128),
    ];
    let paths = rows.each_ref().map(|(path, _)| path.as_str());
    // Each of them may be the one that notices the change.
    for (first, first_size) in &rows {
        let server = server_after_change(&paths);
        assert_picture(&server.get(first), head(WORN, *first_size), AFTER);
        for (path, size) in &rows {
            assert_picture(&server.get(path), head(WORN, *size), AFTER);
        }
    }
}

#[test]
fn a_changed_skin_shows_in_every_view_and_family() {
    let face: Picture = head(WORN, 64).into();
    let body = of_view(View::Body, 64).with_layers(WORN);
    let figure = of_view(View::Figure, 64);
    let uuid = uuid_of("Gwendolin");
    for (path, picture) in [
        ("/v1/body/Gwendolin?size=64", body.into()),
        ("/v1/skin/Gwendolin", Picture::Skin),
        ("/v1/group?players=Gwendolin&size=64", figure.into()),
        ("/minotar/helm/Gwendolin/64", face),
        ("/mc-heads/avatar/Gwendolin/64", face),
        (&format!("/crafatar/avatars/{uuid}?size=64&overlay"), face),
    ] {
        let server = server_after_change(&[path]);
        assert_picture(&server.get(path), picture, AFTER);
    }
}

#[test]
fn a_changed_skin_shows_in_the_profile() {
    let server = server_after_change(&["/v1/profile/Gwendolin"]);
    let profile = server.ok("/v1/profile/Gwendolin").json();
    assert_eq!(profile["texture_url"], server.upstream.texture_url(AFTER));
}

#[test]
fn an_earlier_skin_that_is_back_is_not_drawn_again() {
    let path = "/v1/face/Gwendolin?size=64";
    let server = server_after_change(&[path]);
    assert_picture(&server.get(path), head(WORN, 64), AFTER);
    server.upstream.set_skin("Gwendolin", BEFORE);
    server.advance(MORE_THAN_FRESH);
    let back = server.get(path);
    assert_picture(&back, head(WORN, 64), BEFORE);
    assert_eq!(back.header("x-cache"), Some("hit"));
}

/// A server that has shown Gwendolin, and forgotten the calls for it.
fn server_that_knows_gwendolin() -> Server {
    let server = Server::start_with_interval();
    server.ok("/v1/face/Gwendolin?size=64");
    server.upstream.reset_calls();
    server
}

#[test]
fn a_record_is_used_for_a_minute_without_a_call() {
    let server = server_that_knows_gwendolin();
    server.advance(50);
    for path in [
        "/v1/face/Gwendolin?size=63",
        "/v1/figure/GWENDOLIN",
        "/v1/profile/Gwendolin",
    ] {
        server.ok(path);
    }
    assert_eq!(server.upstream.total_calls(), 0);
}

#[test]
fn a_check_takes_one_call_to_the_session_service() {
    let server = server_that_knows_gwendolin();
    server.advance(MORE_THAN_FRESH);
    server.ok("/v1/face/Gwendolin?size=63");
    assert_eq!(server.upstream.calls(Step::Identity), 0);
    assert_eq!(server.upstream.calls(Step::Session), 1);
}

/// Paths of Gwendolin that were not asked for before the outage.
fn paths_in_an_outage() -> [String; 6] {
    [
        "/v1/face/Gwendolin?size=63".to_owned(),
        format!("/v1/face/{}?size=62", uuid_of("Gwendolin")),
        "/minotar/helm/Gwendolin/61".to_owned(),
        "/v1/figure/Gwendolin?size=60".to_owned(),
        "/v1/sheet?players=Gwendolin&size=59".to_owned(),
        "/v1/skin/Gwendolin".to_owned(),
    ]
}

#[test]
fn an_outage_shows_the_last_known_skin() {
    let server = server_that_knows_gwendolin();
    server.fail_everywhere();
    server.advance(2 * 3600);
    let reply = server.get("/v1/face/Gwendolin?size=63");
    assert_picture(&reply, head(WORN, 63), BEFORE);
}

#[test]
fn every_view_in_an_outage_is_marked_as_stale() {
    let server = server_that_knows_gwendolin();
    server.fail_everywhere();
    server.advance(2 * 3600);
    for path in paths_in_an_outage() {
        let reply = server.ok(&path);
        assert_eq!(reply.header("x-cache"), Some("stale"), "{path}");
        let cached = reply.header("cache-control").unwrap();
        assert!(cached.starts_with("public, max-age=60"), "{path}: {cached}");
    }
}

#[test]
fn an_outage_of_more_than_a_day_ends_with_an_error() {
    let server = server_that_knows_gwendolin();
    server.fail_everywhere();
    server.advance(25 * 3600);
    for path in paths_in_an_outage() {
        assert_ne!(server.get(&path).header("x-cache"), Some("stale"), "{path}");
    }
    assert_eq!(server.get("/v1/face/Gwendolin?size=63").status, 502);
}

#[test]
fn a_hanging_upstream_costs_a_request_two_seconds() {
    let server = server_that_knows_gwendolin();
    server.upstream.set_fault_everywhere(Some(&Fault::Hang));
    server.advance(2 * 3600);
    let begun = Instant::now();
    let reply = server.get("/v1/face/Gwendolin?size=63");
    assert_within(Duration::from_secs(8), begun);
    assert_picture(&reply, head(WORN, 63), BEFORE);
    assert_eq!(reply.header("x-cache"), Some("stale"));
}

#[test]
fn a_picture_that_waited_for_no_check_is_public_for_5_seconds() {
    let server = server_that_knows_gwendolin();
    server.upstream.set_fault_everywhere(Some(&Fault::Hang));
    server.advance(MORE_THAN_FRESH);
    let reply = server.ok("/v1/face/Gwendolin?size=64");
    let expected = "public, max-age=5, stale-while-revalidate=55";
    assert_eq!(reply.header("cache-control"), Some(expected));
}

/// Asserts that a response has this `Cache-Control`, and is revalidated by its tag alone.
#[track_caller]
fn assert_cached(reply: &Reply, cache_control: &str) {
    assert_eq!(reply.header("cache-control"), Some(cache_control));
    assert!(reply.header("etag").is_some());
    assert_eq!(reply.header("last-modified"), None);
}

#[test]
fn pictures_are_public_for_a_minute() {
    let server = Server::start_with_interval();
    for path in [
        "/v1/face/Gwendolin",
        "/v1/profile/Gwendolin",
        "/minotar/helm/Gwendolin",
    ] {
        // At a miss and at a hit.
        for _ in 0..2 {
            let reply = server.get(path);
            assert_cached(&reply, "public, max-age=60, stale-while-revalidate=240");
        }
    }
}

#[test]
fn pictures_of_a_texture_are_public_for_a_day() {
    let server = Server::start();
    let hash = server.hash_of("Gwendolin");
    let texture = server.get(&format!("/v1/texture/{hash}/face"));
    assert_cached(&texture, "public, max-age=86400");
}

#[test]
fn the_operator_decides_how_long_pictures_are_public() {
    let server = Server::start_with(|settings| {
        settings.config.max_age = Duration::from_secs(10);
    });
    let reply = server.get("/v1/face/Gwendolin");
    assert_cached(&reply, "public, max-age=10, stale-while-revalidate=40");
}

#[test]
fn the_tag_of_a_profile_ignores_the_time_of_the_check() {
    let server = Server::start_with_interval();
    let first = server.ok("/v1/profile/Gwendolin");
    server.advance(MORE_THAN_FRESH);
    let second = server.ok("/v1/profile/Gwendolin");
    assert_ne!(first.json()["checked_at"], second.json()["checked_at"]);
    assert_eq!(first.header("etag"), second.header("etag"));
}
