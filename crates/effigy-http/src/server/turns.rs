//! What one connection may make a thread do at a time, and in all without progress.

use std::{
    future::poll_fn,
    io,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, ready},
};

use futures_util::{StreamExt, stream::FuturesUnordered};
use hyper::rt::Executor;
use parking_lot::Mutex;
use tokio::{
    io::{AsyncRead, ReadBuf},
    net::tcp::OwnedReadHalf,
    runtime::Handle,
    sync::Semaphore,
};

use crate::respond::body::Exchanges;

/// The bytes of all requests of a connection that HTTP/2 receives before they are read.
pub(super) const CONNECTION_WINDOW: u32 = 256 << 10;

/// The bytes that a connection may send without progress. No client needs more than a head and the parts of
/// uploads that have not been read yet.
const MAX_WITHOUT_PROGRESS: usize = 2 * CONNECTION_WINDOW as usize;

/// The bytes that are read of a connection before others have their turn.
const MAX_AT_ONCE: usize = 16 << 10;

/// The streams of a connection that are answered before others have their turn.
const STREAMS_AT_ONCE: usize = 4;

/// The bytes that arrive on a connection. Reading fails after too many without progress, as with a flood of
/// frames that ask for nothing.
pub(super) struct Reader {
    socket: OwnedReadHalf,
    exchanges: Arc<Exchanges>,
    at_once: usize,
}

impl Reader {
    pub(super) const fn new(socket: OwnedReadHalf, exchanges: Arc<Exchanges>) -> Self {
        Self {
            socket,
            exchanges,
            at_once: 0,
        }
    }
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

/// The turns of the busy connections: half of the threads.
pub(super) fn turns() -> Arc<Semaphore> {
    let threads = Handle::current().metrics().num_workers();
    Arc::new(Semaphore::new((threads / 2).max(1)))
}

/// The streams of an HTTP/2 connection, which run in its task: whatever a connection asks for at once, it
/// has one place in the queue of its thread.
#[derive(Clone, Default)]
pub(super) struct Streams(Arc<Mutex<Vec<Stream>>>);

type Stream = Pin<Box<dyn Future<Output = ()> + Send>>;

impl<F: Future<Output = ()> + Send + 'static> Executor<F> for Streams {
    fn execute(&self, stream: F) {
        self.0.lock().push(Box::pin(stream));
    }
}

/// Runs a connection and its streams to the end of the connection. While it is busy, it waits for its turn
/// among the busy ones, so that others never have to wait for many of them.
pub(super) async fn in_turns<C: Future>(
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
        woken().await;
    }
}

/// Completes when the task is polled again.
async fn woken() {
    let mut is_polled = false;
    poll_fn(|_| match std::mem::replace(&mut is_polled, true) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await;
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
