//! The program as a server on a free port, with a database of its own and the fake upstream.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use fixtures::client::{Reply, ask, metric};
use fixtures::{FakeUpstream, until};
use serde_json::Value;
use tempfile::TempDir;

/// Returns the program, without environment variables.
pub(crate) fn effigy() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_effigy"));
    command.env_clear().stdin(Stdio::null());
    command
}

/// Runs the program to its end.
pub(crate) fn run(arguments: &[&str]) -> Output {
    effigy().args(arguments).output().unwrap()
}

/// The settings with the URLs of all upstream services.
const SERVICES: [&str; 4] = [
    "java-identity-url",
    "java-session-url",
    "bedrock-lookup-url",
    "texture-url",
];

/// Returns the flags that replace all upstream services by the fake one.
pub(crate) fn services(upstream: &FakeUpstream) -> [String; 4] {
    SERVICES.map(|setting| format!("--{setting}={}", upstream.url()))
}

/// Returns the name of the variable of a setting.
fn variable(setting: &str) -> String {
    format!("EFFIGY_{}", setting.to_uppercase().replace('-', "_"))
}

/// Arguments that write warnings and notices to [`Server::log`], as all arguments do that begin
/// with `--log`.
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
            // These are variables, because arguments can override them.
            .envs([("EFFIGY_LISTEN", "127.0.0.1"), ("PORT", "0")])
            .envs(SERVICES.map(|setting| (variable(setting), upstream.url())))
            // Requests of the tests are not limited, and there is no warning about it.
            .env("EFFIGY_TRUSTED_PROXY", "127.0.0.1")
            .envs([("DATABASE_URL", database.as_str()), ("EFFIGY_LOG", "error")])
            .args(arguments)
            .stdout(Stdio::piped());
        if arguments.iter().any(|flag| flag.starts_with("--log")) {
            let log = std::fs::File::create(directory.path().join("log")).unwrap();
            command.stderr(log);
        }
        let mut child = command.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let url = url_of(&read_line(&mut output));
        Self {
            upstream,
            url,
            output,
            child,
            directory,
        }
    }

    /// Returns host and port.
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

    /// Returns the value of a metric, by its name with labels. It is 0 if nothing was observed.
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

    /// Returns the log of a server that was started with [`LOG_TO_FILE`], after a moment in which
    /// the server's thread writes it.
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

/// Returns the URL in the first line of a server, which may be JSON.
fn url_of(line: &str) -> String {
    match serde_json::from_str::<Value>(line) {
        Ok(object) => object["url"].as_str().unwrap().to_owned(),
        Err(_) => line.replace("Effigy listens on ", ""),
    }
}

/// Reads a line, and returns it without its end.
pub(crate) fn read_line(output: &mut impl BufRead) -> String {
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    line.trim_end().to_owned()
}
