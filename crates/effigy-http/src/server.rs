//! The server: accepts connections, limits them, and shuts them down gracefully.

mod accept;
mod connection;
mod registry;
mod scrape;
mod turns;

use std::{sync::Arc, time::Duration};

use effigy_service::Service;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::{
    net::TcpListener,
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use crate::{config::Config, handlers::Handlers, respond::exchange::Timeouts};
use accept::accept;
use connection::Connections;
use registry::Registry;
pub use scrape::serve_metrics;

/// The time that requests in flight may take after shutdown begins.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// The time that a connection without a request being answered may stay without progress during shutdown.
/// It may be waiting for the rest of a request.
const SHUTDOWN_IDLE_TIMEOUT: Duration = Duration::from_secs(1);

/// The time between two searches for connections to close.
const SWEEP_INTERVAL: Duration = Duration::from_millis(200);

/// The time after which a new connection that waits for another one to end looks for an idle one again.
const FULL_INTERVAL: Duration = Duration::from_millis(100);

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
