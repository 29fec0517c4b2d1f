//! Metrics in Prometheus' text format: what the process has done since its start, and its state at one moment.

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

/// The origins of responses, as `X-Cache` states them, and the word for those without one.
const ORIGINS: [&str; 4] = ["hit", "miss", "stale", "none"];

/// The metrics of a process.
#[derive(Debug)]
pub struct Metrics {
    /// By the route and the status.
    requests: IntCounterVec,
    /// By the origin of the picture.
    responses: HistogramVec,
    /// The histograms of `responses`, in the order of [`ORIGINS`].
    durations: [Histogram; ORIGINS.len()],
    /// The open connections of all listeners.
    pub(crate) connections: IntGauge,
    /// The seconds of calls to upstreams, by the provider, the step and the outcome. The transport observes them.
    pub upstream_calls: HistogramVec,
    /// The lines that the access log lost, if there is one.
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

    /// Counts a request, whose response has an origin if it is a picture.
    pub(crate) fn count(
        &self,
        route: &'static str,
        status: StatusCode,
        origin: Option<&str>,
        duration: Duration,
    ) {
        let requests = self.requests.with_label_values(&[route, status.as_str()]);
        requests.inc();
        let origin = ORIGINS.iter().position(|known| Some(*known) == origin);
        let durations = &self.durations[origin.unwrap_or(ORIGINS.len() - 1)];
        durations.observe(duration.as_secs_f64());
    }

    /// Returns these metrics, with those of the service at the `moment`, and of the process.
    pub(crate) fn text(&self, moment: Vec<Box<dyn Collector>>) -> String {
        let mut metrics: Vec<Box<dyn Collector>> = vec![
            Box::new(self.requests.clone()),
            Box::new(self.responses.clone()),
            Box::new(self.upstream_calls.clone()),
            Box::new(self.connections.clone()),
            #[cfg(target_os = "linux")]
            Box::new(ProcessCollector::for_self()),
        ];
        metrics.extend(moment);
        metrics.extend(values! { &[("version", env!("CARGO_PKG_VERSION"))],
            effigy_build_info "1, with the version of the program." 1;
        });
        if let Some(lost) = self.lost_lines.get() {
            metrics.extend(values! { &[],
                effigy_access_log_lost_lines_total "Lines that the output of the access log was too slow for."
                    lost.dropped_lines();
            });
        }
        let registry = Registry::new();
        for metric in metrics {
            // Of two upstreams with the same labels, the first one is reported.
            let _ = registry.register(metric);
        }
        let text = TextEncoder::new().encode_to_string(&registry.gather());
        text.expect("each metric has a value")
    }
}
