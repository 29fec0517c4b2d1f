//! The error of a setting that cannot be used.

/// A setting that cannot be used, although its value can be parsed. The operator is at fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{flag}: {problem}")]
pub struct UsageError {
    flag: &'static str,
    problem: String,
}

impl UsageError {
    /// Creates the error of a flag, with dashes, from a sentence about its value.
    pub fn new(flag: &'static str, problem: impl Into<String>) -> Self {
        Self {
            flag,
            problem: problem.into(),
        }
    }
}
