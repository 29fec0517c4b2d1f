//! Malicious and malformed requests and upstreams: each gets its response in bounded time, and the
//! next request is served.

use std::time::{Duration, Instant};

use crate::support::{Server, assert_error};
use fixtures::assert_within;
use fixtures::client::{Reply, exchange, send_raw};

/// Sends a GET whose path is any bytes.
fn raw(server: &Server, path: &[u8]) -> Vec<u8> {
    let rest = b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    exchange(server.address(), &[b"GET ", path, rest].concat())
}

/// The path that another client asks for.
const OTHER: &str = "/head/Gwendolin/16";

#[test]
fn inputs_that_name_no_player() {
    let server = Server::start();
    let inputs = "%00 a%0d%0ab .. %2e%2e ..%2f..%2fetc%2fpasswd a%5Cb a%22b %25 a%3Fb%23c %F0%9F%A7%8D \
        http:%2F%2F127.0.0.1:1%2F -";
    for input in inputs.split(' ') {
        let reply = server.get(&format!("/skin/{input}"));
        if input.starts_with('.') || input.starts_with("%2e") {
            // A gamertag that no player has: the fallback skin.
            assert_eq!(reply.status, 200, "{input}");
        } else {
            assert_error(&reply, 500, "Failed to get skin");
        }
    }
    for request in server.upstream.requests() {
        // One segment each: nothing climbs out of its path.
        let (folder, rest) = request.rsplit_once('/').unwrap();
        let known =
            "/users/profiles/minecraft /v2/xbox/xuid /session/minecraft/profile /v2/skin /texture";
        let mut known = known.split(' ').map(|known| format!("GET {known}"));
        assert!(known.any(|known| folder == known), "{request}");
        assert!(!rest.contains(['?', '#']) && rest != "..", "{request}");
    }
    server.ok(OTHER);
}

#[test]
fn long_inputs() {
    let server = Server::start();
    let reply = server.get(&format!("/head/{}", "x".repeat(15_000)));
    assert_error(&reply, 500, "Failed to render head");
    let many = format!("/head{}", "/x".repeat(5_000));
    assert_error(&server.get(&many), 404, "Not found");
    let longer = format!("/head/{}", "x".repeat(17_000));
    assert_eq!(server.get(&longer).status, 431);
    let headers = [("X-Many", "y"); 1_000];
    assert_eq!(server.ask("GET", "/", &headers).status, 431);
    assert_eq!(server.upstream.total_calls(), 0);
    server.ok(OTHER);
}

#[test]
fn raw_bytes_in_the_request_line() {
    let server = Server::start();
    let paths = b"/head/\xff\xfe|/head/\x80|/head/a b|/head/\x01|/head/\x00|/head/<x>|head|";
    for path in paths.split(|byte| *byte == b'|') {
        let answer = raw(&server, path);
        // After a malformed request the server may just close the connection.
        if !answer.is_empty() {
            let status = Reply::parse(&answer, true).status;
            assert!((400..=500).contains(&status), "{path:?}: {status}");
        }
        server.ok(OTHER);
    }
    // UTF-8 without escapes is understood.
    let reply = Reply::parse(&raw(&server, "/head/é".as_bytes()), true);
    assert_error(&reply, 500, "Failed to render head");
}

#[test]
fn garbage_instead_of_a_request() {
    let server = Server::start();
    let tls_hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";
    let requests: [&[u8]; 4] = [
        b"\r\n\r\n\r\n",
        b"not http at all\r\n\r\n",
        tls_hello,
        b"GET / HTTP/9.9\r\n\r\n",
    ];
    for request in requests {
        drop(send_raw(server.address(), request));
        server.ok(OTHER);
    }
}

#[test]
fn a_decompression_bomb_takes_little_time() {
    let server = Server::start();
    let begun = Instant::now();
    // Whether it is accepted or not.
    assert!([200, 500].contains(&server.get("/head/Bomber").status));
    assert_within(Duration::from_secs(10), begun);
    server.ok(OTHER);
}
