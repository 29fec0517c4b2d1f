//! What can be seen of a running server, in Prometheus' text format.

pub(crate) mod memory;
#[cfg(target_os = "linux")]
mod process;

use std::{fmt, sync::Arc, time::Duration};

use effigy_service::{MetricsSink, MetricsSnapshot, Observation};
use effigy_upstream::{Circuit, UpstreamState};
use prometheus::{
    Encoder, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge,
    IntGaugeVec, Opts, Registry, TextEncoder, core::Collector,
};

/// The media type of the format.
pub(crate) const CONTENT_TYPE: &str = prometheus::TEXT_FORMAT;

/// What every name begins with.
const NAMESPACE: &str = "effigy";

/// From a hit in memory to a look-up at its time limit, in seconds.
const BUCKETS: [f64; 18] = [
    0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1,
    0.25, 0.5, 1.0, 2.5, 10.0, 30.0,
];

/// The figures of one process.
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    hits: Histogram,
    misses: Histogram,
    stale: Histogram,
    others: Histogram,
    upstream: HistogramVec,
    reads: HistogramVec,
    resolves: HistogramVec,
    draws: HistogramVec,
    refused: IntCounterVec,
    pub(crate) connections: IntGauge,
    gauges: Gauges,
    states: States,
}

/// How it stands with each upstream when somebody looks.
struct States {
    calls: IntGaugeVec,
    budget_left: IntGaugeVec,
    paused: IntGaugeVec,
    circuit_open: IntGaugeVec,
}

/// What is asked of the service when somebody looks.
struct Gauges {
    memory_entries: IntGauge,
    memory_bytes: IntGauge,
    misses: IntGauge,
    look_ups: IntGauge,
    long_pictures: IntGauge,
    renders: IntGauge,
    waiting_images: IntGauge,
    waiting_bytes: IntGauge,
    dropped: IntCounter,
    reads_down: IntGauge,
    writes_down: IntGauge,
}

/// How a picture request was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// From the cache.
    Hit,
    /// By drawing.
    Miss,
    /// From the cache, with a picture that is too old, for want of a newer one.
    Stale,
    /// Not with a picture.
    Other,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Metrics {
    /// Metrics that start at zero.
    #[must_use]
    pub fn new() -> Arc<Self> {
        Self::registered().expect("the names are constants, good and different")
    }

    fn registered() -> Result<Arc<Self>, prometheus::Error> {
        let registry = Registry::new();
        let make = Maker {
            registry: &registry,
        };
        let requests =
            make.counters("requests_total", "Requests answered.", &["route", "status"])?;
        let answers = make.histograms(
            "request_duration_seconds",
            "From a request's head to its answer's head, by where the picture is from.",
            &["cache"],
        )?;
        let answers_of = |cache: &str| answers.with_label_values(&[cache]);
        let metrics = Self {
            requests,
            hits: answers_of("hit"),
            misses: answers_of("miss"),
            stale: answers_of("stale"),
            others: answers_of("none"),
            upstream: make.histograms(
                "upstream_request_duration_seconds",
                "Calls to the upstream services, by what they are for and their outcome.",
                &["step", "outcome"],
            )?,
            reads: make.histograms(
                "database_read_duration_seconds",
                "Looks into the database for a picture.",
                &["outcome"],
            )?,
            resolves: make.histograms(
                "resolve_duration_seconds",
                "Look-ups of players, all upstream calls together.",
                &["outcome"],
            )?,
            draws: make.histograms(
                "render_duration_seconds",
                "Drawing and encoding a picture, which are one pass.",
                &["endpoint"],
            )?,
            refused: make.counters(
                "refused_total",
                "Requests refused because too much was in flight, by what there was too much of.",
                &["pool"],
            )?,
            connections: make.gauge("connections", "Open connections.")?,
            gauges: Gauges::new(&make)?,
            states: States::new(&make)?,
            registry: registry.clone(),
        };
        #[cfg(target_os = "linux")]
        registry.register(Box::new(process::ProcessCollector::new()?))?;
        Ok(Arc::new(metrics))
    }

    /// A request on `route` was answered.
    pub(crate) fn answered(&self, route: &str, status: u16, kind: Kind, took: Duration) {
        let mut digits = [b'0'; 3];
        for (digit, unit) in digits.iter_mut().zip([100, 10, 1]) {
            *digit += u8::try_from(status / unit % 10).unwrap_or(0);
        }
        let status = std::str::from_utf8(&digits).unwrap_or("000");
        self.requests.with_label_values(&[route, status]).inc();
        let histogram = match kind {
            Kind::Hit => &self.hits,
            Kind::Miss => &self.misses,
            Kind::Stale => &self.stale,
            Kind::Other => &self.others,
        };
        histogram.observe(took.as_secs_f64());
    }

    /// An upstream was called.
    pub fn called(&self, step: &str, outcome: &str, took: Duration) {
        let histogram = self.upstream.with_label_values(&[step, outcome]);
        histogram.observe(took.as_secs_f64());
    }

    /// All figures as text, with those of the service as of now.
    pub(crate) fn text(&self, figures: &MetricsSnapshot, upstreams: &[UpstreamState]) -> Vec<u8> {
        self.gauges.set(figures);
        self.states.set(upstreams);
        let mut text = Vec::new();
        // Writing to memory does not fail; if it did, what is there is what there is to show.
        let _ = TextEncoder::new().encode(&self.registry.gather(), &mut text);
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
            } => (&self.reads, outcome(succeeded), duration),
            Observation::Resolve {
                duration,
                succeeded,
            } => (&self.resolves, outcome(succeeded), duration),
            Observation::Render { endpoint, duration } => (&self.draws, endpoint.word(), duration),
            Observation::Rejected { pool } => {
                self.refused.with_label_values(&[pool]).inc();
                return;
            }
            _ => return,
        };
        let histogram = histograms.with_label_values(&[label]);
        histogram.observe(duration.as_secs_f64());
    }
}

