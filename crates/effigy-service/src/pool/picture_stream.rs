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

use crate::{ServiceError, service::Shared};

/// The longest file that is cached, and the farthest that a reader may be behind. A longer file would
/// evict thousands that are requested more often. Bodies wider than about 18,000 pixels have such
/// files.
pub(crate) const MAX_CACHED_BYTES: usize = 8 << 20;

/// The farthest that drawing may be ahead of all readers.
const MAX_AHEAD_BYTES: usize = 1 << 20;

/// How long drawing waits for a reader to take its next chunk, and how long in all while other readers
/// have to wait too.
const STALL_LIMIT: Duration = Duration::from_secs(30);

/// The bytes of a picture that is being drawn, for any number of readers.
///
/// # Guarantees
/// - Until the file is longer than [`MAX_CACHED_BYTES`], all of it is held and new readers can join.
///   After that, chunks are dropped once every reader has taken them, and nobody can join.
/// - At most [`MAX_CACHED_BYTES`] and one chunk are held.
/// - A reader that leaves does not affect the others. A slow one delays them by at most
///   [`STALL_LIMIT`], then its stream is broken.
#[derive(Debug, Default)]
pub(crate) struct SharedFile {
    state: Mutex<State>,
    /// Wakes the writer after a reader has taken a chunk or left.
    reader_moved: Notify,
}

#[derive(Debug, Default)]
struct State {
    chunks: VecDeque<Bytes>,
    /// Chunks that were dropped from the front.
    dropped: usize,
    /// Length of the file so far.
    length: usize,
    readers: HashMap<u64, Reader>,
    last_reader: u64,
    /// The outcome, when nothing more will be written.
    end: Option<Shared<()>>,
}

#[derive(Debug)]
struct Reader {
    /// Chunks taken, and their bytes.
    chunks: usize,
    bytes: usize,
    waker: Option<Waker>,
    last_taken: Instant,
    /// How long other readers had to wait for this one.
    delay: Duration,
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
        let can_join = state.length <= MAX_CACHED_BYTES && state.end.is_none();
        can_join.then(|| PictureStream::new(file, &mut state))
    }

    /// Whether there is no reader left. Then the file ends, since nobody may join any more.
    pub(crate) fn is_abandoned(&self) -> bool {
        let mut state = self.state();
        let is_abandoned = state.readers.is_empty();
        if is_abandoned {
            state.end(Err(Arc::new(ServiceError::Interrupted)));
        }
        is_abandoned
    }

    /// Appends a chunk and waits until no reader is too far behind.
    pub(crate) async fn push(&self, chunk: Bytes, deadline: Instant) -> io::Result<()> {
        {
            let mut state = self.state();
            state.length += chunk.len();
            state.chunks.push_back(chunk);
            state.drop_taken();
            state.wake_readers();
        }
        self.wait_for_readers(MAX_CACHED_BYTES, deadline).await
    }

    /// The whole file, unless it is too long to be cached.
    pub(crate) fn whole(&self) -> Option<Vec<u8>> {
        let mut state = self.state();
        let is_whole = state.length <= MAX_CACHED_BYTES;
        is_whole.then(|| state.chunks.make_contiguous().concat())
    }

    /// Ends the file.
    pub(crate) fn end(&self, outcome: Shared<()>) {
        self.state().end(outcome);
    }

    /// Waits until the readers have taken nearly all of a file that has ended.
    pub(crate) async fn drain(&self, deadline: Instant) {
        // Readers that do not take the rest are cut off, and those that leave are not missed.
        let _ = self.wait_for_readers(MAX_AHEAD_BYTES, deadline).await;
    }

    async fn wait_for_readers(&self, max_behind: usize, deadline: Instant) -> io::Result<()> {
        loop {
            let started = Instant::now();
            let wait_until = {
                let mut state = self.state();
                state.cut_off_stalled(max_behind, started);
                if state.readers.is_empty() {
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
                match state.wait_until(max_behind, started) {
                    None => return Ok(()),
                    Some(_) if started >= deadline => return Err(io::ErrorKind::TimedOut.into()),
                    Some(time) => time.min(deadline),
                }
            };
            // A permit is stored for a reader that moves before this waits.
            let moved = self.reader_moved.notified();
            let _ = tokio::time::timeout_at(wait_until, moved).await;
            self.state().add_delay(max_behind, started.elapsed());
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No method of the state panics halfway, so a poisoned one is consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The distance at which drawing waits for a reader: `max_behind`, or less if no reader is nearer.
    fn limit(&self, max_behind: usize) -> usize {
        let is_near = |reader: &Reader| self.length - reader.bytes <= MAX_AHEAD_BYTES;
        if self.readers.values().any(is_near) {
            max_behind
        } else {
            MAX_AHEAD_BYTES
        }
    }

    /// The readers that drawing waits for.
    fn slow_readers(&mut self, max_behind: usize) -> impl Iterator<Item = &mut Reader> {
        let (length, limit) = (self.length, self.limit(max_behind));
        let readers = self.readers.values_mut();
        readers.filter(move |reader| length - reader.bytes > limit)
    }

    /// When the first of the slow readers is to be cut off; `None` if no reader is slow.
    fn wait_until(&mut self, max_behind: usize, now: Instant) -> Option<Instant> {
        let slow = self.slow_readers(max_behind);
        slow.map(|reader| reader.cut_off(now)).min()
    }

    fn cut_off_stalled(&mut self, max_behind: usize, now: Instant) {
        let (length, limit) = (self.length, self.limit(max_behind));
        self.readers.retain(|_, reader| {
            let is_slow = length - reader.bytes > limit;
            let stays = !is_slow || now < reader.cut_off(now);
            if !stays {
                reader.wake();
            }
            stays
        });
        self.drop_taken();
    }

    /// Charges the slow readers with a wait, unless no other reader had to wait or nothing is drawn
    /// any more.
    fn add_delay(&mut self, max_behind: usize, waited: Duration) {
        let readers = self.readers.len();
        let slow = self.slow_readers(max_behind).count();
        if slow < readers && self.end.is_none() {
            self.slow_readers(max_behind)
                .for_each(|reader| reader.delay += waited);
        }
    }

    /// Drops the chunks that nobody needs any more.
    fn drop_taken(&mut self) {
        if self.length <= MAX_CACHED_BYTES {
            return;
        }
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
        self.readers.values_mut().for_each(Reader::wake);
    }
}

impl Reader {
    /// The time at which drawing no longer waits for it.
    fn cut_off(&self, now: Instant) -> Instant {
        let patience = STALL_LIMIT.saturating_sub(self.delay);
        (self.last_taken + STALL_LIMIT).min(now + patience)
    }

    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
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
        let start = Reader {
            chunks: 0,
            bytes: 0,
            waker: None,
            last_taken: Instant::now(),
            delay: Duration::ZERO,
        };
        state.readers.insert(reader, start);
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
            reader.last_taken = Instant::now();
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
