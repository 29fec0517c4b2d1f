//! One connection: HTTP/1.1 or HTTP/2, from a request to its response.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use hyper::{Request, body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::{conn::auto::Builder, graceful::GracefulShutdown},
};
use tokio::{
    net::TcpStream,
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use super::{
    registry::Registry,
    turns::{CONNECTION_WINDOW, Reader, Streams, in_turns, turns},
};
use crate::{handlers::Handlers, respond::body::Exchanges};

/// The longest head of a request, its path included.
const MAX_HEAD_BYTES: u32 = 64 << 10;

/// The number of requests that one HTTP/2 connection may have open at once.
const MAX_STREAMS: u32 = 100;

/// The number of HTTP/2 requests that a client may have reset before they were answered, or that were reset
/// for its errors, before the connection is closed.
const MAX_RESETS: usize = 50;

/// The bytes of one request that HTTP/2 receives before they are read.
const STREAM_WINDOW: u32 = 64 << 10;

/// The number of bytes that an HTTP/2 stream buffers for a client that does not read.
const STREAM_BUFFER_BYTES: usize = 64 << 10;

/// The time after which a silent HTTP/2 client is asked whether it is still there.
const PING_INTERVAL: Duration = Duration::from_secs(15);

/// The settings that all connections share.
pub(super) struct Connections {
    handlers: Arc<Handlers>,
    pub(super) registry: Registry,
    turns: Arc<Semaphore>,
}

impl Connections {
    pub(super) fn new(handlers: Handlers) -> Self {
        Self {
            handlers: Arc::new(handlers),
            registry: Registry::default(),
            turns: turns(),
        }
    }

    /// Spawns the task of a connection, which holds its permit until the connection is closed. Closes
    /// it at once if its peer has used its share of connections.
    pub(super) fn spawn(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        permit: OwnedSemaphorePermit,
        graceful: &GracefulShutdown,
    ) {
        let peer = self.handlers.clients.sender(peer.ip());
        let Ok(share) = peer.client.connect() else {
            return;
        };
        // Responses are written in one piece; waiting for more only delays them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!("no TCP_NODELAY: {error}");
        }
        let (handlers, exchanges) = (Arc::clone(&self.handlers), Exchanges::new());
        let begun = Arc::clone(&exchanges);
        let service = service_fn(move |request: Request<Incoming>| {
            let (handlers, peer, started) = (Arc::clone(&handlers), peer.clone(), Instant::now());
            let exchange = begun.begin(started);
            async move { handlers.handle(request, started, exchange, peer).await }
        });
        let (reader, writer) = stream.into_split();
        let reader = Reader::new(reader, Arc::clone(&exchanges));
        let streams = Streams::default();
        let socket = TokioIo::new(tokio::io::join(reader, writer));
        let protocol = protocol(streams.clone());
        let connection = protocol.serve_connection(socket, service);
        let connection = graceful.watch(connection.into_owned());
        let progress = Arc::clone(&exchanges);
        let turns = Arc::clone(&self.turns);
        let open = Arc::clone(&self.handlers.config.metrics.connections);
        let task = tokio::spawn(async move {
            // Dropped when the connection has ended, or when the task is aborted.
            let _guards = (open, permit, share);
            if let Err(error) = in_turns(connection, streams, &progress, &turns).await {
                tracing::debug!("a connection ended early: {error}");
            }
        });
        self.registry.add(exchanges, task.abort_handle());
    }
}

/// HTTP/1.1, and HTTP/2 for clients that start with its preface.
fn protocol(streams: Streams) -> Builder<Streams> {
    let mut protocol = Builder::new(streams);
    protocol
        .http1()
        // The registry has a cheaper timer.
        .header_read_timeout(None)
        .max_buf_size(MAX_HEAD_BYTES as usize);
    protocol
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING_INTERVAL)
        .keep_alive_timeout(PING_INTERVAL)
        .max_concurrent_streams(MAX_STREAMS)
        .max_pending_accept_reset_streams(MAX_RESETS)
        .max_local_error_reset_streams(MAX_RESETS)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_send_buf_size(STREAM_BUFFER_BYTES)
        .max_header_list_size(MAX_HEAD_BYTES);
    protocol
}
