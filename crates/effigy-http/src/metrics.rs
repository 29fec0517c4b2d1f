//! Metrics in Prometheus' text format: what the process has done since its start, and its state at one moment.

use std::{
    ptr,
    sync::{Arc, OnceLock},
    time::Duration,
};

use effigy_service::{Service, ServiceMetrics, counter, duration_histogram};
use effigy_upstream::UpstreamState;
use hyper::StatusCode;
#[cfg(target_os = "linux")]
use prometheus::process_collector::ProcessCollector;
use prometheus::{
    GaugeVec, Histogram, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, TextEncoder,
    core::Collector, proto::MetricFamily,
};
use tracing_appender::non_blocking::ErrorCounter;

/// The metrics of each upstream, in the order in which [`upstreams`] has their values.
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

/// The origins of responses, as `X-Cache` states them, and the word for those without one.
const ORIGINS: [&str; 4] = ["hit", "miss", "stale", "none"];

/// The pairs of a route and a status that are counted without a look-up of their labels.
const COUNTERS: usize = 512;

const VALID: &str = "each metric has a valid name of its own";

/// The metrics of a process.
#[derive(Debug)]
pub struct Metrics {
    /// By the route and the status.
    requests: IntCounterVec,
    /// Those that have been used, in open addressing by the address of the route's name and the status.
    counters: Box<[OnceLock<Counter>]>,
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

/// The number of requests for a route that were answered with a status.
#[derive(Debug, Clone)]
struct Counter {
    route: &'static str,
    status: StatusCode,
    count: IntCounter,
}

/// Returns metrics with these values at the moment.
macro_rules! values {
    ($($name:ident $help:literal $value:expr;)*) => {
        [$(value(stringify!($name), $help, $value as u64)),*]
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
            counters: vec![OnceLock::new(); COUNTERS].into(),
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
        let first = route.as_ptr().addr() / 8 + usize::from(status.as_u16());
        let new = || Counter {
            route,
            status,
            count: self.requests.with_label_values(&[route, status.as_str()]),
        };
        let counters = (0..COUNTERS).map(|step| &self.counters[(first + step) % COUNTERS]);
        let mut counters = counters.map(|place| place.get_or_init(new));
        match counters.find(|known| ptr::eq(known.route, route) && known.status == status) {
            Some(known) => known.count.inc(),
            None => new().count.inc(),
        }
        let origin = ORIGINS.iter().position(|known| Some(*known) == origin);
        let durations = &self.durations[origin.unwrap_or(ORIGINS.len() - 1)];
        durations.observe(duration.as_secs_f64());
    }

    /// Returns these metrics, with those of the service, its upstreams and the process.
    pub(crate) fn text(&self, service: &Service) -> String {
        let status = service.status();
        let now = values! {
            effigy_clients "Clients whose use of the service is remembered." status.clients;
            effigy_waiting_bytes "Bytes of responses and uploads that wait for clients." status.waiting_bytes;
            effigy_work_waiting "Pictures and documents that wait for a drawing thread." status.work_waiting;
            effigy_work_running "Pictures and documents that drawing threads work on." status.work_running;
            effigy_misses_in_flight "Files that are being made, or waited for." status.files_in_flight;
            effigy_resolves_in_flight "Players being looked up." status.look_ups_in_flight;
            effigy_memory_cache_entries "Approximate number of pictures in memory." status.memory_cache_files;
            effigy_memory_cache_bytes "Approximate bytes of pictures in memory." status.memory_cache_bytes;
            effigy_database_reads_down "1 while the database does not answer reads."
                u8::from(status.is_reading_paused);
            effigy_database_writes_down "1 while the database accepts no writes."
                u8::from(status.writes.is_down);
            effigy_write_queue_images "Pictures that wait to be written to the database."
                status.writes.queued_files;
            effigy_write_queue_bytes "Bytes of pictures that wait to be written to the database."
                status.writes.queued_bytes;
            effigy_write_dropped_images_total
                "Pictures that were not stored because too many waited or the database refused them."
                status.writes.dropped_files;
            effigy_connections "Open connections." Arc::strong_count(&self.connections) - 1;
        };
        let lost = self.lost_lines.get().map(|lost| {
            let help = "Lines that the output of the access log was too slow for.";
            value(
                "effigy_access_log_lost_lines_total",
                help,
                lost.dropped_lines() as u64,
            )
        });
        let own: [&dyn Collector; 8] = [
            &self.requests,
            &self.responses,
            &self.upstream_calls,
            &self.service.database_reads,
            &self.service.look_ups,
            &self.service.renders,
            &self.service.failures,
            &self.service.refused,
        ];
        let mut families: Vec<MetricFamily> =
            own.into_iter().flat_map(Collector::collect).collect();
        families.extend(now.into_iter().chain(lost).flatten());
        families.extend(upstreams(&status.upstreams));
        #[cfg(target_os = "linux")]
        families.extend(ProcessCollector::for_self().collect());
        families.retain(|family| !family.get_metric().is_empty());
        let text = TextEncoder::new().encode_to_string(&families);
        text.expect("each metric has a value")
    }
}

/// Returns the metrics of the upstreams at the moment.
fn upstreams(states: &[UpstreamState]) -> Vec<MetricFamily> {
    let gauges = UPSTREAM_GAUGES.map(|(name, help)| {
        let gauges = GaugeVec::new(Opts::new(name, help), &["provider", "upstream"]);
        gauges.expect(VALID)
    });
    for state in states {
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
    gauges.iter().flat_map(Collector::collect).collect()
}

/// Returns a metric with this value at the moment: a counter, as names that end with `_total` are, or a gauge.
fn value(name: &str, help: &str, value: u64) -> Vec<MetricFamily> {
    if name.ends_with("_total") {
        let counter = IntCounter::new(name, help).expect(VALID);
        counter.inc_by(value);
        return counter.collect();
    }
    let gauge = IntGauge::new(name, help).expect(VALID);
    gauge.set(value.cast_signed());
    gauge.collect()
}