impl Gauges {
    fn new(make: &Maker<'_>) -> Result<Self, prometheus::Error> {
        Ok(Self {
            memory_entries: make.gauge("memory_cache_entries", "Pictures in memory, about.")?,
            memory_bytes: make
                .gauge("memory_cache_bytes", "Bytes of pictures in memory, about.")?,
            misses: make.gauge("misses_in_flight", "Pictures in the making.")?,
            look_ups: make.gauge("resolves_in_flight", "Players being looked up.")?,
            renders: make.gauge(
                "renders_in_flight",
                "Pictures being drawn or waiting for a processor.",
            )?,
            long_pictures: make.gauge(
                "long_pictures_in_flight",
                "Pictures being drawn while they are sent.",
            )?,
            waiting_images: make.gauge(
                "write_queue_images",
                "Pictures that wait to be written to the database.",
            )?,
            waiting_bytes: make.gauge(
                "write_queue_bytes",
                "Bytes of pictures that wait to be written to the database.",
            )?,
            dropped: make.counter(
                "write_dropped_images_total",
                "Pictures that were not stored: no room to wait, or refused.",
            )?,
            reads_down: make.gauge(
                "database_reads_down",
                "1 while the database does not answer reads.",
            )?,
            writes_down: make.gauge(
                "database_writes_down",
                "1 while the database takes no writes.",
            )?,
        })
    }

    fn set(&self, figures: &MetricsSnapshot) {
        let writes = &figures.write_queue;
        let rows = [
            (&self.memory_entries, figures.memory_entries),
            (&self.memory_bytes, figures.memory_bytes),
            (&self.misses, figures.misses_in_flight as u64),
            (&self.look_ups, figures.resolves_in_flight as u64),
            (&self.renders, figures.renders_in_flight as u64),
            (&self.long_pictures, figures.large_pictures_in_flight as u64),
            (&self.waiting_images, writes.images as u64),
            (&self.waiting_bytes, writes.bytes as u64),
            (&self.reads_down, figures.reads_fail.into()),
            (&self.writes_down, writes.writes_fail.into()),
        ];
        for (gauge, value) in rows {
            gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        }
        let more = writes.dropped_images.saturating_sub(self.dropped.get());
        self.dropped.inc_by(more);
    }
}

impl States {
    fn new(make: &Maker<'_>) -> Result<Self, prometheus::Error> {
        Ok(Self {
            calls: make.gauges("upstream_calls_in_flight", "Calls under way.")?,
            budget_left: make.gauges(
                "upstream_budget_left",
                "Calls that the budget has room for now, where there is a budget.",
            )?,
            paused: make.gauges(
                "upstream_paused",
                "1 while an upstream that objected is left alone.",
            )?,
            circuit_open: make.gauges(
                "upstream_circuit_open",
                "1 while an upstream that hangs is only probed.",
            )?,
        })
    }

    fn set(&self, upstreams: &[UpstreamState]) {
        for state in upstreams {
            let name = &[state.upstream.as_str()];
            self.calls.with_label_values(name).set(state.calls.into());
            if let Some(left) = state.rate_limit_left {
                self.budget_left.with_label_values(name).set(left.into());
            }
            let paused = state.paused_for.is_some();
            self.paused.with_label_values(name).set(paused.into());
            let open = state.circuit == Circuit::Open;
            self.circuit_open.with_label_values(name).set(open.into());
        }
    }
}

/// Makes figures that are registered.
struct Maker<'a> {
    registry: &'a Registry,
}

impl Maker<'_> {
    fn register<C: Collector + Clone + 'static>(&self, figure: C) -> Result<C, prometheus::Error> {
        self.registry.register(Box::new(figure.clone()))?;
        Ok(figure)
    }

    fn gauge(&self, name: &str, help: &str) -> Result<IntGauge, prometheus::Error> {
        self.register(IntGauge::with_opts(named(name, help))?)
    }

    /// One for each upstream.
    fn gauges(&self, name: &str, help: &str) -> Result<IntGaugeVec, prometheus::Error> {
        self.register(IntGaugeVec::new(named(name, help), &["upstream"])?)
    }

    fn counter(&self, name: &str, help: &str) -> Result<IntCounter, prometheus::Error> {
        self.register(IntCounter::with_opts(named(name, help))?)
    }

    fn counters(
        &self,
        name: &str,
        help: &str,
        labels: &[&str],
    ) -> Result<IntCounterVec, prometheus::Error> {
        self.register(IntCounterVec::new(named(name, help), labels)?)
    }

    fn histograms(
        &self,
        name: &str,
        help: &str,
        labels: &[&str],
    ) -> Result<HistogramVec, prometheus::Error> {
        let options = HistogramOpts::from(named(name, help)).buckets(BUCKETS.to_vec());
        self.register(HistogramVec::new(options, labels)?)
    }
}

fn named(name: &str, help: &str) -> Opts {
    Opts::new(name, help).namespace(NAMESPACE)
}
