//! `effigy health`.

use std::net::TcpListener;
use std::process::Output;
use std::thread;
use std::time::Duration;

use fixtures::{Fault, Step};

use crate::support::{Server, assert_refused, effigy, run, text};

/// Asks a server for its health, with the port as a variable, as in a container.
fn health(server: &Server, arguments: &[&str]) -> Output {
    let (_, port) = server.address().rsplit_once(':').unwrap();
    let mut command = effigy();
    command.env("PORT", port).arg("health").args(arguments);
    command.output().unwrap()
}

#[track_caller]
fn assert_healthy(output: &Output, report: &str) {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), report);
}

#[test]
fn healthy_services_are_green() {
    let server = Server::start();
    assert_healthy(&health(&server, &[]), "green: Service is healthy\n");
}

#[test]
fn unhealthy_services_are_errors_unless_only_life_is_asked_for() {
    let server = Server::start();
    let fault = Some(Fault::status(500));
    server.upstream.set_fault(Step::Identity, fault);
    // The report is red after three failures.
    server.get("/health");
    for _ in 0..2 {
        // A report is reused for a second.
        thread::sleep(Duration::from_millis(1_100));
        server.get("/health");
    }
    assert_refused(&health(&server, &[]), 1, &["status 503", "red"]);
    assert_healthy(&health(&server, &["--live"]), "the service answers\n");
}

#[test]
fn services_that_do_not_answer_are_errors() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let silent = run(&["health", "--port", &port, "--timeout", "100ms"]);
    assert_refused(&silent, 1, &["nothing answers", &port]);
    drop(listener);
    let refused = run(&["health", "--live", "--port", &port]);
    assert_refused(&refused, 1, &["nothing answers", &port]);
}
