//! Metrics in Prometheus' text format: what the process has done since its start, and its state at one moment.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use effigy_service::{Service, ServiceMetrics, counter, duration_histogram};
use hyper::StatusCode;
#[cfg(target_os = "linux")]
use prometheus::process_collector::ProcessCollector;
use prometheus::{
    Histogram, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, Registry, TextEncoder,
    core::Collector,
};
use tracing_appender::non_blocking::ErrorCounter;

/// The origins of responses, as `X-Cache` states them, and the word for those without one.
const ORIGINS: [&str; 4] = ["hit", "miss", "stale", "none"];

const VALID: &str = "each metric has a valid name of its own";

/// The metrics of a process.
#[derive(Debug)]
pub struct Metrics {
    /// By the route and the status.
    requests: IntCounterVec,
    /// By the origin of the picture.
    responses: HistogramVec,
    /// The same in the order of [`ORIGINS`].
    durations: [Histogram; ORIGINS.len()],
    /// The seconds of calls to upstreams, by the provider, the step and the outcome. The transport observes them.
    pub upstream_calls: HistogramVec,
    /// Those that the service counts.
    pub service: ServiceMetrics,
    /// Each open connection has a clone.
    pub(crate) connections: Arc<()>,
    /// The lines that the access log lost, if there is one.
    pub(crate) lost_lines: OnceLock<ErrorCounter>,
}

/// Returns metrics with these labels and values at the moment.
macro_rules! values {
    ($labels:expr, $($name:ident $help:literal $value:expr;)*) => {
        [$(value(stringify!($name), $help, $labels, $value as u64)),*]
    };
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
            upstream_calls: duration_histogram(
                "effigy_upstream_request_duration_seconds",
                "Calls to the upstream services, by what they are for and their outcome.",
                &["provider", "step", "outcome"],
            ),
            service: ServiceMetrics::default(),
            connections: Arc::default(),
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

    /// Returns these metrics, with those of the service, its upstreams and the process.
    pub(crate) fn text(&self, service: &Service) -> String {
        let status = service.status();
        let mut metrics: Vec<Box<dyn Collector>> = vec![
            Box::new(self.requests.clone()),
            Box::new(self.responses.clone()),
            Box::new(self.upstream_calls.clone()),
            Box::new(self.service.database_reads.clone()),
            Box::new(self.service.look_ups.clone()),
            Box::new(self.service.renders.clone()),
            Box::new(self.service.failures.clone()),
            Box::new(self.service.refused.clone()),
            #[cfg(target_os = "linux")]
            Box::new(ProcessCollector::for_self()),
        ];
        metrics.extend(values! { &[("version", env!("CARGO_PKG_VERSION"))],
            effigy_build_info "1, with the version of the program." 1;
        });
        metrics.extend(values! { &[],
            effigy_clients "Clients whose use of the service is remembered." status.clients;
            effigy_waiting_bytes "Bytes of responses and uploads that wait for clients." status.waiting_bytes;
            effigy_work_waiting "Pictures and documents that wait for a drawing thread." status.work_waiting;
            // Without this text, which a drawing thread writes.
            effigy_work_running "Pictures and documents that drawing threads work on."
                status.work_running.saturating_sub(1);
            effigy_misses_in_flight "Files that are being made, or waited for." status.files_in_flight;
            effigy_resolves_in_flight "Players being looked up." status.look_ups_in_flight;
            effigy_memory_cache_entries "Approximate number of pictures in memory." status.memory_cache_files;
            effigy_memory_cache_bytes "Approximate bytes of pictures in memory." status.memory_cache_bytes;
            effigy_database_reads_down "1 while the database does not answer reads." status.is_reading_down;
            effigy_database_writes_down "1 while the database accepts no writes." status.is_writing_down;
            effigy_write_queue_images "Pictures that wait to be written to the database." status.queued_files;
            effigy_write_queue_bytes "Bytes of pictures that wait to be written to the database." status.queued_bytes;
            effigy_write_dropped_images_total
                "Pictures that were not stored because too many waited, or the client had its share of the database."
                status.dropped_files;
            effigy_connections "Open connections." Arc::strong_count(&self.connections) - 1;
        });
        if let Some(lost) = self.lost_lines.get() {
            metrics.extend(values! { &[],
                effigy_access_log_lost_lines_total "Lines that the output of the access log was too slow for."
                    lost.dropped_lines();
            });
        }
        for state in &status.upstreams {
            let labels = &[
                ("provider", &*state.provider),
                ("upstream", state.upstream.as_str()),
            ];
            metrics.extend(values! { labels,
                effigy_upstream_calls_in_flight "Calls in flight." state.calls;
                effigy_upstream_paused "1 while an upstream that fails or rejects calls is at most probed."
                    state.paused_for.is_some();
            });
            if let Some(left) = state.rate_limit_left {
                metrics.extend(values! { labels,
                    effigy_upstream_budget_left "Calls that the rate limit permits now, if there is one." left;
                });
            }
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

/// Returns a metric with this value at the moment: a counter, as names that end with `_total` are, or a gauge.
fn value(name: &str, help: &str, labels: &[(&str, &str)], value: u64) -> Box<dyn Collector> {
    let opts = Opts::new(name, help);
    let opts = (labels.iter()).fold(opts, |opts, (name, value)| opts.const_label(*name, *value));
    if name.ends_with("_total") {
        let counter = IntCounter::with_opts(opts).expect(VALID);
        counter.inc_by(value);
        return Box::new(counter);
    }
    let gauge = IntGauge::with_opts(opts).expect(VALID);
    gauge.set(value.cast_signed());
    Box::new(gauge)
}
