//! The server: accepts connections, limits them, answers their requests, and shuts them down gracefully.

pub(crate) mod connection;
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

use effigy_service::{Client, Permit, Service, SharedResource};
use futures_util::FutureExt as _;
use http_body_util::Full;
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, sleep},
};

use crate::{Paths, config::Config, handlers::Handlers};
use connection::{Connection, Phase, Socket};
use registry::Registry;

/// The connections to the listener of the metrics.
const MAX_SCRAPERS: u32 = 16;

/// The longest head of a request, its path included.
const MAX_HEAD_BYTES: usize = 16 << 10;

/// The time that requests in flight may take after shutdown begins.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// The time that a connection without a request being answered may stay without progress during shutdown.
/// It may be waiting for the rest of a request.
const SHUTDOWN_IDLE_TIMEOUT: Duration = Duration::from_secs(1);

/// The time after which an idle connection may be closed for a new one. A client that is honest asks for
/// something at once, and others wait for that place.
const MIN_IDLE: Duration = Duration::from_millis(50);

/// The time after which a request is worth looking whether its client has left.
const MIN_STALL: Duration = Duration::from_secs(1);

/// The time between two searches for connections to close.
const SWEEP_INTERVAL: Duration = Duration::from_millis(200);

/// The time in which the bytes of a response come back after its connection was closed.
const CLOSE_INTERVAL: Duration = Duration::from_millis(1);

/// The time after which another connection to close is sought for a new one that waits.
const FULL_INTERVAL: Duration = Duration::from_millis(20);

/// The new connections that wait. Of more, those of the clients with the most are closed if no other one can be.
const MAX_WAITING: usize = 128;

/// The pause after the system refuses a connection, typically for want of file descriptors.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Serves `service` on `listener` until `shutdown` completes and [`Config::drain`] has passed, then until the requests in flight are
/// answered or ten seconds have passed.
pub async fn serve(
    listener: TcpListener,
    service: Service,
    config: Config,
    shutdown: impl Future<Output = ()>,
) {
    let (max, drain, idle) = (config.max_connections, config.drain, config.idle_timeout);
    let server = Server::new(service, config);
    let shutdown = async {
        shutdown.await;
        let closing = &server.handlers.config.closing;
        closing.store(true, Ordering::Relaxed);
        sleep(drain).await;
    };
    tokio::select! {
        () = server.accept_all(&listener) => {}
        () = server.sweep(idle) => {}
        () = shutdown => {}
    }
    drop(listener);
    tokio::select! {
        _ = server.permits.acquire_many(max) => {}
        () = server.sweep(idle.min(SHUTDOWN_IDLE_TIMEOUT)) => {}
        () = sleep(SHUTDOWN_TIMEOUT) => {
            tracing::warn!("some requests were not answered before the shutdown timeout");
        }
    }
}

/// Answers requests for `/metrics` and the probes of a server of this configuration on a listener of their own, and no others.
/// The server answers none for `/metrics` then. It never completes.
pub fn serve_metrics(
    listener: TcpListener,
    service: Service,
    config: &mut Config,
) -> impl Future<Output = ()> + use<> {
    config.paths = Paths::AllButMetrics;
    let own = Config {
        max_connections: MAX_SCRAPERS,
        paths: Paths::Metrics,
        trusted_proxies: Some(Vec::new()),
        closing: Arc::clone(&config.closing),
        ..Config::new(Arc::clone(&config.metrics))
    };
    serve(listener, service, own, pending())
}

/// Waits for the next connection.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) => match error.kind() {
                // These concern a single connection.
                ConnectionRefused | ConnectionAborted | ConnectionReset => {}
                _ => {
                    tracing::warn!("no connection was accepted: {error}");
                    sleep(ACCEPT_RETRY_DELAY).await;
                }
            },
        }
    }
}

/// A server, with the connections of its listener.
struct Server {
    handlers: Arc<Handlers>,
    registry: Registry,
    permits: Arc<Semaphore>,
    protocol: http1::Builder,
}

impl Server {
    fn new(service: Service, config: Config) -> Self {
        let mut protocol = http1::Builder::new();
        protocol
            // The registry has a cheaper timer.
            .header_read_timeout(None)
            .max_header_size(MAX_HEAD_BYTES)
            .max_buf_size(MAX_HEAD_BYTES);
        Self {
            permits: Arc::new(Semaphore::new(config.max_connections as usize)),
            handlers: Arc::new(Handlers::new(service, config)),
            registry: Registry::default(),
            protocol,
        }
    }

