//! The flow of a health check. Spec, "Health".

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use effigy_store::HealthStatus;

use crate::{
    HealthReport, Service, ServiceError,
    error::chain,
    health::{
        ping_cache::Ping,
        report::{Findings, RECENT_ENTRIES, entry_of, report, status_of, status_of_ping},
    },
    service::Inner,
};

impl Service {
    /// Checks the service's health. Simultaneous calls share one check.
    pub async fn health(&self) -> HealthReport {
        let inner = Arc::clone(&self.inner);
        let shared = self
            .inner
            .health_checks
            .run((), || async move { inner.check_health().await })
            .await;
        shared.unwrap_or_else(|_| {
            let broken = Findings {
                external_apis: HealthStatus::Red,
                database: HealthStatus::Red,
            };
            let entry = entry_of(broken, Duration::ZERO, self.now());
            report(broken, &entry, &[])
        })
    }
}

impl Inner {
    async fn check_health(self: Arc<Self>) -> HealthReport {
        let ping = match self.ping_cache.get(self.clock.now()) {
            Some(ping) => ping,
            None => Arc::clone(&self).ping().await,
        };
        let response_time = ping.response_time;
        let earlier = self.store.recent(RECENT_ENTRIES).await;

        let mut findings = Findings {
            external_apis: status_of_ping(ping),
            database: status_of(&earlier),
        };
        let mut entry = entry_of(findings, response_time, self.clock.now());
        let recorded = self.store.record(&entry).await;
        if status_of(&recorded) == HealthStatus::Red {
            findings.database = HealthStatus::Red;
            entry = entry_of(findings, response_time, entry.timestamp);
        }
        report(findings, &entry, &earlier.unwrap_or_default())
    }

    async fn ping(self: Arc<Self>) -> Ping {
        let (started_at, started) = (self.clock.now(), Instant::now());
        let source = Arc::clone(&self.source);
        let outcome = self.pings.run(move || source.ping()).await;
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
