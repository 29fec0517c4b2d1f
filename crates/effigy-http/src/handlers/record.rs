//! The records of requests: metrics and logs.

use std::{net::IpAddr, sync::Arc, time::Duration};

use effigy_service::{Service, ServiceError};
use hyper::{Method, StatusCode, body::Body as _, http::request::Parts};

use super::{Call, Handled, Handlers};
use crate::{
    access_log::Access,
    metrics::{self, Metrics},
    respond::{
        Response,
        document::StaticDocument,
        error::error,
        headers::{X_CACHE, set_headers},
    },
    routes::NOT_FOUND,
};

impl Handlers {
    /// Responds with the metrics, whose text is made on a drawing thread. They cost as much as a read of the
    /// database.
    pub(super) async fn metrics(&self, call: &Call<'_>) -> Handled {
        call.client.read().map_err(ServiceError::from)?;
        let (service, metrics) = (self.service.clone(), Arc::clone(&self.metrics));
        let make = move |_: &_| metrics_document(&service, &metrics);
        let document = self.own_client.work(0, make).await?;
        Ok(document.uncached_response(StatusCode::OK, &call.head.headers))
    }

    /// Counts the request, and logs it: in the access log if there is one, and at the level `debug`.
    pub(super) fn record(
        &self,
        route: &'static str,
        head: &Parts,
        response: &Response,
        took: Duration,
        client: IpAddr,
    ) {
        let status = response.status();
        let x_cache = response.headers().get(X_CACHE);
        let cache = x_cache.and_then(|value| value.to_str().ok());
        self.metrics.observe_request(route, status, cache, took);
        if let Some(log) = &self.access_log {
            // The body of a response to HEAD is not sent.
            let is_sent = head.method != Method::HEAD;
            log.log(&Access {
                client,
                request: head,
                status,
                bytes: response.body().size_hint().exact().filter(|_| is_sent),
                cache,
                duration: took,
            });
        }
        let (method, path, status) = (&head.method, head.uri.path(), status.as_u16());
        tracing::debug!(%method, path, status, ?cache, ?took, "answered");
    }
}

/// Answers a request on the listener of the metrics.
pub(crate) fn answer_scraper<B>(
    request: &hyper::Request<B>,
    service: &Service,
    metrics: &Metrics,
) -> Response {
    let is_get = matches!(*request.method(), Method::GET | Method::HEAD);
    let mut response = match request.uri().path() {
        "/metrics" if is_get => {
            metrics_document(service, metrics).uncached_response(StatusCode::OK, request.headers())
        }
        _ => error(StatusCode::NOT_FOUND, NOT_FOUND),
    };
    set_headers(&mut response);
    response
}

fn metrics_document(service: &Service, metrics: &Metrics) -> StaticDocument {
    StaticDocument::new(metrics::CONTENT_TYPE, metrics.text(service))
}
