//! The file of a large picture on its way from the thread that draws it to the clients that read it.

use std::{
    collections::{HashMap, VecDeque},
    fmt,
    future::poll_fn,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
    time::Duration,
};

use bytes::Bytes;
use tokio::{sync::Notify, time::Instant};

use crate::{ServiceError, error::Shared};

/// The longest file that is cached, and the farthest that a reader may be behind. A longer one would
/// evict thousands that are requested more often. Bodies wider than about 18,000 pixels have such
/// files.
pub(crate) const MAX_CACHED_BYTES: usize = 8 << 20;

/// The farthest that drawing may be ahead of all readers.
const MAX_AHEAD_BYTES: usize = 1 << 20;

/// The longest time in which no reader takes a chunk.
const STALL_LIMIT: Duration = Duration::from_secs(30);

/// The rate in bytes per second below which a reader is slow, and how long it must have been waited for
/// to tell.
const SLOW_RATE: u64 = 64 << 10;
const MIN_WAIT: Duration = Duration::from_secs(2);

/// The file of a picture that is being drawn, for any number of readers.
///
/// # Guarantees
/// - Until the file is longer than [`MAX_CACHED_BYTES`], all of it is held and new readers can join.
///   After that, chunks are dropped once every reader has taken them, and no reader can join.
/// - Drawing keeps pace with the fastest reader. A slower one does not delay it; if it falls more than
///   [`MAX_CACHED_BYTES`] behind, its stream breaks. A reader that leaves does not affect the others.
#[derive(Debug, Default)]
pub(crate) struct SharedFile {
    state: Mutex<State>,
    /// Wakes the writer after a reader has taken a chunk or left.
    reader_moved: Notify,
}

#[derive(Debug, Default)]
struct State {
    chunks: VecDeque<Bytes>,
    /// The number of chunks that were dropped from the front.
    dropped: usize,
    /// The length of the file so far.
    bytes: usize,
    readers: HashMap<u64, Reader>,
    last_reader: u64,
    /// The time that the writer has waited for readers, and since when it waits again.
    waited: Duration,
    waits_since: Option<Instant>,
    /// The outcome, when nothing more will be written.
    end: Option<Shared<()>>,
}

#[derive(Debug, Default)]
struct Reader {
    /// The number of chunks taken, and of their bytes.
    chunks: usize,
    bytes: usize,
    waker: Option<Waker>,
}

impl SharedFile {
    /// An empty file with one reader.
    pub(crate) fn new() -> (Arc<Self>, PictureStream) {
        let file = Arc::new(Self::default());
        let stream = PictureStream::new(&file, &mut file.state());
        (file, stream)
    }

    /// Another reader, if all of the file can still be read.
    pub(crate) fn join(file: &Arc<Self>) -> Option<PictureStream> {
        let mut state = file.state();
        let can_join = state.bytes <= MAX_CACHED_BYTES && state.end.is_none();
        can_join.then(|| PictureStream::new(file, &mut state))
    }

    /// Returns `true` if no reader is left. The file ends then, so that none joins any more.
    pub(crate) fn is_abandoned(&self) -> bool {
        let mut state = self.state();
        let is_abandoned = state.readers.is_empty();
        if is_abandoned {
            state.end(Err(Arc::new(ServiceError::Interrupted)));
        }
        is_abandoned
    }

    /// Waits until no reader is left. Only the writer waits, for one thing at a time.
    pub(crate) async fn abandoned(&self) {
        while !self.is_abandoned() {
            // A reader that moves before this call leaves a permit.
            self.reader_moved.notified().await;
        }
    }

    /// Appends a chunk and waits until a reader is near enough.
    pub(crate) async fn push(&self, chunk: Bytes, deadline: Instant) -> io::Result<()> {
        self.state().push(chunk);
        let is_ready = |state: &State| {
            let mut readers = state.readers.values();
            state.readers.is_empty() || readers.any(|reader| state.is_near(reader))
        };
        self.wait_until(is_ready, deadline).await
    }

    /// The whole file, unless it is too long to be cached.
    pub(crate) fn whole(&self) -> Option<Vec<u8>> {
        let mut state = self.state();
        let is_whole = state.bytes <= MAX_CACHED_BYTES;
        is_whole.then(|| state.chunks.make_contiguous().concat())
    }

    /// Ends the file.
    pub(crate) fn end(&self, outcome: Shared<()>) {
        self.state().end(outcome);
    }

    /// Waits until every reader has taken nearly all of a file that has ended, and breaks the streams
    /// of those that have not.
    pub(crate) async fn drain(&self, deadline: Instant) {
        let is_ready = |state: &State| state.readers.values().all(|reader| state.is_near(reader));
        if self.wait_until(is_ready, deadline).await.is_err() {
            self.break_streams();
        }
    }

