//! The processes that are loaded.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use tempfile::TempDir;

/// A process that said its URL. It ends when this is dropped.
pub(crate) struct Server {
    pub(crate) address: String,
    child: Child,
}

impl Server {
    /// The release binary on the upstream with this URL, with a database of its own.
    pub(crate) fn effigy(upstream: &str, directory: &TempDir, settings: &[&str]) -> Self {
        let mut command = Command::new(binary());
        command
            .current_dir(directory.path())
            .args([
                "serve",
                "--listen",
                "127.0.0.1",
                "--port",
                "0",
                "--log",
                "error",
            ])
            .args(["--java-identity-url", upstream])
            .args(["--java-session-url", upstream])
            .args(["--bedrock-lookup-url", upstream])
            .args(["--texture-url", upstream])
            .args(settings);
        Self::start(command)
    }

    /// hyper alone, with the answer of this URL.
    pub(crate) fn bare(url: &str) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["bare", url]);
        Self::start(command)
    }

    /// The upstream that knows everybody.
    pub(crate) fn crowd() -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.arg("crowd");
        Self::start(command)
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let (_, address) = line.trim().rsplit_once("http://").unwrap();
        let address = address.to_owned();
        Self { address, child }
    }

    /// Returns the seconds of processor time that it has used, if the system tells.
    pub(crate) fn processor_time(&self) -> Option<f64> {
        processor_time(self.child.id())
    }

    /// Returns the MiB of memory that it held at most, if the system tells.
    pub(crate) fn most_memory(&self) -> Option<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kilobytes: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kilobytes / 1024.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The seconds of processor time that a process has used, where the system tells.
pub(crate) fn processor_time(process: u32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the process may contain blanks, but the fields after it do not.
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// Returns the path of `effigy`, which is next to the folder of examples.
fn binary() -> PathBuf {
    let ours = std::env::current_exe().unwrap();
    let binary = ours.parent().and_then(|folder| folder.parent());
    let binary = binary.unwrap().join("effigy");
    assert!(binary.is_file(), "{} is built first", binary.display());
    binary
}
