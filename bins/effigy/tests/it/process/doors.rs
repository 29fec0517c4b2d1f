//! The other exits of the server: the metrics at an address of their own, and the access log.

use std::thread;

use fixtures::{Fault, PATIENCE, Step, client::ask, until};
use serde_json::Value;

use crate::support::{LOG_TO_FILE, Server, read_line};

#[test]
fn the_metrics_can_have_an_address_of_their_own() {
    let arguments = [&LOG_TO_FILE[..], &["--metrics-listen", "127.0.0.1:0"]].concat();
    let server = Server::start_with(&arguments);
    assert_eq!(server.get("/metrics").status, 404);
    let log = server.log();
    let url = log
        .split_whitespace()
        .find(|word| word.ends_with("/metrics"));
    let address = url.unwrap().strip_prefix("http://").unwrap();
    let address = address.strip_suffix("/metrics").unwrap();
    let get = |path| ask(address, "GET", path, &[]);
    let metrics = String::from_utf8(get("/metrics").body).unwrap();
    assert!(metrics.contains("effigy_requests_total{route=\"metrics\",status=\"404\"} 1"));
    for path in ["/", "/head/Gwendolin", "/head/Nobody"] {
        assert_eq!(get(path).status, 404, "{path}");
    }
    assert_eq!([get("/livez").status, get("/readyz").status], [200; 2]);
    let posted = ask(address, "POST", "/metrics", &[]);
    assert_eq!(posted.status, 405);
    assert_eq!(server.upstream.total_calls(), 0);
}

#[test]
fn the_access_log_has_the_address_of_the_client() {
    let client = ("X-Forwarded-For", "192.0.2.1");
    let mut server = Server::start_with(&["--access-log", "common"]);
    server.ask("GET", "/head/Gwendolin/8?x=1", &[client]);
    let line = read_line(&mut server.output);
    assert!(line.starts_with("192.0.2.1 - - ["), "{line}");

    let mut server = Server::start_with(&["--access-log", "json"]);
    for cache in ["miss", "hit"] {
        server.ask("GET", "/head/Gwendolin/8", &[client]);
        let line: Value = serde_json::from_str(&read_line(&mut server.output)).unwrap();
        assert_eq!(line["client"], "192.0.2.1");
        assert_eq!(
            (&line["cache"], &line["status"]),
            (&cache.into(), &200.into())
        );
    }
}

#[test]
fn a_peer_that_may_be_a_proxy_is_warned_about_once() {
    // The other tests name their proxy.
    let server = Server::start_by(&["env", "-u", "TRUSTED_PROXY"], &LOG_TO_FILE);
    for size in 8..20 {
        assert_eq!(server.get(&format!("/head/Gwendolin/{size}")).status, 200);
    }
    let log = server.log();
    assert_eq!(log.matches("set --trusted-proxy").count(), 1, "{log}");
}

#[test]
fn a_server_told_to_stop_is_not_ready_and_serves_on() {
    let mut server = Server::start_with(&["--drain", "3s"]);
    let upstream = &server.upstream;
    let status = |path| server.get(path).status;
    assert_eq!([status("/livez"), status("/readyz")], [200; 2]);
    assert_eq!(upstream.total_calls(), 0);
    upstream.set_fault(Step::Session, Some(Fault::Hold));
    let reply = thread::scope(|scope| {
        let request = scope.spawn(|| server.get("/head/Gwendolin"));
        assert!(upstream.wait_for_calls(Step::Session, 1, PATIENCE));
        server.signal("TERM");
        until("the server is not ready", || status("/readyz") != 200);
        assert_eq!([status("/livez"), status("/allstats")], [200; 2]);
        let reply = server.get("/readyz");
        assert_eq!(reply.status, 503);
        assert_eq!(reply.header("connection"), Some("close"));
        assert!(!request.is_finished());
        upstream.set_fault(Step::Session, None);
        request.join().unwrap()
    });
    assert_eq!(reply.status, 200);
    assert_eq!(server.wait(), Some(0));
}
