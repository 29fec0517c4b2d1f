//! The flow of a health check. Spec, "Health".

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use effigy_store::{HealthStatus, StoreError};
use effigy_upstream::{LimitReason, UpstreamError, UpstreamState};

use crate::{
    HealthReport, Service,
    error::error_chain,
    health::{Findings, RECENT_ENTRIES},
    state::State,
};

/// The response time above which the identity service is slow.
const SLOW_PING: Duration = Duration::from_secs(2);

impl Service {
    /// Checks the service's health, or returns the last report if it is recent. Simultaneous calls share one
    /// check.
    pub async fn health(&self) -> HealthReport {
        let state = &self.state;
        let mut last = state.last_report.lock().await;
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
    async fn check_health(&self) -> HealthReport {
        let (external_apis, response_time) = self.ping().await;
        let earlier = self.store.recent(RECENT_ENTRIES).await;
        let mut findings = Findings {
            external_apis,
            database: status_of(&earlier),
            response_time,
            timestamp: self.clock.now(),
            not_called: not_called(&self.source.states()),
        };
        let recorded = self.store.record(&findings.entry()).await;
        if status_of(&recorded) == HealthStatus::Red {
            findings.database = HealthStatus::Red;
        }
        findings.report(&earlier.unwrap_or_default())
    }

    /// Pings the identity service, after the ping of a check that nobody waits for any more.
    async fn ping(&self) -> (HealthStatus, Duration) {
        let lock = Arc::clone(&self.ping).lock_owned().await;
        let (source, started) = (Arc::clone(&self.source), Instant::now());
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

/// Returns `true` if calls are not made in order to respect the limits of an upstream that answers.
const fn is_deliberate(reason: LimitReason) -> bool {
    use LimitReason::{RateLimit, Refused, TooManyRequests};
    matches!(reason, RateLimit | Refused | TooManyRequests)
}

/// Names the upstreams that are not called at the moment, each with the reason. A moment with too many
/// concurrent calls does not count.
fn not_called(states: &[UpstreamState]) -> Vec<String> {
    let describe = |state: &UpstreamState| {
        let reason = state.limited?;
        let is_lasting = is_deliberate(reason) || reason == LimitReason::CircuitOpen;
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
