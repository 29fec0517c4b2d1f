//! The log of health checks, and the health status by its newest entries. Spec, "Health status".

use std::fmt::Debug;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use effigy_player::word_enum;

use crate::StoreError;

/// Number of entries that [`Maintenance::prune`](crate::Maintenance::prune) keeps. Spec, "Limits".
pub const HEALTH_LOG_LENGTH: u32 = 10_000;

/// The age up to which an entry counts. Spec, "Health".
const MAX_AGE: Duration = Duration::from_secs(5 * 60);

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

/// The log of health checks.
#[async_trait]
pub trait HealthLog: Debug + Send + Sync + 'static {
    /// Adds an entry.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn record(&self, entry: &HealthEntry) -> Result<(), StoreError>;

    /// Returns at most `limit` entries that this server has added, the newest first. If entries
    /// have the same time, the one recorded last comes first.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn recent(&self, limit: u32) -> Result<Vec<HealthEntry>, StoreError>;
}

/// The checks of the last five minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecentChecks {
    /// The number of checks with each outcome, in the order of [`HealthStatus::ALL`].
    pub by_status: [u32; HealthStatus::ALL.len()],
    /// Their mean response time, or zero without checks.
    pub mean_response_time: Duration,
}

impl RecentChecks {
    /// Counts the entries that are recent at `now`. An entry from the future, of a replica whose
    /// clock is ahead, is recent.
    #[must_use]
    pub fn count<'a>(entries: impl IntoIterator<Item = &'a HealthEntry>, now: SystemTime) -> Self {
        let mut checks = Self::default();
        let mut sum = Duration::ZERO;
        for entry in entries {
            let age = now.duration_since(entry.timestamp);
            if age.is_ok_and(|age| age > MAX_AGE) {
                continue;
            }
            sum += entry.response_time;
            checks.by_status[entry.status as usize] += 1;
        }
        checks.mean_response_time = sum.checked_div(checks.total()).unwrap_or_default();
        checks
    }

    /// Returns the number of checks.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.by_status.iter().sum()
    }

    /// Returns the status over these checks.
    #[must_use]
    pub fn status(&self) -> HealthStatus {
        let [green, yellow, red] = self.by_status;
        match green + yellow + red {
            total if red * 2 > total => HealthStatus::Red,
            total if red > 0 || yellow * 10 > total * 3 => HealthStatus::Yellow,
            _ => HealthStatus::Green,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: SystemTime = SystemTime::UNIX_EPOCH;

    fn entries(green: usize, yellow: usize, red: usize) -> Vec<HealthEntry> {
        let mut entries = Vec::new();
        for (&status, count) in HealthStatus::ALL.iter().zip([green, yellow, red]) {
            for _ in 0..count {
                entries.push(HealthEntry {
                    status,
                    message: String::new(),
                    response_time: Duration::from_millis(10),
                    timestamp: NOW,
                });
            }
        }
        entries
    }

    #[test]
    fn the_status_depends_on_the_shares_of_outcomes() {
        use HealthStatus::{Green, Red, Yellow};
        let rows = [
            ((0, 0, 0), Green),
            // More than 50 % errors.
            ((0, 0, 1), Red),
            ((1, 0, 1), Yellow),
            ((49, 0, 51), Red),
            ((50, 0, 50), Yellow),
            ((0, 49, 51), Red),
            // Otherwise any error, or more than 30 % warnings.
            ((99, 0, 1), Yellow),
            ((69, 31, 0), Yellow),
            ((70, 30, 0), Green),
            ((0, 1, 0), Yellow),
            // Otherwise green.
            ((1, 0, 0), Green),
        ];
        for ((green, yellow, red), status) in rows {
            let checks = RecentChecks::count(&entries(green, yellow, red), NOW);
            assert_eq!(checks.status(), status, "{green} {yellow} {red}");
        }
    }

    #[test]
    fn entries_count_for_five_minutes() {
        let rows = [(0, 1), (299_999, 1), (300_000, 1), (300_001, 0)];
        for (age, counted) in rows {
            let now = NOW + Duration::from_millis(age);
            let checks = RecentChecks::count(&entries(0, 0, 1), now);
            assert_eq!(checks.by_status, [0, 0, counted], "{age} ms");
        }
        let ahead = RecentChecks::count(&entries(1, 0, 0), NOW - Duration::from_secs(1));
        assert_eq!(ahead.by_status, [1, 0, 0]);
    }

    #[test]
    fn the_mean_is_over_the_recent_checks() {
        let mut log = entries(1, 0, 1);
        log[0].response_time = Duration::from_millis(30);
        let checks = RecentChecks::count(&log, NOW);
        assert_eq!(checks.mean_response_time, Duration::from_millis(20));
        assert_eq!(checks.total(), 2);
        let none = RecentChecks::count(&[], NOW);
        assert_eq!(none.mean_response_time, Duration::ZERO);
    }
}
