//! A connection that ends when nothing moves on it any more.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep_until},
};

/// How long a connection may be silent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// Without a byte in either direction while a request is being answered.
    pub(crate) busy: Duration,
    /// Without a whole head of a request while none is, counted from the last byte of an answer.
    pub(crate) idle: Duration,
}

/// What is going on on a connection, as those who answer its requests say.
///
/// The protocol's own timer would be set anew with each request, which costs more than the rest of
/// a hit in the cache.
#[derive(Debug)]
pub(crate) struct Activity {
    begun: Instant,
    requests: AtomicUsize,
    /// When the last request ended, in milliseconds since the beginning.
    last_end: AtomicU64,
}

impl Activity {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            begun: Instant::now(),
            requests: AtomicUsize::new(0),
            last_end: AtomicU64::new(0),
        })
    }

    /// A request is being answered until what this gives is dropped.
    pub(crate) fn request(self: &Arc<Self>) -> InFlight {
        self.requests.fetch_add(1, Ordering::Relaxed);
        InFlight(Arc::clone(self))
    }

    /// Since when no request has been in flight; nothing while one is.
    fn idle_since(&self) -> Option<Instant> {
        if self.requests.load(Ordering::Relaxed) > 0 {
            return None;
        }
        let millis = self.last_end.load(Ordering::Relaxed);
        Some(self.begun + Duration::from_millis(millis))
    }
}

/// A request that is being answered.
pub(crate) struct InFlight(Arc<Activity>);

impl Drop for InFlight {
    fn drop(&mut self) {
        let millis = self.0.begun.elapsed().as_millis();
        let millis = u64::try_from(millis).unwrap_or(u64::MAX);
        self.0.last_end.store(millis, Ordering::Relaxed);
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A stream whose reads and writes fail when patience is over: with a client that says nothing,
/// says too little, or does not read what it asked for.
pub(crate) struct Guarded<S> {
    stream: S,
    patience: Patience,
    activity: Arc<Activity>,
    last_read: Instant,
    last_written: Instant,
    alarm: Pin<Box<Sleep>>,
}

impl<S> Guarded<S> {
    pub(crate) fn new(stream: S, patience: Patience, activity: Arc<Activity>) -> Self {
        let now = Instant::now();
        Self {
            stream,
            patience,
            activity,
            last_read: now,
            last_written: now,
            alarm: Box::pin(sleep_until(now + patience.idle)),
        }
    }

    /// When patience ends, if nothing happens until then.
    fn end(&self) -> Instant {
        match self.activity.idle_since() {
            Some(since) => since.max(self.last_written) + self.patience.idle,
            None => self.last_read.max(self.last_written) + self.patience.busy,
        }
    }

    /// Whether patience is over; else there will be a look again.
    fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        // The alarm is set anew when it rings, not with each byte.
        loop {
            ready!(self.alarm.as_mut().poll(context));
            let (end, now) = (self.end(), Instant::now());
            if now >= end {
                return Poll::Ready(io::ErrorKind::TimedOut.into());
            }
            // The end may come nearer than it is now.
            self.alarm.as_mut().reset(end.min(now + self.patience.idle));
        }
    }

    fn read<T>(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_pending() {
            return self.poll_end(context).map(Err);
        }
        self.last_read = Instant::now();
        outcome
    }

    fn written<T>(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_pending() {
            return self.poll_end(context).map(Err);
        }
        self.last_written = Instant::now();
        outcome
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Guarded<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.read(context, outcome)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Guarded<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(context, outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.written(context, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A socket has nothing to flush; this never waits.
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_shutdown(context);
        self.written(context, outcome)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    const PATIENCE: Patience = Patience {
        busy: Duration::from_secs(60),
        idle: Duration::from_secs(30),
    };
    const SECOND: Duration = Duration::from_secs(1);

    fn pair(room: usize) -> (tokio::io::DuplexStream, Guarded<tokio::io::DuplexStream>) {
        let (client, server) = duplex(room);
        let activity = Activity::new();
        (client, Guarded::new(server, PATIENCE, activity))
    }

    /// When it timed out.
    #[track_caller]
    fn timed_out<T>(begun: Instant, outcome: io::Result<T>) -> u64 {
        let error = outcome.err().expect("patience has an end");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        begun.elapsed().as_secs()
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_says_nothing_is_given_up() {
        let (begun, (_client, mut server)) = (Instant::now(), pair(10));
        assert_eq!(timed_out(begun, server.read_u8().await), 30);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_says_its_head_byte_by_byte_is_given_up() {
        let (begun, (mut client, mut server)) = (Instant::now(), pair(10));
        let slow = tokio::spawn(async move {
            while client.write_u8(7).await.is_ok() {
                tokio::time::sleep(SECOND).await;
            }
        });
        let outcome = loop {
            if let Err(error) = server.read_u8().await {
                break error;
            }
        };
        assert_eq!(timed_out::<()>(begun, Err(outcome)), 30);
        drop(server);
        slow.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_is_given_up() {
        let (begun, (_client, mut server)) = (Instant::now(), pair(10));
        let asked = server.activity.request();
        tokio::time::sleep(SECOND * 10).await;
        drop(asked);
        // Ten bytes have room.
        assert_eq!(timed_out(begun, server.write_all(&[0; 11]).await), 40);
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_may_take_longer_and_be_read_slowly() {
        let (begun, (mut client, mut server)) = (Instant::now(), pair(1));
        let asked = server.activity.request();
        let waiting = tokio::time::timeout(SECOND * 50, server.read_u8()).await;
        assert!(waiting.is_err(), "a client waits in silence");
        drop(asked);
        let slow = tokio::spawn(async move {
            for byte in 0..5 {
                tokio::time::sleep(SECOND * 20).await;
                assert_eq!(client.read_u8().await.unwrap(), byte);
            }
            client
        });
        server.write_all(&[0, 1, 2, 3, 4]).await.unwrap();
        // The last byte left after 130 s, and the client says nothing after that.
        assert_eq!(timed_out(begun, server.read_u8().await), 160);
        drop(slow.await.unwrap());
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_is_never_answered_ends_too() {
        let (begun, (_client, mut server)) = (Instant::now(), pair(1));
        let _asked = server.activity.request();
        assert_eq!(timed_out(begun, server.read_u8().await), 60);
    }
}
