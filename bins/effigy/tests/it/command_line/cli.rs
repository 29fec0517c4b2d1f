//! The command line: output, errors, exit codes and signals.

use std::{
    io::{BufReader, Read},
    net::{TcpListener, TcpStream},
    process::Stdio,
    time::{Duration, SystemTime},
};

use crate::support::{
    Picture, Server, assert_picture, assert_refused, effigy, head, read_line, run, text,
};
use effigy_render::Layers;
use fixtures::client::ask;
use fixtures::{FakeUpstream, Fault, Step};
use tempfile::TempDir;

/// The picture that most of these tests ask for.
fn face() -> Picture {
    head(Layers::Base, 128)
}

#[test]
fn a_ready_server_prints_one_line_with_its_url() {
    let mut server = Server::start();
    assert!(
        server.url.starts_with("http://127.0.0.1:"),
        "{}",
        server.url
    );
    assert_eq!(server.get("/allstats").status, 200);
    server.signal("TERM");
    assert_eq!(server.wait(), Some(0));
    let mut rest = String::new();
    server.output.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
}

#[test]
fn a_wildcard_address_is_shown_as_one_that_can_be_reached() {
    let server = Server::start_with(&["--listen", "0.0.0.0"]);
    assert!(
        server.url.starts_with("http://127.0.0.1:"),
        "{}",
        server.url
    );
    assert_eq!(server.get("/allstats").status, 200);
}

#[test]
fn every_setting_is_a_flag_and_a_variable() {
    let rows = [
        ("--listen", "LISTEN", "0.0.0.0"),
        ("--port", "PORT", "3005"),
        ("--database-url", "DATABASE_URL", "sqlite:effigy.db"),
        (
            "--java-identity-url",
            "JAVA_IDENTITY_URL",
            "https://api.mojang.com",
        ),
        (
            "--java-session-url",
            "JAVA_SESSION_URL",
            "https://sessionserver.mojang.com",
        ),
        (
            "--bedrock-lookup-url",
            "BEDROCK_LOOKUP_URL",
            "https://api.geysermc.org",
        ),
        (
            "--texture-url",
            "TEXTURE_URL",
            "https://textures.minecraft.net",
        ),
        ("--texture-host", "TEXTURE_HOST", ""),
        ("--upstream-timeout", "UPSTREAM_TIMEOUT", "10s"),
        ("--contact", "CONTACT", ""),
        ("--java-identity-limit", "JAVA_IDENTITY_LIMIT", ""),
        ("--java-session-limit", "JAVA_SESSION_LIMIT", ""),
        ("--bedrock-lookup-limit", "BEDROCK_LOOKUP_LIMIT", ""),
        ("--memory-cache", "MEMORY_CACHE", "64MiB"),
        ("--database-max-size", "DATABASE_MAX_SIZE", ""),
        ("--stale-if-error", "STALE_IF_ERROR", "0s"),
        ("--trusted-proxy", "TRUSTED_PROXY", ""),
        ("--client-lookups", "CLIENT_LOOKUPS", "300/10m"),
        ("--client-work", "CLIENT_WORK", "30s/2m"),
        ("--client-bytes", "CLIENT_BYTES", "64MiB"),
        ("--player-ttl", "PLAYER_TTL", "60s"),
        ("--log", "LOG", "info"),
        ("--log-format", "LOG_FORMAT", "text"),
    ];
    for command in [&["--help"][..], &["serve", "--help"]] {
        let output = run(command);
        assert_eq!(output.status.code(), Some(0));
        // Lines are broken to fit the terminal.
        let help = text(&output.stdout);
        let words: Vec<&str> = help.split_whitespace().collect();
        let help = words.join(" ");
        for (flag, variable, default) in rows {
            assert!(help.contains(&format!("{flag} <")), "{flag} in: {help}");
            assert!(help.contains(&format!("[env: {variable}")), "{variable}");
            let default = format!("[default: {default}]");
            assert!(
                default == "[default: ]" || help.contains(&default),
                "{default}"
            );
        }
    }
}

