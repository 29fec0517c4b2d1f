//! One connection: HTTP/1.1 or HTTP/2, from a request to its response, and what it may make a thread do at a time and
//! in all without progress.

use std::{
    future::poll_fn,
    io,
    net::SocketAddr,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use futures_util::{StreamExt, pending, stream::FuturesUnordered};
use hyper::{Request, body::Incoming, rt::Executor, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::{conn::auto::Builder, graceful::GracefulShutdown},
};
use parking_lot::Mutex;
use tokio::{
    io::{AsyncRead, ReadBuf},
    net::{TcpStream, tcp::OwnedReadHalf},
    runtime::Handle,
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use super::registry::Registry;
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

/// The bytes of all requests of a connection that HTTP/2 receives before they are read.
const CONNECTION_WINDOW: u32 = 256 << 10;

/// The bytes that a connection may send without progress. No client needs more than a head and the parts of
/// uploads that have not been read yet.
const MAX_WITHOUT_PROGRESS: usize = 2 * CONNECTION_WINDOW as usize;

/// The bytes that are read of a connection before others have their turn.
const MAX_AT_ONCE: usize = 16 << 10;

/// The streams of a connection that are answered before others have their turn.
const STREAMS_AT_ONCE: usize = 4;

/// The settings that all connections share.
pub(super) struct Connections {
    handlers: Arc<Handlers>,
    pub(super) registry: Registry,
    /// The turns of the busy connections: half of the threads.
    turns: Arc<Semaphore>,
}

impl Connections {
    pub(super) fn new(handlers: Handlers) -> Self {
        let threads = Handle::current().metrics().num_workers();
        Self {
            handlers: Arc::new(handlers),
            registry: Registry::default(),
            turns: Arc::new(Semaphore::new((threads / 2).max(1))),
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
        let reader = Reader {
            socket: reader,
            exchanges: Arc::clone(&exchanges),
            at_once: 0,
        };
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

/// The bytes that arrive on a connection. Reading fails after too many without progress, as with a flood of
/// frames that ask for nothing.
struct Reader {
    socket: OwnedReadHalf,
    exchanges: Arc<Exchanges>,
    /// The bytes that have been read in this turn.
    at_once: usize,
}

impl AsyncRead for Reader {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.at_once >= MAX_AT_ONCE {
            self.at_once = 0;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.socket).poll_read(context, buffer);
        if read.is_pending() {
            self.at_once = 0;
        }
        ready!(read)?;
        let length = buffer.filled().len() - before;
        self.at_once += length;
        match self.exchanges.receive(length) {
            0..=MAX_WITHOUT_PROGRESS => Poll::Ready(Ok(())),
            _ => Poll::Ready(Err(io::Error::other("too many bytes without progress"))),
        }
    }
}

/// The streams of an HTTP/2 connection, which run in its task: whatever a connection asks for at once, it
/// has one place in the queue of its thread.
#[derive(Clone, Default)]
struct Streams(Arc<Mutex<Vec<Stream>>>);

type Stream = Pin<Box<dyn Future<Output = ()> + Send>>;

impl<F: Future<Output = ()> + Send + 'static> Executor<F> for Streams {
    fn execute(&self, stream: F) {
        self.0.lock().push(Box::pin(stream));
    }
}

/// Runs a connection and its streams to the end of the connection. While it is busy, it waits for its turn
/// among the busy ones, so that others never have to wait for many of them.
async fn in_turns<C: Future>(
    connection: C,
    begun: Streams,
    exchanges: &Exchanges,
    turns: &Semaphore,
) -> C::Output {
    let mut connection = pin!(connection);
    let mut streams = FuturesUnordered::new();
    let mut is_busy = false;
    loop {
        let turn = match is_busy {
            true => turns.acquire().await.ok(),
            false => None,
        };
        let polled = poll_fn(|context| {
            let polled = connection.as_mut().poll(context);
            streams.extend(begun.0.lock().drain(..));
            let mut left = STREAMS_AT_ONCE;
            while left > 0 && streams.poll_next_unpin(context) == Poll::Ready(Some(())) {
                left -= 1;
            }
            is_busy = left == 0 || exchanges.is_flooded();
            if left == 0 {
                context.waker().wake_by_ref();
            }
            Poll::Ready(polled)
        })
        .await;
        drop(turn);
        if let Poll::Ready(output) = polled {
            return output;
        }
        // Until the task is polled again.
        pending!();
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::pending,
        sync::atomic::{AtomicUsize, Ordering},
        task::Waker,
    };

    use super::*;

    /// A connection with streams that are answered at once, and the number of those that have been.
    fn connection(
        count: usize,
        turns: &Arc<Semaphore>,
    ) -> (Pin<Box<dyn Future<Output = ()>>>, Arc<AtomicUsize>) {
        let (streams, answered) = (Streams::default(), Arc::new(AtomicUsize::new(0)));
        for _ in 0..count {
            let answered = Arc::clone(&answered);
            streams.execute(async move {
                answered.fetch_add(1, Ordering::Relaxed);
            });
        }
        let turns = Arc::clone(turns);
        let connection =
            Box::pin(async move { in_turns(pending(), streams, &Exchanges::new(), &turns).await });
        (connection, answered)
    }

    fn poll(connection: &mut Pin<Box<dyn Future<Output = ()>>>) {
        let context = &mut Context::from_waker(Waker::noop());
        assert!(connection.as_mut().poll(context).is_pending());
    }

    #[test]
    fn streams_of_a_connection_are_answered_a_few_at_a_time() {
        let turns = Arc::new(Semaphore::new(1));
        let (mut connection, answered) = connection(100, &turns);
        for turn in 1..=25 {
            poll(&mut connection);
            assert_eq!(answered.load(Ordering::Relaxed), turn * STREAMS_AT_ONCE);
        }
    }

    #[test]
    fn a_busy_connection_waits_for_its_turn_and_another_does_not() {
        let turns = Arc::new(Semaphore::new(1));
        let turn = turns.try_acquire().unwrap();
        for (count, before) in [(100, STREAMS_AT_ONCE), (1, 1)] {
            let (mut connection, answered) = connection(count, &turns);
            (0..100).for_each(|_| poll(&mut connection));
            assert_eq!(answered.load(Ordering::Relaxed), before);
        }
        let (mut connection, answered) = connection(100, &turns);
        poll(&mut connection);
        drop(turn);
        (0..100).for_each(|_| poll(&mut connection));
        assert_eq!(answered.load(Ordering::Relaxed), 100);
    }
}
