//! The binary, started on a free port with a database of its own, against the fake upstream.

use std::{
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, ChildStdout, Command, Output, Stdio},
    thread,
    time::Duration,
};

use fixtures::{
    FakeUpstream,
    client::{Reply, ask, metric},
    until,
};
use serde_json::Value;
use tempfile::TempDir;

/// The program without environment variables of its own.
pub(crate) fn effigy() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_effigy"));
    command.env_clear().stdin(Stdio::null());
    command
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    effigy().args(arguments).output().unwrap()
}

/// The variables with the URLs of all services.
const SERVICES: [&str; 4] = [
    "JAVA_IDENTITY_URL",
    "JAVA_SESSION_URL",
    "BEDROCK_LOOKUP_URL",
    "TEXTURE_URL",
];

/// The flags that use the fake upstream for all services.
pub(crate) fn services(upstream: &FakeUpstream) -> [String; 4] {
    let flags = SERVICES.map(|name| name.to_lowercase().replace('_', "-"));
    flags.map(|flag| format!("--{flag}={}", upstream.url()))
}

/// Arguments that have warnings and notices written to [`Server::log`], as each that begins with `--log` has.
pub(crate) const LOG_TO_FILE: [&str; 2] = ["--log=info", "--log-format=text"];

/// A running server. It is killed when this is dropped.
pub(crate) struct Server {
    pub(crate) upstream: FakeUpstream,
    pub(crate) url: String,
    /// The output after the first line.
    pub(crate) output: BufReader<ChildStdout>,
    child: Child,
    directory: TempDir,
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts a server with these arguments, or the demo if the first one is `demo`.
    pub(crate) fn start_with(arguments: &[&str]) -> Self {
        let directory = TempDir::new().unwrap();
        let upstream = FakeUpstream::start();
        Self::start_command(effigy(), directory, upstream, arguments)
    }

    /// Starts a server through another program, which takes the command as its last arguments.
    pub(crate) fn start_by(program: &[&str], arguments: &[&str]) -> Self {
        let mut command = Command::new(program[0]);
        command.args(&program[1..]).env_clear().stdin(Stdio::null());
        command.arg(env!("CARGO_BIN_EXE_effigy"));
        let directory = TempDir::new().unwrap();
        Self::start_command(command, directory, FakeUpstream::start(), arguments)
    }

    fn start_command(
        mut command: Command,
        directory: TempDir,
        upstream: FakeUpstream,
        arguments: &[&str],
    ) -> Self {
        let database = format!("sqlite:{}", directory.path().join("effigy.db").display());
        command
            .current_dir(directory.path())
            // Variables, so that arguments can override them, and other commands do not know them.
            .envs([("LISTEN", "127.0.0.1"), ("PORT", "0")])
            .envs(SERVICES.map(|name| (name, upstream.url())))
            // The tests are no client of their own, and no reason for a warning.
            .env("TRUSTED_PROXY", "127.0.0.1")
            .envs([("DATABASE_URL", database.as_str()), ("LOG", "error")])
            .args(arguments)
            .stdout(Stdio::piped());
        if arguments.iter().any(|flag| flag.starts_with("--log")) {
            let log = std::fs::File::create(directory.path().join("log")).unwrap();
            command.stderr(log);
        }
        let mut child = command.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let line = read_line(&mut output);
        let line: Value = serde_json::from_str(&line).unwrap_or(Value::String(line));
        let url = line["url"].as_str().or(line.as_str()).unwrap();
        let url = url.replace("Effigy listens on ", "");
        Self {
            upstream,
            url,
            output,
            child,
            directory,
        }
    }

    /// Host and port.
    pub(crate) fn address(&self) -> &str {
        self.url.strip_prefix("http://").unwrap()
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.directory.path().join("effigy.db")
    }

    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[])
    }

    #[track_caller]
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
        ask(self.address(), method, path, headers)
    }

    /// The value of a metric, by its name with labels; 0 if nothing has been observed.
    #[track_caller]
    pub(crate) fn metric(&self, name: &str) -> f64 {
        metric(self.address(), name)
    }

    /// Sends a signal, by its name without `SIG`.
    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let status = Command::new("kill").args(["-s", name, &pid]).status();
        assert!(status.unwrap().success());
    }

    pub(crate) fn wait(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }

    /// Stops the server as a service manager does and starts another on the same database.
    pub(crate) fn restart(self) -> Self {
        self.restart_with(&[])
    }

    /// Stops the server as a service manager does and starts another with these arguments.
    pub(crate) fn restart_with(mut self, arguments: &[&str]) -> Self {
        self.signal("TERM");
        assert_eq!(self.wait(), Some(0));
        self.replace(arguments)
    }

    /// Ends the server as a power cut would and starts another on the same database and upstream.
    pub(crate) fn kill_and_restart(mut self) -> Self {
        self.kill();
        self.replace(&[])
    }

    fn replace(mut self, arguments: &[&str]) -> Self {
        let directory = std::mem::replace(&mut self.directory, TempDir::new().unwrap());
        let upstream = std::mem::replace(&mut self.upstream, FakeUpstream::start());
        Self::start_command(effigy(), directory, upstream, arguments)
    }

    /// Ends the server as a power cut would. Its directory and its upstream stay.
    pub(crate) fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    #[track_caller]
    pub(crate) fn wait_for_log(&self, words: &str) {
        until(words, || self.log().contains(words));
    }

    /// The log of a server that was started with [`LOG_TO_FILE`], after a moment in which its thread writes it.
    pub(crate) fn log(&self) -> String {
        thread::sleep(Duration::from_millis(100));
        std::fs::read_to_string(self.directory.path().join("log")).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Reads a line and returns it without its end.
pub(crate) fn read_line(output: &mut impl BufRead) -> String {
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    line.trim_end().to_owned()
}