    /// Serves all connections, and never completes. If there are too many, new ones wait, those of the clients with the
    /// fewest first.
    async fn accept_all(&self, listener: &TcpListener) {
        let mut waiting: Vec<(TcpStream, Client, Permit)> = Vec::new();
        // Until when no connection can be closed for a client that has at least so many.
        let mut full = None;
        loop {
            let has_waiting = !waiting.is_empty();
            tokio::select! {
                biased;
                permit = Arc::clone(&self.permits).acquire_owned(), if has_waiting => {
                    let permit = permit.expect("the semaphore is never closed");
                    let (stream, peer, share) = waiting.remove(0);
                    self.spawn(stream, peer, (share, permit));
                }
                (stream, peer) = accept(listener), if waiting.len() <= MAX_WAITING => {
                    let peer = self.handlers.clients.at(peer.ip());
                    // A peer that has used its share of connections gets no other one.
                    let share = peer.take(SharedResource::Connections, 1).ok();
                    waiting.extend(share.map(|share| (stream, peer, share)));
                }
                () = sleep(FULL_INTERVAL), if has_waiting => {}
            }
            waiting.sort_by_key(|(_, peer, _)| peer.connections());
            if let Some((_, first, _)) = waiting.first()
                && self.permits.available_permits() == 0
            {
                let (now, connections) = (Instant::now(), first.connections());
                if full.is_none_or(|(until, least)| now >= until || connections < least) {
                    let has_room = self.make_room(connections);
                    full = (!has_room).then_some((now + FULL_INTERVAL, connections));
                }
                if full.is_some() {
                    waiting.truncate(MAX_WAITING);
                }
            }
        }
    }

    /// Closes connections that have timed out, whose clients have left, or that hold much when bytes are short, and never
    /// completes.
    async fn sweep(&self, idle: Duration) {
        let (registry, response) = (&self.registry, self.handlers.config.response_timeout);
        loop {
            sleep(SWEEP_INTERVAL).await;
            registry.close(|connection| {
                connection.is_quiet(Phase::Waiting, idle)
                    || connection.is_quiet(Phase::Working, response)
                    || connection.is_quiet(Phase::Sending, idle)
                    // Hyper does not see it while a further request waits.
                    || connection.is_quiet(Phase::Working, MIN_STALL) && connection.has_ended()
            });
            while self.handlers.service.gate().is_short_of_bytes()
                && registry.close_largest(|connection| connection.waiting())
            {
                tracing::debug!("a connection was closed for want of memory");
                sleep(CLOSE_INTERVAL).await;
            }
        }
    }

    /// Closes an idle connection for one of a client that has so many, or one of the client that has the most, if it has more.
    /// Returns `false` if there is none.
    fn make_room(&self, connections: usize) -> bool {
        let closed = self.registry.close_largest(|connection| {
            let is_idle = connection.is_idle(MIN_IDLE);
            let others = connection.peer.connections();
            (is_idle || others > connections + 1)
                .then_some((is_idle, others * usize::from(!is_idle)))
        });
        if closed {
            tracing::debug!("a connection was closed for a new one");
        }
        closed
    }

    /// Spawns the task of a peer's connection, which holds its permits until it is closed.
    fn spawn(&self, stream: TcpStream, peer: Client, permits: (Permit, OwnedSemaphorePermit)) {
        // Responses are written in one piece; waiting for more only delays them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!("no TCP_NODELAY: {error}");
        }
        let connection = Connection::new(stream, peer);
        let weak = Arc::downgrade(&connection);
        let socket = Socket(Arc::clone(&connection));
        let handlers = Arc::clone(&self.handlers);
        let service = service_fn(move |request| {
            let response = handlers.handle(request, &connection);
            response.map(|response| Ok::<_, Infallible>(response.map(Full::new)))
        });
        let served = self
            .protocol
            .serve_connection(TokioIo::new(socket), service);
        let task = tokio::spawn(async move {
            // Dropped when the connection has ended, or when the task is aborted.
            let _permits = permits;
            if let Err(error) = served.await {
                tracing::debug!("a connection ended early: {error}");
            }
        });
        self.registry.add(weak, task.abort_handle());
    }
}