#[test]
fn settings_may_come_from_the_environment() {
    let upstream = FakeUpstream::start();
    let directory = TempDir::new().unwrap();
    let mut child = effigy()
        .current_dir(directory.path())
        .env("LISTEN", "127.0.0.1")
        .env("PORT", "0")
        .env("DATABASE_URL", "sqlite:named.db")
        .env("JAVA_IDENTITY_URL", upstream.url())
        .env("JAVA_SESSION_URL", upstream.url())
        .env("BEDROCK_LOOKUP_URL", upstream.url())
        .env("TEXTURE_URL", upstream.url())
        .env("CONTACT", "https://example.org")
        .env("LOG", "off")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Plain `effigy` serves.
    let line = read_line(&mut BufReader::new(child.stdout.take().unwrap()));
    let address = line
        .strip_prefix("Effigy listens on http://")
        .unwrap()
        .to_owned();
    let reply = ask(&address, "GET", "/head/Gwendolin", &[]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_picture(&reply, face(), "knight");
    assert!(directory.path().join("named.db").exists());
    let agent = upstream.last_user_agent().unwrap();
    assert!(agent.contains("https://example.org"), "{agent}");
}

#[test]
fn bad_values_are_refused_with_a_sentence_that_names_them() {
    let rows: [(&[&str], &str); 26] = [
        (&["--port", "port"], "--port"),
        (&["--port", "65536"], "--port"),
        (&["--port", "-1"], "--port"),
        (&["--listen", "everywhere"], "--listen"),
        (
            &["--java-identity-url", "ftp://example.org"],
            "--java-identity-url",
        ),
        (&["--java-session-url", "example"], "--java-session-url"),
        (&["--bedrock-lookup-url", ""], "--bedrock-lookup-url"),
        (&["--texture-url", "http://"], "--texture-url"),
        (
            &["--texture-url", "http://user:secret@example.org"],
            "--texture-url",
        ),
        (&["--texture-host", "http://example.org/"], "texture host"),
        (&["--upstream-timeout", "soon"], "--upstream-timeout"),
        (&["--upstream-timeout", "0"], "--upstream-timeout"),
        (&["--upstream-timeout=-5s"], "--upstream-timeout"),
        (&["--player-ttl", "short"], "--player-ttl"),
        (&["--contact", "a\u{1}b"], "contact"),
        (&["--java-identity-limit", "many"], "--java-identity-limit"),
        (&["--memory-cache", "much"], "--memory-cache"),
        (&["--database-max-size", "1000"], "--database-max-size"),
        (&["--stale-if-error", "long"], "--stale-if-error"),
        (&["--client-lookups", "300"], "--client-lookups"),
        (&["--client-work", "30s"], "--client-work"),
        (&["--client-bytes", "0"], "--client-bytes"),
        (&["--client-misses", "300/10m"], "--client-misses"),
        (&["--log", "a=b=c"], "--log"),
        (&["--log-format", "xml"], "--log-format"),
        (&["--no-such-flag"], "--no-such-flag"),
    ];
    for (arguments, name) in rows {
        for command in [&["--port", "0"][..], &["serve", "--port", "0"]] {
            let arguments: Vec<&str> = match arguments[0] {
                "--port" => [&command[..command.len() - 2], arguments].concat(),
                _ => [command, arguments].concat(),
            };
            let directory = TempDir::new().unwrap();
            let output = effigy()
                .current_dir(directory.path())
                .args(&arguments)
                .output()
                .unwrap();
            assert_refused(&output, 2, &[name]);
            let nothing = directory.path().read_dir().unwrap().next().is_none();
            assert!(nothing, "{arguments:?} left a file");
        }
    }
    let output = effigy().env("PORT", "port").output().unwrap();
    assert_refused(&output, 2, &["--port"]);
    assert_refused(&run(&["paint"]), 2, &["paint"]);
}

#[test]
fn a_taken_port_is_one_sentence() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let directory = TempDir::new().unwrap();
    let address = format!("127.0.0.1:{port}");
    for (command, port, metrics) in [
        ("serve", &*port, "127.0.0.1:0"),
        ("demo", &port, "127.0.0.1:0"),
        ("serve", "0", &address),
    ] {
        let mut program = effigy();
        program
            .current_dir(directory.path())
            .args([command, "--listen", "127.0.0.1", "--port", port])
            .args(["--metrics-listen", metrics, "--log=off"]);
        assert_refused(&program.output().unwrap(), 1, &[&address, "taken"]);
    }
    let is_empty = directory.path().read_dir().unwrap().next().is_none();
    assert!(is_empty, "a database was created");
}

