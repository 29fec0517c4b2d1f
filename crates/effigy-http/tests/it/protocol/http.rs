//! HTTP: headers, conditional requests, methods, gzip, connections.

use crate::support::{Server, unzipped};
use fixtures::client::{Reply, exchange};
use fixtures::{Fault, Step};

#[track_caller]
fn assert_common_headers(reply: &Reply, what: &str) {
    let rows = [
        ("access-control-allow-origin", "*"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "SAMEORIGIN"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "cross-origin"),
    ];
    for (name, value) in rows {
        assert_eq!(reply.header(name), Some(value), "{what}");
    }
    let policy = reply.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'self'"), "{what}: {policy}");
}

#[test]
fn answers_share_their_headers_and_head_is_get_without_a_body() {
    let server = Server::start();
    let found = "GET /head/Gwendolin, GET /skin/Gwendolin, GET /, GET /health, GET /allstats, \
        GET /minecraft/mhf";
    for (status, requests) in [
        (200, found),
        (204, "OPTIONS /head/Gwendolin, OPTIONS *, OPTIONS /nowhere"),
        (400, "GET /avatar/Gwendolin/up, GET /head/%zz"),
        (404, "GET /nowhere, POST /nowhere"),
        (405, "POST /head/Gwendolin"),
        (500, "GET /head/Nobody"),
    ] {
        for request in requests.split(", ") {
            let (method, path) = request.split_once(' ').unwrap();
            let reply = server.ask(method, path, &[]);
            assert_eq!(reply.status, status, "{request}");
            assert_common_headers(&reply, request);
            // A report of health is never the same.
            if method != "GET" || path == "/health" {
                continue;
            }
            let (get, head) = (server.get(path), server.ask("HEAD", path, &[]));
            assert_eq!(head.status, get.status, "{path}");
            for (name, value) in &get.headers {
                let may_differ = ["date", "cache-control"].contains(&name.as_str());
                assert!(
                    may_differ || head.header(name) == Some(value),
                    "{path} {name}"
                );
            }
        }
    }
    server.upstream.set_fault(Step::Identity, Some(Fault::Drop));
    // More than half of the checks must fail.
    server.get("/health");
    let reply = server.get("/health");
    assert_eq!(reply.status, 503);
    assert_common_headers(&reply, "503");
}

#[test]
fn images_can_be_kept_and_asked_about() {
    let server = Server::start();
    // They are not compressed.
    let accepted = [("Accept-Encoding", "gzip")];
    let drawn = server.ask("GET", "/head/Gwendolin", &accepted);
    assert_eq!(drawn.header("content-encoding"), None);
    assert_eq!(drawn.header("vary"), None);
    let tag = drawn.header("etag").unwrap();
    let modified = drawn.header("last-modified").unwrap();
    for (header, status) in [
        (("If-None-Match", tag), 304),
        (("If-None-Match", "\"other\""), 200),
        (("If-Modified-Since", modified), 304),
    ] {
        for method in ["GET", "HEAD"] {
            let reply = server.ask(method, "/head/Gwendolin", &[header]);
            assert_eq!(reply.status, status, "{header:?}");
            assert_eq!(reply.header("etag"), Some(tag), "{header:?}");
            assert_eq!(reply.header("last-modified"), Some(modified), "{header:?}");
            assert_eq!(reply.header("x-cache"), Some("hit"), "{header:?}");
            assert_common_headers(&reply, "conditional");
            let is_empty = reply.header("content-type").is_none();
            assert!(!is_empty || reply.body.is_empty());
            assert_eq!(is_empty, status == 304, "{header:?}");
        }
    }
}

#[test]
fn texts_are_gzipped_if_the_client_accepts_it() {
    let server = Server::start();
    let paths = "/v1/profile/Gwendolin /v1/figure/Gwendolin.svg /minecraft/mhf /allstats / /nowhere /head/Nobody";
    for path in paths.split(' ') {
        server.get(path);
        let plain = server.get(path);
        let vary = match path {
            "/nowhere" => Some("Accept, Accept-Encoding"),
            _ => Some("Accept-Encoding"),
        };
        assert_eq!(plain.header("content-encoding"), None, "{path}");
        assert_eq!(plain.header("vary"), vary, "{path}");
        let accepted = [("Accept-Encoding", "br;q=1, gzip;q=0.5")];
        let zipped = server.ask("GET", path, &accepted);
        assert_eq!(zipped.header("content-encoding"), Some("gzip"), "{path}");
        assert_eq!(zipped.header("vary"), vary, "{path}");
        assert_eq!(unzipped(&zipped), plain.body, "{path}");
        assert_eq!(zipped.header("etag"), plain.header("etag"), "{path}");
        let head = server.ask("HEAD", path, &accepted);
        let length = zipped.header("content-length");
        assert_eq!(head.header("content-length"), length, "{path}");
    }
}

#[test]
fn pipelined_answers_come_in_order_and_urls_may_be_absolute() {
    let server = Server::start();
    let host = server.address();
    let request =
        |path: &str, more: &str| format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n");
    let mut requests = String::new();
    for number in 0..50 {
        requests += &request(&format!("/avatar/x/{number}"), "");
        requests += &request(&format!("http://{host}/skin/Gwendolin"), "");
    }
    requests += &request("/nowhere", "Connection: close\r\n");
    let answers = exchange(host, requests.as_bytes());
    let statuses = answers
        .windows(13)
        .filter_map(|window| window.strip_prefix(b"HTTP/1.1 "))
        .map(|rest| String::from_utf8_lossy(&rest[..3]));
    let expected = [["400", "200"].repeat(50), vec!["404"]].concat();
    assert!(statuses.eq(expected));
}

#[test]
fn http_2_is_the_business_of_a_proxy() {
    let server = Server::start();
    // What a client with prior knowledge sends at once, or in pieces.
    let (preface, settings) = ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\0\0\0\x04\0\0\0\0\0");
    for bytes in [preface.to_owned() + settings, preface[..18].to_owned()] {
        let reply = exchange(server.address(), bytes.as_bytes());
        assert!(reply.is_empty() || reply.starts_with(b"HTTP/1.1 400"));
    }
    // An offer to upgrade is not taken up.
    let upgrade = [
        ("Connection", "Upgrade, HTTP2-Settings"),
        ("Upgrade", "h2c"),
        ("HTTP2-Settings", ""),
    ];
    assert_eq!(server.ask("GET", "/minecraft/mhf", &upgrade).status, 200);
}
