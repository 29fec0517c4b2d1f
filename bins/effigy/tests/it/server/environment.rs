//! Settings from environment variables.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::process::Output;

use effigy_render::Layers;
use tempfile::TempDir;

use crate::support::{
    LOG_TO_FILE, Server, SkinFolder, assert_picture, assert_refused, effigy, head, text,
};

/// Runs a command with variables.
fn run_with(variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = effigy();
    command.envs(variables.iter().copied()).args(arguments);
    command.output().unwrap()
}

/// Starts a server that fails because of its database, and returns what it writes to the log.
fn log_of_start(variables: &[(&str, &str)], arguments: &[&str]) -> String {
    let folder = TempDir::new().unwrap();
    let mut command = effigy();
    command.current_dir(&folder).envs(variables.iter().copied());
    command
        .args(["--port=0", "--database-url=nowhere"])
        .args(arguments);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    text(&output.stderr)
}

#[test]
fn settings_are_read_from_prefixed_variables() {
    let variables = [
        "env",
        "EFFIGY_LISTEN=127.0.0.1",
        "EFFIGY_NO_PREVIEW=1",
        "EFFIGY_CONTACT=https://example.org",
        // An empty variable counts as unset.
        "EFFIGY_MAX_SIZE=",
    ];
    // Without a command, the program serves.
    let server = Server::start_by(&variables, &LOG_TO_FILE);
    let reply = server.get("/head/Gwendolin");
    assert_picture(&reply, head(Layers::Base, 128), "knight");
    assert_eq!(server.ask("POST", "/preview/head", &[]).status, 404);
    let agent = server.upstream.last_user_agent().unwrap();
    assert!(agent.contains("https://example.org"), "{agent}");
    let log = server.log();
    assert!(!log.contains(" WARN "), "{log}");
}

#[test]
fn port_and_database_url_need_no_prefix() {
    // The server of the tests has a variable PORT.
    let server = Server::start_by(&["env", "DATABASE_URL=sqlite:named.db"], &LOG_TO_FILE);
    assert_eq!(server.get("/livez").status, 200);
    assert!(server.database().with_file_name("named.db").exists());
    assert!(!server.log().contains("no longer read"));
}

#[test]
fn prefixed_names_win_over_port_and_database_url() {
    let variables = [("EFFIGY_PORT", "x"), ("PORT", "1")];
    let refused = run_with(&variables, &["serve"]);
    assert_refused(&refused, 2, &["'x' for '--port <PORT>, from EFFIGY_PORT'"]);
    let urls = [
        ("EFFIGY_DATABASE_URL", "mysql://prefixed"),
        ("DATABASE_URL", "sqlite::memory:"),
    ];
    assert_refused(&run_with(&urls, &["prune"]), 2, &["--database-url"]);
}

#[test]
fn addresses_that_kubernetes_sets_are_ignored() {
    let variables = [
        "env",
        // Kubernetes sets these for a service that is called `effigy`.
        "EFFIGY_PORT=tcp://10.0.0.1:3005",
        "EFFIGY_PORT_80_TCP=tcp://10.0.0.1:80",
        "EFFIGY_SERVICE_HOST=10.0.0.1",
    ];
    let server = Server::start_by(&variables, &LOG_TO_FILE);
    assert!(!server.log().contains("unknown setting"));
}

/// Ignoring it would listen on all addresses.
#[test]
fn address_of_kubernetes_is_refused_in_other_settings() {
    let refused = run_with(&[("EFFIGY_LISTEN", "tcp://127.0.0.1")], &[]);
    let message = "'tcp://127.0.0.1' for '--listen <ADDRESS>, from EFFIGY_LISTEN'";
    assert_refused(&refused, 2, &[message]);
}

#[test]
fn unknown_prefixed_variables_are_warned_about() {
    let log = log_of_start(&[("EFFIGY_PROT", "1")], &[]);
    let warning = "unknown setting EFFIGY_PROT; see --help";
    assert_eq!(log.matches(warning).count(), 1, "{log}");
}

#[test]
fn unprefixed_variables_are_ignored_with_a_warning() {
    // More than the five warnings that one place in the code may repeat.
    let variables = [
        ("MAX_SIZE", "not a number"),
        ("MEMORY_CACHE", "1GiB"),
        ("NO_PREVIEW", "1"),
        ("LOG", "off"),
        ("SKINS", "/nowhere"),
        ("CONTACT", "a\u{1}b"),
        ("CLIENT_WORK", "1s/1m"),
    ];
    let log = log_of_start(&variables, &["--listen=127.0.0.1"]);
    for (name, _) in &variables[..6] {
        let warning = format!("{name} is no longer read; use EFFIGY_{name}");
        assert!(log.contains(&warning), "{warning}: {log}");
    }
    assert!(log.contains("CLIENT_WORK is no longer read; use EFFIGY_CLIENT_DRAWING"));
}

#[test]
fn names_of_other_programs_and_empty_ones_are_not_mentioned() {
    let variables = [("HOST", "example.org"), ("LISTEN", ""), ("TIMEOUT", "1")];
    let log = log_of_start(&variables, &[]);
    assert!(!log.contains("no longer read"), "{log}");
}

