//! Pictures and counts on their way to the store, which they reach after the response.

use std::{
    cmp::Reverse,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use effigy_player::Edition;
use effigy_store::{CachedImage, Store, StoreError};
use tokio::sync::{Mutex as AsyncMutex, OwnedSemaphorePermit, Semaphore, mpsc, oneshot};

use crate::{WritesSnapshot, error::error_chain};

/// The pictures that may wait.
const MAX_IMAGES: usize = 4096;

/// The KiB of pictures that may wait, or are being written.
const MAX_KIB: usize = 32 << 10;

/// The most pictures that are written together.
const MAX_BATCH: usize = 64;

/// The time in which writes gather before they go to the store together.
const GATHER_TIME: Duration = Duration::from_millis(50);

/// The pause after a failed write.
const PAUSE: Duration = Duration::from_secs(1);

/// The number of attempts to write a batch. One picture that the store refuses must not stop all others.
const MAX_ATTEMPTS: u32 = 5;

/// The number of renders of each edition.
type Counts = [u64; Edition::ALL.len()];

/// The one writer of a store.
///
/// # Guarantees
/// - Only [`flush`](Self::flush) and [`counts`](Self::counts) wait for the store.
/// - The queue is bounded. A picture that does not fit is dropped and drawn again on its next
///   request. Counts are never dropped.
/// - [`counts`](Self::counts) sees each render exactly once, in the store or in the queue.
#[derive(Debug)]
pub(crate) struct Writer {
    queue: mpsc::Sender<Message>,
    room: Arc<Semaphore>,
    shared: Arc<Shared>,
}

/// The part of a writer that its task has too.
#[derive(Debug)]
struct Shared {
    store: Arc<dyn Store>,
    /// The renders that are not in the store yet.
    counts: Mutex<Counts>,
    /// Held while counts move to the store, and while both are added up.
    counting: AsyncMutex<()>,
    dropped: AtomicU64,
    fails: AtomicBool,
}

enum Message {
    Image(Queued),
    /// A request to be told the outcome of writing all that was queued before.
    Flush(oneshot::Sender<Result<(), StoreError>>),
}

struct Queued {
    key: String,
    file: Arc<CachedImage>,
    _room: OwnedSemaphorePermit,
}

impl Writer {
    /// Starts a writer. Its task ends with it.
    pub(crate) fn start(store: Arc<dyn Store>) -> Self {
        let (queue, messages) = mpsc::channel(MAX_IMAGES);
        let shared = Arc::new(Shared {
            store,
            counts: Mutex::default(),
            counting: AsyncMutex::new(()),
            dropped: AtomicU64::new(0),
            fails: AtomicBool::new(false),
        });
        tokio::spawn(Arc::clone(&shared).run(messages));
        Self {
            queue,
            room: Arc::new(Semaphore::new(MAX_KIB)),
            shared,
        }
    }

    /// Queues a picture to be stored.
    pub(crate) fn store(&self, key: &str, file: &Arc<CachedImage>) {
        let kib = u32::try_from(file.data.len() >> 10).unwrap_or(u32::MAX);
        let room = Arc::clone(&self.room).try_acquire_many_owned(kib.saturating_add(1));
        let is_queued = room.is_ok_and(|room| {
            let image = Queued {
                key: key.to_owned(),
                file: Arc::clone(file),
                _room: room,
            };
            self.queue.try_send(Message::Image(image)).is_ok()
        });
        if !is_queued {
            self.shared.count_dropped(1);
        }
    }

    /// Counts a render. It is written with the next picture.
    pub(crate) fn count_render(&self, edition: Edition) {
        self.shared.counts()[edition as usize] += 1;
    }

    /// Returns the count of every edition, in the store and in the queue together, descending; Java first on a
    /// tie.
    pub(crate) async fn counts(&self) -> Result<Vec<(Edition, u64)>, StoreError> {
        let _counting = self.shared.counting.lock().await;
        let mut counts = self.shared.store.counts().await?;
        let queued = *self.shared.counts();
        for (edition, count) in &mut counts {
            *count = count.saturating_add(queued[*edition as usize]);
        }
        counts.sort_by_key(|&(edition, count)| (Reverse(count), edition as usize));
        Ok(counts)
    }

    /// Writes the whole queue now.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) async fn flush(&self) -> Result<(), StoreError> {
        let (sender, outcome) = oneshot::channel();
        // Without the task nothing is left to write.
        if self.queue.send(Message::Flush(sender)).await.is_err() {
            return Ok(());
        }
        outcome.await.unwrap_or(Ok(()))
    }

    /// The state of the queue.
    pub(crate) fn snapshot(&self) -> WritesSnapshot {
        WritesSnapshot {
            queued_images: self.queue.max_capacity() - self.queue.capacity(),
            queued_bytes: (MAX_KIB - self.room.available_permits()) << 10,
            dropped_images: self.shared.dropped.load(Ordering::Relaxed),
            are_down: self.shared.fails.load(Ordering::Relaxed),
        }
    }
}

impl Shared {
    /// Writes what is queued until the writer is dropped.
    async fn run(self: Arc<Self>, mut messages: mpsc::Receiver<Message>) {
        let mut batch = Vec::new();
        while messages.recv_many(&mut batch, MAX_BATCH).await > 0 {
            let (mut images, mut flushes) = (Vec::new(), Vec::new());
            let is_full = batch.len() == MAX_BATCH;
            for message in batch.drain(..) {
                match message {
                    Message::Image(image) => images.push(image),
                    Message::Flush(sender) => flushes.push(sender),
                }
            }
            let max_attempts = if flushes.is_empty() { MAX_ATTEMPTS } else { 1 };
            let mut written = self.write(&images).await;
            for _ in 1..max_attempts {
                if written.is_ok() {
                    break;
                }
                tokio::time::sleep(PAUSE).await;
                written = self.write(&images).await;
            }
            if written.is_err() {
                self.count_dropped(images.len());
            }
            for flush in flushes {
                let outcome = std::mem::replace(&mut written, Ok(()));
                // The caller may have left.
                let _ = flush.send(outcome);
            }
            if !is_full {
                tokio::time::sleep(GATHER_TIME).await;
            }
        }
    }

    /// Writes pictures, and the counts up to now.
    async fn write(&self, images: &[Queued]) -> Result<(), StoreError> {
        let images = images
            .iter()
            .map(|image| (image.key.as_str(), &*image.file));
        let images: Vec<(&str, &CachedImage)> = images.collect();
        let _counting = self.counting.lock().await;
        let written = *self.counts();
        let counts = Edition::ALL.map(|edition| (edition, written[edition as usize]));
        let outcome = self.store.write(&images, &counts).await;
        self.fails.store(outcome.is_err(), Ordering::Relaxed);
        match &outcome {
            Ok(()) => {
                // Renders that were counted in the meantime stay.
                let mut counts = self.counts();
                for (count, written) in counts.iter_mut().zip(written) {
                    *count -= written;
                }
            }
            Err(error) => {
                tracing::warn!(
                    "pictures and counts are not written: {}",
                    error_chain(error)
                );
            }
        }
        outcome
    }

    fn count_dropped(&self, images: usize) {
        self.dropped.fetch_add(images as u64, Ordering::Relaxed);
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        // Numbers are never half written.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
