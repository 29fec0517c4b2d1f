//! The server: accepts connections, limits them, and shuts them down gracefully.

mod connection;
mod registry;

use std::{convert::Infallible, io, net::SocketAddr, sync::Arc, time::Duration};

use effigy_service::Service;
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use crate::{
    config::Config,
    handlers::{Handlers, answer_scraper},
    metrics::Metrics,
    respond::exchange::Timeouts,
};
use connection::Connections;
use registry::Registry;

/// The time that requests in flight may take after shutdown begins.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// The time that a connection without a request being answered may stay without progress during shutdown.
/// It may be waiting for the rest of a request.
const SHUTDOWN_IDLE_TIMEOUT: Duration = Duration::from_secs(1);

/// The time between two searches for connections to close.
const SWEEP_INTERVAL: Duration = Duration::from_millis(200);

/// The time after which a new connection that waits for another one to end looks for an idle one again.
const FULL_INTERVAL: Duration = Duration::from_millis(100);

/// The connections to the listener of the metrics, and the time that each may take.
const MAX_SCRAPERS: usize = 16;
const SCRAPE_TIMEOUT: Duration = Duration::from_secs(30);

/// The pause after the system refuses a connection, typically for want of file descriptors.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Serves `service` on `listener` until `shutdown` completes, then until the requests in flight are
/// answered or ten seconds have passed.
pub async fn serve(
    listener: TcpListener,
    service: Service,
    config: Config,
    shutdown: impl Future<Output = ()>,
) {
    let permits = Arc::new(Semaphore::new(config.max_connections as usize));
    let mut timeouts = Timeouts {
        idle: config.idle_timeout,
        response: config.response_timeout,
    };
    let registry = Registry::new(Arc::clone(&config.metrics));
    let connections = Connections::new(
        Handlers::new(service.clone(), config),
        Arc::clone(&registry),
    );
    // Each poll of a watched connection also polls a channel, which takes 0.1 µs of about 5 µs per hit.
    let graceful = GracefulShutdown::new();
    let accept_all = async {
        loop {
            let (stream, peer) = accept(&listener).await;
            let permit = permit(&permits, &registry).await;
            connections.spawn(stream, peer, permit, &graceful);
        }
    };
    tokio::select! {
        () = accept_all => {}
        () = sweep(&registry, timeouts, &service) => {}
        () = shutdown => {}
    }
    drop(listener);
    timeouts.idle = timeouts.idle.min(SHUTDOWN_IDLE_TIMEOUT);
    tokio::select! {
        () = graceful.shutdown() => {}
        () = sweep(&registry, timeouts, &service) => {}
        () = tokio::time::sleep(SHUTDOWN_TIMEOUT) => {
            tracing::warn!("some requests were not answered before the shutdown timeout");
        }
    }
}

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
            let response = answer_scraper(&request, &service, &metrics);
            std::future::ready(Ok::<_, Infallible>(response))
        });
        let connection = protocol.serve_connection(TokioIo::new(stream), answer);
        tokio::spawn(async move {
            let _permit = permit;
            let _ = tokio::time::timeout(SCRAPE_TIMEOUT, connection).await;
        });
    }
}

/// Closes connections that have timed out, or whose responses have stalled when bytes are short, and never
/// completes.
async fn sweep(registry: &Registry, timeouts: Timeouts, service: &Service) {
    loop {
        tokio::time::sleep(SWEEP_INTERVAL).await;
        registry.close_timed_out(timeouts, Instant::now());
        if service.is_short_of_bytes() {
            registry.close_longest_stalled(Instant::now());
        }
    }
}

/// Waits for the next connection.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) if concerns_one_connection(&error) => {}
            Err(error) => {
                tracing::warn!("no connection was accepted: {error}");
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
            }
        }
    }
}

/// Returns a permit for a new connection. If there is none, an idle connection is closed for it.
async fn permit(permits: &Arc<Semaphore>, registry: &Registry) -> OwnedSemaphorePermit {
    let permits = || Arc::clone(permits);
    if let Ok(permit) = permits().try_acquire_owned() {
        return permit;
    }
    loop {
        registry.close_longest_idle(Instant::now());
        let permit = tokio::time::timeout(FULL_INTERVAL, permits().acquire_owned()).await;
        if let Ok(permit) = permit {
            return permit.expect("the semaphore is never closed");
        }
    }
}

fn concerns_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}
