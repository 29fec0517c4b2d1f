//! The flow of a health check. Spec, "Health".

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use effigy_store::{HealthStatus, StoreError};

use crate::{
    HealthReport, Service, ServiceError,
    error::chain,
    health::{
        ping_cache::Ping,
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
        let outcome =
            outcome.inspect_err(|error| tracing::warn!("the health ping failed: {}", chain(error)));
        let ping = Ping {
            answered: outcome.is_ok(),
            response_time: started.elapsed(),
        };
        self.ping_cache.put(started_at, ping);
        ping
    }
}

/// The status of the database after a call.
fn status_of<T>(answer: &Result<T, StoreError>) -> HealthStatus {
    match answer {
        Ok(_) => HealthStatus::Green,
        Err(error) => {
            tracing::warn!("the health log failed: {}", chain(error));
            HealthStatus::Red
        }
    }
}
