//! Pictures and counts on their way to the store, which they reach after the response.

use std::{
    cmp::Reverse,
    hash::{BuildHasher, RandomState},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use effigy_player::Edition;
use effigy_store::{CachedImage, RenderCount, Store, StoreError};
use effigy_upstream::error_chain;
use tokio::{
    sync::{Mutex, Notify, mpsc, oneshot},
    time::sleep,
};

use crate::gate::{MAX_WRITES, Permit};

/// The most pictures that are written together.
const MAX_BATCH: usize = 64;

/// The time in which writes gather before they go to the store together.
const GATHER_TIME: Duration = Duration::from_millis(10);

/// The pause after a failed write.
const PAUSE: Duration = Duration::from_secs(1);

/// The one writer of a store. Its task ends with it.
///
/// # Guarantees
/// - Only [`flush`](Self::flush) and [`counts`](Self::counts) wait for the store.
/// - The gate bounds the queue, and the share of each client. A picture that does not fit is dropped, and drawn again
///   on a later request. What the store refuses is written later. Counts are never dropped.
/// - [`counts`](Self::counts) sees each render exactly once, in the store or in the queue; after a write whose outcome is
///   not known, from the next one on.
#[derive(Debug)]
pub(crate) struct Writer {
    queue: mpsc::Sender<Message>,
    shared: Arc<Shared>,
}

/// The part of a writer that its task has too.
#[derive(Debug)]
struct Shared {
    store: Arc<dyn Store>,
    /// The random number by which the store knows the counts of this writer.
    id: i64,
    /// The renders of each edition since the start.
    counts: [AtomicU64; Edition::ALL.len()],
    /// Those of them that are in the store. Locked while they move there, and while both are added up.
    written: Mutex<[u64; Edition::ALL.len()]>,
    /// Tells that counts are to be written without a picture.
    counted: Notify,
    dropped: AtomicU64,
    is_down: AtomicBool,
}

/// The way of files to the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteStatus {
    /// Files that wait to be written.
    pub queued_files: usize,
    /// Bytes of files that wait or are being written.
    pub queued_bytes: u64,
    /// Files that were not stored because too many waited.
    pub dropped_files: u64,
    /// `true` while the database accepts no writes.
    pub is_down: bool,
}

/// A thing to write. It is dropped when it is written, with everything that was queued before it.
enum Message {
    Image(String, Arc<CachedImage>, Permit),
    /// The counts alone, for the one at the other end of the channel.
    Flush(oneshot::Sender<()>),
}

impl Writer {
    pub(crate) fn start(store: Arc<dyn Store>) -> Self {
        let (queue, messages) = mpsc::channel(MAX_WRITES);
        let shared = Arc::new(Shared {
            store,
            id: RandomState::new().hash_one("writer").cast_signed(),
            counts: Default::default(),
            written: Mutex::default(),
            counted: Notify::default(),
            dropped: AtomicU64::default(),
            is_down: AtomicBool::default(),
        });
        tokio::spawn(Arc::clone(&shared).run(messages));
        Self { queue, shared }
    }

    /// Queues a picture to be stored, if there is room for it.
    pub(crate) fn store(&self, key: String, file: &Arc<CachedImage>, room: Option<Permit>) {
        let image = room.map(|room| Message::Image(key, Arc::clone(file), room));
        if image.is_none_or(|image| self.queue.try_send(image).is_err()) {
            self.shared.dropped.fetch_add(1, Relaxed);
            self.write_counts();
        }
    }

    /// Counts a render. It is written with its picture, or by [`write_counts`](Self::write_counts).
    pub(crate) fn count_render(&self, edition: Edition) {
        self.shared.counts[edition as usize].fetch_add(1, Relaxed);
    }

    /// Has the counts written without a picture.
    pub(crate) fn write_counts(&self) {
        self.shared.counted.notify_one();
    }

    /// Returns the count of every edition, in the store and in the queue together, descending; Java first on a
    /// tie.
    pub(crate) async fn counts(&self) -> Result<Vec<(Edition, u64)>, StoreError> {
        let written = self.shared.written.lock().await;
        let mut counts = self.shared.store.counts().await?;
        for (edition, count) in &mut counts {
            let edition = *edition as usize;
            *count += self.shared.counts[edition].load(Relaxed) - written[edition];
        }
        counts.sort_by_key(|&(edition, count)| (Reverse(count), edition));
        Ok(counts)
    }

    /// Waits until the whole queue is written, which does not happen while the store fails.
    pub(crate) async fn flush(&self) {
        let (sender, written) = oneshot::channel();
        // Both fail if the task has ended, which leaves nothing to wait for. The sender is only dropped.
        let _ = self.queue.send(Message::Flush(sender)).await;
        let _ = written.await;
    }

    /// Returns `true` while the database accepts no writes.
    pub(crate) fn is_down(&self) -> bool {
        self.shared.is_down.load(Relaxed)
    }

    pub(crate) fn status(&self, queued_bytes: usize) -> WriteStatus {
        WriteStatus {
            queued_bytes: queued_bytes as u64,
            queued_files: self.queue.max_capacity() - self.queue.capacity(),
            dropped_files: self.shared.dropped.load(Relaxed),
            is_down: self.is_down(),
        }
    }
}

impl Shared {
    /// Writes what is queued until the writer is dropped.
    async fn run(self: Arc<Self>, mut messages: mpsc::Receiver<Message>) {
        let mut batch = Vec::new();
        while tokio::select! {
            received = messages.recv_many(&mut batch, MAX_BATCH) => received > 0,
            () = self.counted.notified() => true,
        } {
            while let Err(error) = self.write(&batch).await {
                self.is_down.store(true, Relaxed);
                let reason = error_chain(&error);
                tracing::warn!("pictures and counts cannot be written: {reason}");
                sleep(PAUSE).await;
            }
            if self.is_down.swap(false, Relaxed) {
                tracing::info!("pictures and counts are written to the database again");
            }
            let is_full = batch.len() == MAX_BATCH;
            batch.clear();
            if !is_full {
                sleep(GATHER_TIME).await;
            }
        }
    }

    /// Writes pictures, and the counts up to now.
    async fn write(&self, batch: &[Message]) -> Result<(), StoreError> {
        let images = batch.iter().filter_map(|message| match message {
            Message::Image(key, file, _room) => Some((key.as_str(), &**file)),
            Message::Flush(_written) => None,
        });
        let images: Vec<(&str, &CachedImage)> = images.collect();
        let mut written = self.written.lock().await;
        let count = |&edition| RenderCount {
            edition,
            writer: self.id,
            total: self.counts[edition as usize].load(Relaxed),
        };
        let mut counts: Vec<RenderCount> = Edition::ALL.iter().map(count).collect();
        counts.retain(|count| count.total > written[count.edition as usize]);
        if images.is_empty() && counts.is_empty() {
            return Ok(());
        }
        self.store.write(&images, &counts).await?;
        for RenderCount { edition, total, .. } in counts {
            written[edition as usize] = total;
        }
        Ok(())
    }
}
