//! The records of requests: metrics and logs.

use bytes::Bytes;
use hyper::{
    Method, StatusCode,
    body::Body as _,
    header::{CACHE_CONTROL, HeaderValue},
    http::request::Parts,
};
use tokio::time::Instant;

use super::App;
use crate::{
    access_log::Access,
    metrics::{self, CacheStatus},
    respond::{Response, headers, set, with_body},
    server::Connection,
};

impl App {
    /// Responds with the metrics.
    pub(super) fn metrics_text(&self) -> Response {
        let text = self
            .metrics
            .text(&self.service.snapshot(), &self.service.states());
        let mut response = with_body(StatusCode::OK, metrics::CONTENT_TYPE, Bytes::from(text));
        set(&mut response, CACHE_CONTROL, "no-store");
        response
    }

    /// Counts the request, and logs it: in the access log if there is one, and at the level `debug`.
    pub(super) fn record(
        &self,
        route: &str,
        head: &Parts,
        response: &Response,
        started: Instant,
        connection: &Connection,
    ) {
        let (status, took) = (response.status(), started.elapsed());
        let x_cache = response.headers().get(headers::X_CACHE);
        let cache = CacheStatus::of(x_cache.map(HeaderValue::as_bytes));
        self.metrics.observe_request(route, status, cache, took);
        if let Some(log) = &self.access_log {
            // The body of a response to HEAD is not sent.
            let is_sent = head.method != Method::HEAD;
            log.log(&Access {
                client: self.clients.client(connection.peer, &head.headers).address,
                request: head,
                status,
                bytes: response.body().size_hint().exact().filter(|_| is_sent),
                cache: x_cache.and_then(|value| value.to_str().ok()),
                duration: took,
            });
        }
        let (method, path, status) = (&head.method, head.uri.path(), status.as_u16());
        tracing::debug!(%method, path, status, ?cache, ?took, "answered");
    }
}
