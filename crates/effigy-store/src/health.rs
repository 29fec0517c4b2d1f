//! The log of health checks.

use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use effigy_player::word_enum;

use crate::StoreError;

/// Number of entries that [`HealthLog::prune_health`] keeps. Spec, "Limits".
pub const HEALTH_LOG_LENGTH: u32 = 10_000;

word_enum! {
    /// The outcome of a health check, from the best to the worst.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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

/// The log of past health checks.
///
/// Times are stored in whole milliseconds, rounded down.
#[async_trait]
pub trait HealthLog: Send + Sync {
    /// Adds an entry. Of a log that is much longer than [`HEALTH_LOG_LENGTH`], the oldest entries are
    /// deleted.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn record(&self, entry: &HealthEntry) -> Result<(), StoreError>;

    /// Returns at most `limit` entries, the newest first. Of entries with the same time, the one
    /// recorded last comes first.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn recent(&self, limit: u32) -> Result<Vec<HealthEntry>, StoreError>;

    /// Deletes all but the newest [`HEALTH_LOG_LENGTH`] entries and returns the number of deleted
    /// entries.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses a statement. Some entries may be deleted then.
    async fn prune_health(&self) -> Result<u64, StoreError>;
}
