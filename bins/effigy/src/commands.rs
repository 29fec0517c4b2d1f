//! The commands, and the functions that they share.

mod database;
pub(crate) mod demo;
pub(crate) mod health;
pub(crate) mod providers;
pub(crate) mod prune;
pub(crate) mod render;
pub(crate) mod serve;
mod server;
mod sources;

use std::io::{self, Write};

use anyhow::{Context, Result};
use effigy_upstream::printable;

/// Runs the asynchronous part of a command to its end.
fn block_on(work: impl Future<Output = Result<()>>) -> Result<()> {
    let runtime = tokio::runtime::Runtime::new().context("the operating system refused threads")?;
    let result = runtime.block_on(work);
    // No request needs the upstream calls that are still in flight.
    runtime.shutdown_background();
    result
}

/// Prints bytes to standard output at once, even if it is a pipe. A reader that has closed the pipe
/// has seen enough, which isn't an error.
pub(crate) fn print(bytes: impl AsRef<[u8]>) -> Result<()> {
    let mut out = io::stdout().lock();
    let written = out.write_all(bytes.as_ref()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write standard output"),
    }
}

/// Prints a line to standard error. If that is closed, only the exit code tells what happened.
pub(crate) fn print_error(line: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(line));
}

/// Returns a number with a noun, such as `1 picture` or `2 pictures`.
fn counted(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}
