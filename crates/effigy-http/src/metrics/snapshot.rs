//! The state of the service and of its upstreams at one moment.

use effigy_service::MetricsSnapshot;
use effigy_upstream::{Circuit, UpstreamState};

use super::text::MetricsText;

/// Writes the state of the service.
pub(super) fn write_service(text: &mut MetricsText, service: &MetricsSnapshot) {
    let queue = &service.write_queue;
    text.gauge(
        "effigy_memory_cache_entries",
        "Approximate number of pictures in memory.",
        service.memory_entries,
    );
    text.gauge(
        "effigy_memory_cache_bytes",
        "Approximate bytes of pictures in memory.",
        service.memory_bytes,
    );
    text.gauge(
        "effigy_misses_in_flight",
        "Cache misses being served.",
        service.misses_in_flight as u64,
    );
    text.gauge(
        "effigy_resolves_in_flight",
        "Players being looked up.",
        service.resolves_in_flight as u64,
    );
    text.gauge(
        "effigy_renders_in_flight",
        "Pictures being drawn or waiting for a processor.",
        service.renders_in_flight as u64,
    );
    text.gauge(
        "effigy_long_pictures_in_flight",
        "Pictures being drawn while they are sent.",
        service.large_pictures_in_flight as u64,
    );
    text.gauge(
        "effigy_write_queue_images",
        "Pictures that wait to be written to the database.",
        queue.images as u64,
    );
    text.gauge(
        "effigy_write_queue_bytes",
        "Bytes of pictures that wait to be written to the database.",
        queue.bytes as u64,
    );
    text.counter(
        "effigy_write_dropped_images_total",
        "Pictures that were not stored because the queue was full or the database refused them.",
        queue.dropped_images,
    );
    text.gauge(
        "effigy_database_reads_down",
        "1 while the database does not answer reads.",
        service.reads_fail.into(),
    );
    text.gauge(
        "effigy_database_writes_down",
        "1 while the database accepts no writes.",
        queue.writes_fail.into(),
    );
}

/// Writes the state of each upstream.
pub(super) fn write_upstreams(text: &mut MetricsText, upstreams: &[UpstreamState]) {
    let each = |value: fn(&UpstreamState) -> Option<u32>| {
        let states = upstreams.iter();
        states.filter_map(move |state| Some((state.upstream.as_str(), value(state)?)))
    };
    text.upstream_gauge(
        "effigy_upstream_calls_in_flight",
        "Calls in flight.",
        each(|state| Some(state.calls)),
    );
    text.upstream_gauge(
        "effigy_upstream_budget_left",
        "Calls that the rate limit permits now, if there is one.",
        each(|state| state.rate_limit_left),
    );
    text.upstream_gauge(
        "effigy_upstream_paused",
        "1 while an upstream that rejected calls is not called.",
        each(|state| Some(state.paused_for.is_some().into())),
    );
    text.upstream_gauge(
        "effigy_upstream_circuit_open",
        "1 while an upstream that hangs is only probed.",
        each(|state| Some((state.circuit == Circuit::Open).into())),
    );
}
