//! The server: accepts connections, limits them, and shuts them down gracefully.

mod connection;
mod socket;
pub(crate) mod timeouts;

use std::{io, sync::Arc, time::Duration};

use effigy_service::Service;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::{net::TcpListener, sync::Semaphore};

use crate::{app::App, config::Config};
pub(crate) use connection::Connection;
use connection::Connections;

/// How long requests in flight may take after shutdown begins.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

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
    // Each poll of a watched connection also polls a channel, which takes 0.1 µs of about 5 µs per hit.
    let graceful = GracefulShutdown::new();
    let connections = Connections::new(config.response_timeout, App::new(service, config));
    tokio::select! {
        () = accept(&listener, &permits, &connections, &graceful) => {}
        () = shutdown => {}
    }
    drop(listener);
    let closed = tokio::time::timeout(SHUTDOWN_TIMEOUT, graceful.shutdown()).await;
    if closed.is_err() {
        tracing::warn!("some requests were not answered before the shutdown timeout");
    }
}

/// Accepts connections and never completes.
async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
    connections: &Connections,
    graceful: &GracefulShutdown,
) {
    // The semaphore is never closed, so the loop ends only with the future.
    while let Ok(permit) = Arc::clone(permits).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, peer)) => connections.spawn(stream, peer.ip(), permit, graceful),
            Err(error) if concerns_one_connection(&error) => {}
            Err(error) => {
                tracing::warn!("no connection was accepted: {error}");
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
            }
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
