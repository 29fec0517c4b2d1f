//! What one connection may make a thread do at a time, and in all without progress.

use std::{
    future::poll_fn,
    io,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncRead, ReadBuf},
    net::tcp::OwnedReadHalf,
    runtime::Handle,
    sync::Semaphore,
};

use super::connection::{CONNECTION_WINDOW, MAX_HEAD_BYTES};
use crate::respond::exchange::Exchanges;

/// The bytes that a connection may send without progress. No client needs more than one head, and the
/// parts of uploads that wait until they are read.
const MAX_WITHOUT_PROGRESS: usize = (MAX_HEAD_BYTES + CONNECTION_WINDOW) as usize;

/// The bytes that are read of a connection before others have their turn.
const MAX_AT_ONCE: usize = 16 << 10;

/// The time after which a connection that has kept its thread counts as busy.
const LONG: Duration = Duration::from_micros(200);

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

/// Runs a connection to its end. While it is busy, it waits for its turn among the busy ones, so that
/// others never have to wait for many of them.
pub(super) async fn in_turns<C: Future>(connection: C, turns: &Semaphore) -> C::Output {
    let mut connection = pin!(connection);
    let mut is_busy = false;
    loop {
        let turn = match is_busy {
            true => turns.acquire().await.ok(),
            false => None,
        };
        let begun = Instant::now();
        let polled = poll_fn(|context| Poll::Ready(connection.as_mut().poll(context))).await;
        is_busy = begun.elapsed() >= LONG;
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
