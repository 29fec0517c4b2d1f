//! The records of requests: metrics and logs.

use std::{net::IpAddr, sync::Arc, time::Duration};

use effigy_service::ServiceError;
use hyper::{Method, StatusCode, body::Body as _, http::request::Parts};

use super::{Call, Handled, Handlers};
use crate::{
    access_log::Access,
    metrics,
    respond::{Response, document::StaticDocument, headers::X_CACHE},
};

impl Handlers {
    /// Responds with the metrics, whose text is made on a drawing thread. They cost as much as a read of the
    /// database.
    pub(super) async fn metrics(&self, call: &Call<'_>) -> Handled {
        call.client.read().map_err(ServiceError::from)?;
        let (service, metrics) = (self.service.clone(), Arc::clone(&self.metrics));
        let make = move |_: &_| StaticDocument::new(metrics::CONTENT_TYPE, metrics.text(&service));
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
