//! Metrics, on the listener of the service or on one of their own.

use std::net::TcpListener;

use fixtures::client::ask;

use crate::support::{Server, unzipped};

#[test]
fn requests_are_counted_by_route_and_status() {
    let server = Server::start();
    for (path, route, status) in [
        ("/v1/head/Gwendolin", "v1-picture", 200),
        ("/v1/profile/Gwendolin", "v1-profile", 200),
        ("/head/Nobody", "head", 500),
        ("/nowhere", "other", 404),
    ] {
        server.get(path);
        let name = format!("effigy_requests_total{{route=\"{route}\",status=\"{status}\"}}");
        assert_eq!(server.metric(&name), 1.0, "{name}");
    }
    let plain = server.get("/metrics");
    assert_eq!(plain.header("cache-control"), Some("no-store"));
    let kind = plain.header("content-type").unwrap();
    assert!(kind.starts_with("text/plain; version="), "{kind}");
    let packed = server.ask("GET", "/metrics", &[("Accept-Encoding", "gzip")]);
    let text = String::from_utf8(unzipped(&packed)).unwrap();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (_, value) = line.rsplit_once(' ').unwrap();
        assert!(value.parse::<f64>().is_ok(), "{line}");
    }
    let version = env!("CARGO_PKG_VERSION");
    let build = format!("effigy_build_info{{version=\"{version}\"}}");
    assert_eq!(server.metric(&build), 1.0);
    #[cfg(target_os = "linux")]
    assert!(server.metric("process_resident_memory_bytes") > 0.0);
}

#[test]
fn a_listener_of_their_own_answers_nothing_else() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = Server::start_with(|settings| settings.metrics_listener = Some(listener));
    assert_eq!(server.get("/metrics").status, 404);
    assert_eq!(server.get("/head/Gwendolin").status, 200);
    let metrics = ask(&address, "GET", "/metrics", &[]);
    assert_eq!(metrics.status, 200);
    let text = String::from_utf8(metrics.body).unwrap();
    assert!(text.contains("effigy_requests_total{route=\"head\",status=\"200\"} 1\n"));
    for (method, path, status) in [
        ("GET", "/", 404),
        ("GET", "/head/Gwendolin", 404),
        ("GET", "/head/Nobody", 404),
        ("POST", "/metrics", 405),
        ("HEAD", "/metrics", 200),
    ] {
        let reply = ask(&address, method, path, &[]);
        assert_eq!(reply.status, status, "{method} {path}");
    }
}
