//! The commands.

mod demo;
mod health;
mod open_files;
mod prune;
mod render;
mod serve;
mod server;
mod signals;
mod skins;

use std::io::{self, IsTerminal, Write};

pub(crate) use demo::demo;
pub(crate) use health::health;
pub(crate) use prune::prune;
pub(crate) use render::render;
pub(crate) use serve::serve;

use anyhow::{Context, Result};
use effigy_cli::{CompletionsArgs, LogArgs, LogFormat, ManArgs};
use tracing_subscriber::{Layer, fmt, layer::SubscriberExt, util::SubscriberInitExt};

use crate::failure::ExitError;

/// Sends the log to standard error. Standard output is for the result of a command.
fn start_log(log: &LogArgs) {
    let layer = fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    let layer = match log.log_format {
        LogFormat::Text => layer.boxed(),
        LogFormat::Json => layer.json().boxed(),
    };
    let filtered = layer.with_filter(log.log.clone());
    // This fails only if a log was started before, which then continues.
    let _ = tracing_subscriber::registry().with(filtered).try_init();
}

/// Prints a line to standard output at once, even if that is a pipe.
fn print_line(line: &str) -> Result<()> {
    print(format!("{line}\n").as_bytes())
}

/// Prints bytes to standard output at once, even if that is a pipe.
fn print(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .context("cannot write standard output")
}

/// Prints a shell's completion script.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<()> {
    print(&args.script())
}

/// Prints a page of the manual.
pub(crate) fn man(args: &ManArgs) -> Result<()> {
    let name = args.command.as_deref().unwrap_or_default();
    let page = args.page().ok_or_else(|| {
        ExitError::usage(format!(
            "there is no command {name:?}; effigy --help lists the commands"
        ))
    })?;
    print(&page)
}

/// Runs the asynchronous part of a command to its end.
fn block_on(work: impl Future<Output = Result<()>>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the operating system refused threads")?;
    let outcome = runtime.block_on(work);
    // Nobody waits any more for the upstream calls that are still in flight.
    runtime.shutdown_background();
    outcome
}
