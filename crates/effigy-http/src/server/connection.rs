//! One connection: HTTP/1.1 or HTTP/2, from a request to its response.

use std::{convert::Infallible, future::Future, sync::Arc, time::Duration};

use hyper::{Request, body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto::Builder, graceful::GracefulConnection},
};
use tokio::{net::TcpStream, sync::OwnedSemaphorePermit};

use super::timeouts::{Activity, TimeoutStream, Timeouts};
use crate::app::App;

/// How long a client may take to send a request's head, and how long a connection may stay idle.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest head of a request, its path included.
const MAX_HEAD_BYTES: u32 = 64 * 1024;

/// The number of requests that one HTTP/2 connection may have open at once.
const MAX_STREAMS: u32 = 128;

/// The number of bytes that an HTTP/2 stream buffers for a client that does not read.
const STREAM_BUFFER_BYTES: usize = 64 * 1024;

/// The settings that all connections share.
pub(super) struct Connections {
    app: Arc<App>,
    protocol: Builder<TokioExecutor>,
    timeouts: Timeouts,
}

impl Connections {
    pub(super) fn new(response_timeout: Duration, app: App) -> Self {
        Self {
            app: Arc::new(app),
            protocol: protocol(),
            timeouts: Timeouts {
                response: response_timeout,
                idle: IDLE_TIMEOUT,
            },
        }
    }

    /// Returns the connection as a future that completes when it is closed.
    pub(super) fn serve(
        &self,
        stream: TcpStream,
    ) -> impl GracefulConnection<Error: std::fmt::Display> + Send + use<> {
        // Responses are written in one piece; waiting for more only delays them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!("no TCP_NODELAY: {error}");
        }
        let (app, activity) = (Arc::clone(&self.app), Activity::new());
        let stream = TimeoutStream::new(stream, self.timeouts, Arc::clone(&activity));
        let service = service_fn(move |request: Request<Incoming>| {
            let (app, in_flight) = (Arc::clone(&app), activity.begin_request());
            async move {
                let _until_answered = in_flight;
                let (head, body) = request.into_parts();
                Ok::<_, Infallible>(app.handle(head, body).await)
            }
        });
        self.protocol
            .serve_connection(TokioIo::new(stream), service)
            .into_owned()
    }

    /// Spawns the task of a connection, which holds its permit until the connection is closed.
    pub(super) fn spawn<E: std::fmt::Display>(
        &self,
        connection: impl Future<Output = Result<(), E>> + Send + 'static,
        permit: OwnedSemaphorePermit,
    ) {
        let app = Arc::clone(&self.app);
        tokio::spawn(async move {
            let open = &app.metrics().connections;
            open.inc();
            if let Err(error) = connection.await {
                tracing::debug!("a connection ended early: {error}");
            }
            open.dec();
            drop(permit);
        });
    }
}

/// HTTP/1.1, and HTTP/2 for clients that start with its preface.
fn protocol() -> Builder<TokioExecutor> {
    let mut protocol = Builder::new(TokioExecutor::new());
    protocol
        .http1()
        // `TimeoutStream` has a cheaper timer.
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
