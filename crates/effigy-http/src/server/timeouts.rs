//! Timeouts of a connection on which nothing moves any more.

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
pub(super) struct Timeouts {
    /// The time without a byte in either direction while a request is being answered.
    pub(super) response: Duration,
    /// The time without the complete head of a request while none is being answered, counted from
    /// the last byte of a response.
    pub(super) idle: Duration,
}

/// A stream whose reads and writes fail with [`io::ErrorKind::TimedOut`] when the client sends
/// nothing, sends too little, or does not read the response.
pub(super) struct TimeoutStream<S> {
    stream: S,
    timeouts: Timeouts,
    activity: Arc<Activity>,
    last_read: Instant,
    last_written: Instant,
    timer: Pin<Box<Sleep>>,
}

impl<S> TimeoutStream<S> {
    pub(super) fn new(stream: S, timeouts: Timeouts, activity: Arc<Activity>) -> Self {
        let now = Instant::now();
        Self {
            stream,
            timeouts,
            activity,
            last_read: now,
            last_written: now,
            timer: Box::pin(sleep_until(now + timeouts.idle)),
        }
    }

    /// Returns when the connection times out if nothing happens until then.
    fn deadline(&self) -> Instant {
        match self.activity.idle_since() {
            Some(since) => since.max(self.last_written) + self.timeouts.idle,
            None => self.last_read.max(self.last_written) + self.timeouts.response,
        }
    }

    /// Completes when the deadline has passed.
    fn poll_deadline(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        // The timer is reset when it fires instead of with each byte.
        loop {
            ready!(self.timer.as_mut().poll(context));
            let (deadline, now) = (self.deadline(), Instant::now());
            if now >= deadline {
                return Poll::Ready(io::ErrorKind::TimedOut.into());
            }
            // The deadline may come nearer when a request ends.
            let next = deadline.min(now + self.timeouts.idle);
            self.timer.as_mut().reset(next);
        }
    }

    fn after_read<T>(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_pending() {
            return self.poll_deadline(context).map(Err);
        }
        self.last_read = Instant::now();
        outcome
    }

    fn after_write<T>(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_pending() {
            return self.poll_deadline(context).map(Err);
        }
        self.last_written = Instant::now();
        outcome
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimeoutStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.after_read(context, outcome)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimeoutStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.after_write(context, outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.after_write(context, outcome)
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
        self.after_write(context, outcome)
    }
}

/// The requests of a connection that are being answered, as its handlers report them.
///
/// hyper's own timer is set anew with each request, which costs more than the rest of a cache hit.
#[derive(Debug)]
pub(super) struct Activity {
    start: Instant,
    requests: AtomicUsize,
    /// When the last request ended, in milliseconds after `start`.
    last_end_millis: AtomicU64,
}

impl Activity {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            start: Instant::now(),
            requests: AtomicUsize::new(0),
            last_end_millis: AtomicU64::new(0),
        })
    }

    /// Counts a request as being answered until the returned guard is dropped.
    pub(super) fn begin_request(self: &Arc<Self>) -> InFlight {
        self.requests.fetch_add(1, Ordering::Relaxed);
        InFlight(Arc::clone(self))
    }

    /// Returns when the last request ended, or nothing while one is in flight.
    fn idle_since(&self) -> Option<Instant> {
        if self.requests.load(Ordering::Relaxed) > 0 {
            return None;
        }
        let millis = self.last_end_millis.load(Ordering::Relaxed);
        Some(self.start + Duration::from_millis(millis))
    }
}

/// A request that is being answered.
pub(super) struct InFlight(Arc<Activity>);

impl Drop for InFlight {
    fn drop(&mut self) {
        let millis = u64::try_from(self.0.start.elapsed().as_millis());
        let millis = millis.expect("a connection does not last 500 million years");
        self.0.last_end_millis.store(millis, Ordering::Relaxed);
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    const TIMEOUTS: Timeouts = Timeouts {
        response: Duration::from_secs(60),
        idle: Duration::from_secs(30),
    };
    const SECOND: Duration = Duration::from_secs(1);

    fn pair(
        room: usize,
    ) -> (
        tokio::io::DuplexStream,
        TimeoutStream<tokio::io::DuplexStream>,
    ) {
        let (client, server) = duplex(room);
        let activity = Activity::new();
        (client, TimeoutStream::new(server, TIMEOUTS, activity))
    }

    /// Returns after how many seconds the operation timed out.
    #[track_caller]
    fn timed_out<T>(begun: Instant, outcome: io::Result<T>) -> u64 {
        let error = outcome.err().expect("the operation times out");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        begun.elapsed().as_secs()
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_sends_nothing_times_out() {
        let (begun, (_client, mut server)) = (Instant::now(), pair(10));
        assert_eq!(timed_out(begun, server.read_u8().await), 30);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_sends_its_head_byte_by_byte_times_out() {
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
    async fn a_client_that_reads_nothing_times_out() {
        let (begun, (_client, mut server)) = (Instant::now(), pair(10));
        let request = server.activity.begin_request();
        tokio::time::sleep(SECOND * 10).await;
        drop(request);
        // The buffer has room for ten bytes.
        assert_eq!(timed_out(begun, server.write_all(&[0; 11]).await), 40);
    }

    #[tokio::test(start_paused = true)]
    async fn a_response_may_take_longer_and_be_read_slowly() {
        let (begun, (mut client, mut server)) = (Instant::now(), pair(1));
        let request = server.activity.begin_request();
        let waiting = tokio::time::timeout(SECOND * 50, server.read_u8()).await;
        assert!(waiting.is_err(), "the client may wait silently");
        drop(request);
        let slow = tokio::spawn(async move {
            for byte in 0..5 {
                tokio::time::sleep(SECOND * 20).await;
                assert_eq!(client.read_u8().await.unwrap(), byte);
            }
            client
        });
        server.write_all(&[0, 1, 2, 3, 4]).await.unwrap();
        // The last byte left after 130 s, and the client sends nothing after that.
        assert_eq!(timed_out(begun, server.read_u8().await), 160);
        drop(slow.await.unwrap());
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_is_never_answered_times_out() {
        let (begun, (_client, mut server)) = (Instant::now(), pair(1));
        let _request = server.activity.begin_request();
        assert_eq!(timed_out(begun, server.read_u8().await), 60);
    }
}
