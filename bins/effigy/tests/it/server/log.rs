//! The log of a running server.

use std::time::Instant;

use fixtures::{Fault, PATIENCE, assert_within};
use serde_json::Value;

use crate::support::{LOG_TO_FILE, Server};

/// Returns the fields of each event of a JSON log.
fn events(server: &Server) -> Vec<Value> {
    let mut events = Vec::new();
    for line in server.log().lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        events.push(event["fields"].clone());
    }
    events
}

#[test]
fn json_logs_have_one_answer_per_request() {
    let server = Server::start_with(&["--log=effigy=debug", "--log-format=json"]);
    assert_eq!(server.get("/head/Gwendolin").status, 200);
    assert_eq!(server.get("/v1/head/Gwendolin?size=0").status, 400);
    server.wait_for_log("/v1/head/");
    let mut answers = events(&server);
    answers.retain(|fields| fields["message"] == "answered");
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert_eq!(answers[0]["path"], "/head/Gwendolin");
    assert_eq!(answers[0]["status"], 200);
    assert_eq!(answers[1]["status"], 400);
}

#[test]
fn failures_of_requests_are_logged_with_their_endpoint() {
    let server = Server::start_with(&["--log=effigy=debug", "--log-format=json"]);
    let too_large = format!("/player/Gwendolin/{}", i32::MAX);
    assert_eq!(server.get(&too_large).status, 500);
    let too_long = "x".repeat(257);
    for view in ["profile", "cape", "head"] {
        let path = format!("/v1/{view}/{too_long}");
        assert_eq!(server.get(&path).status, 400, "{path}");
    }
    server.wait_for_log("/v1/head/");
    let events = events(&server);
    let endpoints = events
        .iter()
        .filter_map(|fields| fields["endpoint"].as_str());
    let endpoints: Vec<&str> = endpoints.collect();
    assert_eq!(endpoints, ["player", "x-profile", "x-cape", "head"]);
}

#[test]
fn readers_of_the_log_that_stall_stop_nothing() {
    let stalled = "mkfifo pipe; sleep 60 < pipe > /dev/null & exec \"$@\" 2> pipe";
    let mut server = Server::start_by(&["sh", "-c", stalled, "sh"], &["--log=debug"]);
    // Each line has the path, so that a hundred lines don't fit into the pipe.
    let path = format!("/{}", "x".repeat(4000));
    let begun = Instant::now();
    for _ in 0..100 {
        assert_eq!(server.get(&path).status, 404);
    }
    server.signal("TERM");
    assert_eq!(server.wait(), Some(0));
    assert_within(PATIENCE, begun);
}

/// Otherwise, a client could fill the disk with warnings.
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
    // The only line names the providers, at the start.
    let log = server.log();
    assert_eq!(log.lines().count(), 1, "{log}");
}

#[test]
fn repeated_warnings_are_few() {
    let server = Server::start_with(&LOG_TO_FILE);
    let fault = Fault::status(500);
    server.upstream.set_fault_everywhere(Some(&fault));
    for size in 1..=100 {
        server.get(&format!("/head/Gwendolin/{size}"));
        server.get(&format!("/head/.Bluejay/{size}"));
        server.get("/health");
    }
    assert!(server.metric("effigy_failures_total{fault=\"upstream\"}") >= 100.0);
    let log = server.log();
    let warnings = log.lines().filter(|line| line.contains(" WARN ")).count();
    // Three call sites warn at most five times, and once more after ten seconds on a slow machine.
    assert!((1..=18).contains(&warnings), "{log}");
    assert!(log.contains("an upstream failed: "), "{log}");
}
