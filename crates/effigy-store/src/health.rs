//! The log of health checks.

use std::fmt;
use std::time::{Duration, SystemTime};

use crate::{BoxFuture, StoreError};

/// Number of entries that [`HealthLog::prune_health`] keeps. Spec, "Limits".
pub const HEALTH_LOG_LENGTH: u32 = 10_000;

/// The outcome of a health check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HealthStatus {
    /// The service works.
    Green,
    /// The service works, but slowly.
    Yellow,
    /// The service does not work.
    Red,
}

impl HealthStatus {
    /// Every status, from the best to the worst.
    pub const ALL: [Self; 3] = [Self::Green, Self::Yellow, Self::Red];

    /// Returns the status as reports and the log spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Green => "green",
            Self::Yellow => "yellow",
            Self::Red => "red",
        }
    }
}

impl fmt::Display for HealthStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
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

/// The log of past health checks.
///
/// Times are stored in whole milliseconds, rounded down.
pub trait HealthLog: Send + Sync {
    /// Adds an entry.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    fn record<'a>(&'a self, entry: &'a HealthEntry) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Returns at most `limit` entries, the newest first. Of entries with the same time, the one
    /// recorded last comes first.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    fn recent(&self, limit: u32) -> BoxFuture<'_, Result<Vec<HealthEntry>, StoreError>>;

    /// Deletes all but the newest [`HEALTH_LOG_LENGTH`] entries and returns the number of deleted
    /// entries.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses a statement. Some entries may be deleted then.
    fn prune_health(&self) -> BoxFuture<'_, Result<u64, StoreError>>;
}
