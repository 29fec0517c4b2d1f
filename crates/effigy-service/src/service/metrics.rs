//! The state of a service at one moment, as metrics.

use effigy_upstream::UpstreamState;
use prometheus::core::Collector;

use super::Service;
use crate::{state::State, values};

type Metrics = Vec<Box<dyn Collector>>;

impl Service {
    /// Returns the metrics of the service, and of its state and its upstreams' at the moment.
    #[must_use]
    pub fn metrics(&self) -> Vec<Box<dyn Collector>> {
        let state = &self.state;
        let mut metrics = counts(state);
        metrics.extend(values_of_service(state));
        for upstream in state.source.states() {
            metrics.extend(values_of_upstream(&upstream));
        }
        metrics
    }
}

/// Returns the metrics that have been counted since the start.
fn counts(state: &State) -> Metrics {
    let counted = &state.metrics;
    vec![
        Box::new(counted.database_reads.clone()),
        Box::new(counted.look_ups.clone()),
        Box::new(counted.renders.clone()),
        Box::new(counted.failures.clone()),
        Box::new(state.rates.refused.clone()),
    ]
}

/// Returns the metrics of the service at the moment.
fn values_of_service(state: &State) -> Metrics {
    let files = &state.files;
    let jobs = state.turns.jobs();
    let memory = state.memory.usage();
    Vec::from(values! { &[],
        effigy_waiting_bytes "Bytes of responses and uploads that wait for clients."
            state.waiting.used();
        effigy_work_waiting "Pictures and documents that wait for a drawing thread."
            jobs.waiting;
        effigy_work_running "Pictures and documents that drawing threads work on."
            jobs.running;
        effigy_misses_in_flight "Files that are being made, or waited for."
            state.in_flight.len();
        effigy_resolves_in_flight "Players being looked up."
            (state.players.in_flight() + state.textures.in_flight());
        effigy_memory_cache_entries "Approximate number of pictures in memory."
            memory.entries;
        effigy_memory_cache_bytes "Approximate bytes of pictures in memory."
            memory.bytes;
        effigy_database_reads_down "1 while the database does not answer reads."
            files.reads_fail();
        effigy_database_writes_down "1 while the database accepts no writes."
            files.writes_fail();
        effigy_write_queue_images "Pictures that wait to be written to the database."
            files.queued();
        effigy_write_queue_bytes "Bytes of pictures and textures that wait to be written to the database."
            files.queued_bytes();
        effigy_write_dropped_images_total
            "Pictures, textures and players not stored because too many waited to be written."
            files.dropped();
    })
}

/// Returns the metrics of an upstream at the moment.
fn values_of_upstream(upstream: &UpstreamState) -> Metrics {
    let labels = &[
        ("provider", &*upstream.provider),
        ("upstream", upstream.upstream.as_str()),
    ];
    let mut metrics = Vec::from(values! { labels,
        effigy_upstream_calls_in_flight "Calls in flight." upstream.calls;
        effigy_upstream_paused
            "1 while an upstream that fails or rejects calls is at most probed."
            upstream.paused_for.is_some();
    });
    if let Some(left) = upstream.rate_limit_left {
        metrics.extend(values! { labels,
            effigy_upstream_budget_left "Calls that the rate limit permits now, if there is one."
                left;
        });
    }
    metrics
}
