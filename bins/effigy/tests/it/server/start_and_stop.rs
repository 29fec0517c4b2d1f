//! The first line of output, the last line of the log, and signals.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use effigy_render::Layers;
use fixtures::{Fault, PATIENCE, Step, assert_within, until};

use crate::support::{Server, drawn, head, run, text};

#[test]
fn ready_servers_print_one_line_with_a_reachable_url() {
    let mut server = Server::start_with(&["--listen", "0.0.0.0"]);
    let url = &server.url;
    assert!(url.starts_with("http://127.0.0.1:"), "{url}");
    assert_eq!(server.get("/allstats").status, 200);
    server.signal("TERM");
    assert_eq!(server.wait(), Some(0));
    let mut rest = String::new();
    server.output.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
}

#[test]
fn last_error_has_the_format_of_the_log() {
    let database = "--database-url=nowhere";
    let serve = ["serve", "--port=0", database];
    let json = run(&[&serve[..], &["--log-format=json"]].concat());
    assert_eq!(json.status.code(), Some(2));
    let log = text(&json.stderr);
    let last_line: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!(last_line["level"], "ERROR", "{log}");
    let lines = run(&serve);
    assert!(text(&lines.stderr).contains("\nerror: "), "{lines:?}");
    let without_log = run(&[&serve[..], &["--log-format=json", "--log=off"]].concat());
    let error = text(&without_log.stderr);
    assert!(error.starts_with("error: "), "{error}");
}

/// A server that was told to stop while it answers a request.
struct StoppingServer {
    server: Server,
    client: TcpStream,
}

impl StoppingServer {
    /// Requests a picture while the upstream holds its answers, and sends a signal.
    fn after(signal: &str) -> Self {
        let server = Server::start();
        server.upstream.set_fault(Step::Identity, Some(Fault::Hold));
        let mut client = TcpStream::connect(server.address()).unwrap();
        let request = b"GET /head/Gwendolin HTTP/1.1\r\nHost: x\r\n\r\n";
        client.write_all(request).unwrap();
        assert!(server.upstream.wait_for_calls(Step::Identity, 1, PATIENCE));
        server.signal(signal);
        until("no connection is accepted", || {
            TcpStream::connect(server.address()).is_err()
        });
        Self { server, client }
    }
}

#[test]
fn a_signal_lets_requests_in_flight_finish() {
    for signal in ["TERM", "INT"] {
        let mut stopping = StoppingServer::after(signal);
        stopping.server.upstream.set_fault(Step::Identity, None);
        let mut reply = Vec::new();
        stopping.client.read_to_end(&mut reply).unwrap();
        assert!(reply.starts_with(b"HTTP/1.1 200 "), "{signal}");
        assert!(reply.ends_with(&drawn(head(Layers::Base, 128), "knight")));
        assert_eq!(stopping.server.wait(), Some(0), "{signal}");
    }
}

#[test]
fn a_second_signal_ends_the_program_at_once() {
    for (first, second, code) in [("TERM", "INT", 130), ("INT", "TERM", 143)] {
        let mut stopping = StoppingServer::after(first);
        let begun = Instant::now();
        stopping.server.signal(second);
        assert_eq!(stopping.server.wait(), Some(code), "{first} {second}");
        assert_within(Duration::from_secs(5), begun);
        let mut reply = Vec::new();
        // A connection that is cut may end with an error.
        let _ = stopping.client.read_to_end(&mut reply);
        assert!(reply.is_empty(), "nothing was answered");
    }
}

#[test]
fn draining_servers_are_not_ready_and_serve_on() {
    let mut server = Server::start_with(&["--drain", "3s"]);
    let upstream = &server.upstream;
    let status = |path| server.get(path).status;
    assert_eq!(status("/livez"), 200);
    assert_eq!(status("/readyz"), 200);
    assert_eq!(upstream.total_calls(), 0);
    upstream.set_fault(Step::Session, Some(Fault::Hold));
    let picture = thread::scope(|scope| {
        let request = scope.spawn(|| server.get("/head/Gwendolin"));
        assert!(upstream.wait_for_calls(Step::Session, 1, PATIENCE));
        server.signal("TERM");
        until("the server is not ready", || status("/readyz") != 200);
        assert_eq!(status("/livez"), 200);
        assert_eq!(status("/allstats"), 200);
        let readiness = server.get("/readyz");
        assert_eq!(readiness.status, 503);
        assert_eq!(readiness.header("connection"), Some("close"));
        assert!(!request.is_finished());
        upstream.set_fault(Step::Session, None);
        request.join().unwrap()
    });
    assert_eq!(picture.status, 200);
    assert_eq!(server.wait(), Some(0));
}

#[test]
fn servers_that_ignore_hangups_outlive_their_terminal() {
    let ignoring = "trap '' HUP; exec \"$@\"";
    let server = Server::start_by(&["sh", "-c", ignoring, "sh"], &[]);
    server.signal("HUP");
    for size in 1..5 {
        assert_eq!(server.get(&format!("/head/Gwendolin/{size}")).status, 200);
    }
}
