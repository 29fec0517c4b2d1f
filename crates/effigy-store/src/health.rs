//! The log of health checks.

use std::time::{Duration, SystemTime};

use effigy_player::word_enum;

/// Number of entries that [`Store::prune`](crate::Store::prune) keeps. Spec, "Limits".
pub const HEALTH_LOG_LENGTH: u32 = 10_000;

word_enum! {
    /// The outcome of a health check, from the best to the worst.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum HealthStatus {
        /// The service works.
        Green = "green",
        /// The service works, but slowly.
        Yellow = "yellow",
        /// The service does not work.
        Red = "red",
    }
}

/// One health check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthEntry {
    /// The outcome of the check.
    pub status: HealthStatus,
    /// A description of the outcome for people.
    pub message: String,
    /// The duration of the check, stored in whole milliseconds.
    pub response_time: Duration,
    /// The time of the check, stored in whole milliseconds.
    pub timestamp: SystemTime,
}

impl HealthEntry {
    /// Returns the message without NUL characters, which PostgreSQL refuses. The error message of
    /// an upstream service might contain one.
    pub(crate) fn message_without_nul(&self) -> String {
        self.message.replace('\0', "\u{fffd}")
    }
}
