//! Metrics for Prometheus: what the service has done since its start, and its state at one moment.

use std::time::Duration;

use effigy_upstream::UpstreamState;
use prometheus::{
    GaugeVec, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts,
    core::Collector, proto::MetricFamily,
};

use crate::error::{Fault, SharedResource};

/// The limits of the buckets of durations in seconds, from a cache hit to a look-up that times out.
const BUCKETS: [f64; 18] = [
    0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1,
    0.25, 0.5, 1.0, 2.5, 10.0, 30.0,
];

/// The metrics of each upstream, in the order in which [`ServiceMetrics::gather`] has their values.
const UPSTREAM_GAUGES: [(&str, &str); 4] = [
    ("effigy_upstream_calls_in_flight", "Calls in flight."),
    (
        "effigy_upstream_budget_left",
        "Calls that the rate limit permits now, if there is one.",
    ),
    (
        "effigy_upstream_paused",
        "1 while an upstream that rejected calls is not called.",
    ),
    (
        "effigy_upstream_circuit_open",
        "1 while an upstream that hangs is only probed.",
    ),
];

/// Success and failure.
const OUTCOMES: [&str; 2] = ["ok", "error"];

const VALID: &str = "each metric has a valid name of its own";

/// Returns a metric of durations in seconds. Those of the `known` values of a single label begin at zero.
///
/// # Panics
/// If a name is invalid, as for the others.
#[must_use]
pub fn durations(name: &str, help: &str, labels: &[&str], known: &[&str]) -> HistogramVec {
    let opts = HistogramOpts::new(name, help).buckets(BUCKETS.to_vec());
    let durations = HistogramVec::new(opts, labels).expect(VALID);
    for value in known {
        durations.with_label_values(&[value]);
    }
    durations
}

/// Returns a metric that counts, likewise.
#[must_use]
pub fn counts(name: &str, help: &str, labels: &[&str], known: &[&str]) -> IntCounterVec {
    let counts = IntCounterVec::new(Opts::new(name, help), labels).expect(VALID);
    for value in known {
        counts.with_label_values(&[value]);
    }
    counts
}

/// Returns a metric with this value at the moment: a counter, as names that end with `_total` are, or a gauge.
#[must_use]
pub fn value(name: &str, help: &str, value: u64) -> Vec<MetricFamily> {
    if name.ends_with("_total") {
        let counter = IntCounter::new(name, help).expect(VALID);
        counter.inc_by(value);
        return counter.collect();
    }
    let gauge = IntGauge::new(name, help).expect(VALID);
    gauge.set(value.cast_signed());
    gauge.collect()
}

/// What a service has done since its start.
#[derive(Debug)]
pub(crate) struct ServiceMetrics {
    /// By the outcome. A read succeeds with or without a picture.
    pub(crate) database_reads: HistogramVec,
    /// By the outcome. A look-up may take several calls to upstreams.
    pub(crate) look_ups: HistogramVec,
    /// By the endpoint.
    pub(crate) renders: HistogramVec,
    /// By the fault. Requests that waited for the same work count once.
    pub(crate) failures: IntCounterVec,
    /// By the resource.
    pub(crate) refused: IntCounterVec,
}

macro_rules! values {
    ($($name:ident $help:literal $value:expr;)*) => {
        [$($crate::metrics::value(stringify!($name), $help, $value as u64)),*]
    };
}
pub(crate) use values;

impl ServiceMetrics {
    pub(crate) fn new() -> Self {
        Self {
            database_reads: durations(
                "effigy_database_read_duration_seconds",
                "Reads of a picture from the database.",
                &["outcome"],
                &OUTCOMES,
            ),
            look_ups: durations(
                "effigy_resolve_duration_seconds",
                "Look-ups of players, all upstream calls together.",
                &["outcome"],
                &OUTCOMES,
            ),
            renders: durations(
                "effigy_render_duration_seconds",
                "Drawing and encoding a picture, which are one pass.",
                &["endpoint"],
                &[],
            ),
            failures: counts(
                "effigy_failures_total",
                "Pictures, profiles and capes that were not served, by the party at fault.",
                &["fault"],
                Fault::WORDS,
            ),
            refused: counts(
                "effigy_refused_total",
                "Requests refused because a limit of clients was reached, by what it limits.",
                &["resource"],
                SharedResource::WORDS,
            ),
        }
    }

    /// Returns all metrics, with those of upstreams at the moment.
    pub(crate) fn gather(&self, upstreams: &[UpstreamState]) -> Vec<MetricFamily> {
        let gauges = UPSTREAM_GAUGES.map(|(name, help)| {
            let gauges = GaugeVec::new(Opts::new(name, help), &["provider", "upstream"]);
            gauges.expect(VALID)
        });
        for state in upstreams {
            let labels = [&*state.provider, state.upstream.as_str()];
            let values = [
                Some(state.calls),
                state.rate_limit_left,
                Some(state.paused_for.is_some().into()),
                Some(state.is_circuit_open.into()),
            ];
            for (gauges, value) in gauges.iter().zip(values) {
                if let Some(value) = value {
                    gauges.with_label_values(&labels).set(value.into());
                }
            }
        }
        let own: [&dyn Collector; 5] = [
            &self.database_reads,
            &self.look_ups,
            &self.renders,
            &self.failures,
            &self.refused,
        ];
        let own = own.into_iter().flat_map(Collector::collect);
        own.chain(gauges.iter().flat_map(Collector::collect))
            .collect()
    }
}

/// Counts an operation that took so long.
pub(crate) fn observe<T, E>(histogram: &HistogramVec, time: Duration, outcome: &Result<T, E>) {
    let outcome = OUTCOMES[usize::from(outcome.is_err())];
    let histogram = histogram.with_label_values(&[outcome]);
    histogram.observe(time.as_secs_f64());
}
