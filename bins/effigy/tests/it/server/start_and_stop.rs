//! The server as a process: its output, errors, exit codes and signals.

use std::{
    io::{Read, Write},
    iter,
    net::{TcpListener, TcpStream},
    time::{Duration, Instant},
};

use crate::support::{
    LOG_TO_FILE, Server, assert_picture, assert_refused, drawn, effigy, head, run, text,
};
use effigy_render::Layers;
use fixtures::{Fault, PATIENCE, Step, assert_within, until};
use tempfile::TempDir;

#[test]
fn a_ready_server_prints_one_line_with_a_reachable_url() {
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
fn settings_may_come_from_the_environment() {
    let variables = [
        "env",
        "EFFIGY_LISTEN=127.0.0.1",
        // The name with the prefix comes first.
        "LISTEN=everywhere",
        // As Kubernetes sets it if a service is called `effigy`.
        "EFFIGY_PORT=tcp://10.0.0.1:3005",
        "EFFIGY_PORT_80_TCP=tcp://10.0.0.1:80",
        "EFFIGY_PROT=1",
        // Empty ones count as unset.
        "EFFIGY_MAX_SIZE=",
        "MAX_SIZE=",
        "NO_PREVIEW=1",
        "DATABASE_URL=sqlite:named.db",
        "CONTACT=https://example.org",
    ];
    // Plain `effigy` serves.
    let server = Server::start_by(&variables, &LOG_TO_FILE);
    let reply = server.get("/head/Gwendolin");
    assert_picture(&reply, head(Layers::Base, 128), "knight");
    assert!(server.database().with_file_name("named.db").exists());
    let log = server.log();
    let unknown: Vec<&str> = log.matches("unknown setting ").collect();
    assert!(unknown.len() == 1 && log.contains("EFFIGY_PROT;"), "{log}");
    assert_eq!(server.ask("POST", "/preview/head", &[]).status, 404);
    let agent = server.upstream.last_user_agent().unwrap();
    assert!(agent.contains("https://example.org"), "{agent}");
}

/// Other bad values are in tables of the crates of the command line and of the providers.
#[test]
fn a_bad_setting_is_one_sentence_and_leaves_no_file() {
    let directory = TempDir::new().unwrap();
    #[rustfmt::skip]
    let rows = [
        ("--port=port", "--port"),
        ("--java-identity-url=ftp://x.org", "--java-identity-url"),
        ("--java-session-url=example", "--java-session-url"),
        ("--bedrock-lookup-url=", "--bedrock-lookup-url"),
        ("--texture-url=http://", "--texture-url"),
        ("--texture-url=http://user:secret@x.org", "--texture-url"),
        ("--texture-host=http://x.org/", "error: --texture-host: \"http"),
        ("--contact=a\u{1}b", "error: --contact: \"a"),
        ("--skins=nowhere", "error: --skins: \"nowhere\" cannot be read"),
        ("--provider=mysql=x", "is not one of the kinds: mojang, geyser"),
        ("--family-host=x", "'--family-host <HOST=FAMILY>': write <host>=<family>"),
        ("--trusted-proxy=x", "'--trusted-proxy <TRUSTED_PROXY>': write none alone"),
        ("--trusted-proxy=none,10.0.0.0/8", "'--trusted-proxy <TRUSTED_PROXY>': write none alone"),
    ];
    for (setting, words) in rows {
        for arguments in [&[setting][..], &["serve", setting]] {
            let mut program = effigy();
            program.current_dir(&directory).args(arguments);
            assert_refused(&program.output().unwrap(), 2, &[words]);
        }
    }
    // The providers of other commands are checked by the same code.
    for command in [&["providers"][..], &["render", "head", "Notch"]] {
        let output = run(&[command, &["--skins", "nowhere"]].concat());
        assert_refused(&output, 2, &["error: --skins: \"nowhere\" cannot be read"]);
    }
    assert!(directory.path().read_dir().unwrap().next().is_none());
}

#[test]
fn a_taken_port_is_one_sentence() {
    let directory = TempDir::new().unwrap();
    let started = |command: &str, listen: &str, port: &str, metrics: &str| {
        let mut program = effigy();
        program.current_dir(&directory).args([command, "--log=off"]);
        program.args([
            "--listen",
            listen,
            "--port",
            port,
            "--metrics-listen",
            metrics,
        ]);
        program.output().unwrap()
    };
    let (local, any) = ("127.0.0.1", "0.0.0.0");
    let taken = TcpListener::bind((local, 0)).unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (_, port) = address.rsplit_once(':').unwrap();
    for (command, port, metrics, flag) in [
        ("serve", port, "127.0.0.1:0", "--port"),
        ("demo", port, "127.0.0.1:0", "--port"),
        ("serve", "0", &address, "--metrics-listen"),
    ] {
        let output = started(command, local, port, metrics);
        assert_refused(&output, 1, &[&address, "in use", flag]);
    }
    drop(taken);
    for (listen, metrics) in [(local, any), (any, local)] {
        // Another test may take a port that is free.
        let output = iter::repeat_with(|| {
            let free = TcpListener::bind((any, 0)).unwrap().local_addr().unwrap();
            let port = free.port().to_string();
            started("serve", listen, &port, &format!("{metrics}:{port}"))
        });
        let output = output
            .take(9)
            .find(|output| !text(&output.stderr).contains("in use"));
        let output = output.unwrap();
        let words = ["--metrics-listen: ", "has the port of the service"];
        assert_refused(&output, 2, &words);
    }
    let is_empty = directory.path().read_dir().unwrap().next().is_none();
    assert!(is_empty, "a database was created");
}

#[test]
fn a_database_that_cannot_be_opened_is_one_sentence() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().display();
    std::fs::write(directory.path().join("text.db"), "only text".repeat(400)).unwrap();
    for (url, code) in [
        (&*format!("sqlite:{path}/text.db"), 1),
        (&format!("sqlite:{path}/missing/effigy.db"), 2),
        ("mysql://localhost/effigy", 2),
        ("effigy.db", 2),
    ] {
        for command in [&["serve", "--listen=127.0.0.1", "--port=0"][..], &["prune"]] {
            let output = run(&[command, &["--database-url", url]].concat());
            assert_refused(&output, code, &["database"]);
        }
    }
}

