//! Spec, "States and transitions": the health status. Cache entries, and rules that need a log of
//! checks, are tested where the clock can be moved, in `effigy-service`.

use std::time::Duration;

use fixtures::{Fault, Step, client::Reply};

use crate::support::Server;

/// The text of a report in which every number is replaced by 0, because times and sizes differ.
fn without_numbers(report: &Reply) -> String {
    let text = String::from_utf8_lossy(&report.body);
    let mut shape = text.replace(|c: char| c.is_ascii_digit(), "0");
    while shape.contains("00") {
        shape = shape.replace("00", "0");
    }
    shape
}

/// The order of the fields is a part of the specification, so this compares the text.
#[test]
fn a_green_report_has_all_fields() {
    let server = Server::start();
    let reply = server.ok("/health");
    let expected = concat!(
        r#"{"status":"green","message":"Service is healthy","timestamp":"0-0-0T0:0:0.0Z","#,
        r#""services":{"database":"green","external_apis":"green","response_time":"0ms","#,
        r#""ping_age":"0s"},"uptime_seconds":0,"memory_usage":{"used":0.0,"total":0.0},"#,
        r#""recent_checks":0,"response_time_avg":"0ms","#,
        r#""recent_summary":{"green":0,"yellow":0,"red":0}}"#,
    );
    assert_eq!(without_numbers(&reply), expected);
}

#[test]
fn a_report_has_real_numbers() {
    let server = Server::start();
    let report = server.ok("/health").json();
    let memory = &report["memory_usage"];
    let used = memory["used"].as_f64().unwrap();
    let total = memory["total"].as_f64().unwrap();
    assert!(used > 0.0 && used <= total, "{memory}");
    assert_eq!(report["recent_checks"], 1);
    assert_eq!(report["recent_summary"]["green"], 1);
}

#[test]
fn a_check_is_one_look_up_of_notch() {
    let server = Server::start();
    server.ok("/health");
    let call = ["GET /users/profiles/minecraft/Notch"];
    assert_eq!(server.upstream.requests(), call);
}

#[test]
fn health_is_red_without_the_identity_service() {
    let server = Server::start();
    server.fail(Step::Identity);
    let reply = server.get("/health");
    assert_eq!(reply.status, 503);
    let expected = concat!(
        r#"{"status":"red","message":"Health check failed","timestamp":"0-0-0T0:0:0.0Z","#,
        r#""error":"the Java identity service cannot be reached","response_time":"0ms"}"#,
    );
    assert_eq!(without_numbers(&reply), expected);
}

#[test]
fn a_timestamp_has_milliseconds() {
    let report = Server::start().ok("/health").json();
    let timestamp = report["timestamp"].as_str().unwrap();
    assert_eq!(timestamp.len(), "2026-01-31T12:00:00.000Z".len());
}

#[test]
fn health_is_yellow_while_an_upstream_is_paused() {
    for (step, upstream) in [
        (Step::Identity, "identity_legacy"),
        (Step::Session, "session"),
    ] {
        let server = Server::start();
        let called_too_often = Fault::Status {
            code: 429,
            retry_after: Some(600),
        };
        server.upstream.set_fault(step, Some(called_too_often));
        assert_eq!(server.get("/head/Gwendolin").status, 500);
        server.mend(step);
        let report = server.get("/health").json();
        assert_eq!(report["status"], "yellow", "{upstream}");
        let message = report["message"].as_str().unwrap();
        assert!(message.contains(upstream), "{message}");
    }
}

#[test]
fn health_is_yellow_while_the_identity_service_is_slow() {
    let server = Server::start();
    let slow = Fault::Slow(Duration::from_millis(2100));
    server.upstream.set_fault(Step::Identity, Some(slow));
    let report = server.ok("/health").json();
    assert_eq!(report["status"], "yellow");
    assert_eq!(report["services"]["external_apis"], "yellow");
}
