//! A changed skin shows everywhere, and an outage shows the last known one.

use std::time::{Duration, Instant};

use effigy_render::{Layers, View};
use fixtures::{Fault, Step, assert_within, client::Reply, player};

use crate::support::{Picture, Server, assert_picture, head, of_view};

const WORN: Layers = Layers::WithOverlay;

/// The skins of Gwendolin before and after the change.
const BEFORE: &str = "knight";
const AFTER: &str = "robot";

/// More than the age up to which a record is used without a check.
const MORE_THAN_FRESH: u64 = 63;

/// A server that has shown Gwendolin at these paths before her skin changed.
fn changed(paths: &[String]) -> Server {
    let server = Server::start_with_interval();
    for path in paths {
        server.ok(path);
    }
    server.upstream.set_skin("Gwendolin", AFTER);
    server.advance(MORE_THAN_FRESH);
    server
}

fn uuid() -> &'static str {
    player("Gwendolin").uuid().unwrap()
}

#[test]
fn a_changed_skin_shows_in_every_size_and_spelling() {
    let paths = [
        format!("/v1/face/{}?size=128", uuid()),
        format!("/v1/face/{}?size=120", uuid()),
        "/v1/face/Gwendolin?size=128".to_owned(),
        "/v1/face/GWENDOLIN?size=128".to_owned(),
    ];
    for (path, size) in paths.iter().zip([128, 120, 128, 128]) {
        let server = changed(&paths);
        assert_picture(&server.get(path), head(WORN, size), AFTER);
        for (other, size) in paths.iter().zip([128, 120, 128, 128]) {
            assert_picture(&server.get(other), head(WORN, size), AFTER);
        }
    }
}

#[test]
fn a_changed_skin_shows_in_every_view_and_family() {
    let body = of_view(View::Body, 64).with_layers(WORN);
    let rows: [(&str, Picture); 5] = [
        ("/v1/body/Gwendolin?size=64", body.into()),
        ("/v1/skin/Gwendolin", Picture::Skin),
        ("/minotar/helm/Gwendolin/64", head(WORN, 64).into()),
        ("/mc-heads/avatar/Gwendolin/64", head(WORN, 64).into()),
        (
            "/v1/group?players=Gwendolin&size=64",
            of_view(View::Figure, 64).into(),
        ),
    ];
    for (path, picture) in rows {
        let server = changed(&[path.to_owned()]);
        assert_picture(&server.get(path), picture, AFTER);
    }
    let crafatar = format!("/crafatar/avatars/{}?size=64&overlay", uuid());
    let server = changed(std::slice::from_ref(&crafatar));
    assert_picture(&server.get(&crafatar), head(WORN, 64), AFTER);
}

#[test]
fn a_changed_skin_shows_in_the_profile() {
    let server = changed(&["/v1/profile/Gwendolin".to_owned()]);
    let profile = server.ok("/v1/profile/Gwendolin").json();
    let expected = server.upstream.texture_url(AFTER);
    assert_eq!(profile["texture_url"], expected.as_str());
}

#[test]
fn an_earlier_skin_that_is_back_shows_again() {
    let path = "/v1/face/Gwendolin?size=64".to_owned();
    let server = changed(std::slice::from_ref(&path));
    let second = server.get(&path);
    server.upstream.set_skin("Gwendolin", BEFORE);
    server.advance(MORE_THAN_FRESH);
    let third = server.get(&path);
    assert_picture(&second, head(WORN, 64), AFTER);
    assert_picture(&third, head(WORN, 64), BEFORE);
    // Drawn already.
    assert_eq!(third.header("x-cache"), Some("hit"));
}

#[test]
fn a_record_is_used_for_a_minute_without_a_call() {
    let server = Server::start_with_interval();
    server.ok("/v1/face/Gwendolin?size=64");
    server.upstream.reset_calls();
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
    let server = Server::start_with_interval();
    server.ok("/v1/face/Gwendolin?size=64");
    server.upstream.reset_calls();
    server.advance(MORE_THAN_FRESH);
    server.ok("/v1/face/Gwendolin?size=63");
    assert_eq!(server.upstream.calls(Step::Identity), 0);
    assert_eq!(server.upstream.calls(Step::Session), 1);
}

