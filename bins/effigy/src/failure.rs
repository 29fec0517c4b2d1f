//! Failures that are mistakes on the command line.

use effigy_upstream::ConfigError;

/// A mistake on the command line that clap does not find.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct UsageError(String);

impl UsageError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

/// Returns `true` for a failure that has the exit code of a mistake on the command line.
pub(crate) fn is_usage(failure: &anyhow::Error) -> bool {
    failure.is::<UsageError>() || failure.is::<ConfigError>()
}
