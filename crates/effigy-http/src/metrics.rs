//! Metrics in Prometheus' text format.

mod gauges;
mod memory;
#[cfg(target_os = "linux")]
mod process;
mod registration;

use std::{fmt, sync::Arc, time::Duration};

use effigy_service::{MetricsSink, MetricsSnapshot, Observation};
use effigy_upstream::UpstreamState;
use hyper::StatusCode;
use prometheus::{
    Encoder, Histogram, HistogramVec, IntCounterVec, IntGauge, Registry, TextEncoder,
};

use gauges::{ServiceGauges, UpstreamGauges};
pub(crate) use memory::Memory;
use registration::Registration;

/// The media type of the format.
pub(crate) const CONTENT_TYPE: &str = prometheus::TEXT_FORMAT;

/// The metrics of a process: of its requests, of what its service observes, and of upstream calls.
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    hits: Histogram,
    misses: Histogram,
    stale: Histogram,
    others: Histogram,
    upstream_calls: HistogramVec,
    database_reads: HistogramVec,
    resolves: HistogramVec,
    renders: HistogramVec,
    rejected: IntCounterVec,
    /// The open connections.
    pub(crate) connections: IntGauge,
    service: ServiceGauges,
    upstreams: UpstreamGauges,
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
        Self::register().expect("the names are valid and differ")
    }

    fn register() -> Result<Arc<Self>, prometheus::Error> {
        let registration = Registration::new();
        let responses = registration.histograms(
            "request_duration_seconds",
            "From a request's head to its answer's head, by where the picture is from.",
            &["cache"],
        )?;
        let responses_of = |cache: &str| responses.with_label_values(&[cache]);
        Ok(Arc::new(Self {
            requests: registration.counters(
                "requests_total",
                "Requests answered.",
                &["route", "status"],
            )?,
            hits: responses_of("hit"),
            misses: responses_of("miss"),
            stale: responses_of("stale"),
            others: responses_of("none"),
            upstream_calls: registration.histograms(
                "upstream_request_duration_seconds",
                "Calls to the upstream services, by what they are for and their outcome.",
                &["step", "outcome"],
            )?,
            database_reads: registration.histograms(
                "database_read_duration_seconds",
                "Reads of a picture from the database.",
                &["outcome"],
            )?,
            resolves: registration.histograms(
                "resolve_duration_seconds",
                "Look-ups of players, all upstream calls together.",
                &["outcome"],
            )?,
            renders: registration.histograms(
                "render_duration_seconds",
                "Drawing and encoding a picture, which are one pass.",
                &["endpoint"],
            )?,
            rejected: registration.counters(
                "refused_total",
                "Requests refused because a limit was reached, by the limit.",
                &["pool"],
            )?,
            connections: registration.gauge("connections", "Open connections.")?,
            service: ServiceGauges::register(&registration)?,
            upstreams: UpstreamGauges::register(&registration)?,
            registry: registration.finish()?,
        }))
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
        let histogram = match cache {
            CacheStatus::Hit => &self.hits,
            CacheStatus::Miss => &self.misses,
            CacheStatus::Stale => &self.stale,
            CacheStatus::None => &self.others,
        };
        histogram.observe(duration.as_secs_f64());
    }

    /// Counts a call to an upstream.
    pub fn observe_upstream_call(&self, step: &str, outcome: &str, duration: Duration) {
        let histogram = self.upstream_calls.with_label_values(&[step, outcome]);
        histogram.observe(duration.as_secs_f64());
    }

    /// Writes all metrics, with the state of the service and of its upstreams.
    pub(crate) fn text(&self, service: &MetricsSnapshot, upstreams: &[UpstreamState]) -> Vec<u8> {
        self.service.set(service);
        self.upstreams.set(upstreams);
        let mut text = Vec::new();
        TextEncoder::new()
            .encode(&self.registry.gather(), &mut text)
            .expect("writing to memory does not fail");
        text
    }
}

impl MetricsSink for Metrics {
    fn observe(&self, observation: Observation) {
        let outcome = |succeeded| if succeeded { "ok" } else { "error" };
        let (histograms, label, duration) = match observation {
            Observation::DatabaseRead {
                duration,
                succeeded,
            } => (&self.database_reads, outcome(succeeded), duration),
            Observation::Resolve {
                duration,
                succeeded,
            } => (&self.resolves, outcome(succeeded), duration),
            Observation::Render { endpoint, duration } => {
                (&self.renders, endpoint.word(), duration)
            }
            Observation::Rejected { pool } => {
                self.rejected.with_label_values(&[pool]).inc();
                return;
            }
            _ => return,
        };
        let histogram = histograms.with_label_values(&[label]);
        histogram.observe(duration.as_secs_f64());
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}
