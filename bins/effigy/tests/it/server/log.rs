//! The metrics and the log of a running server.

use std::time::Instant;

use crate::support::{LOG_TO_FILE, Server};
use fixtures::{Fault, PATIENCE, Step, assert_within};
use serde_json::Value;

/// The program reports them, and not the service. The tests of the HTTP surface have the other metrics.
#[test]
fn calls_are_counted_by_their_outcome() {
    let server = Server::start();
    for (fault, path) in [
        (None, "/head/Gwendolin"),
        (None, "/head/Nobody"),
        (Some(503), "/head/Reynard"),
        (Some(429), "/head/Servo"),
    ] {
        let fault = fault.map(Fault::status);
        server.upstream.set_fault(Step::Identity, fault);
        server.get(path);
    }
    for labels in [
        "outcome='ok',provider='textures',step='texture'",
        "outcome='not_found',provider='mojang',step='identity'",
        "outcome='server_error',provider='mojang',step='identity'",
        "outcome='limited',provider='mojang',step='identity'",
    ] {
        let name = format!("effigy_upstream_request_duration_seconds_count{{{labels}}}");
        assert_eq!(server.metric(&name.replace('\'', "\"")), 1.0, "{name}");
    }
}

/// An alert on a metric that does not exist never fires.
#[test]
fn the_alerts_and_the_documents_are_about_metrics_that_exist() {
    let server = Server::start_with(&["--java-identity-limit", "600/10m"]);
    server.get("/head/Gwendolin");
    server.get("/head/Nobody");
    let metrics = String::from_utf8(server.get("/metrics").body).unwrap();
    let alerts = include_str!("../../../../../docs/deploy/alerts.yml");
    let words = alerts.split(|c: char| !c.is_ascii_lowercase() && c != '_');
    let alerts = words.filter(|word| word.starts_with("effigy_"));
    let document = include_str!("../../../../../docs/operations.md");
    let words = document.split('`').skip(1).step_by(2);
    let watched = words.filter(|word| word.starts_with("effigy_"));
    let named: Vec<&str> = alerts.chain(watched).collect();
    assert!(named.len() >= 9, "{named:?}");
    for name in named {
        assert!(
            metrics.contains(&format!("\n{name}{{")) || metrics.contains(&format!("\n{name} ")),
            "{name}"
        );
    }
}

#[test]
fn the_log_can_be_json() {
    let server = Server::start_with(&["--log=effigy=debug", "--log-format=json"]);
    server.get("/head/Gwendolin");
    let too_long = "x".repeat(257);
    let too_large = format!("/player/Gwendolin/{}", i32::MAX);
    assert_eq!(server.get(&too_large).status, 500);
    for path in ["profile/", "cape/", "head/"].map(|view| format!("/v1/{view}{too_long}")) {
        assert_eq!(server.get(&path).status, 400, "{path}");
    }
    server.wait_for_log("/v1/head/");
    let text = server.log();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let fields: Vec<Value> = lines.map(|line: Value| line["fields"].clone()).collect();
    let answered = |fields: &&Value| fields["message"] == "answered";
    let answered: Vec<&Value> = fields.iter().filter(answered).collect();
    assert_eq!(answered.len(), 5, "one line a request: {text}");
    assert_eq!(answered[0]["path"], "/head/Gwendolin");
    assert_eq!(answered[0]["status"], 200);
    // Each invalid request has its reason.
    let endpoints = fields
        .iter()
        .filter_map(|fields| fields["endpoint"].as_str());
    let endpoints: Vec<&str> = endpoints.collect();
    assert_eq!(
        endpoints,
        ["player", "x-profile", "x-cape", "head"],
        "{text}"
    );
}

#[test]
fn a_reader_of_the_log_that_stalls_stops_nothing() {
    let stalled = "mkfifo pipe; sleep 60 < pipe > /dev/null & exec \"$@\" 2> pipe";
    let mut server = Server::start_by(&["sh", "-c", stalled, "sh"], &["--log=debug"]);
    // Each line has the path, so that these do not fit into the pipe.
    let (path, begun) = (format!("/{}", "x".repeat(4000)), Instant::now());
    for _ in 0..100 {
        assert_eq!(server.get(&path).status, 404);
    }
    server.signal("TERM");
    assert_eq!(server.wait(), Some(0));
    assert_within(PATIENCE, begun);
}

/// A client could fill the disk with warnings.
#[test]
fn failures_that_callers_cause_are_counted_and_not_logged() {
    let server = Server::start_with(&LOG_TO_FILE);
    let too_long = "x".repeat(257);
    for number in 0..50 {
        for path in [
            format!("/head/Nobody{number}"),
            format!("/head/{too_long}"),
            format!("/head/Gwendolin/{}", u32::MAX - number),
            format!("/v1/head/Nobody{number}"),
            format!("/v1/cape/Nobody{number}"),
            format!("/v1/texture/{}", "0".repeat(64)),
        ] {
            assert_ne!(server.get(&path).status, 200, "{path}");
        }
    }
    let failures = |fault| format!("effigy_failures_total{{fault=\"{fault}\"}}");
    assert_eq!(server.metric(&failures("request")), 100.0);
    assert_eq!(server.metric(&failures("not_found")), 200.0);
    // The providers, at the start.
    let log = server.log();
    assert_eq!(log.lines().count(), 1, "{log}");
}

#[test]
fn repeated_warnings_are_few() {
    let server = Server::start_with(&LOG_TO_FILE);
    server
        .upstream
        .set_fault_everywhere(Some(&Fault::status(500)));
    for number in 0..100 {
        server.get(&format!("/head/Gwendolin/{}", number + 1));
        server.get(&format!("/head/.Bluejay/{}", number + 1));
        server.get("/health");
    }
    assert!(server.metric("effigy_failures_total{fault=\"upstream\"}") >= 100.0);
    let log = server.log();
    let lines = log.lines().filter(|line| line.contains(" WARN ")).count();
    // At most five from each of three places, and one more of each after ten seconds on a slow machine.
    assert!((1..=18).contains(&lines), "{log}");
}
