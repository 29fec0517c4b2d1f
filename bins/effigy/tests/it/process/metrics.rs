//! The metrics and the log of a running server.

use std::{collections::BTreeMap, fs, io::Read, process::Stdio};

use crate::support::{LOG_TO_FILE, Server, effigy, read_line};
use fixtures::client::ask;
use fixtures::{Fault, Step};
use serde_json::Value;

/// Every sample, by its name with labels.
fn samples(server: &Server) -> BTreeMap<String, f64> {
    let reply = server.get("/metrics");
    assert_eq!(reply.status, 200);
    let content_type = reply.header("content-type").unwrap();
    assert!(
        content_type.starts_with("text/plain; version=0.0.4"),
        "{content_type}"
    );
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    let text = String::from_utf8(reply.body).unwrap();
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.rsplit_once(' ').unwrap())
        .map(|(name, value)| (name.to_owned(), value.parse().unwrap()))
        .collect()
}

#[test]
fn requests_are_counted_by_what_became_of_them() {
    let server = Server::start();
    for _ in 0..3 {
        server.get("/head/Gwendolin");
    }
    server.get("/avatar/Gwendolin/up");
    server.get("/nowhere");
    server.get("/head/Nobody");
    let samples = samples(&server);
    let rows = [
        ("effigy_requests_total{route=\"head\",status=\"200\"}", 3.0),
        ("effigy_requests_total{route=\"head\",status=\"500\"}", 1.0),
        (
            "effigy_requests_total{route=\"avatar\",status=\"400\"}",
            1.0,
        ),
        ("effigy_requests_total{route=\"other\",status=\"404\"}", 1.0),
        ("effigy_request_duration_seconds_count{cache=\"hit\"}", 2.0),
        ("effigy_request_duration_seconds_count{cache=\"miss\"}", 1.0),
        ("effigy_request_duration_seconds_count{cache=\"none\"}", 3.0),
        (
            "effigy_render_duration_seconds_count{endpoint=\"head\"}",
            1.0,
        ),
        ("effigy_resolve_duration_seconds_count{outcome=\"ok\"}", 1.0),
        (
            "effigy_resolve_duration_seconds_count{outcome=\"error\"}",
            1.0,
        ),
        (
            "effigy_database_read_duration_seconds_count{outcome=\"ok\"}",
            2.0,
        ),
        (
            "effigy_upstream_request_duration_seconds_count{outcome=\"ok\",provider=\"textures\",step=\"texture\"}",
            1.0,
        ),
        (
            "effigy_upstream_calls_in_flight{provider=\"mojang\",upstream=\"session\"}",
            0.0,
        ),
        (
            "effigy_upstream_circuit_open{provider=\"textures\",upstream=\"texture\"}",
            0.0,
        ),
        (
            "effigy_upstream_paused{provider=\"geyser\",upstream=\"bedrock\"}",
            0.0,
        ),
        ("effigy_database_reads_down", 0.0),
        ("effigy_database_writes_down", 0.0),
        ("effigy_write_dropped_images_total", 0.0),
        ("effigy_misses_in_flight", 0.0),
    ];
    for (name, value) in rows {
        assert_eq!(samples.get(name), Some(&value), "{name} in {samples:#?}");
    }
    // The one of this request; others may be about to close.
    assert!(samples["effigy_connections"] >= 1.0);
    if cfg!(target_os = "linux") {
        assert!(samples["process_resident_memory_bytes"] > 0.0);
        assert!(samples.contains_key("process_cpu_seconds_total"));
    }
}

#[test]
fn calls_that_fail_are_told_apart() {
    let server = Server::start();
    for (fault, outcome) in [
        (Fault::status(503), "server_error"),
        (Fault::status(429), "limited"),
    ] {
        server.upstream.set_fault(Step::Identity, Some(fault));
        server.get("/head/Gwendolin");
        let name = format!(
            "effigy_upstream_request_duration_seconds_count{{outcome=\"{outcome}\",provider=\"mojang\",step=\"identity\"}}"
        );
        assert!(samples(&server)[&name] >= 1.0, "{name}");
    }
}

#[test]
fn the_log_can_be_json() {
    let directory = tempfile::TempDir::new().unwrap();
    let log = fs::File::create(directory.path().join("log")).unwrap();
    let mut child = effigy()
        .args(["demo", "--listen", "127.0.0.1", "--port", "0"])
        .args(["--log", "effigy=debug", "--log-format", "json"])
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .unwrap();
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    let address = read_line(&mut output).replace("Effigy listens on http://", "");
    ask(&address, "GET", "/head/Gwendolin", &[]);
    child.kill().unwrap();
    child.wait().unwrap();
    let mut text = String::new();
    let mut log = fs::File::open(directory.path().join("log")).unwrap();
    log.read_to_string(&mut text).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    let answered: Vec<&Value> = lines
        .iter()
        .map(|line| &line["fields"])
        .filter(|fields| fields["message"] == "answered")
        .collect();
    assert_eq!(answered.len(), 1, "one line a request: {text}");
    assert_eq!(answered[0]["path"], "/head/Gwendolin");
    assert_eq!(answered[0]["status"], 200);
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
    assert_eq!(server.log(), "");
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
    let lines = log.lines().count();
    // One of each kind, and again after ten seconds on a slow machine.
    assert!((1..=12).contains(&lines), "{log}");
}