/// The variables without which a server would listen elsewhere, trust other proxies or call other
/// upstream services, each with a value.
const GUARDED: [(&str, &str); 8] = [
    ("LISTEN", "127.0.0.1"),
    ("METRICS_LISTEN", "127.0.0.1:0"),
    ("TRUSTED_PROXY", "10.0.0.1"),
    ("JAVA_IDENTITY_URL", "http://127.0.0.1:1"),
    ("JAVA_SESSION_URL", "http://127.0.0.1:1"),
    ("BEDROCK_LOOKUP_URL", "http://127.0.0.1:1"),
    ("TEXTURE_URL", "http://127.0.0.1:1"),
    ("TEXTURE_HOST", "textures.example.org"),
];

#[test]
fn servers_do_not_start_without_a_guarded_setting() {
    for (name, value) in GUARDED {
        let expected =
            format!("error: {name} is no longer read; use EFFIGY_{name}, or unset {name}");
        // A server that goes on fails because of its database.
        for command in [&[][..], &["serve"]] {
            let arguments = [command, &["--port=0", "--database-url=nowhere"]].concat();
            let refused = run_with(&[(name, value)], &arguments);
            assert_refused(&refused, 2, &[&expected]);
        }
    }
    // A demo that goes on cannot have the port of the service for its metrics.
    let arguments = ["demo", "--port=1", "--metrics-listen=127.0.0.1:1"];
    let refused = run_with(&[("LISTEN", "127.0.0.1")], &arguments);
    assert_refused(&refused, 2, &["use EFFIGY_LISTEN"]);
}

#[test]
fn servers_start_if_the_new_name_or_the_flag_is_set_as_well() {
    for (name, value) in GUARDED {
        let warning = format!("{name} is no longer read; use EFFIGY_{name}");
        let new_name = format!("EFFIGY_{name}");
        let variables = [(name, value), (&*new_name, value)];
        let log = log_of_start(&variables, &[]);
        assert!(log.contains(&warning), "{log}");
        let flag = format!("--{}={value}", name.to_lowercase().replace('_', "-"));
        let log_with_flag = log_of_start(&[(name, value)], &[&flag]);
        assert!(log_with_flag.contains(&warning), "{log_with_flag}");
    }
}

#[test]
fn commands_that_do_not_serve_only_warn() {
    let folder = TempDir::new().unwrap();
    let variables = GUARDED.into_iter().chain([("DATABASE_MAX_SIZE", "1")]);
    for (words, warning) in [
        (
            &["prune", "--database-url=sqlite::memory:"][..],
            "DATABASE_MAX_SIZE",
        ),
        (&["providers", "--provider=folder=."], "TEXTURE_HOST"),
        (&["health", "--port=1"], "LISTEN"),
    ] {
        let mut command = effigy();
        command.current_dir(&folder).envs(variables.clone());
        let output = command.args(words).output().unwrap();
        let log = text(&output.stderr);
        let expected = format!("{warning} is no longer read; use EFFIGY_{warning}");
        assert!(log.contains(&expected), "{words:?}: {log}");
        // Nothing listens on port 1.
        let code = if words[0] == "health" { 1 } else { 0 };
        assert_eq!(output.status.code(), Some(code), "{words:?}: {log}");
    }
}

#[test]
fn commands_without_variables_ignore_all_of_them() {
    let files = SkinFolder::new();
    let variables = GUARDED.into_iter().chain([
        ("PORT", "tcp://10.0.0.1:80"),
        ("EFFIGY_PORT", "x"),
        ("EFFIGY_LOG", "/var/log"),
        ("EFFIGY_SKINS", "/nowhere"),
        ("SKINS", "/nowhere"),
    ]);
    for words in [
        &["render", "face", "fox.png", "-o-"][..],
        &["man"],
        &["completions", "bash"],
    ] {
        let mut command = effigy();
        command.current_dir(files.path(".")).envs(variables.clone());
        let output = command.args(words).output().unwrap();
        assert_eq!(text(&output.stderr), "", "{words:?}");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn messages_about_bad_values_name_the_variable() {
    for words in [&[][..], &["serve"], &["demo"], &["health"]] {
        let refused = run_with(&[("EFFIGY_PORT", "x")], words);
        assert_refused(&refused, 2, &["'x' for '--port <PORT>, from EFFIGY_PORT'"]);
    }
    let typed = run_with(&[("EFFIGY_PORT", "x")], &["serve", "--port=y"]);
    assert_refused(&typed, 2, &["'y' for '--port <PORT>': "]);
    let switch = run_with(&[("EFFIGY_NO_PREVIEW", "maybe")], &[]);
    let message = "'--no-preview, from EFFIGY_NO_PREVIEW': write true, yes, on or 1, or";
    assert_refused(&switch, 2, &[message]);
    let not_unicode = OsStr::from_bytes(b"\xff");
    let output = effigy().env("EFFIGY_PORT", not_unicode).output();
    assert_refused(&output.unwrap(), 2, &["invalid UTF-8"]);
}
