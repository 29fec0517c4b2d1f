//! Metrics in Prometheus' text format.

use std::sync::{Arc, OnceLock};

use effigy_service::{
    Service,
    metrics::{counts, durations, value},
};
#[cfg(target_os = "linux")]
use prometheus::process_collector::ProcessCollector;
use prometheus::{HistogramVec, IntCounterVec, TextEncoder, core::Collector};
use tracing_appender::non_blocking::ErrorCounter;

/// The metrics of a process: of its requests and of its calls to upstreams.
#[derive(Debug)]
pub struct Metrics {
    /// By the route and the status.
    pub(crate) requests: IntCounterVec,
    /// By the origin of the picture, as `X-Cache` states it.
    pub(crate) responses: HistogramVec,
    /// The seconds of calls to upstreams, by the provider, the step and the outcome. The transport observes them.
    pub upstream_calls: HistogramVec,
    /// Each open connection has a clone.
    pub(crate) connections: Arc<()>,
    /// The lines that the access log lost, if there is one.
    pub(crate) lost_lines: OnceLock<ErrorCounter>,
}

impl Metrics {
    /// Metrics that start at zero.
    #[must_use]
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            requests: counts(
                "effigy_requests_total",
                "Requests answered.",
                &["route", "status"],
                &[],
            ),
            responses: durations(
                "effigy_request_duration_seconds",
                "From a request's head to its answer's head, by where the picture is from.",
                &["cache"],
                &["hit", "miss", "stale", "none"],
            ),
            upstream_calls: durations(
                "effigy_upstream_request_duration_seconds",
                "Calls to the upstream services, by what they are for and their outcome.",
                &["provider", "step", "outcome"],
                &[],
            ),
            connections: Arc::default(),
            lost_lines: OnceLock::new(),
        })
    }

    /// Returns these metrics, with those of the service, its upstreams and the process.
    pub(crate) fn text(&self, service: &Service) -> String {
        let mut families = service.metrics();
        families.extend(self.requests.collect());
        families.extend(self.responses.collect());
        families.extend(self.upstream_calls.collect());
        let connections = Arc::strong_count(&self.connections) as u64 - 1;
        families.extend(value(
            "effigy_connections",
            "Open connections.",
            connections,
        ));
        if let Some(lost) = self.lost_lines.get() {
            families.extend(value(
                "effigy_access_log_lost_lines_total",
                "Lines that the output of the access log was too slow for.",
                lost.dropped_lines() as u64,
            ));
        }
        #[cfg(target_os = "linux")]
        families.extend(ProcessCollector::for_self().collect());
        families.retain(|family| !family.get_metric().is_empty());
        let text = TextEncoder::new().encode_to_string(&families);
        text.expect("each metric has a value")
    }
}
