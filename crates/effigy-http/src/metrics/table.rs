//! The table of all metrics.

use std::sync::{Arc, atomic::Ordering::Relaxed};

use effigy_service::{Endpoint, Fault, Outcomes, Service, ServiceSnapshot, SharedResource};
use effigy_upstream::UpstreamState;

use super::{CACHE_STATUSES, Metrics, process, text::MetricsText};

/// The things that have metrics, at one moment.
struct Source<'a> {
    metrics: &'a Metrics,
    service: &'a Service,
    snapshot: ServiceSnapshot,
    upstreams: Vec<UpstreamState>,
}

/// A metric, with the getter of its samples.
struct Metric {
    kind: &'static str,
    name: &'static str,
    help: &'static str,
    samples: fn(&Source<'_>, &mut MetricsText),
}

macro_rules! table {
    ($($kind:ident $name:ident $help:literal $samples:expr;)*) => {
        &[$(Metric {
            kind: stringify!($kind),
            name: stringify!($name),
            help: $help,
            samples: $samples,
        }),*]
    };
}

const TABLE: &[Metric] = table! {
    counter effigy_requests_total "Requests answered." |from, to| {
        for ((route, status), count) in &*from.metrics.requests.0.read() {
            to.sample(&[("route", route), ("status", status)], count.load(Relaxed));
        }
    };
    histogram effigy_request_duration_seconds
        "From a request's head to its answer's head, by where the picture is from." |from, to| {
        for (cache, durations) in CACHE_STATUSES.iter().zip(&from.metrics.responses) {
            to.histogram(&[("cache", cache)], durations);
        }
    };
    gauge effigy_connections "Open connections."
        |from, to| to.value(Arc::strong_count(&from.metrics.connections) - 1);
    counter effigy_access_log_lost_lines_total "Lines that the output of the access log was too slow for."
        |from, to| if let Some(lost) = from.metrics.lost_lines.get() { to.value(lost.dropped_lines()) };
    counter effigy_refused_total "Requests refused because a limit of clients was reached, by what it limits."
        |from, to| {
        for (resource, count) in SharedResource::ALL.iter().zip(from.snapshot.gate.refused) {
            to.sample(&[("resource", &resource.as_str())], count);
        }
    };
    gauge effigy_clients "Clients whose use of the service is remembered."
        |from, to| to.value(from.snapshot.gate.clients);
    gauge effigy_waiting_bytes "Bytes of responses and uploads that wait for clients."
        |from, to| to.value(from.snapshot.gate.waiting_bytes);
    gauge effigy_work_waiting "Pictures and documents that wait for a drawing thread."
        |from, to| to.value(from.snapshot.gate.waiting_jobs);
    gauge effigy_work_running "Pictures and documents that drawing threads work on."
        |from, to| to.value(from.snapshot.gate.running_jobs);
    gauge effigy_misses_in_flight "Files that are being made, or waited for."
        |from, to| to.value(from.snapshot.misses_in_flight);
    gauge effigy_resolves_in_flight "Players being looked up."
        |from, to| to.value(from.snapshot.look_ups_in_flight);
    histogram effigy_resolve_duration_seconds "Look-ups of players, all upstream calls together."
        |from, to| add_outcomes(to, &from.service.metrics().look_ups);
    histogram effigy_render_duration_seconds "Drawing and encoding a picture, which are one pass." |from, to| {
        for (endpoint, durations) in Endpoint::ALL.iter().zip(&from.service.metrics().renders) {
            if durations.buckets().iter().any(|count| *count > 0) {
                to.histogram(&[("endpoint", &endpoint.as_str())], durations);
            }
        }
    };
    counter effigy_failures_total
        "Pictures, profiles and capes that were not served, by the party at fault." |from, to| {
        for (fault, count) in Fault::ALL.iter().zip(&from.service.metrics().failures) {
            to.sample(&[("fault", &fault.as_str())], count.load(Relaxed));
        }
    };
    gauge effigy_memory_cache_entries "Approximate number of pictures in memory."
        |from, to| to.value(from.snapshot.memory_entries);
    gauge effigy_memory_cache_bytes "Approximate bytes of pictures in memory."
        |from, to| to.value(from.snapshot.memory_bytes);
    histogram effigy_database_read_duration_seconds "Reads of a picture from the database."
        |from, to| add_outcomes(to, &from.service.metrics().database_reads);
    gauge effigy_database_reads_down "1 while the database does not answer reads."
        |from, to| to.value(u8::from(from.snapshot.reads_are_down));
    gauge effigy_database_writes_down "1 while the database accepts no writes."
        |from, to| to.value(u8::from(from.snapshot.writes_are_down));
    gauge effigy_write_queue_images "Pictures that wait to be written to the database."
        |from, to| to.value(from.snapshot.queued_images);
    gauge effigy_write_queue_bytes "Bytes of pictures that wait to be written to the database."
        |from, to| to.value(from.snapshot.queued_bytes);
    counter effigy_write_dropped_images_total
        "Pictures that were not stored because too many waited or the database refused them."
        |from, to| to.value(from.snapshot.dropped_images);
    histogram effigy_upstream_request_duration_seconds
        "Calls to the upstream services, by what they are for and their outcome." |from, to| {
        for ((provider, step, outcome), durations) in &*from.metrics.upstream_calls.0.read() {
            to.histogram(&[("provider", provider), ("step", step), ("outcome", outcome)], durations);
        }
    };
    gauge effigy_upstream_calls_in_flight "Calls in flight."
        |from, to| from.each_upstream(to, |state| Some(state.calls));
    gauge effigy_upstream_budget_left "Calls that the rate limit permits now, if there is one."
        |from, to| from.each_upstream(to, |state| state.rate_limit_left);
    gauge effigy_upstream_paused "1 while an upstream that rejected calls is not called."
        |from, to| from.each_upstream(to, |state| Some(state.paused_for.is_some().into()));
    gauge effigy_upstream_circuit_open "1 while an upstream that hangs is only probed."
        |from, to| from.each_upstream(to, |state| Some(state.is_circuit_open.into()));
};

/// Returns all metrics in the text format.
pub(super) fn text(metrics: &Metrics, service: &Service) -> String {
    let source = Source {
        metrics,
        service,
        snapshot: service.snapshot(),
        upstreams: service.states(),
    };
    let mut text = MetricsText::default();
    for metric in TABLE {
        text.begin(metric.kind, metric.name, metric.help);
        (metric.samples)(&source, &mut text);
    }
    for (name, value) in process::samples().into_iter().flatten() {
        let is_counter = name.ends_with("_total");
        let kind = if is_counter { "counter" } else { "gauge" };
        text.begin(kind, name, "As in Prometheus' client libraries.");
        text.value(value);
    }
    text.into_string()
}

impl Source<'_> {
    /// Adds a value for each upstream that has one.
    fn each_upstream(&self, to: &mut MetricsText, value: fn(&UpstreamState) -> Option<u32>) {
        for state in &self.upstreams {
            if let Some(value) = value(state) {
                to.sample(
                    &[("provider", &state.provider), ("upstream", &state.upstream)],
                    value,
                );
            }
        }
    }
}

fn add_outcomes(to: &mut MetricsText, outcomes: &Outcomes) {
    to.histogram(&[("outcome", &"ok")], &outcomes.succeeded);
    to.histogram(&[("outcome", &"error")], &outcomes.failed);
}
