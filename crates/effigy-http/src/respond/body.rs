//! The bodies of responses, whose bytes are sent in frames and count as waiting until they have left, and the
//! exchanges of a connection: its requests until then.

use std::{
    convert::Infallible,
    mem,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

use bytes::Bytes;
use effigy_service::Permit;
use hyper::body::{Body, Frame, SizeHint};
use parking_lot::{Mutex, MutexGuard};
use tokio::time::Instant;

/// The longest frame. A connection makes progress with each.
const MAX_FRAME_BYTES: usize = 64 << 10;

/// The body of a response.
#[derive(Debug, Default)]
pub(crate) struct ResponseBody {
    /// The bytes that are left.
    pub(crate) bytes: Bytes,
    waiting: Option<Waiting>,
}

/// The exchange of a response, and the permit for its bytes.
type Waiting = (Exchange, Option<Permit>);

/// The last frame of a body, which may wait in the buffers of the connection.
struct LastFrame {
    bytes: Bytes,
    _waiting: Waiting,
}

impl ResponseBody {
    /// Keeps the exchange and the permit until the last of the bytes have left.
    pub(crate) fn wait(&mut self, exchange: Exchange, permit: Option<Permit>) {
        self.waiting = Some((exchange, permit));
    }
}

impl From<Bytes> for ResponseBody {
    fn from(bytes: Bytes) -> Self {
        let waiting = None;
        Self { bytes, waiting }
    }
}

impl AsRef<[u8]> for LastFrame {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.bytes.is_empty() {
            return Poll::Ready(None);
        }
        if let Some((exchange, _)) = &self.waiting {
            exchange.record(Instant::now());
        }
        let mut frame = match self.bytes.len() {
            0..=MAX_FRAME_BYTES => mem::take(&mut self.bytes),
            _ => self.bytes.split_to(MAX_FRAME_BYTES),
        };
        if self.bytes.is_empty()
            && let Some(_waiting) = self.waiting.take()
        {
            let bytes = frame;
            frame = Bytes::from_owner(LastFrame { bytes, _waiting });
        }
        Poll::Ready(Some(Ok(Frame::data(frame))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes.len() as u64)
    }
}

/// The bytes without progress of a connection that does not ask for much.
const CALM_BYTES: usize = 8 << 10;

/// The open exchanges of a connection.
#[derive(Debug)]
pub(crate) struct Exchanges {
    state: Mutex<State>,
    /// The number of bytes that arrived since the last progress, without those of uploads that were read.
    received: AtomicUsize,
}

#[derive(Debug)]
struct State {
    open: Vec<Open>,
    /// The number of exchanges until now.
    begun: u64,
    /// The time of the last progress: a request begins or is answered, or bytes of a response leave.
    last: Instant,
}

#[derive(Debug)]
struct Open {
    number: u64,
    /// The time since when the response waits, or since which no bytes of it have left.
    waits_since: Option<Instant>,
}

/// An open exchange. It is over when this is dropped.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) connection: Arc<Exchanges>,
    number: u64,
}

impl Exchanges {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(State {
                open: Vec::new(),
                begun: 0,
                last: Instant::now(),
            }),
            received: AtomicUsize::new(0),
        })
    }

    /// Begins the exchange of a request that arrived at `now`.
    pub(crate) fn begin(self: &Arc<Self>, now: Instant) -> Exchange {
        let mut state = self.progress(now);
        state.begun += 1;
        let number = state.begun;
        let waits_since = None;
        state.open.push(Open {
            number,
            waits_since,
        });
        Exchange {
            connection: Arc::clone(self),
            number,
        }
    }

    /// Returns the time of the last progress, if no request is being answered. Bytes that arrive are none, so a
    /// client cannot hold the connection by sending a request's head slowly, or frames that ask for nothing.
    pub(crate) fn idle_since(&self) -> Option<Instant> {
        let state = self.state.lock();
        (!state.is_answering()).then_some(state.last)
    }

    /// Returns the time of the last progress, if a request is being answered.
    pub(crate) fn answering_since(&self) -> Option<Instant> {
        let state = self.state.lock();
        state.is_answering().then_some(state.last)
    }

    /// Returns the time since which no bytes of a response have left: that of the response which waits for
    /// the longest time.
    pub(crate) fn stalled_since(&self) -> Option<Instant> {
        let state = self.state.lock();
        state.open.iter().filter_map(|open| open.waits_since).min()
    }

    /// Returns the number of responses that have not left yet.
    pub(crate) fn waiting(&self) -> usize {
        let state = self.state.lock();
        let waiting = state.open.iter().filter_map(|open| open.waits_since);
        waiting.count()
    }

    /// Counts bytes that arrive. Returns how many have arrived since the last progress.
    pub(crate) fn receive(&self, bytes: usize) -> usize {
        self.received.fetch_add(bytes, Ordering::Relaxed) + bytes
    }

    /// Records that bytes of an upload have been read. What surrounds them is no progress.
    pub(crate) fn read(&self, bytes: usize) {
        let left = |received: usize| received.saturating_sub(bytes);
        self.received
            .update(Ordering::Relaxed, Ordering::Relaxed, left);
    }

    /// Tells whether much has arrived without progress.
    pub(crate) fn is_flooded(&self) -> bool {
        self.received.load(Ordering::Relaxed) > CALM_BYTES
    }

    fn progress(&self, now: Instant) -> MutexGuard<'_, State> {
        self.received.store(0, Ordering::Relaxed);
        let mut state = self.state.lock();
        state.last = now;
        state
    }
}

