//! The counts of a service, and its state at one moment.

use std::time::Duration;

use prometheus::{
    HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, core::Collector,
};

use crate::Fault;

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

/// Records the time of an operation, by its outcome.
pub(crate) fn observe<T, E>(histogram: &HistogramVec, time: Duration, outcome: &Result<T, E>) {
    let label = if outcome.is_ok() { "ok" } else { "error" };
    let histogram = histogram.with_label_values(&[label]);
    histogram.observe(time.as_secs_f64());
}
