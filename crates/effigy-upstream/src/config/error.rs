//! Settings that are rejected.

use std::borrow::Cow;

/// A setting that cannot be used. The operator is at fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{setting}: {value:?} {problem}")]
pub struct ConfigError {
    /// The setting.
    pub setting: &'static str,
    /// Its value.
    pub value: String,
    /// The mistake in the value.
    pub problem: Cow<'static, str>,
}

impl ConfigError {
    pub(crate) fn new(
        setting: &'static str,
        value: &str,
        problem: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            setting,
            value: value.to_owned(),
            problem: problem.into(),
        }
    }
}
