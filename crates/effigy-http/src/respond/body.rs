//! The bodies of responses, whose bytes are sent in frames and count as waiting until they have left, and the
//! exchanges of a connection: its requests until then.

use std::{
    io::{self, Read},
    mem,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

use bytes::{Buf, Bytes, buf::Reader};
use effigy_service::Permit;
use flate2::bufread::GzDecoder;
use hyper::body::{Body, Frame, SizeHint};
use parking_lot::{Mutex, MutexGuard};
use tokio::time::Instant;

/// The longest frame. A connection makes progress with each.
const MAX_FRAME_BYTES: usize = 64 << 10;

/// The body of a response.
#[derive(Debug, Default)]
pub(crate) struct ResponseBody {
    content: Content,
    waiting: Option<Waiting>,
}

/// The exchange of a response, and the permit for its bytes.
type Waiting = (Exchange, Option<Permit>);

#[derive(Debug)]
enum Content {
    /// The bytes that are left.
    Plain(Bytes),
    /// A gzip file for a client that does not accept gzip.
    Gzip(Box<Gzip>),
}

#[derive(Debug)]
struct Gzip {
    decoder: GzDecoder<Reader<Bytes>>,
    /// The number of decompressed bytes that are left.
    left: usize,
}

/// The last frame of a body, which may wait in the buffers of the connection.
struct LastFrame {
    bytes: Bytes,
    _waiting: Waiting,
}

impl ResponseBody {
    pub(super) const fn new(bytes: Bytes) -> Self {
        Self {
            content: Content::Plain(bytes),
            waiting: None,
        }
    }

    /// A body that decompresses a gzip file while it is sent.
    pub(super) fn decompressed(file: Bytes) -> Self {
        // The file ends with the length of its content. RFC 1952, 2.3.1.
        let length = file
            .last_chunk()
            .map_or(0, |length| u32::from_le_bytes(*length));
        let gzip = Gzip {
            decoder: GzDecoder::new(file.reader()),
            left: length as usize,
        };
        Self {
            content: Content::Gzip(Box::new(gzip)),
            waiting: None,
        }
    }

    /// Returns the bytes that are left, unless they are decompressed while they are sent.
    pub(crate) const fn bytes(&self) -> Option<&Bytes> {
        match &self.content {
            Content::Plain(bytes) => Some(bytes),
            Content::Gzip(_) => None,
        }
    }

    /// Returns the memory that the body takes while it is sent.
    pub(crate) fn memory(&self) -> usize {
        match &self.content {
            Content::Plain(bytes) => bytes.len(),
            // A frame, and the decoder with its window.
            Content::Gzip(gzip) => gzip.decoder.get_ref().get_ref().len() + 2 * MAX_FRAME_BYTES,
        }
    }

    /// Keeps the exchange and the permit until the last of the bytes have left.
    pub(crate) fn wait(&mut self, exchange: Exchange, permit: Option<Permit>) {
        self.waiting = Some((exchange, permit));
    }
}

impl AsRef<[u8]> for LastFrame {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Content {
    fn left(&self) -> usize {
        match self {
            Self::Plain(bytes) => bytes.len(),
            Self::Gzip(gzip) => gzip.left,
        }
    }

    /// Takes the next frame.
    fn take(&mut self, length: usize) -> io::Result<Bytes> {
        match self {
            Self::Plain(bytes) if bytes.len() == length => Ok(mem::take(bytes)),
            Self::Plain(bytes) => Ok(bytes.split_to(length)),
            Self::Gzip(gzip) => {
                let mut frame = vec![0; length];
                gzip.decoder.read_exact(&mut frame)?;
                gzip.left -= length;
                Ok(frame.into())
            }
        }
    }
}

impl Default for Content {
    fn default() -> Self {
        Self::Plain(Bytes::new())
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let length = self.content.left().min(MAX_FRAME_BYTES);
        if length == 0 {
            return Poll::Ready(None);
        }
        if let Some((exchange, _)) = &self.waiting {
            exchange.record(Instant::now());
        }
        let mut bytes = self.content.take(length)?;
        if self.content.left() == 0
            && let Some(_waiting) = self.waiting.take()
        {
            bytes = Bytes::from_owner(LastFrame { bytes, _waiting });
        }
        Poll::Ready(Some(Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.content.left() == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.content.left() as u64)
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
    use crate::respond::response::gzip;

    /// Returns the frames of a body.
    fn frames(mut body: ResponseBody) -> io::Result<Vec<Bytes>> {
        let mut frames = Vec::new();
        while !body.is_end_stream() {
            let left = body.size_hint().exact().unwrap();
            let context = &mut Context::from_waker(Waker::noop());
            let Poll::Ready(Some(frame)) = Pin::new(&mut body).poll_frame(context) else {
                panic!("a body always has its next frame");
            };
            let frame = frame?.into_data().unwrap();
            assert_eq!(body.size_hint().exact(), Some(left - frame.len() as u64));
            frames.push(frame);
        }
        Ok(frames)
    }

    #[test]
    fn a_body_is_sent_in_frames_compressed_or_not() {
        let bytes: Bytes = b"012345678901234".repeat(MAX_FRAME_BYTES / 10).into();
        let lengths = [MAX_FRAME_BYTES, bytes.len() - MAX_FRAME_BYTES];
        for body in [
            ResponseBody::new(bytes.clone()),
            ResponseBody::decompressed(gzip(&bytes)),
        ] {
            let frames = frames(body).unwrap();
            assert_eq!(frames.iter().map(Bytes::len).collect::<Vec<_>>(), lengths);
            assert_eq!(frames.concat(), bytes);
        }
        assert!(frames(ResponseBody::default()).unwrap().is_empty());
    }

    #[test]
    fn a_damaged_file_breaks_the_response() {
        let mut file = gzip(&[7; 1_000]).to_vec();
        file[12] ^= 0xff;
        assert!(frames(ResponseBody::decompressed(file.into())).is_err());
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
