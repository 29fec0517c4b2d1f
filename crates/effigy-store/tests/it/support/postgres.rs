//! A temporary PostgreSQL server from this machine's own `initdb` and `postgres`.
//!
//! It needs only std and `tempfile`, so that the tests of other crates can include the file:
//! `#[path = "…/effigy-store/tests/it/support/postgres.rs"] mod postgres;`, with
//! `#[expect(dead_code, …)]` if they use only a part of it.

use std::fs;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Set to `1` to fail the tests instead of skipping them if PostgreSQL is missing.
const REQUIRE: &str = "EFFIGY_REQUIRE_POSTGRES";
const USER: &str = "effigy";
/// It may appear neither in an error nor in debug output.
const PASSWORD: &str = "s3cr3t-0f-th3-t3sts";
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// A running server on a free port of 127.0.0.1. Dropping it stops it and deletes its data.
#[derive(Debug)]
pub(crate) struct PostgresServer {
    programs: PathBuf,
    account: Option<Account>,
    port: u16,
    process: Option<Child>,
    directory: TempDir,
}

/// The unprivileged user and group to run as: PostgreSQL refuses to run as root.
#[derive(Debug, Clone, Copy)]
struct Account {
    user: u32,
    group: u32,
}

impl PostgresServer {
    /// Starts a server, or prints that this machine has no PostgreSQL and returns `None`.
    pub(crate) fn start() -> Option<Self> {
        let Some(programs) = find_programs() else {
            assert!(
                std::env::var(REQUIRE).as_deref() != Ok("1"),
                "{REQUIRE} is set, but there is no PostgreSQL on this machine"
            );
            // Bypasses the test harness, which hides the output of tests that pass.
            let _ = writeln!(io::stderr(), "SKIPPED: no PostgreSQL on this machine");
            return None;
        };
        // Any user may enter it, and the path of a socket in it is short.
        let directory = tempfile::Builder::new()
            .prefix("effigy-pg")
            .tempdir_in("/tmp");
        let directory = directory.unwrap();
        let account = unprivileged_account(directory.path());
        if let Some(Account { user, group }) = account {
            std::os::unix::fs::chown(directory.path(), Some(user), Some(group)).unwrap();
        }
        let mut server = Self {
            programs,
            account,
            port: 0,
            process: None,
            directory,
        };
        server.initialize();
        server.start_on_free_port();
        Some(server)
    }

    /// Enables TLS with this certificate and key from the next start on.
    pub(crate) fn use_tls(&self, certificate: &Path, key: &Path) {
        for (from, name) in [(certificate, "server.crt"), (key, "server.key")] {
            let to = self.data().join(name);
            fs::copy(from, &to).unwrap();
            fs::set_permissions(&to, fs::Permissions::from_mode(0o600)).unwrap();
            if let Some(Account { user, group }) = self.account {
                std::os::unix::fs::chown(&to, Some(user), Some(group)).unwrap();
            }
        }
        let settings = self.data().join("postgresql.auto.conf");
        fs::write(settings, "ssl = on\n").unwrap();
    }

    /// Returns the URL of the database `name`; `postgres` always exists.
    pub(crate) fn url(&self, name: &str) -> String {
        self.url_with_password(PASSWORD, name)
    }

    /// Returns the URL of the database `name` with this password.
    pub(crate) fn url_with_password(&self, password: &str, name: &str) -> String {
        format!(
            "postgres://{USER}:{password}@127.0.0.1:{}/{name}",
            self.port
        )
    }

