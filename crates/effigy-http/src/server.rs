//! The server: accepts connections, limits them, answers their requests, and shuts down gracefully.

mod counts;
mod registry;
#[cfg(test)]
mod tests;

use std::{
    convert::Infallible,
    future::pending,
    io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset},
    net::SocketAddr,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use effigy_service::{Client, Service};
use futures_util::FutureExt as _;
use http_body_util::Full;
use hyper::{StatusCode, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{sleep, timeout},
};

use self::{
    counts::{ConnectionCounts, CountedConnection},
    registry::Registry,
};
use crate::{
    Paths,
    config::Config,
    connection::{Connection, Phase, Socket},
    handlers::Handlers,
};

/// The number of connections that the listener of the metrics may have.
const MAX_SCRAPERS: u32 = 16;

/// The longest head of a request, including its path.
const MAX_HEAD_BYTES: usize = 16 << 10;

/// The time that requests in flight may take after shutdown begins.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// The time that a connection may wait for a request, or for more of one, during shutdown. It is
/// short, because such a request is not in flight yet.
const SHUTDOWN_IDLE_TIMEOUT: Duration = Duration::from_secs(1);

/// The time after which an idle connection may be closed for a new one. An honest client sends its
/// request at once.
const MIN_IDLE: Duration = Duration::from_millis(50);

/// The time after which the server checks whether the client of a request has left.
const MIN_STALL: Duration = Duration::from_secs(1);

/// The time between two searches for connections to close.
const SWEEP_INTERVAL: Duration = Duration::from_millis(200);

/// The pause after closing a connection, in which the memory of its response is released.
const CLOSE_INTERVAL: Duration = Duration::from_millis(1);

/// The pause between two searches for an idle connection while a new one waits.
const FULL_INTERVAL: Duration = Duration::from_millis(20);

/// The pause after the system refuses a connection, typically for want of file descriptors.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Serves `service` on `listener` until `shutdown` completes and [`Config::drain`] has passed. Then
/// it waits up to ten seconds until the requests in flight are answered and their responses sent.
pub async fn serve(
    listener: TcpListener,
    service: Service,
    config: Config,
    shutdown: impl Future<Output = ()>,
) {
    let max_connections = config.max_connections;
    let drain = config.drain;
    let timeouts = Timeouts::new(&config);
    let closing = Arc::clone(&config.closing);
    let server = Server::new(service, config);
    let drained_shutdown = async {
        shutdown.await;
        closing.store(true, Ordering::Relaxed);
        sleep(drain).await;
    };
    tokio::select! {
        () = server.accept_all(&listener) => {}
        () = server.sweep(timeouts) => {}
        () = drained_shutdown => {}
    }
    drop(listener);
    let all_closed = server.permits.acquire_many(max_connections);
    tokio::select! {
        _ = all_closed => {}
        () = server.sweep(timeouts.during_shutdown()) => {}
        () = sleep(SHUTDOWN_TIMEOUT) => {
            tracing::warn!("some requests were not answered before the shutdown timeout");
        }
    }
}

/// Serves `/metrics` and the probes on a listener of their own, and never completes.
///
/// `config` is the configuration of the main server. Its [`Config::paths`] should be
/// [`Paths::AllButMetrics`], or that server also answers `/metrics`.
pub fn serve_metrics(
    listener: TcpListener,
    service: Service,
    config: &Config,
) -> impl Future<Output = ()> + use<> {
    let own = Config {
        max_connections: MAX_SCRAPERS,
        paths: Paths::Metrics,
        trusted_proxies: Some(Vec::new()),
        closing: Arc::clone(&config.closing),
        ..Config::new(Arc::clone(&config.metrics))
    };
    serve(listener, service, own, pending())
}

/// The times after which connections without progress are closed.
#[derive(Debug, Clone, Copy)]
struct Timeouts {
    /// The time for a request, or for the next piece of its body, to arrive.
    request: Duration,
    /// The time in which a request is answered.
    answer: Duration,
    /// The time for which a response may stall while it is sent.
    stalled_response: Duration,
}

impl Timeouts {
    const fn new(config: &Config) -> Self {
        Self {
            request: config.idle_timeout,
            answer: config.response_timeout,
            stalled_response: config.idle_timeout,
        }
    }

    /// Returns the times during shutdown. Only requests that have not arrived get less time.
    fn during_shutdown(self) -> Self {
        Self {
            request: self.request.min(SHUTDOWN_IDLE_TIMEOUT),
            ..self
        }
    }
}

/// A server, with the connections of its listener.
struct Server {
    handlers: Arc<Handlers>,
    registry: Registry,
    counts: Arc<ConnectionCounts>,
    permits: Arc<Semaphore>,
    protocol: http1::Builder,
}

