//! Accepts connections.

use std::{io, net::SocketAddr, time::Duration};

use tokio::net::{TcpListener, TcpStream};

/// The pause after the system refuses a connection, typically for want of file descriptors.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Waits for the next connection.
pub(super) async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
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

fn concerns_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}