    /// Returns the password in the server's URLs.
    pub(crate) fn password(&self) -> &'static str {
        PASSWORD
    }

    /// Returns the port on 127.0.0.1, which survives a restart.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Returns the directory of the server's Unix socket.
    pub(crate) fn socket_directory(&self) -> &Path {
        self.directory.path()
    }

    /// Stops the server: its clients are disconnected, its data stays.
    pub(crate) fn stop(&mut self) {
        self.end("INT");
    }

    /// Starts a stopped server again, on the same port.
    pub(crate) fn restart(&mut self) {
        self.try_start(self.port).unwrap();
    }

    fn initialize(&self) {
        let password_file = self.directory.path().join("password");
        fs::write(&password_file, PASSWORD).unwrap();
        fs::set_permissions(&password_file, fs::Permissions::from_mode(0o644)).unwrap();
        let settings =
            "--auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 --no-locale --no-sync";
        let mut command = self.command("initdb");
        command.args(settings.split(' ')).args(["--username", USER]);
        command.arg("--pwfile").arg(&password_file);
        let output = command.arg("--pgdata").arg(self.data()).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "initdb failed: {errors}");
    }

    fn start_on_free_port(&mut self) {
        let mut last = String::new();
        // Another process may take the port before the server binds it.
        for _ in 0..5 {
            match self.try_start(free_port()) {
                Ok(()) => return,
                Err(log) => last = log,
            }
        }
        panic!("postgres does not start: {last}");
    }

    /// Starts on `port` and waits until the server accepts connections; `Err` is its log.
    fn try_start(&mut self, port: u16) -> Result<(), String> {
        let log = self.directory.path().join("log");
        let log_file = fs::File::create(&log).unwrap();
        let mut command = self.command("postgres");
        command.arg("-D").arg(self.data());
        command.arg("-k").arg(self.socket_directory());
        command.args(["-h", "127.0.0.1", "-p", &port.to_string()]);
        command.args(["-c", "fsync=off", "-c", "full_page_writes=off"]);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let process = command.stderr(log_file).spawn().unwrap();
        self.port = port;
        self.process = Some(process);
        if self.wait_until_ready() {
            return Ok(());
        }
        self.end("QUIT");
        Err(fs::read_to_string(log).unwrap_or_default())
    }

    fn wait_until_ready(&mut self) -> bool {
        let pid_file = self.data().join("postmaster.pid");
        let deadline = Instant::now() + START_TIMEOUT;
        while Instant::now() < deadline {
            let process = self.process.as_mut();
            if process.is_none_or(|child| !matches!(child.try_wait(), Ok(None))) {
                return false;
            }
            // Line 8 says `ready` when the server accepts connections.
            let status = fs::read_to_string(&pid_file).unwrap_or_default();
            let line = status.lines().nth(7);
            if line.is_some_and(|line| line.trim() == "ready") {
                return true;
            }
            thread::sleep(Duration::from_millis(20));
        }
        false
    }

    /// Sends a signal, and waits for the server to end.
    fn end(&mut self, signal: &str) {
        if let Some(mut process) = self.process.take() {
            let option = format!("-{signal}");
            let process_id = process.id().to_string();
            let _ = Command::new("kill").args([option, process_id]).status();
            let _ = process.wait();
        }
    }

    fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command
            .current_dir(self.directory.path())
            .env("LC_ALL", "C");
        if let Some(Account { user, group }) = self.account {
            command.uid(user).gid(group);
        }
        command
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.end("QUIT");
    }
}

/// Finds the directory of `initdb` and `postgres` in `PATH`, else Debian's newest version.
fn find_programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let versions = versions.flatten().map(|version| version.path().join("bin"));
    let mut versions: Vec<PathBuf> = versions.collect();
    versions.sort();
    let mut places = std::env::split_paths(&path).chain(versions.into_iter().rev());
    let has = |place: &PathBuf, program| place.join(program).is_file();
    places.find(|place| has(place, "initdb") && has(place, "postgres"))
}

/// Returns the account to run the server as, if `ours` belongs to root: then the tests run as root.
fn unprivileged_account(ours: &Path) -> Option<Account> {
    let owner = fs::metadata(ours).unwrap().uid();
    if owner != 0 {
        return None;
    }
    let account = |name: &str| -> Option<Account> {
        Some(Account {
            user: id("-u", name)?,
            group: id("-g", name)?,
        })
    };
    let found = account("postgres").or_else(|| account("nobody"));
    Some(found.unwrap())
}

fn id(flag: &str, name: &str) -> Option<u32> {
    let output = Command::new("id").args([flag, name]).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

fn free_port() -> u16 {
    let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|socket| socket.local_addr());
    bound.unwrap().port()
}
