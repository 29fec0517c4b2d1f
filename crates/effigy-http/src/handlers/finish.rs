//! The end of each request: memory for its response, metrics and the access log.

use std::{sync::atomic::Ordering, time::Duration};

use hyper::header::CONNECTION;
use tokio::time::Instant;

use super::{Call, Handlers};
use crate::{
    access_log::Access,
    respond::{Response, cache_status, set},
};

impl Handlers {
    /// Reserves memory for a response, which becomes an error if there is not enough. Then records
    /// the request, and that its response is being sent.
    pub(super) fn finish(&self, call: &Call, response: Response) -> Response {
        let budget = self.service.waiting_memory();
        let reserved = budget.reserve_for_response(response.body());
        let mut response = if reserved.is_some() {
            response
        } else {
            let refused = self.service.refuse_for_memory().into();
            self.failed(call, &refused)
        };
        if self.is_closing() {
            set(&mut response, CONNECTION, "close");
        }
        let now = Instant::now();
        self.record(call, &response, now - call.started);
        call.connection.begin_sending(now, reserved);
        response
    }

    pub(super) fn is_closing(&self) -> bool {
        self.config.closing.load(Ordering::Relaxed)
    }

    /// Counts a request, and writes it to the access log and at the level `debug`.
    fn record(&self, call: &Call, response: &Response, duration: Duration) {
        let status = response.status();
        let cache = cache_status(response);
        let metrics = &self.config.metrics;
        metrics.count(call.request.name, status, cache, duration);
        if let Some(log) = &self.config.access_log {
            log.log(&Access {
                client: call.client.address(),
                request: &call.head,
                response,
                duration,
            });
        }
        tracing::debug!(
            method = %call.head.method,
            path = call.head.uri.path(),
            status = status.as_u16(),
            ?cache,
            took = ?duration,
            "answered"
        );
    }
}
