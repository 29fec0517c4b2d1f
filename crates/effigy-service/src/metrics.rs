//! What a service counts.

use std::time::Duration;

use prometheus::{HistogramOpts, HistogramVec, IntCounterVec, Opts};

/// The outcomes of an operation.
pub const OUTCOMES: [&str; 2] = ["ok", "error"];

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
    /// Metrics that nobody reads.
    fn default() -> Self {
        let (name, help, valid) = ("unread", "Nobody reads this.", "they are valid");
        let durations = HistogramVec::new(HistogramOpts::new(name, help), &["of"]).expect(valid);
        let counts = IntCounterVec::new(Opts::new(name, help), &["of"]).expect(valid);
        Self {
            database_reads: durations.clone(),
            look_ups: durations.clone(),
            renders: durations,
            failures: counts.clone(),
            refused: counts,
        }
    }
}

/// Counts an operation that took so long.
pub(crate) fn observe<T, E>(histogram: &HistogramVec, time: Duration, outcome: &Result<T, E>) {
    let outcome = OUTCOMES[usize::from(outcome.is_err())];
    let histogram = histogram.with_label_values(&[outcome]);
    histogram.observe(time.as_secs_f64());
}
