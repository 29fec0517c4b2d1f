//! The listener of the metrics.

use std::{convert::Infallible, future::ready, sync::Arc, time::Duration};

use effigy_service::Service;
use hyper::{
    Method, Request, StatusCode, body::Incoming, server::conn::http1, service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{net::TcpListener, sync::Semaphore};

use super::accept::accept;
use crate::{
    metrics::{self, Metrics},
    respond::{Response, document::StaticDocument, error::error, response::set_headers},
    routes::NOT_FOUND,
};

/// The connections to the listener of the metrics, and the time that each may take.
const MAX_SCRAPERS: usize = 16;
const SCRAPE_TIMEOUT: Duration = Duration::from_secs(30);

/// Answers requests for `/metrics` on a listener of their own, and no others. It never completes.
pub async fn serve_metrics(listener: TcpListener, service: Service, metrics: Arc<Metrics>) {
    let permits = Arc::new(Semaphore::new(MAX_SCRAPERS));
    let mut protocol = http1::Builder::new();
    protocol.timer(TokioTimer::new()).keep_alive(false);
    loop {
        let (stream, _) = accept(&listener).await;
        let permit = Arc::clone(&permits).acquire_owned().await;
        let (service, metrics) = (service.clone(), Arc::clone(&metrics));
        let answer = service_fn(move |request: Request<Incoming>| {
            let response = answer(&request, &service, &metrics);
            ready(Ok::<_, Infallible>(response))
        });
        let connection = protocol.serve_connection(TokioIo::new(stream), answer);
        tokio::spawn(async move {
            let _permit = permit;
            let _ = tokio::time::timeout(SCRAPE_TIMEOUT, connection).await;
        });
    }
}

fn answer<B>(request: &Request<B>, service: &Service, metrics: &Metrics) -> Response {
    let is_get = matches!(*request.method(), Method::GET | Method::HEAD);
    let mut response = match request.uri().path() {
        "/metrics" if is_get => {
            let document = StaticDocument::new(metrics::CONTENT_TYPE, metrics.text(service));
            document.uncached_response(StatusCode::OK, request.headers())
        }
        _ => error(StatusCode::NOT_FOUND, NOT_FOUND),
    };
    set_headers(&mut response);
    response
}
