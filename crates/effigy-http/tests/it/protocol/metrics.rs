//! The metrics of requests, and of the work that they cause.

use fixtures::{Fault, Step, client::exchange, until};

use crate::support::{Server, statuses, unzipped};

/// Asks for a hit, misses, errors and a path that is missing, with upstreams that fail in turn.
fn busy_server() -> Server {
    let server = Server::start();
    for path in [
        "/head/Gwendolin",
        "/head/Gwendolin",
        "/head/Nobody",
        "/nowhere",
    ] {
        server.get(path);
    }
    for (status, path) in [(503, "/head/Reynard"), (429, "/head/Servo")] {
        let fault = Fault::status(status);
        server.upstream.set_fault(Step::Identity, Some(fault));
        server.get(path);
    }
    server
}

#[test]
fn requests_and_look_ups_are_counted_by_their_outcome() {
    let server = busy_server();
    for (name, expected) in [
        ("requests_total{route='head',status='200'}", 2.0),
        ("requests_total{route='head',status='500'}", 3.0),
        ("requests_total{route='other',status='404'}", 1.0),
        ("request_duration_seconds_count{cache='hit'}", 1.0),
        ("request_duration_seconds_count{cache='miss'}", 1.0),
        ("render_duration_seconds_count{endpoint='head'}", 1.0),
        ("resolve_duration_seconds_count{outcome='ok'}", 2.0),
        ("resolve_duration_seconds_count{outcome='error'}", 3.0),
        ("database_read_duration_seconds_count{outcome='ok'}", 4.0),
    ] {
        let name = format!("effigy_{}", name.replace('\'', "\""));
        assert_eq!(server.metric(&name), expected, "{name}");
    }
}

/// The server's protocol answers these requests by itself. The metrics count them afterwards.
#[test]
fn heads_that_cannot_be_parsed_are_counted() {
    let server = Server::start();
    let long_head = format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(17_000));
    for (head, status) in [("nonsense\r\n\r\n", 400), (&*long_head, 431)] {
        let answer = exchange(server.address(), head.as_bytes());
        assert_eq!(statuses(&answer), [status]);
        let name = format!("effigy_requests_total{{route=\"other\",status=\"{status}\"}}");
        until(&name, || server.metric(&name) == 1.0);
    }
}

#[test]
fn a_scrape_has_the_samples_of_the_moment() {
    let text = String::from_utf8(busy_server().ok("/metrics").body).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    for sample in [
        &format!("build_info{{version='{version}'}} 1"),
        "upstream_calls_in_flight{provider='mojang',upstream='session'} 0",
        "upstream_paused{provider='textures',upstream='texture'} 0",
        "upstream_paused{provider='mojang',upstream='identity_legacy'} 1",
        "misses_in_flight 0",
        "request_duration_seconds_count{cache='none'} 4",
    ] {
        let line = format!("\neffigy_{}\n", sample.replace('\'', "\""));
        assert!(text.contains(&line), "{line} in {text}");
    }
}

#[test]
fn a_scrape_may_be_gzipped_and_is_never_cached() {
    let server = Server::start();
    let reply = server.ask("GET", "/metrics", &[("Accept-Encoding", "gzip")]);
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    let media_type = reply.header("content-type").unwrap();
    let is_text = media_type.starts_with("text/plain; version=");
    assert!(is_text, "{media_type}");
    assert!(unzipped(&reply).starts_with(b"# HELP "));
}

#[test]
fn connections_and_memory_are_measured() {
    let server = Server::start();
    // The connection of this request; others may be about to close.
    assert!(server.metric("effigy_connections") >= 1.0);
    #[cfg(target_os = "linux")]
    assert!(server.metric("process_resident_memory_bytes") > 0.0);
}