impl Server {
    fn new(service: Service, config: Config) -> Self {
        let mut protocol = http1::Builder::new();
        protocol
            // The sweep closes slow connections, which is cheaper than a timer for each.
            .header_read_timeout(None)
            .max_header_size(MAX_HEAD_BYTES)
            .max_buf_size(MAX_HEAD_BYTES);
        let metrics = &config.metrics;
        Self {
            counts: Arc::new(ConnectionCounts::new(metrics.connections.clone())),
            permits: Arc::new(Semaphore::new(config.max_connections as usize)),
            handlers: Arc::new(Handlers::new(service, config)),
            registry: Registry::default(),
            protocol,
        }
    }

    /// Serves all connections, and never completes.
    async fn accept_all(&self, listener: &TcpListener) {
        loop {
            let (stream, address) = accept(listener).await;
            let peer = self.handlers.clients.of_peer(address.ip());
            // A peer with too many connections gets no more.
            let Some(counted) = self.counts.add(peer) else {
                continue;
            };
            let permit = self.wait_for_room().await;
            self.spawn(stream, peer, counted, permit);
        }
    }

    /// Waits until there is room for one more connection. If there are too many, the one that has
    /// been idle for the longest time is closed.
    async fn wait_for_room(&self) -> OwnedSemaphorePermit {
        loop {
            if self.permits.available_permits() == 0 {
                self.registry.close_longest_idle(MIN_IDLE);
            }
            let permit = Arc::clone(&self.permits).acquire_owned();
            // If no permit is returned in time, another connection may be idle by then.
            if let Ok(acquired) = timeout(FULL_INTERVAL, permit).await {
                return acquired.expect("the semaphore is never closed");
            }
        }
    }

    /// Closes connections that have timed out or whose clients have left, and the largest ones
    /// while memory is short. Never completes.
    ///
    /// The registry is locked during a search, and each connection for a moment within it. That
    /// can't deadlock: nothing that holds the lock of a connection waits for the registry, and a
    /// search never awaits.
    async fn sweep(&self, timeouts: Timeouts) {
        loop {
            sleep(SWEEP_INTERVAL).await;
            self.registry
                .close(|connection| is_over(connection, timeouts));
            while self.handlers.service.waiting_memory().is_short() && self.registry.close_largest()
            {
                tracing::debug!("a connection was closed because memory is short");
                sleep(CLOSE_INTERVAL).await;
            }
        }
    }

    /// Spawns the task of a peer's connection, which is counted until the task ends.
    fn spawn(
        &self,
        stream: TcpStream,
        peer: Client,
        counted: CountedConnection,
        permit: OwnedSemaphorePermit,
    ) {
        // Responses are written in one piece, so waiting for more bytes only delays them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!("TCP_NODELAY could not be set: {error}");
        }
        let connection = Connection::new(stream, peer);
        let weak = Arc::downgrade(&connection);
        let socket = Socket(Arc::clone(&connection));
        let handlers = Arc::clone(&self.handlers);
        let metrics = Arc::clone(&self.handlers.config.metrics);
        let service = service_fn(move |request| {
            let response = handlers.handle(request, &connection);
            response.map(|response| Ok::<_, Infallible>(response.map(Full::new)))
        });
        let served = self
            .protocol
            .serve_connection(TokioIo::new(socket), service);
        let task = tokio::spawn(async move {
            // Dropped when the connection has ended, or when the task is aborted.
            let _counted = counted;
            let _permit = permit;
            if let Err(error) = served.await {
                tracing::debug!("a connection ended early: {error}");
                if let Some(status) = status_of_unparsed(&error) {
                    metrics.count_unparsed(status);
                }
            }
        });
        self.registry.add(weak, task.abort_handle());
    }
}

/// Returns the status with which hyper has answered a head that it couldn't parse, or `None` if the
/// connection ended for another reason.
fn status_of_unparsed(error: &hyper::Error) -> Option<StatusCode> {
    // The first bytes of HTTP/2 get no answer.
    if !error.is_parse() || error.is_parse_version_h2() {
        return None;
    }
    if error.is_parse_too_large() {
        return Some(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
    }
    Some(StatusCode::BAD_REQUEST)
}

/// Returns `true` if a connection has timed out, or its client has left.
fn is_over(connection: &Connection, timeouts: Timeouts) -> bool {
    let has_timed_out = connection.is_quiet(Phase::Waiting, timeouts.request)
        || connection.is_quiet(Phase::Receiving, timeouts.request)
        || connection.is_quiet(Phase::Working, timeouts.answer)
        || connection.is_quiet(Phase::Sending, timeouts.stalled_response);
    if has_timed_out {
        return true;
    }
    // Hyper does not notice that a client has left if the client has sent its next request already.
    connection.is_quiet(Phase::Working, MIN_STALL) && connection.has_ended()
}

/// Waits for the next connection.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        let error = match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) => error,
        };
        // These errors concern one connection, and others concern the whole system.
        let is_of_one_connection = matches!(
            error.kind(),
            ConnectionRefused | ConnectionAborted | ConnectionReset
        );
        if !is_of_one_connection {
            tracing::warn!("no connection was accepted: {error}");
            sleep(ACCEPT_RETRY_DELAY).await;
        }
    }
}
