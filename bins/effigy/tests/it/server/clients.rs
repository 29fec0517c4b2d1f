//! Limits of clients, denied networks and proxies.

use crate::support::{LOG_TO_FILE, Server};

const CLIENT: (&str, &str) = ("X-Forwarded-For", "192.0.2.1");

/// Starts a server that allows each client the calls for one player.
fn server_of_few_calls() -> Server {
    let flags = ["--client-calls", "2/1h"];
    Server::start_with(&[&LOG_TO_FILE[..], &flags].concat())
}

#[test]
fn a_refused_client_is_logged_and_the_log_stays_short() {
    let server = server_of_few_calls();
    let status = |player: &str| {
        let path = format!("/v1/face/{player}?size=8");
        server.ask("GET", &path, &[CLIENT]).status
    };
    assert_eq!(status("Gwendolin"), 200);
    for _ in 0..30 {
        assert_eq!(status("Reynard"), 429);
    }
    // Another thread writes the log.
    server.wait_for_log("a client was refused");
    let log = server.log();
    let is_refusal = |line: &&str| line.contains("a client was refused");
    let lines: Vec<&str> = log.lines().filter(is_refusal).collect();
    // There is one line within ten seconds, and the next one counts the others.
    assert!((1..=3).contains(&lines.len()), "{log}");
    for part in [
        "INFO",
        "client=192.0.2.1",
        "limit=\"calls\"",
        "method=GET",
        "uri=\"/v1/face/Reynard?size=8\"",
        "retry_after=",
    ] {
        assert!(lines[0].contains(part), "{part}: {}", lines[0]);
    }
}

#[test]
fn refused_lists_and_pages_are_logged_too() {
    for path in ["/v1/profiles?players=Gwendolin,Reynard", "/?player=Reynard"] {
        let server = server_of_few_calls();
        let profile = server.ask("GET", "/v1/profile/Gwendolin", &[CLIENT]);
        assert_eq!(profile.status, 200);
        server.ask("GET", path, &[CLIENT]);
        server.wait_for_log("a client was refused");
        assert!(server.log().contains(path), "{path}");
    }
}

#[test]
fn denied_networks_are_refused() {
    let server = Server::start_with(&["--deny", "203.0.113.0/24,2001:db8::/32"]);
    let status = |address| {
        let client = ("X-Forwarded-For", address);
        server.ask("GET", "/head/Gwendolin/8", &[client]).status
    };
    assert_eq!(status("203.0.113.7"), 403);
    assert_eq!(status("2001:db8:1::1"), 403);
    assert_eq!(status("192.0.2.1"), 200);
}

#[test]
fn peers_that_may_be_proxies_are_warned_about_once() {
    // The other tests name their proxy.
    let server = Server::start_by(&["env", "-u", "EFFIGY_TRUSTED_PROXY"], &LOG_TO_FILE);
    for size in 8..20 {
        assert_eq!(server.get(&format!("/head/Gwendolin/{size}")).status, 200);
    }
    let log = server.log();
    assert_eq!(log.matches("set --trusted-proxy").count(), 1, "{log}");
}
