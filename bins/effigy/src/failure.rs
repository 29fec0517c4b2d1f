//! The exit codes of commands that fail.

use std::process::ExitCode;

use effigy_upstream::ConfigError;

/// The exit code of a mistake on the command line, as clap has it.
const USAGE: u8 = 2;

/// A failure with an exit code of its own.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct ExitError {
    pub(crate) message: String,
    pub(crate) code: u8,
}

impl ExitError {
    /// Creates the error of a mistake on the command line that clap does not find.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        let (message, code) = (message.into(), USAGE);
        Self { message, code }
    }
}

/// Returns the exit code of a failure.
pub(crate) fn exit_code(failure: &anyhow::Error) -> ExitCode {
    let own = failure.downcast_ref().map(|error: &ExitError| error.code);
    let usage = failure.is::<ConfigError>().then_some(USAGE);
    own.or(usage).map_or(ExitCode::FAILURE, ExitCode::from)
}
