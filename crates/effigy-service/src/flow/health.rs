//! The flow of a health check. Spec, "Health".

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use effigy_store::{HealthStatus, StoreError};
use effigy_upstream::{LimitReason, UpstreamError, UpstreamState, warn_throttled};

use crate::{
    HealthReport, Service, ServiceError,
    error::chain,
    health::{
        ping_cache::{Ping, PingOutcome},
        report::{Findings, RECENT_ENTRIES},
    },
    service::Inner,
};

impl Service {
    /// Checks the service's health. Simultaneous calls share one check.
    pub async fn health(&self) -> HealthReport {
        let inner = Arc::clone(&self.inner);
        let check = || async move { inner.check_health().await };
        let shared = self.inner.health_checks.run((), check).await;
        shared.unwrap_or_else(|_| {
            let broken = Findings {
                external_apis: HealthStatus::Red,
                database: HealthStatus::Red,
                response_time: Duration::ZERO,
                timestamp: self.now(),
                not_called: Vec::new(),
            };
            broken.report(&[])
        })
    }
}

impl Inner {
    async fn check_health(self: Arc<Self>) -> HealthReport {
        let ping = match self.ping_cache.get(self.clock.now()) {
            Some(ping) => ping,
            None => self.ping().await,
        };
        let earlier = self.store.recent(RECENT_ENTRIES).await;
        let mut findings = Findings {
            external_apis: ping.status(),
            database: status_of(&earlier),
            response_time: ping.response_time,
            timestamp: self.clock.now(),
            not_called: not_called(&self.source.states()),
        };
        let recorded = self.store.record(&findings.entry()).await;
        if status_of(&recorded) == HealthStatus::Red {
            findings.database = HealthStatus::Red;
        }
        findings.report(&earlier.unwrap_or_default())
    }

    async fn ping(&self) -> Ping {
        let (started_at, started) = (self.clock.now(), Instant::now());
        let source = Arc::clone(&self.source);
        let outcome = self.pings.run_blocking(move || source.ping()).await;
        let outcome = outcome.and_then(|answer| answer.map_err(ServiceError::Upstream));
        let outcome = match outcome {
            Ok(()) => PingOutcome::Answered,
            Err(ServiceError::Upstream(UpstreamError::Limited { reason, .. }))
                if is_deliberate(reason) =>
            {
                PingOutcome::NotCalled
            }
            Err(error) => {
                warn_throttled!("the health ping failed: {}", chain(&error));
                PingOutcome::Failed
            }
        };
        let ping = Ping {
            outcome,
            response_time: started.elapsed(),
        };
        self.ping_cache.put(started_at, ping);
        ping
    }
}

/// Returns whether calls are not made in order to respect the limits of an upstream that answers.
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
        let upstream = state.upstream;
        is_lasting.then(|| format!("{upstream} is not called, {reason}"))
    };
    states.iter().filter_map(describe).collect()
}

/// The status of the database after a call.
fn status_of<T>(answer: &Result<T, StoreError>) -> HealthStatus {
    match answer {
        Ok(_) => HealthStatus::Green,
        Err(error) => {
            warn_throttled!("the health log failed: {}", chain(error));
            HealthStatus::Red
        }
    }
}
