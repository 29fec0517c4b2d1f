//! The commands.

mod demo;
mod health;
mod providers;
mod prune;
mod render;
mod serve;
mod server;
mod signals;
mod sources;

use std::io::{self, Write};

pub(crate) use demo::demo;
pub(crate) use health::health;
pub(crate) use providers::providers;
pub(crate) use prune::prune;
pub(crate) use render::render;
pub(crate) use serve::serve;

use anyhow::{Context, Result};

/// Prints a line to standard output at once, even if that is a pipe.
fn print_line(line: &str) -> Result<()> {
    print(format!("{line}\n").as_bytes())
}

/// Tells on standard error what was done or failed. If that is closed, the exit code alone tells it.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints bytes to standard output at once, even if that is a pipe.
pub(crate) fn print(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    written.context("cannot write standard output")
}

/// Runs the asynchronous part of a command to its end.
fn block_on(work: impl Future<Output = Result<()>>) -> Result<()> {
    let runtime = tokio::runtime::Runtime::new();
    let runtime = runtime.context("the operating system refused threads")?;
    let outcome = runtime.block_on(work);
    // No request needs the upstream calls that are still in flight.
    runtime.shutdown_background();
    outcome
}
