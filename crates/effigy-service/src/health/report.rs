//! The report of a health check. Spec, "Health".

use std::time::{Duration, SystemTime};

use effigy_store::{HealthEntry, HealthStatus, StoreError};

use super::{ping_cache::Ping, recent_checks::RecentChecks};
use crate::error::chain;

/// The number of log entries that are read. Spec, "Limits".
pub(crate) const RECENT_ENTRIES: u32 = 100;

/// The response time above which the identity service is slow.
const SLOW_PING: Duration = Duration::from_millis(2000);

/// The result of a health check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthReport {
    /// The status over this check and the recent ones.
    pub status: HealthStatus,
    /// The status in words.
    pub message: &'static str,
    /// The reason of a red status.
    pub error: Option<&'static str>,
    /// The time of the check.
    pub timestamp: SystemTime,
    /// The database: green if it answered, otherwise red.
    pub database: HealthStatus,
    /// The Java identity service: green, yellow if slow, red if unreachable.
    pub external_apis: HealthStatus,
    /// The response time of the identity service.
    pub response_time: Duration,
    /// The checks of the last five minutes, including this one.
    pub recent: RecentChecks,
}

/// The status of the identity service after a ping.
pub(crate) fn status_of_ping(ping: Ping) -> HealthStatus {
    if !ping.answered {
        HealthStatus::Red
    } else if ping.response_time > SLOW_PING {
        HealthStatus::Yellow
    } else {
        HealthStatus::Green
    }
}

/// The statuses of the identity service and of the database.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Findings {
    pub(crate) external_apis: HealthStatus,
    pub(crate) database: HealthStatus,
}

impl Findings {
    fn status(self) -> HealthStatus {
        match self.database {
            HealthStatus::Red => HealthStatus::Red,
            _ => self.external_apis,
        }
    }

    fn error(self) -> Option<&'static str> {
        match (self.database, self.external_apis) {
            (HealthStatus::Red, HealthStatus::Red) => {
                Some("neither the database nor the Java identity service can be reached")
            }
            (HealthStatus::Red, _) => Some("the database cannot be reached"),
            (_, HealthStatus::Red) => Some("the Java identity service cannot be reached"),
            _ => None,
        }
    }

    fn message(self) -> &'static str {
        self.error().unwrap_or(match self.external_apis {
            HealthStatus::Yellow => "the Java identity service is slow",
            _ => "all services answer",
        })
    }
}

/// The status of the database after a call.
pub(crate) fn status_of<T>(answer: &Result<T, StoreError>) -> HealthStatus {
    match answer {
        Ok(_) => HealthStatus::Green,
        Err(error) => {
            tracing::warn!("the health log failed: {}", chain(error));
            HealthStatus::Red
        }
    }
}

pub(crate) fn entry_of(
    findings: Findings,
    response_time: Duration,
    timestamp: SystemTime,
) -> HealthEntry {
    HealthEntry {
        status: findings.status(),
        message: findings.message().to_owned(),
        response_time,
        timestamp,
    }
}

/// The report on the current check, `entry`, and on `earlier` ones, newest first.
pub(crate) fn report(
    findings: Findings,
    entry: &HealthEntry,
    earlier: &[HealthEntry],
) -> HealthReport {
    let log = std::iter::once(entry).chain(earlier);
    let recent = RecentChecks::count(log.take(RECENT_ENTRIES as usize), entry.timestamp);
    let status = recent.status();
    let (message, error) = match status {
        HealthStatus::Green => ("Service is healthy", None),
        HealthStatus::Yellow => ("Service is degraded", None),
        HealthStatus::Red => {
            let reason = "more than half of the recent checks failed";
            let reason = findings.error().unwrap_or(reason);
            ("Health check failed", Some(reason))
        }
    };
    HealthReport {
        status,
        message,
        error,
        timestamp: entry.timestamp,
        database: findings.database,
        external_apis: findings.external_apis,
        response_time: entry.response_time,
        recent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ping_is_slow_above_two_seconds() {
        let rows = [
            (true, 0, HealthStatus::Green),
            (true, 2000, HealthStatus::Green),
            (true, 2001, HealthStatus::Yellow),
            (true, 5000, HealthStatus::Yellow),
            (false, 0, HealthStatus::Red),
            (false, 5000, HealthStatus::Red),
        ];
        for (answered, millis, status) in rows {
            let found = status_of_ping(Ping {
                answered,
                response_time: Duration::from_millis(millis),
            });
            assert_eq!(found, status, "{answered} {millis}");
        }
    }

    #[test]
    fn only_the_most_recent_hundred_are_read() {
        let well = Findings {
            external_apis: HealthStatus::Green,
            database: HealthStatus::Green,
        };
        let this = entry_of(well, Duration::ZERO, SystemTime::UNIX_EPOCH);
        let earlier = vec![this.clone(); 100];
        assert_eq!(report(well, &this, &earlier).recent.total(), 100);
    }
}
