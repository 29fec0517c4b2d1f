//! The counts of a service, and its state at one moment.

use std::time::Duration;

use prometheus::{
    HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, core::Collector,
};

use crate::{Fault, Service};

/// The limits of the buckets of durations in seconds, from a cache hit to a look-up that times out.
const BUCKETS: [f64; 18] = [
    0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1,
    0.25, 0.5, 1.0, 2.5, 10.0, 30.0,
];

/// The outcomes of an operation.
const OUTCOMES: [&str; 2] = ["ok", "error"];

const VALID: &str = "each metric has a valid name and valid labels";

/// The counts of a service. Each has one label; durations are in seconds.
pub(crate) struct ServiceMetrics {
    /// Reads of a picture from the database, which succeed with or without one. By the outcome.
    pub(crate) database_reads: HistogramVec,
    /// Look-ups, which may take several calls to upstreams. By the outcome.
    pub(crate) look_ups: HistogramVec,
    /// Drawn and encoded pictures, by the endpoint.
    pub(crate) renders: HistogramVec,
    /// Files that were not served, by the [`Fault`]. Requests that waited for the same work count
    /// once.
    pub(crate) failures: IntCounterVec,
}

impl Default for ServiceMetrics {
    /// Metrics that start at zero.
    fn default() -> Self {
        let by_outcome = |name, help| duration_histogram(name, help, &["outcome"]);
        let metrics = Self {
            database_reads: by_outcome(
                "effigy_database_read_duration_seconds",
                "Reads of a picture from the database.",
            ),
            look_ups: by_outcome(
                "effigy_resolve_duration_seconds",
                "Look-ups of a profile or of a skin, all upstream calls together.",
            ),
            renders: duration_histogram(
                "effigy_render_duration_seconds",
                "Drawing and encoding a picture, which are one pass.",
                &["endpoint"],
            ),
            failures: counter(
                "effigy_failures_total",
                "Pictures, profiles and capes that were not served, by the party at fault.",
                &["fault"],
            ),
        };
        // The metrics of known labels are there from the start.
        for outcome in OUTCOMES {
            metrics.database_reads.with_label_values(&[outcome]);
            metrics.look_ups.with_label_values(&[outcome]);
        }
        for fault in Fault::WORDS {
            metrics.failures.with_label_values(&[fault]);
        }
        metrics
    }
}

/// Returns metrics with these labels and values at the moment.
#[macro_export]
macro_rules! values {
    ($labels:expr, $($name:ident $help:literal $value:expr;)*) => {
        [$($crate::value(stringify!($name), $help, $labels, $value as u64)),*]
    };
}

impl Service {
    /// Returns the metrics of the service, and of its state and its upstreams' at the moment.
    #[must_use]
    pub fn metrics(&self) -> Vec<Box<dyn Collector>> {
        let state = &self.state;
        let files = &state.files;
        let (waiting, running) = state.turns.jobs();
        let (cached, cached_bytes) = state.memory.usage();
        let counted = &state.metrics;
        let mut metrics: Vec<Box<dyn Collector>> = vec![
            Box::new(counted.database_reads.clone()),
            Box::new(counted.look_ups.clone()),
            Box::new(counted.renders.clone()),
            Box::new(counted.failures.clone()),
            Box::new(state.rates.refused.clone()),
        ];
        metrics.extend(values! { &[],
            effigy_waiting_bytes "Bytes of responses and uploads that wait for clients."
                state.waiting.used();
            effigy_work_waiting "Pictures and documents that wait for a drawing thread." waiting;
            effigy_work_running "Pictures and documents that drawing threads work on." running;
            effigy_misses_in_flight "Files that are being made, or waited for."
                state.in_flight.len();
            effigy_resolves_in_flight "Players being looked up."
                (state.players.in_flight() + state.textures.in_flight());
            effigy_memory_cache_entries "Approximate number of pictures in memory." cached;
            effigy_memory_cache_bytes "Approximate bytes of pictures in memory." cached_bytes;
            effigy_database_reads_down "1 while the database does not answer reads."
                files.is_reading_down();
            effigy_database_writes_down "1 while the database accepts no writes."
                files.is_writing_down();
            effigy_write_queue_images "Pictures that wait to be written to the database."
                files.queued();
            effigy_write_queue_bytes "Bytes of pictures that wait to be written to the database."
                files.queued_bytes();
            effigy_write_dropped_images_total
                "Pictures that were not stored because too many waited to be written."
                files.dropped();
        });
        for upstream in state.source.states() {
            let labels = &[
                ("provider", &*upstream.provider),
                ("upstream", upstream.upstream.as_str()),
            ];
            metrics.extend(values! { labels,
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
        }
        metrics
    }
}

/// Returns a metric with this value at the moment: a counter, as names that end with `_total` are,
/// or a gauge.
#[must_use]
pub fn value(name: &str, help: &str, labels: &[(&str, &str)], value: u64) -> Box<dyn Collector> {
    let mut opts = Opts::new(name, help);
    for (label, text) in labels {
        opts = opts.const_label(*label, *text);
    }
    if name.ends_with("_total") {
        let counter = IntCounter::with_opts(opts).expect(VALID);
        counter.inc_by(value);
        return Box::new(counter);
    }
    let gauge = IntGauge::with_opts(opts).expect(VALID);
    gauge.set(value.cast_signed());
    Box::new(gauge)
}

/// Returns a metric of durations in seconds.
#[must_use]
pub fn duration_histogram(name: &str, help: &str, labels: &[&str]) -> HistogramVec {
    let opts = HistogramOpts::new(name, help).buckets(BUCKETS.to_vec());
    HistogramVec::new(opts, labels).expect(VALID)
}

/// Returns a metric that counts.
#[must_use]
pub fn counter(name: &str, help: &str, labels: &[&str]) -> IntCounterVec {
    IntCounterVec::new(Opts::new(name, help), labels).expect(VALID)
}

/// Counts an operation that took so long.
pub(crate) fn observe<T, E>(histogram: &HistogramVec, time: Duration, outcome: &Result<T, E>) {
    let outcome = OUTCOMES[usize::from(outcome.is_err())];
    let histogram = histogram.with_label_values(&[outcome]);
    histogram.observe(time.as_secs_f64());
}
