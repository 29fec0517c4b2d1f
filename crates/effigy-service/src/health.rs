//! The rules of the health check, without its calls. Spec, "Health" and "Health status".

use std::{
    iter,
    time::{Duration, SystemTime},
};

use effigy_store::{HealthEntry, HealthStatus};

/// The number of log entries that are read. Spec, "Limits".
pub(crate) const RECENT_ENTRIES: u32 = 100;

/// The age up to which an entry counts. Spec, "Health".
const MAX_AGE: Duration = Duration::from_secs(5 * 60);

/// The result of a health check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthReport {
    /// The status over this check and the recent ones.
    pub status: HealthStatus,
    /// The status in words. If upstreams are not called at the moment, it names them.
    pub message: String,
    /// The reason of a red status.
    pub error: Option<&'static str>,
    /// The time of the check.
    pub timestamp: SystemTime,
    /// The database: green if it answered, otherwise red.
    pub database: HealthStatus,
    /// The Java identity service: green, yellow if slow or not called, red if unreachable.
    pub external_apis: HealthStatus,
    /// The response time of the identity service.
    pub response_time: Duration,
    /// The checks of the last five minutes, including this one.
    pub recent: RecentChecks,
}

/// The checks of the last five minutes by status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecentChecks {
    /// Checks without a finding.
    pub green: u32,
    /// Checks that found a slow service.
    pub yellow: u32,
    /// Checks that found an error.
    pub red: u32,
    /// Their mean response time; zero if there are none.
    pub mean_response_time: Duration,
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
            (None, HealthStatus::Green) => (HealthStatus::Green, "all services answer"),
            (None, status) => (status, "the Java identity service is slow or not called"),
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
        let log = iter::once(&this)
            .chain(earlier)
            .take(RECENT_ENTRIES as usize);
        let recent = RecentChecks::count(log, self.timestamp);
        let (mut status, mut error) = (recent.status(), None);
        let mut message = match status {
            HealthStatus::Green => "Service is healthy",
            HealthStatus::Yellow => "Service is degraded",
            HealthStatus::Red => "Health check failed",
        }
        .to_owned();
        if status == HealthStatus::Red {
            error = self
                .error()
                .or(Some("more than half of the recent checks failed"));
        } else if !self.not_called.is_empty() {
            status = HealthStatus::Yellow;
            message = format!("Service is degraded: {}", self.not_called.join("; "));
        }
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
        let is_red = |status| status == HealthStatus::Red;
        match (is_red(self.database), is_red(self.external_apis)) {
            (true, true) => {
                Some("neither the database nor the Java identity service can be reached")
            }
            (true, false) => Some("the database cannot be reached"),
            (false, true) => Some("the Java identity service cannot be reached"),
            (false, false) => None,
        }
    }
}

impl RecentChecks {
    /// Counts the entries that are recent at `now`. One from the future, of a replica whose clock is ahead, is.
    #[must_use]
    pub fn count<'a>(entries: impl IntoIterator<Item = &'a HealthEntry>, now: SystemTime) -> Self {
        let (mut checks, mut sum) = (Self::default(), Duration::ZERO);
        for entry in entries {
            if now
                .duration_since(entry.timestamp)
                .is_ok_and(|age| age > MAX_AGE)
            {
                continue;
            }
            sum += entry.response_time;
            match entry.status {
                HealthStatus::Green => checks.green += 1,
                HealthStatus::Yellow => checks.yellow += 1,
                HealthStatus::Red => checks.red += 1,
            }
        }
        checks.mean_response_time = sum.checked_div(checks.total()).unwrap_or_default();
        checks
    }

    /// Returns the number of checks.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.green + self.yellow + self.red
    }

    /// Returns the status over these checks.
    #[must_use]
    pub fn status(&self) -> HealthStatus {
        let total = self.total();
        match self {
            _ if self.red * 2 > total => HealthStatus::Red,
            _ if self.red > 0 || self.yellow * 10 > total * 3 => HealthStatus::Yellow,
            _ => HealthStatus::Green,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: SystemTime = SystemTime::UNIX_EPOCH;

    fn entries(green: usize, yellow: usize, red: usize) -> Vec<HealthEntry> {
        let statuses = [
            (HealthStatus::Green, green),
            (HealthStatus::Yellow, yellow),
            (HealthStatus::Red, red),
        ];
        statuses
            .into_iter()
            .flat_map(|(status, times)| std::iter::repeat_n(status, times))
            .map(|status| HealthEntry {
                status,
                message: String::new(),
                response_time: Duration::from_millis(10),
                timestamp: NOW,
            })
            .collect()
    }

    #[test]
    fn the_rule_over_recent_checks() {
        use HealthStatus::{Green, Red, Yellow};
        let rows = [
            ((0, 0, 0), Green),
            // More than 50 % errors.
            ((0, 0, 1), Red),
            ((1, 0, 1), Yellow),
            ((49, 0, 51), Red),
            ((50, 0, 50), Yellow),
            ((0, 49, 51), Red),
            ((1, 1, 2), Yellow),
            // Otherwise any error, or more than 30 % warnings.
            ((99, 0, 1), Yellow),
            ((69, 31, 0), Yellow),
            ((70, 30, 0), Green),
            ((7, 3, 0), Green),
            ((6, 3, 0), Yellow),
            ((0, 1, 0), Yellow),
            // Otherwise green.
            ((1, 0, 0), Green),
            ((100, 0, 0), Green),
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
            assert_eq!(checks.red, counted, "{age} ms");
        }
        let ahead = RecentChecks::count(&entries(1, 0, 0), NOW - Duration::from_secs(1));
        assert_eq!(ahead.green, 1);
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
