//! Metrics in Prometheus' text format.

mod memory;
#[cfg(target_os = "linux")]
mod process;
mod snapshot;
mod text;

use std::{sync::Arc, time::Duration};

use effigy_service::{MetricsSink, MetricsSnapshot, Observation};
use effigy_upstream::UpstreamState;
use hyper::StatusCode;
use prometheus::{
    Histogram, HistogramOpts, HistogramVec, IntCounterVec, IntGauge, Opts, Registry, TextEncoder,
    core::Collector,
};

pub(crate) use memory::Memory;
use text::MetricsText;

/// The media type of the format.
pub(crate) const CONTENT_TYPE: &str = prometheus::TEXT_FORMAT;

/// The limits of the buckets of durations in seconds, from a cache hit to a look-up that times out.
const BUCKETS: [f64; 18] = [
    0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1,
    0.25, 0.5, 1.0, 2.5, 10.0, 30.0,
];

/// The metrics of a process: of its requests, of what its service observes, and of upstream calls.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    /// The durations of responses, by [`CacheStatus`].
    responses: [Histogram; 4],
    upstream_calls: HistogramVec,
    database_reads: HistogramVec,
    resolves: HistogramVec,
    renders: HistogramVec,
    rejected: IntCounterVec,
    failures: IntCounterVec,
    /// The open connections.
    pub(crate) connections: IntGauge,
}

/// The origin of the picture in a response, as `X-Cache` states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CacheStatus {
    Hit,
    Miss,
    Stale,
    /// The response has no picture.
    None,
}

impl CacheStatus {
    /// Reads the header `X-Cache`.
    pub(crate) fn of(header: Option<&[u8]>) -> Self {
        match header {
            Some(b"hit") => Self::Hit,
            Some(b"stale") => Self::Stale,
            Some(_) => Self::Miss,
            None => Self::None,
        }
    }
}

impl Metrics {
    /// Metrics that start at zero.
    #[must_use]
    pub fn new() -> Arc<Self> {
        let registry = Registry::new();
        let histograms = |name, help, labels| {
            let options = HistogramOpts::new(name, help).buckets(BUCKETS.to_vec());
            register(&registry, HistogramVec::new(options, labels))
        };
        let counters = |name, help, labels| {
            register(&registry, IntCounterVec::new(Opts::new(name, help), labels))
        };
        let responses = histograms(
            "effigy_request_duration_seconds",
            "From a request's head to its answer's head, by where the picture is from.",
            &["cache"],
        );
        Arc::new(Self {
            requests: counters(
                "effigy_requests_total",
                "Requests answered.",
                &["route", "status"],
            ),
            responses: ["hit", "miss", "stale", "none"]
                .map(|cache| responses.with_label_values(&[cache])),
            upstream_calls: histograms(
                "effigy_upstream_request_duration_seconds",
                "Calls to the upstream services, by what they are for and their outcome.",
                &["step", "outcome"],
            ),
            database_reads: histograms(
                "effigy_database_read_duration_seconds",
                "Reads of a picture from the database.",
                &["outcome"],
            ),
            resolves: histograms(
                "effigy_resolve_duration_seconds",
                "Look-ups of players, all upstream calls together.",
                &["outcome"],
            ),
            renders: histograms(
                "effigy_render_duration_seconds",
                "Drawing and encoding a picture, which are one pass.",
                &["endpoint"],
            ),
            rejected: counters(
                "effigy_refused_total",
                "Requests refused because a limit was reached, by the limit.",
                &["pool"],
            ),
            failures: counters(
                "effigy_failures_total",
                "Pictures, profiles and capes that were not served, by the party at fault.",
                &["fault"],
            ),
            connections: register(
                &registry,
                IntGauge::new("effigy_connections", "Open connections."),
            ),
            registry,
        })
    }

    /// Counts a request.
    pub(crate) fn observe_request(
        &self,
        route: &str,
        status: StatusCode,
        cache: CacheStatus,
        duration: Duration,
    ) {
        let labels = &[route, status.as_str()];
        self.requests.with_label_values(labels).inc();
        self.responses[cache as usize].observe(duration.as_secs_f64());
    }

    /// Counts a call to an upstream.
    pub fn observe_upstream_call(&self, step: &str, outcome: &str, duration: Duration) {
        observe(&self.upstream_calls, &[step, outcome], duration);
    }

    /// Writes all metrics, with the state of the service and of its upstreams.
    pub(crate) fn text(&self, service: &MetricsSnapshot, upstreams: &[UpstreamState]) -> String {
        let mut text = MetricsText::default();
        snapshot::write_service(&mut text, service);
        snapshot::write_upstreams(&mut text, upstreams);
        #[cfg(target_os = "linux")]
        process::write_process(&mut text);
        let registered = TextEncoder::new().encode_to_string(&self.registry.gather());
        text.0 + &registered.expect("writing to memory does not fail")
    }
}

impl MetricsSink for Metrics {
    fn observe(&self, observation: Observation) {
        let outcome = |succeeded| if succeeded { "ok" } else { "error" };
        match observation {
            Observation::DatabaseRead {
                duration,
                succeeded,
            } => observe(&self.database_reads, &[outcome(succeeded)], duration),
            Observation::Resolve {
                duration,
                succeeded,
            } => observe(&self.resolves, &[outcome(succeeded)], duration),
            Observation::Render { endpoint, duration } => {
                observe(&self.renders, &[endpoint.word()], duration);
            }
            Observation::Failed { fault } => {
                self.failures.with_label_values(&[fault.as_str()]).inc();
            }
            Observation::Rejected { pool } => self.rejected.with_label_values(&[pool]).inc(),
            _ => {}
        }
    }
}

fn register<C>(registry: &Registry, metric: prometheus::Result<C>) -> C
where
    C: Collector + Clone + 'static,
{
    let metric = metric.expect("the name and the labels are valid");
    let registered = registry.register(Box::new(metric.clone()));
    registered.expect("the names differ");
    metric
}

fn observe(histograms: &HistogramVec, labels: &[&str], duration: Duration) {
    let histogram = histograms.with_label_values(labels);
    histogram.observe(duration.as_secs_f64());
}
