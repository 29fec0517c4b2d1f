//! Measures every call to an upstream.

use std::{sync::Arc, time::Instant};

use effigy_http::Metrics;
use effigy_upstream::{Request, Response, Transport, TransportError};

/// A transport that tells the metrics of each call how long it took and how it ended.
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
        let step = step_of(request.url.path());
        self.metrics.called(step, word, begun.elapsed());
        outcome
    }
}

/// What the call is for. A base URL may have a path of its own, so the end of it tells.
fn step_of(path: &str) -> &'static str {
    let rows = [
        ("/users/profiles/", "identity"),
        ("/profile/lookup/name/", "identity"),
        ("/session/", "session"),
        ("/v2/xbox/xuid/", "xuid"),
        ("/v2/skin/", "bedrock_skin"),
    ];
    let row = rows.iter().find(|(part, _)| path.contains(part));
    row.map_or("texture", |(_, step)| step)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_told_apart_by_their_path() {
        let rows = [
            ("/users/profiles/minecraft/Notch", "identity"),
            ("/minecraft/profile/lookup/name/Notch", "identity"),
            ("/base/session/minecraft/profile/069a79f4", "session"),
            ("/v2/xbox/xuid/Blue%20jay", "xuid"),
            ("/v2/skin/2535432196048835", "bedrock_skin"),
            ("/texture/292009a4925b58f02c77dadc3ecef07e", "texture"),
            ("/", "texture"),
        ];
        for (path, step) in rows {
            assert_eq!(step_of(path), step, "{path}");
        }
    }
}
