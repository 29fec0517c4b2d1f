//! The health check. Spec, "Health" and "Health status".

use std::{
    iter,
    sync::Arc,
    time::{Duration, SystemTime},
};

use effigy_store::{HealthEntry, HealthStatus, RecentChecks, StoreError};
use effigy_upstream::{LimitReason, Ping, UpstreamState, error_chain};

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

impl Service {
    /// Checks the service's health, or returns the last report if it is recent. Simultaneous calls
    /// share one check, which goes on when they leave.
    pub async fn health(&self) -> HealthReport {
        let mut last = Arc::clone(&self.state.health).lock_owned().await;
        if let Some((made, report)) = &*last
            && let Ok(age) = self.now().duration_since(*made)
            && age < self.state.config.health_ttl
        {
            return report.clone();
        }
        let state = Arc::clone(&self.state);
        let check = async move {
            let report = state.check_health().await;
            *last = Some((state.now(), report.clone()));
            report
        };
        tokio::spawn(check).await.expect("a check does not fail")
    }
}

impl State {
    /// Pings the providers of Java names, makes the report of the check, and logs it.
    async fn check_health(&self) -> HealthReport {
        let source = Arc::clone(&self.source);
        let pings = tokio::task::spawn_blocking(move || source.ping()).await;
        // The panic hook has reported a panic.
        let is_broken = pings.is_err();
        let pings = pings.unwrap_or_default();
        let statuses: Vec<HealthStatus> = pings.iter().map(status_of_ping).collect();
        let external_apis = match statuses.iter().max() {
            _ if is_broken => Red,
            Some(Red) if statuses.iter().min() < Some(&Red) => Yellow,
            worst => worst.copied().unwrap_or(Green),
        };
        let longest =
            |time: fn(&Ping) -> Duration| pings.iter().map(time).max().unwrap_or_default();
        let (response_time, ping_age) =
            (longest(|ping| ping.response_time), longest(|ping| ping.age));
        let degraded = degraded(&pings, &statuses, &self.source.states());
        let timestamp = self.now();
        let entry = |database| HealthEntry {
            status: external_apis.max(database),
            message: finding(database, external_apis).to_owned(),
            response_time,
            timestamp,
        };
        let earlier = self.files.store.recent(EARLIER_ENTRIES).await;
        if earlier.is_ok() {
            self.files.end_pause();
        }
        let database = if self.files.is_writing_down() {
            Red
        } else {
            status_of(&earlier)
        };
        let recorded = self.files.store.record(&entry(database)).await;
        let database = database.max(status_of(&recorded));

        let (this, earlier) = (entry(database), earlier.unwrap_or_default());
        let recent = RecentChecks::count(iter::once(&this).chain(&earlier), timestamp);
        // A database that takes no writes has no record of it.
        let (status, message) = match recent.status().max(database) {
            Red => (Red, "Health check failed".to_owned()),
            _ if !degraded.is_empty() => (Yellow, format!("Service is degraded: {degraded}")),
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
            ping_age,
            recent,
        }
    }
}

fn status_of_ping(ping: &Ping) -> HealthStatus {
    match &ping.answer {
        Ok(()) if ping.response_time <= SLOW_PING => Green,
        Ok(()) => Yellow,
        Err(error) if error.limit().is_some_and(is_deliberate) => Yellow,
        Err(error) => {
            let (provider, reason) = (&ping.provider, error_chain(&**error));
            tracing::warn!("the health ping of {provider} failed: {reason}");
            Red
        }
    }
}

/// Returns `true` if calls are not made in order to respect the limits of an upstream that answers.
const fn is_deliberate(reason: LimitReason) -> bool {
    use LimitReason::{Concurrency, RateLimit, Refused, TooManyRequests};
    matches!(reason, Concurrency | RateLimit | Refused | TooManyRequests)
}

/// Names the upstreams that are not called at the moment, each with the reason, and other providers
/// that do not answer. A moment with too many concurrent calls does not count.
fn degraded(pings: &[Ping], statuses: &[HealthStatus], states: &[UpstreamState]) -> String {
    let states = states.iter().filter_map(|state| {
        let reason = state.limited?;
        (reason != LimitReason::Concurrency).then_some((&state.provider, state.upstream, reason))
    });
    let named = states.clone().map(|(provider, ..)| provider);
    let silent = pings.iter().zip(statuses).filter(|(ping, status)| {
        **status == Red && named.clone().all(|provider| *provider != ping.provider)
    });
    let silent = silent.map(|(ping, _)| format!("{} does not answer", ping.provider));
    let not_called = states.map(|(provider, upstream, reason)| {
        format!("{provider} {upstream} is not called, {reason}")
    });
    silent.chain(not_called).collect::<Vec<String>>().join("; ")
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
        (Red, _) => "the database cannot be reached or accepts no writes",
        (_, Red) => "the Java identity service cannot be reached",
        (_, Yellow) => "a Java identity service is slow, not called or silent",
        (_, Green) => "all services answer",
    }
}
