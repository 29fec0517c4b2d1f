//! A transport that measures every call to an upstream.

use std::{sync::Arc, time::Instant};

use effigy_http::Metrics;
use effigy_upstream::{Request, Transport, TransportError, UreqTransport};

/// Returns a transport that reports the duration and the outcome of each call to the metrics.
pub(crate) fn timed(inner: UreqTransport, metrics: Arc<Metrics>) -> impl Transport {
    move |request: &Request| {
        let start = Instant::now();
        let result = inner.send(request);
        let outcome = match &result {
            Ok(response) => outcome_of(response.status),
            Err(TransportError::Timeout) => "timeout",
            Err(_) => "broken",
        };
        let (provider, step) = (&request.provider, request.step.as_str());
        metrics.observe_upstream_call(provider, step, outcome, start.elapsed());
        result
    }
}

fn outcome_of(status: u16) -> &'static str {
    match status {
        200..=299 => "ok",
        404 => "not_found",
        403 | 429 => "limited",
        400..=499 => "client_error",
        _ => "server_error",
    }
}
