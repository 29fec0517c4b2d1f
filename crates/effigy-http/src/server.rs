//! The server: accepts connections, limits them, and shuts them down gracefully.

mod activity;
mod connection;
mod registry;

use std::{
    future::pending,
    io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset},
    net::SocketAddr,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use effigy_service::Service;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
};

use crate::{
    config::{Config, Paths},
    handlers::Handlers,
    metrics::Metrics,
};
use activity::Phase;
use connection::Connections;
use registry::Registry;

/// The time that requests in flight may take after shutdown begins.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// The time that a connection without a request being answered may stay without progress during shutdown.
/// It may be waiting for the rest of a request.
const SHUTDOWN_IDLE_TIMEOUT: Duration = Duration::from_secs(1);

/// The time after which an idle connection may be closed for a new one. A client that is honest asks for
/// something at once, and others wait for that place.
const MIN_IDLE: Duration = Duration::from_millis(50);

/// The time without progress after which a response may be closed for want of memory.
const MIN_STALL: Duration = Duration::from_secs(1);

/// The time between two searches for connections to close.
const SWEEP_INTERVAL: Duration = Duration::from_millis(200);

/// The time in which the bytes of a response come back after its connection was closed.
const CLOSE_INTERVAL: Duration = Duration::from_millis(1);

/// The time after which a new connection that waits for another one to end looks for an idle one again.
const FULL_INTERVAL: Duration = Duration::from_millis(20);

/// The pause after the system refuses a connection, typically for want of file descriptors.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// The connections to the listener of the metrics.
const MAX_SCRAPERS: u32 = 16;

/// Serves `service` on `listener` until `shutdown` completes, then until the requests in flight are
/// answered or ten seconds have passed.
pub async fn serve(
    listener: TcpListener,
    service: Service,
    config: Config,
    shutdown: impl Future<Output = ()>,
) {
    let max = config.max_connections;
    let permits = Arc::new(Semaphore::new(max as usize));
    let (idle, response) = (config.idle_timeout, config.response_timeout);
    let connections = Connections::new(Handlers::new(service.clone(), config));
    let registry = &connections.registry;
    let accept_all = async {
        loop {
            let (stream, peer) = accept(&listener).await;
            let permit = permit(&permits, registry).await;
            connections.spawn(stream, peer, permit);
        }
    };
    tokio::select! {
        () = accept_all => {}
        () = sweep(registry, idle, response, &service) => {}
        () = shutdown => {}
    }
    drop(listener);
    let closing = &connections.handlers.is_closing;
    closing.store(true, Ordering::Relaxed);
    let idle = idle.min(SHUTDOWN_IDLE_TIMEOUT);
    tokio::select! {
        _ = permits.acquire_many(max) => {}
        () = sweep(registry, idle, response, &service) => {}
        () = tokio::time::sleep(SHUTDOWN_TIMEOUT) => {
            tracing::warn!("some requests were not answered before the shutdown timeout");
        }
    }
}

/// Answers requests for `/metrics` on a listener of their own, and no others. It never completes.
pub async fn serve_metrics(listener: TcpListener, service: Service, metrics: Arc<Metrics>) {
    let config = Config {
        max_connections: MAX_SCRAPERS,
        paths: Paths::Metrics,
        trusted_proxies: Some(Vec::new()),
        ..Config::new(metrics)
    };
    serve(listener, service, config, pending()).await;
}

/// Closes connections that have timed out, or whose responses have stalled when bytes are short, and never
/// completes.
async fn sweep(registry: &Registry, idle: Duration, response: Duration, service: &Service) {
    loop {
        tokio::time::sleep(SWEEP_INTERVAL).await;
        for (phase, timeout) in [
            (Phase::Waiting, idle),
            (Phase::Working, response),
            (Phase::Sending, idle),
        ] {
            for connection in registry.quiet(phase, timeout) {
                tracing::debug!("a connection ended early: it timed out");
                connection.abort();
            }
        }
        if service.gate().is_short_of_bytes() {
            for connection in registry.quiet(Phase::Sending, MIN_STALL) {
                tracing::debug!("a stalled connection is closed for want of memory");
                connection.abort();
                tokio::time::sleep(CLOSE_INTERVAL).await;
                if !service.gate().is_short_of_bytes() {
                    break;
                }
            }
        }
    }
}

/// Returns a permit for a new connection. If there is none, an idle connection is closed for it.
async fn permit(permits: &Arc<Semaphore>, registry: &Registry) -> OwnedSemaphorePermit {
    let mut wait = Duration::ZERO;
    loop {
        let permit = tokio::time::timeout(wait, Arc::clone(permits).acquire_owned()).await;
        if let Ok(permit) = permit {
            return permit.expect("the semaphore is never closed");
        }
        if let Some(longest) = registry.quiet(Phase::Waiting, MIN_IDLE).first() {
            tracing::debug!("an idle connection was closed for a new one");
            longest.abort();
        }
        wait = FULL_INTERVAL;
    }
}

/// Waits for the next connection.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            // These concern a single connection.
            Err(error)
                if matches!(
                    error.kind(),
                    ConnectionRefused | ConnectionAborted | ConnectionReset
                ) => {}
            Err(error) => {
                tracing::warn!("no connection was accepted: {error}");
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
            }
        }
    }
}
