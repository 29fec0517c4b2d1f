//! The other exits of the server: the metrics at an address of their own, and the access log.

use std::{fs, process::Command, thread};

use fixtures::{Fault, PATIENCE, Step, client::ask, until};
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    documents::names::read,
    support::{LOG_TO_FILE, Server, read_line, text},
};

#[test]
fn the_metrics_can_have_an_address_of_their_own() {
    let arguments = [&LOG_TO_FILE[..], &["--metrics-listen", "127.0.0.1:0"]].concat();
    let server = Server::start_with(&arguments);
    assert_eq!(server.get("/metrics").status, 404);
    let log = server.log();
    let url = log
        .split_whitespace()
        .find(|word| word.ends_with("/metrics"));
    let address = url.unwrap().strip_prefix("http://").unwrap();
    let address = address.strip_suffix("/metrics").unwrap();
    let get = |path| ask(address, "GET", path, &[]);
    let metrics = String::from_utf8(get("/metrics").body).unwrap();
    assert!(metrics.contains("effigy_requests_total{route=\"metrics\",status=\"404\"} 1"));
    for path in ["/", "/head/Gwendolin", "/head/Nobody"] {
        assert_eq!(get(path).status, 404, "{path}");
    }
    assert_eq!([get("/livez").status, get("/readyz").status], [200; 2]);
    let posted = ask(address, "POST", "/metrics", &[]);
    assert_eq!(posted.status, 405);
    assert_eq!(server.upstream.total_calls(), 0);
}

#[test]
fn the_access_log_has_the_address_of_the_client() {
    let client = ("X-Forwarded-For", "192.0.2.1");
    let mut server = Server::start_with(&["--access-log", "common"]);
    server.ask("GET", "/head/Gwendolin/8?x=1", &[client]);
    let line = read_line(&mut server.output);
    assert!(line.starts_with("192.0.2.1 - - ["), "{line}");

    let mut server = Server::start_with(&["--access-log", "json"]);
    for cache in ["miss", "hit"] {
        server.ask("GET", "/head/Gwendolin/8", &[client]);
        let line: Value = serde_json::from_str(&read_line(&mut server.output)).unwrap();
        assert_eq!(line["client"], "192.0.2.1");
        assert_eq!(
            (&line["cache"], &line["status"]),
            (&cache.into(), &200.into())
        );
    }
}

#[test]
fn the_combined_log_has_referer_and_user_agent() {
    let mut server = Server::start_with(&["--access-log", "combined"]);
    let headers = [
        ("X-Forwarded-For", "192.0.2.1"),
        ("Referer", "https://example.org/"),
        ("User-Agent", "Bot/1.0"),
    ];
    server.ask("GET", "/head/Gwendolin/8", &headers);
    let line = read_line(&mut server.output);
    assert!(line.starts_with("192.0.2.1 - - ["), "{line}");
    let end = "\"https://example.org/\" \"Bot/1.0\"";
    assert!(line.trim_end().ends_with(end), "{line}");
}

#[test]
fn a_refused_client_is_logged_and_the_log_stays_short() {
    let flags = ["--client-calls", "2/1h"];
    let server = Server::start_with(&[&LOG_TO_FILE[..], &flags].concat());
    let client = ("X-Forwarded-For", "192.0.2.1");
    let get = |player: &str| {
        let path = format!("/v1/face/{player}?size=8");
        server.ask("GET", &path, &[client]).status
    };
    assert_eq!(get("Gwendolin"), 200);
    for _ in 0..30 {
        assert_eq!(get("Reynard"), 429);
    }
    // The log has a thread of its own.
    server.wait_for_log("a client was refused");
    let log = server.log();
    let lines: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("a client was refused"))
        .collect();
    // One within ten seconds, and the next one tells of the others.
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
fn a_refused_list_and_a_refused_page_are_logged_too() {
    for path in ["/v1/profiles?players=Gwendolin,Reynard", "/?player=Reynard"] {
        let flags = ["--client-calls", "2/1h"];
        let server = Server::start_with(&[&LOG_TO_FILE[..], &flags].concat());
        let get = |path| server.ask("GET", path, &[("X-Forwarded-For", "192.0.2.1")]);
        assert_eq!(get("/v1/profile/Gwendolin").status, 200);
        get(path);
        server.wait_for_log("a client was refused");
        assert!(server.log().contains(path), "{path}");
    }
}

#[test]
fn the_documented_commands_find_the_busiest_client() {
    let flags = ["--access-log", "combined", "--client-calls", "2/1h"];
    let mut server = Server::start_with(&flags);
    let mut journal = "2026-11-28T00:00:00Z INFO effigy: a line of the log\n".to_owned();
    let requests = [
        ("192.0.2.1", "Gwendolin", "https://a.example/page"),
        ("192.0.2.1", "Gwendolin", "https://a.example/"),
        ("192.0.2.1", "Reynard", "https://a.example/"),
        ("192.0.2.2", "Gwendolin", "https://b.example/"),
    ];
    for (client, player, referer) in requests {
        let headers = [("X-Forwarded-For", client), ("Referer", referer)];
        server.ask("GET", &format!("/v1/face/{player}"), &headers);
        journal += &read_line(&mut server.output);
        journal.push('\n');
    }
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("journal"), journal).unwrap();
    let document = read("docs/operations.md");
    let (_, rest) = document.split_once("```bash\njournalctl").unwrap();
    let (commands, _) = rest.split_once("```").unwrap();
    let (_, commands) = commands.split_once(" | ").unwrap();
    let script = format!("set -eo pipefail; cat journal | {commands}");
    let mut bash = Command::new("bash");
    let output = bash.args(["-c", &script]).current_dir(&folder).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let found = text(&output.stdout);
    let found: Vec<&str> = found.lines().map(str::trim).collect();
    assert_eq!(
        found,
        [
            "3 192.0.2.1",
            "1 192.0.2.2",
            "3 a.example",
            "1 b.example",
            "1 192.0.2.1"
        ]
    );
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
fn a_peer_that_may_be_a_proxy_is_warned_about_once() {
    // The other tests name their proxy.
    let server = Server::start_by(&["env", "-u", "TRUSTED_PROXY"], &LOG_TO_FILE);
    for size in 8..20 {
        assert_eq!(server.get(&format!("/head/Gwendolin/{size}")).status, 200);
    }
    let log = server.log();
    assert_eq!(log.matches("set --trusted-proxy").count(), 1, "{log}");
}

#[test]
fn a_server_told_to_stop_is_not_ready_and_serves_on() {
    let mut server = Server::start_with(&["--drain", "3s"]);
    let upstream = &server.upstream;
    let status = |path| server.get(path).status;
    assert_eq!([status("/livez"), status("/readyz")], [200; 2]);
    assert_eq!(upstream.total_calls(), 0);
    upstream.set_fault(Step::Session, Some(Fault::Hold));
    let reply = thread::scope(|scope| {
        let request = scope.spawn(|| server.get("/head/Gwendolin"));
        assert!(upstream.wait_for_calls(Step::Session, 1, PATIENCE));
        server.signal("TERM");
        until("the server is not ready", || status("/readyz") != 200);
        assert_eq!([status("/livez"), status("/allstats")], [200; 2]);
        let reply = server.get("/readyz");
        assert_eq!(reply.status, 503);
        assert_eq!(reply.header("connection"), Some("close"));
        assert!(!request.is_finished());
        upstream.set_fault(Step::Session, None);
        request.join().unwrap()
    });
    assert_eq!(reply.status, 200);
    assert_eq!(server.wait(), Some(0));
}
