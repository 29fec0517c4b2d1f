//! The exit codes of commands that fail.

use std::process::ExitCode;

use effigy_upstream::ConfigError;

/// The exit code of a mistake on the command line, as clap has it.
const USAGE: u8 = 2;

/// A mistake on the command line that clap does not find.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct UsageError(String);

impl UsageError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

/// Returns the exit code of a failure.
pub(crate) fn exit_code(failure: &anyhow::Error) -> ExitCode {
    if failure.is::<UsageError>() || failure.is::<ConfigError>() {
        USAGE.into()
    } else {
        ExitCode::FAILURE
    }
}
