//! The version that a URL names asks for a check.

use effigy_render::Layers;
use fixtures::{Fault, Step, player};

use crate::support::{Server, assert_picture, head};

const WORN: Layers = Layers::WithOverlay;

/// More than the interval in which one profile is checked.
const MORE_THAN_INTERVAL: u64 = 6;

/// A server that has shown Gwendolin with a version before her skin changed.
fn changed() -> Server {
    let server = Server::start_with_interval();
    server.ok("/v1/face/Gwendolin?size=64&v=1");
    server.upstream.set_skin("Gwendolin", "robot");
    server.advance(MORE_THAN_INTERVAL);
    server
}

#[test]
fn a_new_version_shows_a_changed_skin_at_once() {
    let server = changed();
    let known = server.get("/v1/face/Gwendolin?size=64&v=1");
    assert_picture(&known, head(WORN, 64), "knight");
    let new = server.get("/v1/face/Gwendolin?size=64&v=2");
    assert_picture(&new, head(WORN, 64), "robot");
    let uuid = player("Gwendolin").uuid().unwrap();
    let other = server.get(&format!("/v1/face/{uuid}?size=63"));
    assert_picture(&other, head(WORN, 63), "robot");
}

#[test]
fn a_version_asks_for_one_check_only() {
    let server = changed();
    server.upstream.reset_calls();
    for size in 60..70 {
        server.ok(&format!("/v1/face/Gwendolin?size={size}&v=2"));
    }
    assert_eq!(server.upstream.calls(Step::Session), 1);
    // Within the interval, nothing is asked for.
    server.ok("/v1/face/Gwendolin?size=64&v=3");
    assert_eq!(server.upstream.calls(Step::Session), 1);
}

#[test]
fn a_new_version_is_never_refused() {
    let server = changed();
    server
        .upstream
        .set_fault_everywhere(Some(&Fault::status(500)));
    let reply = server.get("/v1/face/Gwendolin?size=64&v=2");
    assert_picture(&reply, head(WORN, 64), "knight");
}

#[test]
fn what_people_append_is_accepted_on_every_route() {
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
        "/v1/cape/Caped?",
        "/v1/profile/Gwendolin?",
        "/v1/profiles?players=Gwendolin&",
        "/v1/group?players=Gwendolin&size=16&",
        "/v1/sheet?players=Gwendolin&size=16&",
    ];
    for path in paths {
        for version in versions {
            let status = server.get(&format!("{path}{version}")).status;
            assert!(matches!(status, 200 | 404), "{path}{version}: {status}");
        }
    }
}
