//! Settings that a server cannot start with.

use std::iter;
use std::net::TcpListener;
use std::process::Output;

use tempfile::TempDir;

use crate::support::{PostgresServer, assert_refused, effigy, run, text};

/// The crates of the command line and of the upstream services test other bad values.
#[test]
fn bad_settings_are_one_sentence_and_leave_no_file() {
    let directory = TempDir::new().unwrap();
    #[rustfmt::skip]
    let rows = [
        ("--port=port", "--port"),
        ("--java-identity-url=ftp://x.org", "--java-identity-url"),
        ("--java-session-url=example", "--java-session-url"),
        ("--bedrock-lookup-url=", "--bedrock-lookup-url"),
        ("--texture-url=http://", "--texture-url"),
        ("--texture-url=http://user:secret@x.org", "--texture-url"),
        ("--texture-host=http://x.org/", "error: --texture-host: \"http://x.org/\" is not a host"),
        ("--contact=a\u{1}b", "error: --contact: \"a"),
        ("--skins=nowhere", "error: --skins: the folder \"nowhere\" cannot be read"),
        ("--provider=folder=nowhere", "error: --provider: the folder \"nowhere\" cannot be read"),
        ("--provider=mysql=x", "error: --provider: \"mysql=x\" is not one of the kinds: mojang, geyser"),
        ("--family-host=x", "'--family-host <HOST=FAMILY>': write <host>=<family>"),
        ("--trusted-proxy=x", "'--trusted-proxy <NETWORK>': write none alone"),
        ("--trusted-proxy=none,10.0.0.0/8", "'--trusted-proxy <NETWORK>': write none alone"),
    ];
    for (setting, words) in rows {
        for arguments in [&[setting][..], &["serve", setting]] {
            let mut program = effigy();
            program.current_dir(&directory).args(arguments);
            assert_refused(&program.output().unwrap(), 2, &[words]);
        }
    }
    let no_proxy_and_one = run(&["--trusted-proxy=none", "--trusted-proxy=::1"]);
    let message = "error: --trusted-proxy: \"none\" cannot be combined with other values";
    assert_refused(&no_proxy_and_one, 2, &[message]);
    assert!(directory.path().read_dir().unwrap().next().is_none());
}

/// Starts a server that cannot listen, in a folder that stays empty.
fn listen(command: &str, host: &str, port: &str, metrics: &str) -> Output {
    let folder = TempDir::new().unwrap();
    let mut program = effigy();
    program.current_dir(&folder).args([command, "--log=off"]);
    program.args(["--listen", host, "--port", port]);
    program.args(["--metrics-listen", metrics]);
    let output = program.output().unwrap();
    let is_empty = folder.path().read_dir().unwrap().next().is_none();
    assert!(is_empty, "a database was created");
    output
}

#[test]
fn taken_ports_are_one_sentence_and_leave_no_file() {
    let local = "127.0.0.1";
    let taken = TcpListener::bind((local, 0)).unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (_, port) = address.rsplit_once(':').unwrap();
    let free = "127.0.0.1:0";
    for (command, service_port, metrics, flag) in [
        ("serve", port, free, "--port"),
        ("demo", port, free, "--port"),
        ("serve", "0", &address, "--metrics-listen"),
    ] {
        let output = listen(command, local, service_port, metrics);
        assert_refused(&output, 1, &[&address, "in use", flag]);
    }
}

#[test]
fn metrics_cannot_have_the_port_of_the_service() {
    let any = "0.0.0.0";
    for (host, metrics_host) in [("127.0.0.1", any), (any, "127.0.0.1")] {
        let outputs = iter::repeat_with(|| {
            let free = TcpListener::bind((any, 0)).unwrap().local_addr().unwrap();
            let port = free.port().to_string();
            listen("serve", host, &port, &format!("{metrics_host}:{port}"))
        });
        // Another test may take a port that was free.
        let is_port_free = |output: &Output| !text(&output.stderr).contains("in use");
        let refused = outputs.take(9).find(is_port_free).unwrap();
        let words = ["--metrics-listen: ", "has the port of the service"];
        assert_refused(&refused, 2, &words);
    }
}

#[test]
fn databases_that_cannot_be_opened_are_one_sentence() {
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
            assert_refused(&output, code, &["--database-url: cannot open the database"]);
        }
    }
}

/// The URL is usable, and another program refuses it.
#[test]
fn databases_that_postgres_refuses_exit_with_1() {
    let Some(postgres) = PostgresServer::start() else {
        return;
    };
    let missing = postgres.url("missing");
    let wrong_password = postgres.url_with_password("wrong", "postgres");
    for url in [&missing, &wrong_password] {
        for command in [&["serve", "--listen=127.0.0.1", "--port=0"][..], &["prune"]] {
            let output = run(&[command, &["--database-url", url]].concat());
            assert_refused(&output, 1, &["--database-url: cannot open the database"]);
        }
    }
}

#[test]
fn unescaped_passwords_are_refused_without_being_shown() {
    let url = "postgres://effigy:p@ss/w:rd@localhost/effigy";
    for command in [&["serve", "--listen=127.0.0.1", "--port=0"][..], &["prune"]] {
        let output = run(&[command, &["--database-url", url]].concat());
        assert_refused(&output, 2, &["--database-url", "percent-encoded", "%40"]);
        assert!(!text(&output.stderr).contains("w:rd"));
    }
}
