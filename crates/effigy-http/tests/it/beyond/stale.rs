//! `--stale-if-error`: what was drawn last is shown while an outage keeps newer pictures from us.

use std::time::{Duration, SystemTime};

use crate::support::{RUNTIME, Server, assert_error, assert_picture, head};
use bytes::Bytes;
use effigy_render::Layers;
use effigy_store::{CachedImage, LIFETIME, Store};
use fixtures::{Fault, Step, client::Reply};

/// The content of old pictures, so that none is taken for one that was drawn for the test.
const OLD: &[u8] = b"an old picture";

const HOUR: Duration = LIFETIME;

/// Stores an old picture of each player.
fn store(server: &Server, players: &[(&str, Duration)]) {
    for (input, age) in players {
        let image = CachedImage {
            data: Bytes::from_static(OLD),
            content_type: "image/png".to_owned(),
            created_at: SystemTime::now() - *age,
        };
        let key = format!("head_{}_default_default", input.to_lowercase());
        let image = [(&*key, &image)];
        RUNTIME.block_on(server.store.write(&image, &[])).unwrap();
    }
}

#[track_caller]
fn assert_stale(reply: &Reply) {
    assert_eq!((reply.status, &*reply.body), (200, OLD));
    let names = ["content-type", "cache-control", "x-cache"];
    let expected = ["image/png", "no-cache", "stale"].map(Some);
    assert_eq!(names.map(|name| reply.header(name)), expected);
    assert!(reply.header("etag").is_some() && reply.header("last-modified").is_some());
}

/// Asserts that the picture is the player's own, drawn just now.
#[track_caller]
fn assert_drawn(reply: &Reply, skin: &str) {
    assert_picture(reply, head(Layers::Base, 128), skin);
    assert_eq!(reply.header("x-cache"), Some("miss"));
}

#[test]
fn the_last_picture_is_shown_until_the_outage_ends() {
    let server = Server::start_with(|settings| settings.service.stale_if_error = HOUR * 24);
    let old = HOUR * 24;
    let too_old = HOUR * 25;
    let players = [
        ("Gwendolin", old),
        (".Bluejay", old),
        ("Reynard", too_old),
        ("Nobody", old),
    ];
    store(&server, &players);
    let down = Fault::status(503);
    server.upstream.set_fault_everywhere(Some(&down));
    for _ in 0..2 {
        assert_stale(&server.get("/head/Gwendolin"));
        assert_stale(&server.get("/head/.Bluejay"));
    }
    for path in ["/head/Reynard", "/head/Servo", "/head/Gwendolin/64"] {
        assert_error(&server.get(path), 500, "Failed to render head");
    }
    let tag = server.get("/head/Gwendolin");
    let tag = tag.header("etag").unwrap();
    let known = server.ask("GET", "/head/Gwendolin", &[("If-None-Match", tag)]);
    assert_eq!(
        (known.status, known.header("x-cache")),
        (304, Some("stale"))
    );
    assert_eq!(server.get("/allstats").json()["count"], 0);

    server.upstream.set_fault_everywhere(None);
    std::thread::sleep(Duration::from_secs(2));
    assert_drawn(&server.get("/head/Gwendolin"), "knight");
    assert_drawn(&server.get("/head/.Bluejay"), "diver");
    // That there is no such player is news, and no outage.
    assert_error(&server.get("/head/Nobody"), 500, "Failed to render head");
}

#[test]
fn expired_pictures_are_ignored_unless_asked_for() {
    let server = Server::start();
    store(&server, &[("Gwendolin", HOUR), (".Bluejay", HOUR)]);
    let down = Fault::status(503);
    for step in [Step::Session, Step::BedrockSkin] {
        server.upstream.set_fault(step, Some(down.clone()));
    }
    let reply = server.get("/head/Gwendolin");
    assert_error(&reply, 500, "Failed to render head");
    server.upstream.set_fault(Step::Session, None);
    let reply = server.get("/head/.Bluejay");
    assert_picture(&reply, head(Layers::Base, 128), "neutral");
    assert_eq!(reply.header("cache-control"), Some("no-cache"));
}
