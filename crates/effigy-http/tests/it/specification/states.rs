//! Spec, "States and transitions": cache entries and the health status. What needs an hour or a
//! log of checks is tested where the clock can be moved, in `effigy-service`.

use std::time::Duration;

use crate::support::Server;
use fixtures::{Fault, Step};

#[test]
fn a_render_makes_a_key_fresh_and_a_fresh_key_is_served() {
    let server = Server::start();
    let absent = server.get("/head/Gwendolin");
    assert_eq!(absent.header("x-cache"), Some("miss"));
    let fresh = server.get("/head/Gwendolin");
    assert_eq!(fresh.header("x-cache"), Some("hit"));
    assert_eq!(fresh.body, absent.body);
    // A new skin shows when the hour is over, not before.
    server.upstream.set_skin("Gwendolin", "robot");
    assert_eq!(server.get("/head/Gwendolin").body, absent.body);
    assert_ne!(server.get("/head/Gwendolin/127").body, absent.body);
}

#[test]
fn cached_entries_are_served_while_the_upstreams_are_down() {
    let server = Server::start();
    let drawn = server.get("/avatar/Gwendolin/left");
    server.upstream.set_fault_everywhere(Some(&Fault::Drop));
    let kept = server.get("/avatar/Gwendolin/left");
    assert_eq!((kept.status, kept.header("x-cache")), (200, Some("hit")));
    assert_eq!(kept.body, drawn.body);
    assert_eq!(server.get("/avatar/Gwendolin/right").status, 500);
}

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
    let down = Fault::status(500);
    server.upstream.set_fault(Step::Identity, Some(down));
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

#[test]
fn a_slow_identity_service_is_yellow() {
    let server = Server::start();
    let slow = Fault::Slow(Duration::from_millis(2100));
    server.upstream.set_fault(Step::Identity, Some(slow));
    let reply = server.get("/health");
    assert_eq!(reply.status, 200);
    let report = reply.json();
    assert_eq!(report["status"], "yellow");
    assert_eq!(report["services"]["external_apis"], "yellow");
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
fn health_is_yellow_while_an_upstream_is_paused() {
    for (step, upstream) in [
        (Step::Identity, "identity_legacy"),
        (Step::Session, "session"),
    ] {
        let server = Server::start();
        assert_eq!(server.get("/health").json()["status"], "green");
        let paused = Fault::Status {
            code: 429,
            retry_after: Some(600),
        };
        server.upstream.set_fault(step, Some(paused));
        assert_eq!(server.get("/head/Gwendolin").status, 500);
        server.upstream.set_fault(step, None);
        let report = server.get("/health").json();
        assert_eq!(report["status"], "yellow", "{upstream}");
        let message = report["message"].as_str().unwrap();
        let expected = format!("{upstream} is not called, it was called too often");
        assert!(message.contains(&expected), "{message}");
    }
}
