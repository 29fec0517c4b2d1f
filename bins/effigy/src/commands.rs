//! The commands.

mod demo;
mod health;
mod manual;
mod prune;
mod render;
mod serve;
mod signals;

use std::io::{self, IsTerminal, Write};

pub(crate) use demo::demo;
pub(crate) use health::health;
pub(crate) use manual::{completions, man};
pub(crate) use prune::prune;
pub(crate) use render::render;
pub(crate) use serve::serve;
pub(crate) use signals::StopSignal;

use crate::{
    cli::{LogArgs, LogFormat},
    failure::Failure,
};

/// Sends the log to standard error: standard output is for what a command gives.
fn start_log(log: &LogArgs) {
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(log.filter())
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    // It fails only where a log has begun already, which then goes on.
    let _ = match log.log_format {
        LogFormat::Text => subscriber.try_init(),
        LogFormat::Json => subscriber.json().try_init(),
    };
}

/// Prints a line for whoever started the command, at once even where the output is a pipe.
fn say(line: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")
        .and_then(|()| out.flush())
        .map_err(|source| Failure::Write {
            to: "standard output".to_owned(),
            source,
        })
}

/// Runs a command's asynchronous part to its end.
fn block_on(work: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|source| Failure::System {
            what: "threads",
            source,
        })?;
    let outcome = runtime.block_on(work);
    // A call to an upstream that is still under way has nobody to answer to any more.
    runtime.shutdown_background();
    outcome
}
