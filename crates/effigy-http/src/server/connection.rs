//! One connection: HTTP/1.1 or HTTP/2, from a request to its response.

use std::{convert::Infallible, net::IpAddr, sync::Arc};

use hyper::{Request, body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto::Builder, graceful::GracefulShutdown},
};
use tokio::{net::TcpStream, sync::OwnedSemaphorePermit, time::Instant};

use super::{activity::Activity, registry::Registry, socket::Socket};
use crate::{app::App, clients::Place};

/// The longest head of a request, its path included.
const MAX_HEAD_BYTES: u32 = 64 * 1024;

/// The number of requests that one HTTP/2 connection may have open at once.
const MAX_STREAMS: u32 = 128;

/// The number of bytes that an HTTP/2 stream buffers for a client that does not read.
const STREAM_BUFFER_BYTES: usize = 64 * 1024;

/// A connection, as its requests know it.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) door: Door,
    pub(crate) peer: IpAddr,
    pub(crate) activity: Arc<Activity>,
}

/// The listener that accepted a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Door {
    Public,
    /// The one of `/metrics`.
    Metrics,
}

/// The settings that all connections share.
pub(super) struct Connections {
    app: Arc<App>,
    protocol: Builder<TokioExecutor>,
    pub(super) registry: Arc<Registry>,
}

impl Connections {
    pub(super) fn new(app: App) -> Self {
        Self {
            app: Arc::new(app),
            protocol: protocol(),
            registry: Arc::default(),
        }
    }

    /// Spawns the task of a connection, which holds its permit until the connection is closed. Closes
    /// it at once if its peer has used its share of connections.
    pub(super) fn spawn(
        &self,
        stream: TcpStream,
        door: Door,
        peer: IpAddr,
        permit: OwnedSemaphorePermit,
        graceful: &GracefulShutdown,
    ) {
        let place = match door {
            Door::Public => self.app.clients().begin_connection(peer),
            Door::Metrics => Ok(Place::default()),
        };
        let Ok(place) = place else { return };
        // Responses are written in one piece; waiting for more only delays them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!("no TCP_NODELAY: {error}");
        }
        let (app, activity) = (Arc::clone(&self.app), Activity::new());
        let stream = TokioIo::new(Socket::new(stream, Arc::clone(&activity)));
        let handler = Arc::clone(&app);
        let connection = Arc::new(Connection {
            door,
            peer,
            activity: Arc::clone(&activity),
        });
        let service = service_fn(move |request: Request<Incoming>| {
            let (handler, started) = (Arc::clone(&handler), Instant::now());
            let connection = Arc::clone(&connection);
            let in_flight = connection.activity.begin_request(started);
            async move {
                let _until_answered = in_flight;
                Ok::<_, Infallible>(handler.handle(request, started, &connection).await)
            }
        });
        let connection = self.protocol.serve_connection(stream, service);
        let connection = graceful.watch(connection.into_owned());
        self.registry.add(activity, |registered| {
            let task = tokio::spawn(async move {
                // Dropped in this order when the connection has ended, or when the task is aborted.
                let _guards = (registered, permit, place, Gauge::new(app));
                if let Err(error) = connection.await {
                    tracing::debug!("a connection ended early: {error}");
                }
            });
            task.abort_handle()
        });
    }
}

/// Counts a connection as open.
struct Gauge(Arc<App>);

impl Gauge {
    fn new(app: Arc<App>) -> Self {
        app.metrics().connections.inc();
        Self(app)
    }
}

impl Drop for Gauge {
    fn drop(&mut self) {
        self.0.metrics().connections.dec();
    }
}

/// HTTP/1.1, and HTTP/2 for clients that start with its preface.
fn protocol() -> Builder<TokioExecutor> {
    let mut protocol = Builder::new(TokioExecutor::new());
    protocol
        .http1()
        // The registry has a cheaper timer.
        .header_read_timeout(None)
        .max_buf_size(MAX_HEAD_BYTES as usize)
        // A client may close its sending side after its request and still wait for the response.
        .half_close(true);
    protocol
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(MAX_STREAMS)
        .max_send_buf_size(STREAM_BUFFER_BYTES)
        .max_header_list_size(MAX_HEAD_BYTES);
    protocol
}
