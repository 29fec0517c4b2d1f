//! The health check. Spec, "Health" and "Health status".

use std::{
    iter,
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use effigy_store::{HealthEntry, HealthStatus, RecentChecks, Store, StoreError};
use effigy_upstream::{LimitReason, SkinSource, UpstreamError, UpstreamState, error_chain};
use tokio::sync::Mutex;

use crate::Clock;

/// The number of log entries that count, without the new one. Spec, "Limits".
const EARLIER_ENTRIES: u32 = 99;

/// The response time above which the identity service is slow.
const SLOW_PING: Duration = Duration::from_secs(2);

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

/// The health checks of a service.
#[derive(Default)]
pub(crate) struct HealthChecks {
    last: Mutex<Option<HealthReport>>,
    /// Locked while the identity service is pinged.
    ping: Arc<Mutex<()>>,
}

impl HealthChecks {
    /// Checks the health of these parts, or returns the last report if it is not older than `ttl`.
    /// Simultaneous calls share one check.
    pub(crate) async fn report(
        &self,
        store: &dyn Store,
        source: &Arc<dyn SkinSource>,
        clock: &Clock,
        ttl: Duration,
    ) -> HealthReport {
        let mut last = self.last.lock().await;
        if let Some(report) = &*last
            && let Ok(age) = clock().duration_since(report.timestamp)
            && age < ttl
        {
            return report.clone();
        }
        let ping = self.ping(source).await;
        let not_called = not_called(&source.states());
        let report = check(store, clock(), ping, &not_called).await;
        last.insert(report).clone()
    }

    /// Pings the identity service, after the ping of a check that nobody waits for any more.
    async fn ping(&self, source: &Arc<dyn SkinSource>) -> (HealthStatus, Duration) {
        let lock = Arc::clone(&self.ping).lock_owned().await;
        let (source, started) = (Arc::clone(source), Instant::now());
        let ping = tokio::task::spawn_blocking(move || {
            let _lock = lock;
            source.ping()
        });
        let answer = ping.await;
        let response_time = started.elapsed();
        let status = match answer {
            Ok(Ok(())) if response_time <= SLOW_PING => HealthStatus::Green,
            Ok(Ok(())) => HealthStatus::Yellow,
            Ok(Err(UpstreamError::Limited { reason, .. })) if is_deliberate(reason) => {
                HealthStatus::Yellow
            }
            Ok(Err(error)) => {
                tracing::warn!("the health ping failed: {}", error_chain(&error));
                HealthStatus::Red
            }
            // The panic hook has reported the panic.
            Err(_) => HealthStatus::Red,
        };
        (status, response_time)
    }
}

/// Makes the report of a check, and logs it.
async fn check(
    store: &dyn Store,
    timestamp: SystemTime,
    (external_apis, response_time): (HealthStatus, Duration),
    not_called: &[String],
) -> HealthReport {
    let earlier = store.recent(EARLIER_ENTRIES).await;
    let entry = |database| {
        let (status, finding) = finding(database, external_apis);
        HealthEntry {
            status,
            message: finding.to_owned(),
            response_time,
            timestamp,
        }
    };
    let database = status_of(&earlier);
    let recorded = store.record(&entry(database)).await;
    let database = database.max(status_of(&recorded));

    let (this, earlier) = (entry(database), earlier.unwrap_or_default());
    let recent = RecentChecks::count(iter::once(&this).chain(&earlier), timestamp);
    use HealthStatus::{Green, Red, Yellow};
    let failed = "Health check failed".to_owned();
    let (status, message, error) = match (recent.status(), finding(database, external_apis)) {
        (Red, (Red, finding)) => (Red, failed, Some(finding)),
        (Red, _) => (
            Red,
            failed,
            Some("more than half of the recent checks failed"),
        ),
        _ if !not_called.is_empty() => {
            let not_called = not_called.join("; ");
            (Yellow, format!("Service is degraded: {not_called}"), None)
        }
        (Yellow, _) => (Yellow, "Service is degraded".to_owned(), None),
        (Green, _) => (Green, "Service is healthy".to_owned(), None),
    };
    HealthReport {
        status,
        message,
        error,
        timestamp,
        database,
        external_apis,
        response_time,
        recent,
    }
}

/// Returns `true` if calls are not made in order to respect the limits of an upstream that answers.
const fn is_deliberate(reason: LimitReason) -> bool {
    use LimitReason::{Concurrency, RateLimit, Refused, TooManyRequests};
    matches!(reason, Concurrency | RateLimit | Refused | TooManyRequests)
}

/// Names the upstreams that are not called at the moment, each with the reason. A moment with too many
/// concurrent calls does not count.
fn not_called(states: &[UpstreamState]) -> Vec<String> {
    let describe = |state: &UpstreamState| {
        let reason = state.limited?;
        let is_lasting = reason != LimitReason::Concurrency;
        let (provider, upstream) = (&state.provider, state.upstream);
        is_lasting.then(|| format!("{provider} {upstream} is not called, {reason}"))
    };
    states.iter().filter_map(describe).collect()
}

/// Returns the status of the database after a call.
fn status_of<T>(answer: &Result<T, StoreError>) -> HealthStatus {
    match answer {
        Ok(_) => HealthStatus::Green,
        Err(error) => {
            tracing::warn!("the health log failed: {}", error_chain(error));
            HealthStatus::Red
        }
    }
}

/// Returns the outcome of a check, in words too.
const fn finding(
    database: HealthStatus,
    external_apis: HealthStatus,
) -> (HealthStatus, &'static str) {
    use HealthStatus::{Green, Red, Yellow};
    match (database, external_apis) {
        (Red, Red) => (
            Red,
            "neither the database nor the Java identity service can be reached",
        ),
        (Red, _) => (Red, "the database cannot be reached"),
        (_, Red) => (Red, "the Java identity service cannot be reached"),
        (_, Yellow) => (Yellow, "the Java identity service is slow or not called"),
        (_, Green) => (Green, "all services answer"),
    }
}
