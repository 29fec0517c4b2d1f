//! Spec, "States and transitions": the health status. Cache entries, and what needs a log of checks, are tested where the
//! clock can be moved, in `effigy-service`.

use std::time::Duration;

use crate::support::Server;
use fixtures::{Fault, Step};

#[test]
fn health_is_green_while_the_identity_service_answers() {
    let server = Server::start();
    let reply = server.get("/health");
    assert_eq!(reply.status, 200);
    let report = reply.json();
    assert_eq!(report["status"], "green");
    assert!(report["message"].is_string());
    assert_iso_8601(report["timestamp"].as_str().unwrap());
    assert_eq!(report["services"]["database"], "green");
    assert_eq!(report["services"]["external_apis"], "green");
    assert_millis(&report["services"]["response_time"]);
    assert!(report["uptime_seconds"].is_u64());
    let memory = &report["memory_usage"];
    let (used, total) = (memory["used"].as_f64(), memory["total"].as_f64());
    assert!(used.unwrap() > 0.0 && used <= total, "{memory}");
    assert_eq!(report["recent_checks"], 1);
    assert_millis(&report["response_time_avg"]);
    let summary = serde_json::json!({ "green": 1, "yellow": 0, "red": 0 });
    assert_eq!(report["recent_summary"], summary);
    // One look-up of Notch at the identity service, and nothing else.
    assert_eq!(server.upstream.calls(Step::Identity), 1);
    assert_eq!(server.upstream.total_calls(), 1);
    assert!(server.upstream.requests()[0].ends_with("/Notch"));
}

#[test]
fn health_is_red_without_the_identity_service() {
    let server = Server::start();
    server.fail(Step::Identity);
    let reply = server.get("/health");
    assert_eq!(reply.status, 503);
    let report = reply.json();
    let fields: Vec<&String> = report.as_object().unwrap().keys().collect();
    let expected = ["status", "message", "timestamp", "error", "response_time"];
    assert_eq!(fields, expected);
    assert_eq!(report["status"], "red");
    assert_eq!(report["message"], "Health check failed");
    assert!(report["error"].is_string());
    assert_iso_8601(report["timestamp"].as_str().unwrap());
    assert_millis(&report["response_time"]);
}

/// `2026-01-31T12:00:00.000Z`.
#[track_caller]
fn assert_iso_8601(text: &str) {
    let shape: String = text
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    assert_eq!(shape, "0000-00-00T00:00:00.000Z");
}

/// `<integer>ms`.
#[track_caller]
fn assert_millis(value: &serde_json::Value) {
    let digits = value.as_str().and_then(|text| text.strip_suffix("ms"));
    assert!(
        digits.is_some_and(|digits| digits.parse::<u64>().is_ok()),
        "{value}"
    );
}

#[test]
fn health_is_yellow_while_an_upstream_is_paused_or_slow() {
    for (step, upstream) in [
        (Step::Identity, "identity_legacy"),
        (Step::Session, "session"),
    ] {
        let server = Server::start();
        let paused = Fault::Status {
            code: 429,
            retry_after: Some(600),
        };
        server.upstream.set_fault(step, Some(paused));
        assert_eq!(server.get("/head/Gwendolin").status, 500);
        server.mend(step);
        let report = server.get("/health").json();
        assert_eq!(report["status"], "yellow", "{upstream}");
        let message = report["message"].as_str().unwrap();
        let expected = format!("{upstream} is not called, it was called too often");
        assert!(message.contains(&expected), "{message}");
    }
    let server = Server::start();
    let slow = Fault::Slow(Duration::from_millis(2100));
    server.upstream.set_fault(Step::Identity, Some(slow));
    let reply = server.get("/health");
    assert_eq!(
        (reply.status, &reply.json()["status"]),
        (200, &"yellow".into())
    );
    assert_eq!(reply.json()["services"]["external_apis"], "yellow");
}
