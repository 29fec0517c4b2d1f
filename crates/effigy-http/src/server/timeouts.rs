//! Timeouts of a connection on which nothing moves any more.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

/// How long a connection may stay without progress while no request is being answered. Bytes that
/// arrive do not extend it, so a client cannot hold the connection by sending a request's head slowly.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// The progress of a connection, as its handlers and its stream report it: a request begins or ends,
/// or bytes leave.
///
/// hyper's own timer is set anew with each request, which costs more than the rest of a cache hit.
#[derive(Debug)]
pub(crate) struct Activity {
    start: Instant,
    /// The number of requests that are being answered.
    requests: AtomicUsize,
    /// The number of large pictures that are being sent.
    large_pictures: AtomicUsize,
    /// The time of the last progress, in milliseconds after `start`.
    last_millis: AtomicU64,
}

/// A request that is being answered.
pub(super) struct InFlight(Arc<Activity>);

/// A large picture that is being sent.
#[derive(Debug)]
pub(crate) struct LargePictureInFlight(Arc<Activity>);

impl Activity {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            start: Instant::now(),
            requests: AtomicUsize::new(0),
            large_pictures: AtomicUsize::new(0),
            last_millis: AtomicU64::new(0),
        })
    }

    /// Counts a request as being answered until the returned guard is dropped.
    pub(super) fn begin_request(self: &Arc<Self>, now: Instant) -> InFlight {
        self.record(now);
        self.requests.fetch_add(1, Ordering::Relaxed);
        InFlight(Arc::clone(self))
    }

    /// Counts a large picture as being sent until the returned guard is dropped.
    pub(crate) fn begin_large_picture(self: &Arc<Self>) -> LargePictureInFlight {
        self.large_pictures.fetch_add(1, Ordering::Relaxed);
        LargePictureInFlight(Arc::clone(self))
    }

    /// Returns `true` while large pictures are being sent.
    pub(super) fn sends_large_pictures(&self) -> bool {
        self.large_pictures.load(Ordering::Relaxed) > 0
    }

    /// Completes when the connection has timed out. While a request is being answered, it may stay
    /// without progress for `response_timeout`.
    pub(super) async fn timed_out(&self, response_timeout: Duration) {
        loop {
            let (deadline, now) = (self.deadline(response_timeout), Instant::now());
            if now >= deadline {
                return;
            }
            // The deadline may come nearer when a request ends.
            sleep_until(deadline.min(now + IDLE_TIMEOUT)).await;
        }
    }

    fn deadline(&self, response_timeout: Duration) -> Instant {
        let last = Duration::from_millis(self.last_millis.load(Ordering::Relaxed));
        let timeout = match self.requests.load(Ordering::Relaxed) {
            0 => IDLE_TIMEOUT,
            _ => response_timeout,
        };
        self.start + last + timeout
    }

    pub(super) fn record(&self, now: Instant) {
        let millis = u64::try_from((now - self.start).as_millis());
        let millis = millis.expect("a connection does not last 500 million years");
        self.last_millis.store(millis, Ordering::Relaxed);
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.record(Instant::now());
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for LargePictureInFlight {
    fn drop(&mut self) {
        self.0.large_pictures.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, duplex};
    use tokio_util::io::InspectWriter;

    use super::*;

    const RESPONSE_TIMEOUT: Duration = Duration::from_secs(60);
    const SECOND: Duration = Duration::from_secs(1);

    /// A connection whose client has room for some bytes that it has not read.
    fn connection(room: usize) -> (DuplexStream, impl AsyncRead + AsyncWrite, Arc<Activity>) {
        let (client, server) = duplex(room);
        let activity = Activity::new();
        let written = Arc::clone(&activity);
        let server = InspectWriter::new(server, move |_| written.record(Instant::now()));
        (client, server, activity)
    }

    /// Returns after how many seconds the connection timed out, while `work` went on.
    async fn timed_out(activity: &Activity, work: impl Future) -> u64 {
        let begun = Instant::now();
        let work = async {
            work.await;
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = activity.timed_out(RESPONSE_TIMEOUT) => begun.elapsed().as_secs(),
            () = work => unreachable!("the work never ends"),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_sends_nothing_times_out() {
        let (_client, _server, activity) = connection(10);
        assert_eq!(timed_out(&activity, async {}).await, 30);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_sends_its_head_byte_by_byte_times_out() {
        let (mut client, server, activity) = connection(10);
        let mut server = pin!(server);
        let slow = async {
            loop {
                client.write_u8(7).await.unwrap();
                server.read_u8().await.unwrap();
                tokio::time::sleep(SECOND).await;
            }
        };
        assert_eq!(timed_out(&activity, slow).await, 30);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_times_out() {
        let (_client, server, activity) = connection(10);
        let mut server = pin!(server);
        let response = async {
            let request = activity.begin_request(Instant::now());
            tokio::time::sleep(SECOND * 10).await;
            drop(request);
            // The client has room for ten bytes.
            server.write_all(&[0; 11]).await.unwrap();
        };
        assert_eq!(timed_out(&activity, response).await, 40);
    }

    #[tokio::test(start_paused = true)]
    async fn a_response_may_take_longer_and_be_read_slowly() {
        let (mut client, server, activity) = connection(1);
        let mut server = pin!(server);
        let response = async {
            let request = activity.begin_request(Instant::now());
            tokio::time::sleep(SECOND * 50).await;
            drop(request);
            server.write_all(&[0, 1, 2, 3, 4]).await.unwrap();
        };
        let slow = async {
            tokio::time::sleep(SECOND * 50).await;
            for byte in 0..5 {
                tokio::time::sleep(SECOND * 20).await;
                assert_eq!(client.read_u8().await.unwrap(), byte);
            }
        };
        // The last byte leaves after 130 s, and the client sends nothing after that.
        let both = async { tokio::join!(response, slow) };
        assert_eq!(timed_out(&activity, both).await, 160);
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_is_never_answered_times_out() {
        let (_client, _server, activity) = connection(1);
        let _request = activity.begin_request(Instant::now());
        assert_eq!(timed_out(&activity, async {}).await, 60);
    }
}
