//! The log of health checks.

use std::fmt;
use std::time::{Duration, SystemTime};

use crate::{BoxFuture, StoreError};

/// How many entries [`HealthLog::prune_health`] keeps. Spec, "Limits".
pub const HEALTH_LOG_LENGTH: u32 = 10_000;

/// The outcome of a health check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HealthStatus {
    /// All is well.
    Green,
    /// It works, but slowly.
    Yellow,
    /// It does not work.
    Red,
}

impl HealthStatus {
    /// Every status, from the best to the worst.
    pub const ALL: [Self; 3] = [Self::Green, Self::Yellow, Self::Red];

    /// The status as reports and the log spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Green => "green",
            Self::Yellow => "yellow",
            Self::Red => "red",
        }
    }

    /// The status that is spelt `text`.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
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
    /// How the check ended.
    pub status: HealthStatus,
    /// What was found, for people.
    pub message: String,
    /// How long the check took, kept to the millisecond.
    pub response_time: Duration,
    /// When the check was made, kept to the millisecond.
    pub timestamp: SystemTime,
}

impl HealthEntry {
    /// The message as every store keeps it: PostgreSQL refuses the character NUL, which the error
    /// of some other service might hold.
    pub(crate) fn storable_message(&self) -> String {
        self.message.replace('\0', "\u{fffd}")
    }
}

/// The health checks of the past.
///
/// Times are kept to the millisecond, rounded down.
pub trait HealthLog {
    /// Adds an entry.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses.
    fn record<'a>(&'a self, entry: &'a HealthEntry) -> BoxFuture<'a, Result<(), StoreError>>;

    /// The newest entries, at most `limit`, the newest first; of equally old ones that which was
    /// recorded last.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses.
    fn recent(&self, limit: u32) -> BoxFuture<'_, Result<Vec<HealthEntry>, StoreError>>;

    /// Deletes all but the newest [`HEALTH_LOG_LENGTH`] entries and says how many were deleted.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses; some entries may be deleted by then.
    fn prune_health(&self) -> BoxFuture<'_, Result<u64, StoreError>>;
}
