//! What a service counts.

use std::time::Duration;

use prometheus::{HistogramOpts, HistogramVec, IntCounterVec, Opts};

use crate::{Fault, SharedResource};

/// The limits of the buckets of durations in seconds, from a cache hit to a look-up that times out.
const BUCKETS: [f64; 18] = [
    0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1,
    0.25, 0.5, 1.0, 2.5, 10.0, 30.0,
];

/// The outcomes of an operation.
const OUTCOMES: [&str; 2] = ["ok", "error"];

const VALID: &str = "each metric has a valid name and valid labels";

/// What a service counts, in metrics of whoever starts it. Each has one label; durations are in seconds.
#[derive(Debug, Clone)]
pub struct ServiceMetrics {
    /// Reads of a picture from the database, which succeed with or without one. By the outcome.
    pub database_reads: HistogramVec,
    /// Look-ups, which may take several calls to upstreams. By the outcome.
    pub look_ups: HistogramVec,
    /// Drawn and encoded pictures, by the endpoint.
    pub renders: HistogramVec,
    /// Files that were not served, by the [`Fault`](crate::Fault). Requests that waited for the same work count once.
    pub failures: IntCounterVec,
    /// Requests refused because a limit of clients was reached, by the [`SharedResource`](crate::SharedResource).
    pub refused: IntCounterVec,
}

impl Default for ServiceMetrics {
    /// Metrics that start at zero.
    fn default() -> Self {
        Self {
            database_reads: duration_histogram(
                "effigy_database_read_duration_seconds",
                "Reads of a picture from the database.",
                &["outcome"],
                &OUTCOMES,
            ),
            look_ups: duration_histogram(
                "effigy_resolve_duration_seconds",
                "Look-ups of players, all upstream calls together.",
                &["outcome"],
                &OUTCOMES,
            ),
            renders: duration_histogram(
                "effigy_render_duration_seconds",
                "Drawing and encoding a picture, which are one pass.",
                &["endpoint"],
                &[],
            ),
            failures: counter(
                "effigy_failures_total",
                "Pictures, profiles and capes that were not served, by the party at fault.",
                &["fault"],
                Fault::WORDS,
            ),
            refused: counter(
                "effigy_refused_total",
                "Requests refused because a limit of clients was reached, by what it limits.",
                &["resource"],
                SharedResource::WORDS,
            ),
        }
    }
}

/// Returns a metric of durations in seconds. Those of the `known` values of a single label begin at zero.
#[must_use]
pub fn duration_histogram(name: &str, help: &str, labels: &[&str], known: &[&str]) -> HistogramVec {
    let opts = HistogramOpts::new(name, help).buckets(BUCKETS.to_vec());
    let durations = HistogramVec::new(opts, labels).expect(VALID);
    for value in known {
        durations.with_label_values(&[value]);
    }
    durations
}

/// Returns a metric that counts, likewise.
#[must_use]
pub fn counter(name: &str, help: &str, labels: &[&str], known: &[&str]) -> IntCounterVec {
    let counts = IntCounterVec::new(Opts::new(name, help), labels).expect(VALID);
    for value in known {
        counts.with_label_values(&[value]);
    }
    counts
}

/// Counts an operation that took so long.
pub(crate) fn observe<T, E>(histogram: &HistogramVec, time: Duration, outcome: &Result<T, E>) {
    let outcome = OUTCOMES[usize::from(outcome.is_err())];
    let histogram = histogram.with_label_values(&[outcome]);
    histogram.observe(time.as_secs_f64());
}