/// The paths of a player in an outage, none of which was asked for before.
fn paths_in_an_outage() -> [String; 6] {
    [
        "/v1/face/Gwendolin?size=63".to_owned(),
        format!("/v1/face/{}?size=62", uuid()),
        "/minotar/helm/Gwendolin/61".to_owned(),
        "/v1/figure/Gwendolin?size=60".to_owned(),
        "/v1/sheet?players=Gwendolin&size=59".to_owned(),
        "/v1/skin/Gwendolin".to_owned(),
    ]
}

#[test]
fn an_outage_shows_the_last_known_skin_in_any_view() {
    let server = Server::start_with_interval();
    server.ok("/v1/face/Gwendolin?size=64");
    server
        .upstream
        .set_fault_everywhere(Some(&Fault::status(500)));
    server.advance(2 * 3600);
    for path in paths_in_an_outage() {
        let reply = server.get(&path);
        assert_eq!(reply.status, 200, "{path}");
        assert_eq!(reply.header("x-cache"), Some("stale"), "{path}");
        let cache_control = reply.header("cache-control").unwrap();
        assert!(
            cache_control.starts_with("public, max-age=60"),
            "{cache_control}"
        );
    }
    assert_picture(
        &server.get("/v1/face/Gwendolin?size=63"),
        head(WORN, 63),
        BEFORE,
    );
}

#[test]
fn an_outage_of_more_than_a_day_ends_with_an_error() {
    let server = Server::start_with_interval();
    server.ok("/v1/face/Gwendolin?size=64");
    server
        .upstream
        .set_fault_everywhere(Some(&Fault::status(500)));
    server.advance(25 * 3600);
    for path in paths_in_an_outage() {
        assert_ne!(server.get(&path).header("x-cache"), Some("stale"), "{path}");
    }
    assert_eq!(server.get("/v1/face/Gwendolin?size=63").status, 502);
}

#[test]
fn a_hanging_upstream_costs_a_request_two_seconds() {
    let server = Server::start_with_interval();
    server.ok("/v1/face/Gwendolin?size=64");
    server.upstream.set_fault_everywhere(Some(&Fault::Hang));
    server.advance(2 * 3600);
    let begun = Instant::now();
    let reply = server.get("/v1/face/Gwendolin?size=63");
    assert_within(Duration::from_secs(8), begun);
    assert_picture(&reply, head(WORN, 63), BEFORE);
    assert_eq!(reply.header("x-cache"), Some("stale"));
}

#[test]
fn an_answer_that_did_not_wait_says_so() {
    let server = Server::start_with_interval();
    server.ok("/v1/face/Gwendolin?size=64");
    server.upstream.set_fault_everywhere(Some(&Fault::Hang));
    server.advance(MORE_THAN_FRESH);
    let reply = server.get("/v1/face/Gwendolin?size=64");
    assert_eq!(reply.status, 200);
    let expected = "public, max-age=5, stale-while-revalidate=55";
    assert_eq!(reply.header("cache-control"), Some(expected));
}

fn assert_headers(reply: &Reply, cache_control: &str) {
    assert_eq!(reply.header("cache-control"), Some(cache_control));
    assert!(reply.header("etag").is_some());
    assert_eq!(reply.header("last-modified"), None);
}

#[test]
fn pictures_are_public_for_a_minute_and_have_a_tag() {
    let server = Server::start_with_interval();
    let usual = "public, max-age=60, stale-while-revalidate=240";
    for path in [
        "/v1/face/Gwendolin",
        "/v1/profile/Gwendolin",
        "/minotar/helm/Gwendolin",
    ] {
        for _ in 0..2 {
            assert_headers(&server.get(path), usual);
        }
    }
    let hash = server.hash_of("Gwendolin");
    let texture = format!("/v1/texture/{hash}/face");
    assert_headers(&server.get(&texture), "public, max-age=86400");
}

#[test]
fn the_operator_decides_how_long_pictures_are_public() {
    let server = Server::start_with(|settings| {
        settings.config.max_age = Duration::from_secs(10);
    });
    let usual = "public, max-age=10, stale-while-revalidate=40";
    assert_headers(&server.get("/v1/face/Gwendolin"), usual);
}

#[test]
fn the_time_of_a_check_is_no_part_of_a_profiles_tag() {
    let server = Server::start_with_interval();
    let first = server.ok("/v1/profile/Gwendolin");
    server.advance(MORE_THAN_FRESH);
    let second = server.ok("/v1/profile/Gwendolin");
    assert_ne!(first.json()["checked_at"], second.json()["checked_at"]);
    assert_eq!(first.header("etag"), second.header("etag"));
}