#[test]
fn an_unescaped_password_is_refused_without_being_shown() {
    let url = "postgres://effigy:p@ss/w:rd@localhost/effigy";
    for command in [&["serve", "--listen=127.0.0.1", "--port=0"][..], &["prune"]] {
        let output = run(&[command, &["--database-url", url]].concat());
        assert_refused(&output, 2, &["--database-url", "percent-encoded", "%40"]);
        assert!(!text(&output.stderr).contains("w:rd"));
    }
}

/// Starts a server, requests a picture whose player is never found, and signals.
fn stop_in_a_request(signal: &str) -> (Server, TcpStream) {
    let server = Server::start();
    server.upstream.set_fault(Step::Identity, Some(Fault::Hold));
    let mut client = TcpStream::connect(server.address()).unwrap();
    let request = b"GET /head/Gwendolin HTTP/1.1\r\nHost: x\r\n\r\n";
    client.write_all(request).unwrap();
    assert!(server.upstream.wait_for_calls(Step::Identity, 1, PATIENCE));
    server.signal(signal);
    // The server takes no new connections from now on.
    until("no connection is taken", || {
        TcpStream::connect(server.address()).is_err()
    });
    (server, client)
}

#[test]
fn a_signal_lets_requests_end_and_a_second_one_does_not() {
    for (first, second, code) in [("TERM", "INT", 130), ("INT", "TERM", 143)] {
        let (mut server, mut client) = stop_in_a_request(first);
        server.upstream.set_fault(Step::Identity, None);
        let mut reply = Vec::new();
        client.read_to_end(&mut reply).unwrap();
        assert!(reply.starts_with(b"HTTP/1.1 200 "), "{first}");
        assert!(reply.ends_with(&drawn(head(Layers::Base, 128), "knight")));
        assert_eq!(server.wait(), Some(0), "{first}");

        let (mut server, mut client) = stop_in_a_request(first);
        let begun = Instant::now();
        server.signal(second);
        assert_eq!(server.wait(), Some(code), "{first} {second}");
        assert_within(Duration::from_secs(5), begun);
        let mut rest = Vec::new();
        // A connection that is cut may end with an error.
        let _ = client.read_to_end(&mut rest);
        assert!(rest.is_empty(), "nothing was answered");
    }
}
