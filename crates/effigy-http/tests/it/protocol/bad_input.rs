//! Malicious inputs and textures: each request gets its response in bounded time, and the next one
//! is served.

use std::time::{Duration, Instant};

use fixtures::{
    assert_within,
    client::{Reply, exchange},
};

use crate::support::{Server, assert_error};

/// The path that another client asks for.
const OTHER: &str = "/head/Gwendolin/16";

/// The folders of the upstreams' paths, in which each input is one segment.
const UPSTREAM_FOLDERS: [&str; 5] = [
    "GET /users/profiles/minecraft",
    "GET /v2/xbox/xuid",
    "GET /session/minecraft/profile",
    "GET /v2/skin",
    "GET /texture",
];

/// Asserts that no request to the upstreams has left its folder or has a query.
#[track_caller]
fn assert_one_segment_each(server: &Server) {
    for request in server.upstream.requests() {
        let (folder, segment) = request.rsplit_once('/').unwrap();
        assert!(UPSTREAM_FOLDERS.contains(&folder), "{request}");
        assert!(!segment.contains(['?', '#']), "{request}");
        assert_ne!(segment, "..");
    }
}

#[test]
fn a_java_input_cannot_leave_its_segment_of_an_upstream_path() {
    let server = Server::start();
    for input in [
        "%00",
        "a%0d%0ab",
        "a%5Cb",
        "a%22b",
        "%25",
        "a%3Fb%23c",
        "%F0%9F%A7%8D",
        "http:%2F%2F127.0.0.1:1%2F",
        "-",
    ] {
        let reply = server.get(&format!("/skin/{input}"));
        assert_error(&reply, 500, "Failed to get skin");
    }
    assert_one_segment_each(&server);
    server.ok(OTHER);
}

/// Each is the gamertag of nobody, whose picture is the fallback.
#[test]
fn a_gamertag_cannot_leave_its_segment_of_an_upstream_path() {
    let server = Server::start();
    for input in ["..", "%2e%2e", "..%2f..%2fetc%2fpasswd"] {
        server.ok(&format!("/skin/{input}"));
    }
    assert_one_segment_each(&server);
    server.ok(OTHER);
}

#[test]
fn a_long_path_that_fits_a_head_has_its_usual_error() {
    let server = Server::start();
    let long_input = format!("/head/{}", "x".repeat(15_000));
    assert_error(&server.get(&long_input), 500, "Failed to render head");
    let many_segments = format!("/head{}", "/x".repeat(5_000));
    assert_error(&server.get(&many_segments), 404, "Not found");
    assert_eq!(server.upstream.total_calls(), 0);
    server.ok(OTHER);
}

#[test]
fn a_head_that_is_too_large_is_refused_with_431() {
    let server = Server::start();
    let long_path = format!("/head/{}", "x".repeat(17_000));
    assert_eq!(server.get(&long_path).status, 431);
    let many_headers = [("X-Many", "y"); 1_000];
    assert_eq!(server.ask("GET", "/", &many_headers).status, 431);
    assert_eq!(server.upstream.total_calls(), 0);
    server.ok(OTHER);
}

#[test]
fn utf_8_in_a_path_needs_no_escapes() {
    let server = Server::start();
    let request = "GET /head/é HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let reply = Reply::parse(&exchange(server.address(), request.as_bytes()), true);
    assert_error(&reply, 500, "Failed to render head");
}

#[test]
fn a_decompression_bomb_takes_little_time() {
    let server = Server::start();
    let begun = Instant::now();
    // It may be accepted or refused.
    assert!([200, 500].contains(&server.get("/head/Bomber").status));
    assert_within(Duration::from_secs(10), begun);
    server.ok(OTHER);
}
