//! Connections: taking them, bounding what each may hold, and letting them end well.

mod guarded;
mod stopping;

use std::{
    convert::Infallible,
    future::{Future, poll_fn},
    io,
    pin::pin,
    sync::Arc,
    time::Duration,
};

use effigy_render::Skin;
use effigy_store::Store;
use effigy_upstream::SkinSource;
use hyper::{Request, body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto::Builder,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
};

use crate::{
    app::App,
    server::guarded::{Activity, Guarded, Patience},
    server::stopping::Stopping,
};

/// How long a client may take to send a request's head, and may keep an idle connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest head of a request, the path in it included.
const LONGEST_HEAD: u32 = 64 * 1024;

/// Requests that one connection may have open at once in HTTP/2.
const STREAMS: u32 = 128;

/// So many bytes of answers wait in HTTP/2 for each request that a client does not read.
const STREAM_BUFFER: usize = 64 * 1024;

/// How long requests in flight have when the service ends.
const GRACE: Duration = Duration::from_secs(10);

/// A pause when the system gives no more connections: they come back as others end.
const BREATHER: Duration = Duration::from_millis(50);

/// What connections may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How many there may be at once. More wait in the system's queue.
    pub connections: u32,
    /// How long one may be without a byte while a request is being answered; longer than any answer
    /// takes.
    pub silence: Duration,
}

/// Serves `app` on `listener` until `stop` completes, then until the requests in flight are
/// answered or the time for that is over.
pub async fn serve<St, So>(
    listener: TcpListener,
    app: Arc<App<St, So>>,
    limits: Limits,
    stop: impl Future<Output = ()>,
) where
    St: Store,
    So: SkinSource<Skin = Skin>,
{
    let server = Server {
        app,
        limits,
        protocol: protocol(),
        places: Arc::new(Semaphore::new(limits.connections as usize)),
        stopping: Stopping::default(),
    };
    tokio::select! {
        () = server.accept(&listener) => {}
        () = stop => {}
    }
    drop(listener);
    server.stopping.begin();
    // When all places are free, all connections have ended.
    let all = server.places.acquire_many(limits.connections);
    if tokio::time::timeout(GRACE, all).await.is_err() {
        tracing::warn!("some requests were not answered in time to end well");
    }
}

struct Server<St, So> {
    app: Arc<App<St, So>>,
    limits: Limits,
    protocol: Builder<TokioExecutor>,
    places: Arc<Semaphore>,
    stopping: Stopping,
}

/// HTTP/1.1, and HTTP/2 for clients that begin with it.
fn protocol() -> Builder<TokioExecutor> {
    let mut protocol = Builder::new(TokioExecutor::new());
    protocol
        .http1()
        // See `Activity`.
        .header_read_timeout(None)
        .max_buf_size(LONGEST_HEAD as usize)
        // A client may close its own side after its request and still wait for the answer.
        .half_close(true);
    protocol
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_send_buf_size(STREAM_BUFFER)
        .max_header_list_size(LONGEST_HEAD);
    protocol
}

impl<St, So> Server<St, So>
where
    St: Store,
    So: SkinSource<Skin = Skin>,
{
    async fn accept(&self, listener: &TcpListener) {
        // It is never closed.
        while let Ok(place) = Arc::clone(&self.places).acquire_owned().await {
            match listener.accept().await {
                Ok((stream, _)) => self.connect(stream, place),
                Err(error) if concerns_one_connection(&error) => {}
                Err(error) => {
                    tracing::warn!("no connection was accepted: {error}");
                    tokio::time::sleep(BREATHER).await;
                }
            }
        }
    }

    fn connect(&self, stream: TcpStream, place: OwnedSemaphorePermit) {
        // Answers are written in one go; waiting for more only delays them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!("no TCP_NODELAY: {error}");
        }
        let (app, activity) = (Arc::clone(&self.app), Activity::new());
        let patience = Patience {
            busy: self.limits.silence,
            idle: HEAD_TIMEOUT,
        };
        let stream = TokioIo::new(Guarded::new(stream, patience, Arc::clone(&activity)));
        let service = service_fn(move |request: Request<Incoming>| {
            let (app, in_flight) = (Arc::clone(&app), activity.request());
            async move {
                let _until_answered = in_flight;
                let (head, body) = request.into_parts();
                let answer = match app.respond_at_once(&head) {
                    Some(answer) => answer,
                    // What else there is to do is much, and would be moved about with each request.
                    None => Box::pin(app.respond(&head, body)).await,
                };
                Ok::<_, Infallible>(answer)
            }
        });
        let connection = self.protocol.serve_connection(stream, service).into_owned();
        let (counted, mut look_out) = (Arc::clone(&self.app), self.stopping.look_out());
        tokio::spawn(async move {
            let (mut connection, mut told) = (pin!(connection), false);
            let open = &counted.metrics().connections;
            open.inc();
            let outcome = poll_fn(|context| {
                if !told && look_out.is_stopping(context.waker()) {
                    told = true;
                    connection.as_mut().graceful_shutdown();
                }
                connection.as_mut().poll(context)
            });
            if let Err(error) = outcome.await {
                tracing::debug!("a connection ended early: {error}");
            }
            open.dec();
            drop(place);
        });
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
