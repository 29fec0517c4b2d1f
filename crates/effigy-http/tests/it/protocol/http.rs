//! HTTP: headers, conditional requests, methods, compression, connections.

use fixtures::{
    Step,
    client::{Reply, exchange},
};

use crate::support::{Server, statuses, unzipped};

#[track_caller]
fn assert_common_headers(reply: &Reply, request: &str) {
    let rows = [
        ("access-control-allow-origin", "*"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "SAMEORIGIN"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "cross-origin"),
    ];
    for (name, value) in rows {
        assert_eq!(reply.header(name), Some(value), "{request}");
    }
    let policy = reply.header("content-security-policy").unwrap();
    let own_only = policy.starts_with("default-src 'self'");
    assert!(own_only, "{request}: {policy}");
}

/// One request for each status that needs no failing upstream.
#[test]
fn answers_of_every_status_share_their_headers() {
    let server = Server::start();
    for (status, method, path) in [
        (200, "GET", "/head/Gwendolin"),
        (200, "GET", "/skin/Gwendolin"),
        (200, "GET", "/"),
        (200, "GET", "/health"),
        (200, "GET", "/allstats"),
        (200, "GET", "/minecraft/mhf"),
        (204, "OPTIONS", "/head/Gwendolin"),
        (204, "OPTIONS", "*"),
        (204, "OPTIONS", "/nowhere"),
        (400, "GET", "/avatar/Gwendolin/up"),
        (400, "GET", "/head/%zz"),
        (404, "GET", "/nowhere"),
        (404, "POST", "/nowhere"),
        (405, "POST", "/head/Gwendolin"),
        (500, "GET", "/head/Nobody"),
    ] {
        let reply = server.ask(method, path, &[]);
        assert_eq!(reply.status, status, "{method} {path}");
        assert_common_headers(&reply, path);
    }
}

#[test]
fn a_red_report_has_the_common_headers() {
    let server = Server::start();
    server.fail(Step::Identity);
    let reply = server.get("/health");
    assert_eq!(reply.status, 503);
    assert_common_headers(&reply, "/health");
}

#[test]
fn head_is_get_without_a_body() {
    let server = Server::start();
    for path in [
        "/head/Gwendolin",
        "/skin/Gwendolin",
        "/",
        "/allstats",
        "/minecraft/mhf",
        "/avatar/Gwendolin/up",
        "/nowhere",
        "/head/Nobody",
    ] {
        // A first picture is a miss, all others are hits.
        server.get(path);
        let get = server.get(path);
        let head = server.ask("HEAD", path, &[]);
        assert_eq!(head.status, get.status, "{path}");
        for (name, value) in &get.headers {
            // These change with time.
            if name != "date" && name != "cache-control" {
                assert_eq!(head.header(name), Some(&**value), "{path} {name}");
            }
        }
    }
}

#[test]
fn a_picture_is_not_compressed() {
    let server = Server::start();
    let reply = server.ask("GET", "/head/Gwendolin", &[("Accept-Encoding", "gzip")]);
    assert_eq!(reply.header("content-encoding"), None);
    assert_eq!(reply.header("vary"), None);
}

#[test]
fn an_unchanged_picture_is_not_sent_again() {
    let server = Server::start();
    let first = server.ok("/head/Gwendolin");
    let tag = first.header("etag").unwrap();
    let modified = first.header("last-modified").unwrap();
    for condition in [("If-None-Match", tag), ("If-Modified-Since", modified)] {
        for method in ["GET", "HEAD"] {
            let reply = server.ask(method, "/head/Gwendolin", &[condition]);
            assert_eq!(reply.status, 304, "{condition:?}");
            assert_eq!(reply.header("etag"), Some(tag), "{condition:?}");
            assert_eq!(reply.header("last-modified"), Some(modified));
            assert_eq!(reply.header("x-cache"), Some("hit"), "{condition:?}");
            assert_eq!(reply.header("content-type"), None);
            assert!(reply.body.is_empty());
            assert_common_headers(&reply, "conditional");
        }
    }
}

#[test]
fn a_picture_with_another_tag_is_sent_again() {
    let server = Server::start();
    let first = server.ok("/head/Gwendolin");
    let other_tag = [("If-None-Match", "\"other\"")];
    let reply = server.ask("GET", "/head/Gwendolin", &other_tag);
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("etag"), first.header("etag"));
    assert_eq!(reply.body, first.body);
}

#[test]
fn texts_are_gzipped_if_the_client_accepts_it() {
    let server = Server::start();
    let encoding = "Accept-Encoding";
    for (path, vary) in [
        ("/v1/profile/Gwendolin", encoding),
        ("/v1/figure/Gwendolin.svg", encoding),
        ("/minecraft/mhf", encoding),
        ("/allstats", encoding),
        ("/", encoding),
        ("/nowhere", "Accept, Accept-Encoding"),
        ("/head/Nobody", encoding),
    ] {
        // A first picture is a miss, all others are hits.
        server.get(path);
        let plain = server.get(path);
        assert_eq!(plain.header("content-encoding"), None, "{path}");
        assert_eq!(plain.header("vary"), Some(vary), "{path}");

        let accepted = [(encoding, "br;q=1, gzip;q=0.5")];
        let zipped = server.ask("GET", path, &accepted);
        assert_eq!(zipped.header("content-encoding"), Some("gzip"), "{path}");
        assert_eq!(zipped.header("vary"), Some(vary), "{path}");
        assert_eq!(unzipped(&zipped), plain.body, "{path}");
        assert_eq!(zipped.header("etag"), plain.header("etag"), "{path}");

        let head = server.ask("HEAD", path, &accepted);
        let length = zipped.header("content-length");
        assert_eq!(head.header("content-length"), length, "{path}");
    }
}

#[test]
fn pipelined_answers_come_in_order() {
    let server = Server::start();
    let mut requests = String::new();
    for number in 0..50 {
        requests += &format!("GET /avatar/x/{number} HTTP/1.1\r\nHost: x\r\n\r\n");
        requests += "GET /skin/Gwendolin HTTP/1.1\r\nHost: x\r\n\r\n";
    }
    requests += "GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let answers = exchange(server.address(), requests.as_bytes());
    let expected = [[400, 200].repeat(50), vec![404]].concat();
    assert_eq!(statuses(&answers), expected);
}

#[test]
fn a_url_may_be_absolute() {
    let server = Server::start();
    let host = server.address();
    let request = format!(
        "GET http://{host}/skin/Gwendolin HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    );
    let reply = Reply::parse(&exchange(host, request.as_bytes()), true);
    assert_eq!(reply.body, fixtures::skin("knight").png);
}

#[test]
fn http_2_is_left_to_a_proxy() {
    let server = Server::start();
    // A client that expects HTTP/2 sends its preface at once, or in pieces.
    let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    let settings = "\0\0\0\x04\0\0\0\0\0";
    for bytes in [format!("{preface}{settings}"), preface[..18].to_owned()] {
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
