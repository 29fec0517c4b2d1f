//! Spec, "States and transitions": the health status. Cache entries, and what needs a log of checks, are tested where the
//! clock can be moved, in `effigy-service`.

use std::time::Duration;

use crate::support::Server;
use fixtures::{Fault, Step, client::Reply};

/// The text of a report, in which every number is 0.
fn shape(report: &Reply) -> String {
    let text = String::from_utf8_lossy(&report.body);
    let mut shape = text.replace(|c: char| c.is_ascii_digit(), "0");
    while shape.contains("00") {
        shape = shape.replace("00", "0");
    }
    shape
}

#[test]
fn health_is_green_while_the_identity_service_answers() {
    let server = Server::start();
    let reply = server.ok("/health");
    let expected = "{\"status\":\"green\",\"message\":\"Service is healthy\",\"timestamp\":\"0-0-0T0:0:0.0Z\",\
        \"services\":{\"database\":\"green\",\"external_apis\":\"green\",\"response_time\":\"0ms\",\
        \"ping_age\":\"0s\"},\"uptime_seconds\":0,\"memory_usage\":{\"used\":0.0,\"total\":0.0},\
        \"recent_checks\":0,\"response_time_avg\":\"0ms\",\
        \"recent_summary\":{\"green\":0,\"yellow\":0,\"red\":0}}";
    assert_eq!(shape(&reply), expected);
    let report = reply.json();
    let memory = &report["memory_usage"];
    let (used, total) = (memory["used"].as_f64(), memory["total"].as_f64());
    assert!(used.unwrap() > 0.0 && used <= total, "{memory}");
    let counts = [&report["recent_checks"], &report["recent_summary"]["green"]];
    assert_eq!(counts, [1, 1]);
    // One look-up of Notch at the identity service, and nothing else.
    let call = ["GET /users/profiles/minecraft/Notch"];
    assert_eq!(server.upstream.requests(), call);
}

#[test]
fn health_is_red_without_the_identity_service() {
    let server = Server::start();
    server.fail(Step::Identity);
    let reply = server.get("/health");
    assert_eq!(reply.status, 503);
    let expected = "{\"status\":\"red\",\"message\":\"Health check failed\",\"timestamp\":\"0-0-0T0:0:0.0Z\",\
        \"error\":\"the Java identity service cannot be reached\",\"response_time\":\"0ms\"}";
    assert_eq!(shape(&reply), expected);
    let timestamp = &reply.json()["timestamp"];
    let length = "2026-01-31T12:00:00.000Z".len();
    assert_eq!(timestamp.as_str().unwrap().len(), length);
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
    let report = server.ok("/health").json();
    assert_eq!(report["status"], "yellow");
    assert_eq!(report["services"]["external_apis"], "yellow");
}
