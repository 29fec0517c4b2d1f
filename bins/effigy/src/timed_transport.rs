//! A transport that measures every call to an upstream.

use std::{sync::Arc, time::Instant};

use effigy_http::Metrics;
use effigy_upstream::{Request, Response, Transport, TransportError};

/// A transport that reports the duration and the outcome of each call to the metrics.
pub(crate) struct TimedTransport<T> {
    inner: T,
    metrics: Arc<Metrics>,
}

impl<T> TimedTransport<T> {
    pub(crate) fn new(inner: T, metrics: Arc<Metrics>) -> Self {
        Self { inner, metrics }
    }
}

impl<T: Transport> Transport for TimedTransport<T> {
    fn get(&self, request: &Request) -> Result<Response, TransportError> {
        let begun = Instant::now();
        let outcome = self.inner.get(request);
        let word = match &outcome {
            Ok(response) => outcome_of(response.status),
            Err(TransportError::Timeout) => "timeout",
            Err(_) => "broken",
        };
        self.metrics
            .called(request.step.as_str(), word, begun.elapsed());
        outcome
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
