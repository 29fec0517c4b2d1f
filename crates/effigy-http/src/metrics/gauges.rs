//! Gauges that are read from the service when the metrics are requested.

use effigy_service::MetricsSnapshot;
use effigy_upstream::{Circuit, UpstreamState};
use prometheus::{IntCounter, IntGauge, IntGaugeVec};

use super::registration::Registration;

/// The state of the service.
pub(super) struct ServiceGauges {
    memory_entries: IntGauge,
    memory_bytes: IntGauge,
    misses: IntGauge,
    resolves: IntGauge,
    renders: IntGauge,
    large_pictures: IntGauge,
    queued_images: IntGauge,
    queued_bytes: IntGauge,
    dropped_images: IntCounter,
    reads_fail: IntGauge,
    writes_fail: IntGauge,
}

impl ServiceGauges {
    pub(super) fn register(registration: &Registration) -> Result<Self, prometheus::Error> {
        let gauge = |name, help| registration.gauge(name, help);
        Ok(Self {
            memory_entries: gauge(
                "memory_cache_entries",
                "Approximate number of pictures in memory.",
            )?,
            memory_bytes: gauge(
                "memory_cache_bytes",
                "Approximate bytes of pictures in memory.",
            )?,
            misses: gauge("misses_in_flight", "Cache misses being served.")?,
            resolves: gauge("resolves_in_flight", "Players being looked up.")?,
            renders: gauge(
                "renders_in_flight",
                "Pictures being drawn or waiting for a processor.",
            )?,
            large_pictures: gauge(
                "long_pictures_in_flight",
                "Pictures being drawn while they are sent.",
            )?,
            queued_images: gauge(
                "write_queue_images",
                "Pictures that wait to be written to the database.",
            )?,
            queued_bytes: gauge(
                "write_queue_bytes",
                "Bytes of pictures that wait to be written to the database.",
            )?,
            dropped_images: registration.counter(
                "write_dropped_images_total",
                "Pictures that were not stored because the queue was full or the database refused them.",
            )?,
            reads_fail: gauge(
                "database_reads_down",
                "1 while the database does not answer reads.",
            )?,
            writes_fail: gauge(
                "database_writes_down",
                "1 while the database accepts no writes.",
            )?,
        })
    }

    pub(super) fn set(&self, service: &MetricsSnapshot) {
        let queue = &service.write_queue;
        let rows = [
            (&self.memory_entries, service.memory_entries),
            (&self.memory_bytes, service.memory_bytes),
            (&self.misses, service.misses_in_flight as u64),
            (&self.resolves, service.resolves_in_flight as u64),
            (&self.renders, service.renders_in_flight as u64),
            (
                &self.large_pictures,
                service.large_pictures_in_flight as u64,
            ),
            (&self.queued_images, queue.images as u64),
            (&self.queued_bytes, queue.bytes as u64),
            (&self.reads_fail, service.reads_fail.into()),
            (&self.writes_fail, queue.writes_fail.into()),
        ];
        for (gauge, value) in rows {
            gauge.set(i64::try_from(value).expect("no process counts that far"));
        }
        let dropped = queue
            .dropped_images
            .saturating_sub(self.dropped_images.get());
        self.dropped_images.inc_by(dropped);
    }
}

/// The state of each upstream.
pub(super) struct UpstreamGauges {
    calls: IntGaugeVec,
    rate_limit_left: IntGaugeVec,
    paused: IntGaugeVec,
    circuit_open: IntGaugeVec,
}

impl UpstreamGauges {
    pub(super) fn register(registration: &Registration) -> Result<Self, prometheus::Error> {
        let gauges = |name, help| registration.upstream_gauges(name, help);
        Ok(Self {
            calls: gauges("upstream_calls_in_flight", "Calls in flight.")?,
            rate_limit_left: gauges(
                "upstream_budget_left",
                "Calls that the rate limit permits now, if there is one.",
            )?,
            paused: gauges(
                "upstream_paused",
                "1 while an upstream that rejected calls is not called.",
            )?,
            circuit_open: gauges(
                "upstream_circuit_open",
                "1 while an upstream that hangs is only probed.",
            )?,
        })
    }

    pub(super) fn set(&self, upstreams: &[UpstreamState]) {
        for state in upstreams {
            let name = &[state.upstream.as_str()];
            self.calls.with_label_values(name).set(state.calls.into());
            if let Some(left) = state.rate_limit_left {
                self.rate_limit_left
                    .with_label_values(name)
                    .set(left.into());
            }
            let paused = state.paused_for.is_some();
            self.paused.with_label_values(name).set(paused.into());
            let open = state.circuit == Circuit::Open;
            self.circuit_open.with_label_values(name).set(open.into());
        }
    }
}
