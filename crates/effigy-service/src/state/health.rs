//! The health check. Spec, "Health" and "Health status".

mod pings;

use std::{
    iter,
    sync::Arc,
    time::{Duration, SystemTime},
};

use effigy_store::{HealthEntry, HealthStatus, RecentChecks, StoreError};
use effigy_upstream::{SkinSource, error_chain};
use tokio::sync::Mutex;

use self::{
    HealthStatus::{Green, Red, Yellow},
    pings::Pings,
};
use crate::{Clock, files::Files, reuse::age::is_younger};

/// The number of log entries that count, without the new one. Spec, "Limits".
const EARLIER_ENTRIES: u32 = 99;

/// The reason why a service is red whose last check is not.
const MOST_FAILED: &str = "more than half of the recent checks failed";

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
    /// The Java identity service: green, yellow if slow or not called, red if unreachable. With
    /// several providers of Java names, red if none answers, and yellow if one does not.
    pub external_apis: HealthStatus,
    /// The response time of the slowest of these services.
    pub response_time: Duration,
    /// The time since the oldest ping, which has been confirmed by other calls since if there were
    /// any.
    pub ping_age: Duration,
    /// The checks of the last five minutes, including this one.
    pub recent: RecentChecks,
}

/// The health checks of a service.
pub(crate) struct HealthChecks {
    checked: Arc<Checked>,
    /// The time for which a report is reused.
    ttl: Duration,
    /// The last report. Locked while a check is being made.
    last: Arc<Mutex<Option<LastReport>>>,
}

struct LastReport {
    made_at: SystemTime,
    report: HealthReport,
}

/// The parts of a service that a check looks at.
struct Checked {
    source: Arc<dyn SkinSource>,
    files: Arc<Files>,
    clock: Clock,
}

impl HealthChecks {
    pub(crate) fn new(
        source: Arc<dyn SkinSource>,
        files: Arc<Files>,
        clock: Clock,
        ttl: Duration,
    ) -> Self {
        let checked = Checked {
            source,
            files,
            clock,
        };
        Self {
            checked: Arc::new(checked),
            ttl,
            last: Arc::default(),
        }
    }

    /// Checks the service's health, or returns the last report if it is recent. Simultaneous calls
    /// share one check, which goes on when they leave.
    pub(crate) async fn report(&self) -> HealthReport {
        let mut last = Arc::clone(&self.last).lock_owned().await;
        if let Some(known) = &*last
            && is_younger(known.made_at, self.ttl, self.checked.now())
        {
            return known.report.clone();
        }
        let checked = Arc::clone(&self.checked);
        let check = async move {
            let report = checked.check().await;
            *last = Some(LastReport {
                made_at: checked.now(),
                report: report.clone(),
            });
            report
        };
        tokio::spawn(check).await.expect("a check does not fail")
    }
}

impl Checked {
    fn now(&self) -> SystemTime {
        (self.clock)()
    }

    /// Pings the providers of Java names, makes the report of the check, and logs it.
    async fn check(&self) -> HealthReport {
        let pings = Pings::of(&self.source).await;
        let degraded = pings.degraded(&self.source.states());
        let external_apis = pings.status();
        let response_time = pings.response_time();
        let timestamp = self.now();
        let entry = |database| HealthEntry {
            status: external_apis.max(database),
            message: finding(database, external_apis).to_owned(),
            response_time,
            timestamp,
        };
        let log = self.files.store.recent(EARLIER_ENTRIES).await;
        let database_before = self.database_status(&log);
        let recorded = self.files.store.record(&entry(database_before)).await;
        let database = database_before.max(status_of(&recorded));

        let this = entry(database);
        let earlier = log.unwrap_or_default();
        let recent = RecentChecks::count(iter::once(&this).chain(&earlier), timestamp);
        let status = overall_status(&recent, database, &degraded);
        let error = match (status, this.status) {
            (Red, Red) => Some(finding(database, external_apis)),
            (Red, _) => Some(MOST_FAILED),
            _ => None,
        };
        HealthReport {
            status,
            message: message(status, &degraded),
            error,
            timestamp,
            database,
            external_apis,
            response_time,
            ping_age: pings.age(),
            recent,
        }
    }

    /// Returns the status of the database after its log was read.
    fn database_status(&self, log: &Result<Vec<HealthEntry>, StoreError>) -> HealthStatus {
        if log.is_ok() {
            self.files.end_pause();
        }
        if self.files.writes_fail() {
            Red
        } else {
            status_of(log)
        }
    }
}

/// Returns the status of the database after a call.
fn status_of<T>(answer: &Result<T, StoreError>) -> HealthStatus {
    let Err(error) = answer else { return Green };
    tracing::warn!("the health log failed: {}", error_chain(error));
    Red
}

/// Returns the status over the recent checks. An upstream that is not called makes a healthy
/// service yellow.
fn overall_status(recent: &RecentChecks, database: HealthStatus, degraded: &str) -> HealthStatus {
    // A database that takes no writes has no record of this check.
    let status = recent.status().max(database);
    if status == Green && !degraded.is_empty() {
        Yellow
    } else {
        status
    }
}

/// Returns the outcome of a check in words.
const fn finding(database: HealthStatus, external_apis: HealthStatus) -> &'static str {
    match (database, external_apis) {
        (Red, Red) => "neither the database nor the Java identity service can be reached",
        (Red, _) => "the database cannot be reached or accepts no writes",
        (_, Red) => "the Java identity service cannot be reached",
        (_, Yellow) => "a Java identity service is slow, not called or silent",
        (_, Green) => "all services answer",
    }
}

/// Returns the status of the service in words, with the upstreams that keep it from being healthy.
fn message(status: HealthStatus, degraded: &str) -> String {
    match status {
        Red => "Health check failed".to_owned(),
        _ if !degraded.is_empty() => format!("Service is degraded: {degraded}"),
        Yellow => "Service is degraded".to_owned(),
        Green => "Service is healthy".to_owned(),
    }
}
