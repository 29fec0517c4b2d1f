//! The server: accepts connections, limits them, and shuts them down gracefully.

pub(crate) mod activity;
mod connection;
mod http2;
mod registry;
mod socket;

use std::{io, sync::Arc, time::Duration};

use effigy_service::Service;
use effigy_upstream::warn_throttled;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::{
    net::TcpListener,
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use crate::{app::App, config::Config};
use activity::Timeouts;
use connection::Connections;
pub(crate) use connection::{Connection, Door};

/// The time that requests in flight may take after shutdown begins.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// The time that a connection without a request being answered may stay without progress during shutdown.
/// It may be waiting for the rest of a request.
const SHUTDOWN_IDLE_TIMEOUT: Duration = Duration::from_secs(1);

/// The time between two searches for connections to close.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);
const SHUTDOWN_SWEEP_INTERVAL: Duration = Duration::from_millis(100);

/// The time after which a new connection that waits for another one to end looks for an idle one again.
const FULL_INTERVAL: Duration = Duration::from_millis(100);

/// The connections to the listener of the metrics.
const MAX_SCRAPERS: u32 = 16;

/// The pause after the system refuses a connection, typically for want of file descriptors.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Serves `service` on `listener` until `shutdown` completes, then until the requests in flight are
/// answered or ten seconds have passed.
pub async fn serve(
    listener: TcpListener,
    service: Service,
    mut config: Config,
    shutdown: impl Future<Output = ()>,
) {
    let public = Entrance::new(Door::Public, listener, config.max_connections);
    let metrics = config.metrics_listener.take();
    let metrics = metrics.map(|listener| Entrance::new(Door::Metrics, listener, MAX_SCRAPERS));
    // Each poll of a watched connection also polls a channel, which takes 0.1 µs of about 5 µs per hit.
    let graceful = GracefulShutdown::new();
    let mut timeouts = Timeouts {
        idle: config.idle_timeout,
        response: config.response_timeout,
    };
    let connections = Connections::new(App::new(service, config, metrics.is_some()));
    tokio::select! {
        () = public.accept(&connections, &graceful) => {}
        () = accept_any(metrics.as_ref(), &connections, &graceful) => {}
        () = sweep(&connections, timeouts, SWEEP_INTERVAL) => {}
        () = shutdown => {}
    }
    drop((public, metrics));
    timeouts.idle = timeouts.idle.min(SHUTDOWN_IDLE_TIMEOUT);
    tokio::select! {
        () = graceful.shutdown() => {}
        () = sweep(&connections, timeouts, SHUTDOWN_SWEEP_INTERVAL) => {}
        () = tokio::time::sleep(SHUTDOWN_TIMEOUT) => {
            tracing::warn!("some requests were not answered before the shutdown timeout");
        }
    }
}

/// Closes connections that have timed out, and never completes.
async fn sweep(connections: &Connections, timeouts: Timeouts, interval: Duration) {
    loop {
        tokio::time::sleep(interval).await;
        connections
            .registry
            .close_timed_out(timeouts, Instant::now());
    }
}

/// A listener and the connections that it may have open.
struct Entrance {
    door: Door,
    listener: TcpListener,
    permits: Arc<Semaphore>,
}

impl Entrance {
    fn new(door: Door, listener: TcpListener, max_connections: u32) -> Self {
        Self {
            door,
            listener,
            permits: Arc::new(Semaphore::new(max_connections as usize)),
        }
    }

    /// Accepts connections and never completes.
    async fn accept(&self, connections: &Connections, graceful: &GracefulShutdown) {
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => {
                    let permit = self.permit(connections).await;
                    connections.spawn(stream, self.door, peer.ip(), permit, graceful);
                }
                Err(error) if concerns_one_connection(&error) => {}
                Err(error) => {
                    warn_throttled!("no connection was accepted: {error}");
                    tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                }
            }
        }
    }

    /// Returns a permit for a new connection. If there is none, an idle connection is closed for it.
    async fn permit(&self, connections: &Connections) -> OwnedSemaphorePermit {
        let permits = || Arc::clone(&self.permits);
        if let Ok(permit) = permits().try_acquire_owned() {
            return permit;
        }
        loop {
            connections.registry.close_longest_idle(Instant::now());
            let permit = tokio::time::timeout(FULL_INTERVAL, permits().acquire_owned()).await;
            if let Ok(permit) = permit {
                return permit.expect("the semaphore is never closed");
            }
        }
    }
}

/// Accepts the connections of an entrance that may not exist, and never completes.
async fn accept_any(
    entrance: Option<&Entrance>,
    connections: &Connections,
    graceful: &GracefulShutdown,
) {
    match entrance {
        Some(entrance) => entrance.accept(connections, graceful).await,
        None => std::future::pending().await,
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
