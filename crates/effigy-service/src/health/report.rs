//! The report of a health check. Spec, "Health".

use std::{
    borrow::Cow,
    time::{Duration, SystemTime},
};

use effigy_store::{HealthEntry, HealthStatus};

use super::recent_checks::RecentChecks;

/// The number of log entries that are read. Spec, "Limits".
pub(crate) const RECENT_ENTRIES: u32 = 100;

/// The result of a health check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthReport {
    /// The status over this check and the recent ones.
    pub status: HealthStatus,
    /// The status in words. If upstreams are not called at the moment, it names them.
    pub message: Cow<'static, str>,
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

/// The findings of one check.
#[derive(Debug, Clone)]
pub(crate) struct Findings {
    pub(crate) external_apis: HealthStatus,
    pub(crate) database: HealthStatus,
    /// The response time of the identity service.
    pub(crate) response_time: Duration,
    pub(crate) timestamp: SystemTime,
    /// The upstreams that are not called at the moment, each with the reason.
    pub(crate) not_called: Vec<String>,
}

impl Findings {
    /// The entry for the health log.
    pub(crate) fn entry(&self) -> HealthEntry {
        let (status, message) = match (self.error(), self.external_apis) {
            (Some(error), _) => (HealthStatus::Red, error),
            (None, HealthStatus::Yellow) => {
                let message = "the Java identity service is slow or not called";
                (HealthStatus::Yellow, message)
            }
            (None, status) => (status, "all services answer"),
        };
        HealthEntry {
            status,
            message: message.to_owned(),
            response_time: self.response_time,
            timestamp: self.timestamp,
        }
    }

    /// The report on this check and on `earlier` ones, newest first.
    pub(crate) fn report(self, earlier: &[HealthEntry]) -> HealthReport {
        let this = self.entry();
        let log = std::iter::once(&this).chain(earlier);
        let recent = RecentChecks::count(log.take(RECENT_ENTRIES as usize), self.timestamp);
        let status = match recent.status() {
            HealthStatus::Green if !self.not_called.is_empty() => HealthStatus::Yellow,
            status => status,
        };
        let (message, error) = match status {
            HealthStatus::Green => ("Service is healthy".into(), None),
            HealthStatus::Yellow if self.not_called.is_empty() => {
                ("Service is degraded".into(), None)
            }
            HealthStatus::Yellow => {
                let upstreams = self.not_called.join("; ");
                (format!("Service is degraded: {upstreams}").into(), None)
            }
            HealthStatus::Red => {
                let reason = "more than half of the recent checks failed";
                let reason = self.error().unwrap_or(reason);
                ("Health check failed".into(), Some(reason))
            }
        };
        HealthReport {
            status,
            message,
            error,
            timestamp: self.timestamp,
            database: self.database,
            external_apis: self.external_apis,
            response_time: self.response_time,
            recent,
        }
    }

    fn error(&self) -> Option<&'static str> {
        match (self.database, self.external_apis) {
            (HealthStatus::Red, HealthStatus::Red) => {
                Some("neither the database nor the Java identity service can be reached")
            }
            (HealthStatus::Red, _) => Some("the database cannot be reached"),
            (_, HealthStatus::Red) => Some("the Java identity service cannot be reached"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_most_recent_hundred_are_read() {
        let well = Findings {
            external_apis: HealthStatus::Green,
            database: HealthStatus::Green,
            response_time: Duration::ZERO,
            timestamp: SystemTime::UNIX_EPOCH,
            not_called: Vec::new(),
        };
        let earlier = vec![well.entry(); 100];
        assert_eq!(well.report(&earlier).recent.total(), 100);
    }
}
