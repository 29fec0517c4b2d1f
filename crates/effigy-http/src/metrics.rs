//! Metrics in Prometheus' text format: counts since the start of the process, and its state now.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use effigy_service::{counter, duration_histogram, values};
use hyper::StatusCode;
#[cfg(target_os = "linux")]
use prometheus::process_collector::ProcessCollector;
use prometheus::{
    Histogram, HistogramVec, IntCounterVec, IntGauge, Registry, TextEncoder, core::Collector,
};
use tracing_appender::non_blocking::ErrorCounter;

use crate::routes::UNROUTED;

/// The origins of responses in the words of `X-Cache`, and the word for responses without one.
const ORIGINS: [&str; 4] = ["hit", "miss", "stale", "none"];

/// The metrics of a process.
#[derive(Debug)]
pub struct Metrics {
    /// The number of requests by the route and the status.
    requests: IntCounterVec,
    /// The durations of responses by the origin of the picture.
    responses: HistogramVec,
    /// The histograms of `responses`, in the order of [`ORIGINS`].
    durations: [Histogram; ORIGINS.len()],
    /// The open connections of all listeners.
    pub(crate) connections: IntGauge,
    /// The durations of calls to upstreams in seconds, by the provider, the step and the outcome.
    /// The transport observes them.
    pub upstream_calls: HistogramVec,
    /// The number of lines that the access log has lost, if there is a log.
    pub(crate) lost_lines: OnceLock<ErrorCounter>,
}

impl Metrics {
    /// Metrics that start at zero.
    #[must_use]
    pub fn new() -> Arc<Self> {
        let responses = duration_histogram(
            "effigy_request_duration_seconds",
            "From a request's head to its answer's head, by where the picture is from.",
            &["cache"],
        );
        Arc::new(Self {
            durations: ORIGINS.map(|origin| responses.with_label_values(&[origin])),
            responses,
            requests: counter(
                "effigy_requests_total",
                "Requests answered.",
                &["route", "status"],
            ),
            connections: IntGauge::new("effigy_connections", "Open connections.")
                .expect("the name is valid"),
            upstream_calls: duration_histogram(
                "effigy_upstream_request_duration_seconds",
                "Calls to the upstream services, by what they are for and their outcome.",
                &["provider", "step", "outcome"],
            ),
            lost_lines: OnceLock::new(),
        })
    }

    /// Counts a request. Only pictures have an origin.
    pub(crate) fn count(
        &self,
        route: &'static str,
        status: StatusCode,
        origin: Option<&str>,
        duration: Duration,
    ) {
        let labels = [route, status.as_str()];
        self.requests.with_label_values(&labels).inc();
        let known = ORIGINS.iter().position(|word| Some(*word) == origin);
        let index = known.unwrap_or(ORIGINS.len() - 1);
        self.durations[index].observe(duration.as_secs_f64());
    }

    /// Counts a request whose head could not be parsed, so it has neither a route nor a duration.
    pub(crate) fn count_unparsed(&self, status: StatusCode) {
        let labels = [UNROUTED, status.as_str()];
        self.requests.with_label_values(&labels).inc();
    }

    /// Returns all metrics as text: these, and the metrics of the process and of the service.
    pub(crate) fn text(&self, of_service: Vec<Box<dyn Collector>>) -> String {
        let mut metrics: Vec<Box<dyn Collector>> = vec![
            Box::new(self.requests.clone()),
            Box::new(self.responses.clone()),
            Box::new(self.upstream_calls.clone()),
            Box::new(self.connections.clone()),
            #[cfg(target_os = "linux")]
            Box::new(ProcessCollector::for_self()),
        ];
        metrics.extend(of_service);
        metrics.extend(values! { &[("version", env!("CARGO_PKG_VERSION"))],
            effigy_build_info "1, with the version of the program." 1;
        });
        if let Some(lost) = self.lost_lines.get() {
            metrics.extend(values! { &[],
                effigy_access_log_lost_lines_total "Lines lost because the log's output was too slow."
                    lost.dropped_lines();
            });
        }
        let registry = Registry::new();
        for metric in metrics {
            // The registry refuses a metric with the labels of an earlier one, such as that of a
            // second upstream at the same host.
            let _ = registry.register(metric);
        }
        let text = TextEncoder::new().encode_to_string(&registry.gather());
        text.expect("each metric has a value")
    }
}