#[test]
fn a_database_that_cannot_be_had_is_one_sentence() {
    let directory = TempDir::new().unwrap();
    let no_database = directory.path().join("text.db");
    std::fs::write(
        &no_database,
        "no database at all, but some text".repeat(100),
    )
    .unwrap();
    let rows = [
        format!("sqlite:{}", no_database.display()),
        format!("sqlite:{}/missing/effigy.db", directory.path().display()),
        "mysql://localhost/effigy".to_owned(),
        "effigy.db".to_owned(),
    ];
    for url in rows {
        for command in [
            &["serve", "--listen", "127.0.0.1", "--port", "0"][..],
            &["prune"],
        ] {
            let output = run(&[command, &["--database-url", &url]].concat());
            assert_refused(&output, 1, &["database"]);
        }
    }
}

#[test]
fn signals_let_requests_in_flight_end() {
    for name in ["TERM", "INT"] {
        let mut server = Server::start();
        server.upstream.set_fault(Step::Identity, Some(Fault::Hold));
        let address = server.address().to_owned();
        let client = std::thread::spawn(move || ask(&address, "GET", "/head/Gwendolin", &[]));
        let patience = Duration::from_secs(20);
        assert!(server.upstream.wait_for_calls(Step::Identity, 1, patience));
        server.signal(name);
        // The server takes no new connections from now on.
        let begun = SystemTime::now();
        while TcpStream::connect(server.address()).is_ok() {
            assert!(begun.elapsed().unwrap() < patience);
        }
        server.upstream.set_fault(Step::Identity, None);
        assert_picture(&client.join().unwrap(), face(), "knight");
        assert_eq!(server.wait(), Some(0), "{name}");
    }
}

#[test]
fn a_second_signal_ends_it_at_once() {
    for (first, second, code) in [("TERM", "INT", 130), ("INT", "TERM", 143)] {
        let mut server = Server::start();
        server.upstream.set_fault(Step::Identity, Some(Fault::Hold));
        let address = server.address().to_owned();
        let client = std::thread::spawn(move || TcpStream::connect(address).map(held));
        let patience = Duration::from_secs(20);
        assert!(server.upstream.wait_for_calls(Step::Identity, 1, patience));
        server.signal(first);
        let begun = SystemTime::now();
        while TcpStream::connect(server.address()).is_ok() {
            assert!(begun.elapsed().unwrap() < patience);
        }
        server.signal(second);
        assert_eq!(server.wait(), Some(code), "{first} {second}");
        assert!(begun.elapsed().unwrap() < Duration::from_secs(5));
        assert!(client.join().unwrap().is_ok());
    }
}

/// Requests a picture and waits for the end of the connection.
fn held(mut stream: TcpStream) {
    let request = b"GET /head/Gwendolin HTTP/1.1\r\nHost: x\r\n\r\n";
    std::io::Write::write_all(&mut stream, request).unwrap();
    let mut rest = Vec::new();
    // A connection that is cut may end with an error.
    let _ = stream.read_to_end(&mut rest);
    assert!(rest.is_empty(), "nothing was answered");
}

#[test]
fn the_version_is_told() {
    let output = run(&["--version"]);
    let version = concat!("effigy ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(text(&output.stdout), version);
}