    /// Returns the rate of the fastest reader if the writer waits and the rate is too low.
    pub(crate) fn slow_bytes_per_second(&self, now: Instant) -> Option<u64> {
        let state = self.state();
        let waited = state.waited + now.saturating_duration_since(state.waits_since?);
        let bytes = state.readers.values().map(|reader| reader.bytes).max()?;
        let rate = bytes as u64 * 1_000 / u64::try_from(waited.as_millis()).ok()?.max(1);
        (waited >= MIN_WAIT && rate < SLOW_RATE).then_some(rate)
    }

    /// Breaks the streams of all readers, which ends the drawing.
    pub(crate) fn break_streams(&self) {
        let mut state = self.state();
        state.wake_readers();
        state.readers.clear();
        self.reader_moved.notify_one();
    }

    /// # Errors
    /// `TimedOut` after the deadline, or if no reader moves.
    async fn wait_until(
        &self,
        is_ready: impl Fn(&State) -> bool,
        deadline: Instant,
    ) -> io::Result<()> {
        let began = Instant::now();
        self.state().waits_since = Some(began);
        let outcome = self.wait_until_ready(is_ready, deadline).await;
        let mut state = self.state();
        state.waits_since = None;
        state.waited += began.elapsed();
        outcome
    }

    async fn wait_until_ready(
        &self,
        is_ready: impl Fn(&State) -> bool,
        deadline: Instant,
    ) -> io::Result<()> {
        while !is_ready(&self.state()) {
            let stall = deadline.min(Instant::now() + STALL_LIMIT);
            // A reader that moves before this call leaves a permit.
            tokio::time::timeout_at(stall, self.reader_moved.notified()).await?;
        }
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No method of the state panics halfway, so a poisoned one is consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_near(&self, reader: &Reader) -> bool {
        self.bytes - reader.bytes <= MAX_AHEAD_BYTES
    }

    fn push(&mut self, chunk: Bytes) {
        self.bytes += chunk.len();
        self.chunks.push_back(chunk);
        self.wake_readers();
        if self.bytes <= MAX_CACHED_BYTES {
            return;
        }
        let bytes = self.bytes;
        self.readers
            .retain(|_, reader| bytes - reader.bytes <= MAX_CACHED_BYTES);
        let taken = self.readers.values().map(|reader| reader.chunks).min();
        while taken.is_some_and(|taken| self.dropped < taken) {
            self.chunks.pop_front();
            self.dropped += 1;
        }
    }

    fn end(&mut self, outcome: Shared<()>) {
        self.end.get_or_insert(outcome);
        self.wake_readers();
    }

    fn wake_readers(&mut self) {
        let wakers = self.readers.values_mut();
        wakers
            .filter_map(|reader| reader.waker.take())
            .for_each(Waker::wake);
    }
}

/// A picture that is being drawn. Drawing stops when all of its streams are dropped.
pub struct PictureStream {
    file: Arc<SharedFile>,
    reader: u64,
    first: Option<Bytes>,
}

/// The rest of a picture could not be drawn or was not read in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the rest of the picture was not drawn")]
pub struct BrokenStream;

impl PictureStream {
    fn new(file: &Arc<SharedFile>, state: &mut State) -> Self {
        state.last_reader += 1;
        let reader = state.last_reader;
        state.readers.insert(reader, Reader::default());
        Self {
            file: Arc::clone(file),
            reader,
            first: None,
        }
    }

    /// Returns the stream once it has its first chunk.
    pub(crate) async fn started(mut self) -> Shared<Self> {
        let first = poll_fn(|context| self.poll_chunk(context)).await;
        match first {
            Some(Ok(chunk)) => self.first = Some(chunk),
            Some(Err(error)) => return Err(error),
            None => {}
        }
        Ok(self)
    }

    /// Returns the next bytes, or `None` at the end of the picture.
    ///
    /// # Errors
    /// [`BrokenStream`] if the rest will not come.
    pub fn poll_next(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, BrokenStream>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(first)));
        }
        let next = self.poll_chunk(context);
        next.map(|next| next.map(|chunk| chunk.map_err(|_| BrokenStream)))
    }

    fn poll_chunk(&self, context: &mut Context<'_>) -> Poll<Option<Shared<Bytes>>> {
        let mut state = self.file.state();
        let state = &mut *state;
        let Some(reader) = state.readers.get_mut(&self.reader) else {
            return Poll::Ready(Some(Err(Arc::new(ServiceError::Interrupted))));
        };
        if let Some(chunk) = state.chunks.get(reader.chunks - state.dropped) {
            reader.chunks += 1;
            reader.bytes += chunk.len();
            self.file.reader_moved.notify_one();
            return Poll::Ready(Some(Ok(chunk.clone())));
        }
        match &state.end {
            Some(Ok(())) => Poll::Ready(None),
            Some(Err(error)) => Poll::Ready(Some(Err(Arc::clone(error)))),
            None => {
                reader.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Drop for PictureStream {
    fn drop(&mut self) {
        self.file.state().readers.remove(&self.reader);
        self.file.reader_moved.notify_one();
    }
}

impl fmt::Debug for PictureStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PictureStream").finish_non_exhaustive()
    }
}
