//! `--access-log`.

use std::fs;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::documents::commands_of;
use crate::support::{LOG_TO_FILE, Server, read_line, text};

const CLIENT: (&str, &str) = ("X-Forwarded-For", "192.0.2.1");

#[test]
fn common_lines_begin_with_the_address_of_the_client() {
    let mut server = Server::start_with(&["--access-log", "common"]);
    server.ask("GET", "/head/Gwendolin/8?x=1", &[CLIENT]);
    let line = read_line(&mut server.output);
    assert!(line.starts_with("192.0.2.1 - - ["), "{line}");
}

#[test]
fn json_lines_have_client_status_and_cache() {
    let mut server = Server::start_with(&["--access-log", "json"]);
    for cache in ["miss", "hit"] {
        server.ask("GET", "/head/Gwendolin/8", &[CLIENT]);
        let line: Value = serde_json::from_str(&read_line(&mut server.output)).unwrap();
        assert_eq!(line["client"], "192.0.2.1");
        assert_eq!(line["status"], 200);
        assert_eq!(line["cache"], cache);
    }
}

#[test]
fn combined_lines_have_referer_and_user_agent() {
    let mut server = Server::start_with(&["--access-log", "combined"]);
    let referer = ("Referer", "https://example.org/");
    let user_agent = ("User-Agent", "Bot/1.0");
    server.ask("GET", "/head/Gwendolin/8", &[CLIENT, referer, user_agent]);
    let line = read_line(&mut server.output);
    assert!(line.starts_with("192.0.2.1 - - ["), "{line}");
    let end = "\"https://example.org/\" \"Bot/1.0\"";
    assert!(line.trim_end().ends_with(end), "{line}");
}

#[test]
fn documented_commands_find_the_busiest_client() {
    let mut server = Server::start_with(&["--access-log", "combined"]);
    let mut journal = "2026-11-28T00:00:00Z INFO effigy: a line of the log\n".to_owned();
    for (client, player, referer) in [
        ("192.0.2.1", "Gwendolin", "https://a.example/page"),
        ("192.0.2.1", "Gwendolin", "https://a.example/"),
        ("192.0.2.1", "Reynard", "https://a.example/"),
        ("192.0.2.2", "Gwendolin", "https://b.example/"),
    ] {
        let headers = [("X-Forwarded-For", client), ("Referer", referer)];
        server.ask("GET", &format!("/v1/face/{player}"), &headers);
        journal += &read_line(&mut server.output);
        journal.push('\n');
    }
    let found = run_documented_commands("| grep", &journal);
    let requests_by_client = ["3 192.0.2.1", "1 192.0.2.2"];
    let requests_by_site = ["3 a.example", "1 b.example"];
    assert_eq!(found, [requests_by_client, requests_by_site].concat());
}

#[test]
fn documented_command_finds_clients_refused_most_often() {
    let flags = ["--access-log", "combined", "--client-calls", "2/1h"];
    let mut server = Server::start_with(&[&LOG_TO_FILE[..], &flags].concat());
    let mut journal = String::new();
    for (client, path, status) in [
        ("192.0.2.1", "/head/Gwendolin/8", 200),
        ("192.0.2.1", "/head/Reynard/8", 500),
        ("192.0.2.2", "/v1/face/Valentina", 200),
        ("192.0.2.2", "/minotar/avatar/Simone", 429),
    ] {
        let user_agent = "x INFO x: a client was refused client=192.0.2.3 x held_back=9 x";
        let headers = [("X-Forwarded-For", client), ("User-Agent", user_agent)];
        assert_eq!(server.ask("GET", path, &headers).status, status, "{path}");
        journal += &read_line(&mut server.output);
        journal.push('\n');
    }
    server.wait_for_log("client=192.0.2.2");
    let log = server.log();
    let of_first = log.lines().find(|line| line.contains("client=192.0.2.1"));
    let ten_seconds_later = of_first.unwrap().replace("held_back=0", "held_back=3");
    journal = format!("{journal}{log}{ten_seconds_later}\n");
    let found = run_documented_commands("|\n    sed", &journal);
    assert_eq!(found, ["5 192.0.2.1", "1 192.0.2.2"]);
}

/// Runs commands of `docs/operations.md` on a journal, and returns the lines of their output. The
/// argument begins with the pipe from `journalctl`.
fn run_documented_commands(begin: &str, journal: &str) -> Vec<String> {
    const JOURNAL: &str = "journalctl -u effigy -o cat --since -1h ";
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("journal"), journal).unwrap();
    let block = commands_of("docs/operations.md", &format!("{JOURNAL}{begin}"));
    let commands = block.replace(JOURNAL, "cat journal ");
    let script = format!("set -eo pipefail; {commands}");
    let mut bash = Command::new("bash");
    let output = bash.args(["-c", &script]).current_dir(&folder).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = text(&output.stdout);
    lines.lines().map(|line| line.trim().to_owned()).collect()
}