impl State {
    fn is_answering(&self) -> bool {
        self.open.iter().any(|open| open.waits_since.is_none())
    }
}

impl Exchange {
    /// Records that the response is complete at `now`, or that bytes of it leave.
    pub(crate) fn record(&self, now: Instant) {
        let mut state = self.connection.progress(now);
        let mut open = state.open.iter_mut();
        if let Some(open) = open.find(|open| open.number == self.number) {
            open.waits_since = Some(now);
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let mut state = self.connection.progress(Instant::now());
        state.open.retain(|open| open.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::{task::Waker, time::Duration};

    use super::*;

    #[test]
    fn a_body_is_sent_in_frames() {
        let bytes: Bytes = b"012345678901234".repeat(MAX_FRAME_BYTES / 10).into();
        let (mut body, mut frames) = (ResponseBody::from(bytes.clone()), Vec::new());
        while !body.is_end_stream() {
            let left = body.size_hint().exact().unwrap();
            let context = &mut Context::from_waker(Waker::noop());
            let Poll::Ready(Some(Ok(frame))) = Pin::new(&mut body).poll_frame(context) else {
                panic!("a body always has its next frame");
            };
            let frame = frame.into_data().unwrap();
            assert_eq!(body.size_hint().exact(), Some(left - frame.len() as u64));
            frames.push(frame);
        }
        let lengths: Vec<usize> = frames.iter().map(Bytes::len).collect();
        assert_eq!(lengths, [MAX_FRAME_BYTES, bytes.len() - MAX_FRAME_BYTES]);
        assert_eq!(frames.concat(), bytes);
        assert!(ResponseBody::default().is_end_stream());
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_connection_without_a_request_is_idle() {
        let (exchanges, start) = (Exchanges::new(), Instant::now());
        tokio::time::advance(SECOND * 10).await;
        exchanges.receive(100);
        assert_eq!(exchanges.idle_since(), Some(start));
        assert_eq!(exchanges.answering_since(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_may_be_read_slowly() {
        let (exchanges, start) = (Exchanges::new(), Instant::now());
        let exchange = exchanges.begin(start);
        tokio::time::advance(SECOND * 50).await;
        assert_eq!(exchanges.answering_since(), Some(start));
        assert_eq!(exchanges.idle_since(), None);
        for _ in 0..5 {
            tokio::time::advance(SECOND * 20).await;
            exchange.record(Instant::now());
            assert_eq!(exchanges.idle_since(), Some(Instant::now()));
            assert_eq!(exchanges.answering_since(), None);
        }
        drop(exchange);
        assert_eq!((exchanges.waiting(), exchanges.stalled_since()), (0, None));
    }

    #[tokio::test(start_paused = true)]
    async fn the_response_that_waits_longest_counts() {
        let (exchanges, start) = (Exchanges::new(), Instant::now());
        let [stalled, sent, asked] = [(); 3].map(|()| exchanges.begin(start));
        stalled.record(start);
        sent.record(start);
        tokio::time::advance(SECOND * 10).await;
        let now = Instant::now();
        sent.record(now);
        assert_eq!(
            (exchanges.waiting(), exchanges.stalled_since()),
            (2, Some(start))
        );
        assert_eq!(exchanges.answering_since(), Some(now));
        drop((stalled, asked));
        assert_eq!(exchanges.stalled_since(), Some(now));
        assert_eq!(exchanges.idle_since(), Some(now));
    }

    #[tokio::test]
    async fn requests_and_the_bytes_of_uploads_are_progress() {
        let exchanges = Exchanges::new();
        assert_eq!(exchanges.receive(100), 100);
        let exchange = exchanges.begin(Instant::now());
        assert_eq!(exchanges.receive(100), 100);
        exchanges.read(30);
        assert_eq!(exchanges.receive(100), 170);
        exchanges.read(1_000);
        assert_eq!(exchanges.receive(100), 100);
        exchange.record(Instant::now());
        assert_eq!(exchanges.receive(100), 100);
        drop(exchange);
        assert_eq!(exchanges.receive(0), 0);
    }
}
