//! Metrics for Prometheus: what the service has done since its start, and its state at one moment.

use std::time::Duration;

use effigy_upstream::UpstreamState;
use prometheus::{
    Gauge, GaugeVec, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, Opts, Registry,
    core::Collector, proto::MetricFamily, register_histogram_vec_with_registry,
    register_int_counter_vec_with_registry, register_int_counter_with_registry,
};

use crate::error::{Fault, SharedResource};

/// The limits of the buckets of durations in seconds, from a cache hit to a look-up that times out.
pub const BUCKETS: [f64; 18] = [
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

const VALID: &str = "each metric has a valid name of its own";

/// What a service has done since its start.
#[derive(Debug)]
pub(crate) struct ServiceMetrics {
    registry: Registry,
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
    pub(crate) dropped_images: IntCounter,
}

/// A metric at one moment: its name, its description and its value.
type Value = (&'static str, &'static str, f64);

macro_rules! values {
    ($($name:ident $help:literal $value:expr;)*) => {
        [$((stringify!($name), $help, $value as f64)),*]
    };
}
pub(crate) use values;

impl ServiceMetrics {
    pub(crate) fn new() -> Self {
        let registry = Registry::new();
        let durations = |name, help, label| {
            let opts = HistogramOpts::new(name, help).buckets(BUCKETS.to_vec());
            register_histogram_vec_with_registry!(opts, &[label], registry).expect(VALID)
        };
        let counts = |name, help, label, values: &[&str]| {
            let counts = register_int_counter_vec_with_registry!(name, help, &[label], registry);
            let counts = counts.expect(VALID);
            for value in values {
                counts.with_label_values(&[value]);
            }
            counts
        };
        let dropped_images = register_int_counter_with_registry!(
            "effigy_write_dropped_images_total",
            "Pictures that were not stored, because too many waited or the database failed.",
            registry
        );
        Self {
            database_reads: durations(
                "effigy_database_read_duration_seconds",
                "Reads of pictures from the database.",
                "outcome",
            ),
            look_ups: durations(
                "effigy_resolve_duration_seconds",
                "Look-ups of players, with all calls to upstreams.",
                "outcome",
            ),
            renders: durations(
                "effigy_render_duration_seconds",
                "Drawing and encoding, which are one pass.",
                "endpoint",
            ),
            failures: counts(
                "effigy_failures_total",
                "Files that were not served, by the party at fault.",
                "fault",
                Fault::WORDS,
            ),
            refused: counts(
                "effigy_refused_total",
                "Requests beyond a limit of clients, by what it limits.",
                "resource",
                SharedResource::WORDS,
            ),
            dropped_images: dropped_images.expect(VALID),
            registry,
        }
    }

    /// Returns all metrics that have a value, with those of the moment.
    pub(crate) fn gather(&self, now: &[Value], upstreams: &[UpstreamState]) -> Vec<MetricFamily> {
        let mut families = self.registry.gather();
        for (name, help, value) in now {
            let gauge = Gauge::new(*name, *help).expect(VALID);
            gauge.set(*value);
            families.extend(gauge.collect());
        }
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
        families.extend(gauges.iter().flat_map(Collector::collect));
        families.retain(|family| !family.get_metric().is_empty());
        families
    }
}

/// Counts an operation that took so long.
pub(crate) fn observe<T, E>(histogram: &HistogramVec, time: Duration, outcome: &Result<T, E>) {
    let outcome = if outcome.is_ok() { "ok" } else { "error" };
    let histogram = histogram.with_label_values(&[outcome]);
    histogram.observe(time.as_secs_f64());
}
