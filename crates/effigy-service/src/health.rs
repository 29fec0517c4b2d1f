//! The health check. Spec, "Health" and "Health status".

use std::{
    iter,
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use effigy_store::{HealthEntry, HealthStatus, RecentChecks, StoreError};
use effigy_upstream::{LimitReason, UpstreamError, UpstreamState, error_chain};
use tokio::sync::Mutex;

use self::HealthStatus::{Green, Red, Yellow};
use crate::{Service, service::State};

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

impl Service {
    /// Checks the service's health, or returns the last report if it is recent. Simultaneous calls share one
    /// check.
    pub async fn health(&self) -> HealthReport {
        let state = &self.state;
        let mut last = state.health.last.lock().await;
        if let Some(report) = &*last
            && let Ok(age) = self.now().duration_since(report.timestamp)
            && age < state.config.health_ttl
        {
            return report.clone();
        }
        last.insert(state.check_health().await).clone()
    }
}

impl State {
    /// Makes the report of a check, and logs it.
    async fn check_health(&self) -> HealthReport {
        let (external_apis, response_time) = self.ping().await;
        let not_called = not_called(&self.source.states());
        let timestamp = self.now();
        let entry = |database| HealthEntry {
            status: external_apis.max(database),
            message: finding(database, external_apis).to_owned(),
            response_time,
            timestamp,
        };
        let earlier = self.store.recent(EARLIER_ENTRIES).await;
        let database = status_of(&earlier);
        let recorded = self.store.record(&entry(database)).await;
        let database = database.max(status_of(&recorded));

        let (this, earlier) = (entry(database), earlier.unwrap_or_default());
        let recent = RecentChecks::count(iter::once(&this).chain(&earlier), timestamp);
        let (status, message) = match recent.status() {
            Red => (Red, "Health check failed".to_owned()),
            _ if !not_called.is_empty() => (Yellow, format!("Service is degraded: {not_called}")),
            Yellow => (Yellow, "Service is degraded".to_owned()),
            Green => (Green, "Service is healthy".to_owned()),
        };
        let reason = match this.status {
            Red => finding(database, external_apis),
            _ => "more than half of the recent checks failed",
        };
        HealthReport {
            status,
            message,
            error: (status == Red).then_some(reason),
            timestamp,
            database,
            external_apis,
            response_time,
            recent,
        }
    }

    /// Pings the identity service, after the ping of a check that nobody waits for any more.
    async fn ping(&self) -> (HealthStatus, Duration) {
        let lock = Arc::clone(&self.health.ping).lock_owned().await;
        let (source, started) = (Arc::clone(&self.source), Instant::now());
        let ping = tokio::task::spawn_blocking(move || {
            let _lock = lock;
            source.ping()
        });
        let answer = ping.await;
        let response_time = started.elapsed();
        let status = match answer {
            Ok(Ok(())) if response_time <= SLOW_PING => Green,
            Ok(Ok(())) => Yellow,
            Ok(Err(UpstreamError::Limited { reason, .. })) if is_deliberate(reason) => Yellow,
            Ok(Err(error)) => {
                tracing::warn!("the health ping failed: {}", error_chain(&error));
                Red
            }
            // The panic hook has reported the panic.
            Err(_) => Red,
        };
        (status, response_time)
    }
}

/// Returns `true` if calls are not made in order to respect the limits of an upstream that answers.
const fn is_deliberate(reason: LimitReason) -> bool {
    use LimitReason::{Concurrency, RateLimit, Refused, TooManyRequests};
    matches!(reason, Concurrency | RateLimit | Refused | TooManyRequests)
}

/// Names the upstreams that are not called at the moment, each with the reason. A moment with too many
/// concurrent calls does not count.
fn not_called(states: &[UpstreamState]) -> String {
    let not_called = states.iter().filter_map(|state| {
        let reason = state.limited?;
        let (provider, upstream) = (&state.provider, state.upstream);
        (reason != LimitReason::Concurrency)
            .then(|| format!("{provider} {upstream} is not called, {reason}"))
    });
    not_called.collect::<Vec<String>>().join("; ")
}

/// Returns the status of the database after a call.
fn status_of<T>(answer: &Result<T, StoreError>) -> HealthStatus {
    let Err(error) = answer else { return Green };
    tracing::warn!("the health log failed: {}", error_chain(error));
    Red
}

/// Returns the outcome of a check in words.
const fn finding(database: HealthStatus, external_apis: HealthStatus) -> &'static str {
    match (database, external_apis) {
        (Red, Red) => "neither the database nor the Java identity service can be reached",
        (Red, _) => "the database cannot be reached",
        (_, Red) => "the Java identity service cannot be reached",
        (_, Yellow) => "the Java identity service is slow or not called",
        (_, Green) => "all services answer",
    }
}
