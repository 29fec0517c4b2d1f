//! A version in a URL, such as `v=2`, asks for a check.

use effigy_render::Layers;
use fixtures::Step;

use crate::support::{MORE_THAN_INTERVAL, Server, assert_picture, head, uuid_of};

const WORN: Layers = Layers::WithOverlay;

/// The skins of Gwendolin before and after the change.
const BEFORE: &str = "knight";
const AFTER: &str = "robot";

/// A server that has shown Gwendolin with version 1 before her skin changed.
fn server_after_change() -> Server {
    let server = Server::start_with_interval();
    server.ok("/v1/face/Gwendolin?size=64&v=1");
    server.upstream.set_skin("Gwendolin", AFTER);
    server.advance(MORE_THAN_INTERVAL);
    server
}

#[test]
fn a_known_version_shows_the_known_skin() {
    let server = server_after_change();
    let known = server.get("/v1/face/Gwendolin?size=64&v=1");
    assert_picture(&known, head(WORN, 64), BEFORE);
}

#[test]
fn a_new_version_shows_a_changed_skin_at_once() {
    let server = server_after_change();
    let new = server.get("/v1/face/Gwendolin?size=64&v=2");
    assert_picture(&new, head(WORN, 64), AFTER);
    // From now on every other URL shows it too.
    let other = server.get(&format!("/v1/face/{}?size=63", uuid_of("Gwendolin")));
    assert_picture(&other, head(WORN, 63), AFTER);
}

#[test]
fn a_version_asks_for_one_check_only() {
    let server = server_after_change();
    server.upstream.reset_calls();
    for size in 60..70 {
        server.ok(&format!("/v1/face/Gwendolin?size={size}&v=2"));
    }
    assert_eq!(server.upstream.calls(Step::Session), 1);
}

#[test]
fn a_new_version_within_the_interval_asks_for_no_check() {
    let server = server_after_change();
    server.ok("/v1/face/Gwendolin?size=64&v=2");
    server.upstream.reset_calls();
    server.ok("/v1/face/Gwendolin?size=64&v=3");
    assert_eq!(server.upstream.calls(Step::Session), 0);
}

#[test]
fn a_new_version_in_an_outage_shows_the_known_skin() {
    let server = server_after_change();
    server.fail_everywhere();
    let reply = server.get("/v1/face/Gwendolin?size=64&v=2");
    assert_picture(&reply, head(WORN, 64), BEFORE);
}

/// People append all of these to URLs, so that browsers load a picture again.
#[test]
fn every_route_accepts_the_usual_synonyms() {
    let server = Server::start_with_interval();
    let versions = [
        "version=1",
        "t=1",
        "ts=1",
        "_=1700000000",
        "time=1",
        "timestamp=1",
        "cache=1",
        "cb=1",
        "rand=1",
        "random=0.5",
        "randomuuid=1",
        "nocache",
        "nocache=1",
        "1700000000",
    ];
    let paths = [
        "/v1/face/Gwendolin?",
        "/v1/figure/Gwendolin?size=16&",
        "/v1/skin/Gwendolin?",
        "/v1/cape/Corvina?",
        "/v1/profile/Gwendolin?",
        "/v1/profiles?players=Gwendolin&",
        "/v1/group?players=Gwendolin&size=16&",
        "/v1/sheet?players=Gwendolin&size=16&",
    ];
    for path in paths {
        for version in versions {
            server.ok(&format!("{path}{version}"));
        }
    }
}
