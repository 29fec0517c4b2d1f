//! Pictures and counts on their way to the store, which they reach after the response.

use std::{
    cmp::Reverse,
    collections::VecDeque,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use effigy_player::Edition;
use effigy_store::{CachedImage, RenderCount, StoreError};
use effigy_upstream::error_chain;
use tokio::time::sleep;

use super::Files;

/// The most pictures that are written together.
const MAX_BATCH: usize = 64;

/// The time in which writes gather before they go to the store together.
const GATHER_TIME: Duration = Duration::from_millis(10);

/// The pause after a failed write.
const PAUSE: Duration = Duration::from_secs(1);

/// The bytes of pictures that may wait to be written, or are being written.
const MAX_QUEUED_BYTES: usize = 32 << 20;

/// The least bytes that a picture counts as, because many small ones take memory and time too.
const MIN_BYTES: usize = 32 << 10;

/// The pictures that wait or are being written, with their keys.
#[derive(Debug, Default)]
pub(super) struct WriteQueue {
    pictures: VecDeque<(String, Arc<CachedImage>)>,
    bytes: usize,
}

fn bytes_of(file: &CachedImage) -> usize {
    file.data.len().max(MIN_BYTES)
}

/// The writes to the store.
///
/// # Guarantees
/// - Only [`flush`](Self::flush) and [`counts`](Self::counts) wait for the store.
/// - The queue is bounded. A picture that does not fit is dropped, and drawn again on a later
///   request. Writes that the store refuses are repeated later. Counts are never dropped.
/// - [`counts`](Self::counts) sees each render exactly once, in the store or in the queue; after a write whose outcome is
///   not known, from the next one on.
impl Files {
    /// Queues a picture to be stored, if there is room for it.
    pub(crate) fn store_later(&self, key: String, file: &Arc<CachedImage>) {
        let mut queue = self.queue.lock();
        if queue.bytes + bytes_of(file) > MAX_QUEUED_BYTES {
            self.dropped.fetch_add(1, Relaxed);
            return;
        }
        queue.bytes += bytes_of(file);
        queue.pictures.push_back((key, Arc::clone(file)));
    }

    /// Counts a render.
    pub(crate) fn count_render(&self, edition: Edition) {
        self.counts[edition as usize].fetch_add(1, Relaxed);
    }

    /// Has what is queued written soon, with the counts.
    pub(crate) fn write_soon(&self) {
        self.queued.notify_one();
    }

    /// Returns the count of every edition, in the store and in the queue together, descending; Java first on a
    /// tie.
    pub(crate) async fn counts(&self) -> Result<Vec<(Edition, u64)>, StoreError> {
        let written = self.written.lock().await;
        let mut counts = self.store.counts().await?;
        for (edition, count) in &mut counts {
            let edition = *edition as usize;
            *count += self.counts[edition].load(Relaxed) - written[edition];
        }
        counts.sort_by_key(|&(edition, count)| (Reverse(count), edition));
        Ok(counts)
    }

    /// The number of pictures that wait or are being written.
    pub(crate) fn queued(&self) -> usize {
        self.queue.lock().pictures.len()
    }

    /// The bytes of the pictures that wait or are being written.
    pub(crate) fn queued_bytes(&self) -> usize {
        self.queue.lock().bytes
    }

    /// The number of pictures that were not stored because too many waited.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped.load(Relaxed)
    }

    /// Returns `true` while the database accepts no writes.
    pub(crate) fn is_writing_down(&self) -> bool {
        self.is_writing_down.load(Relaxed)
    }

    /// Writes whatever is queued from now on.
    pub(crate) async fn write_queued(self: Arc<Self>) {
        loop {
            self.queued.notified().await;
            self.flush().await;
            sleep(GATHER_TIME).await;
        }
    }

    /// Waits until the whole queue is written, which does not happen while the store fails.
    pub(crate) async fn flush(&self) {
        loop {
            let written = self.write().await;
            self.record_outcome(&written);
            match written {
                Ok(is_last) if is_last => return,
                Ok(_) => {}
                Err(_) => sleep(PAUSE).await,
            }
        }
    }

    /// Records whether the database accepts writes, and logs it.
    fn record_outcome(&self, written: &Result<bool, StoreError>) {
        let was_down = self.is_writing_down.swap(written.is_err(), Relaxed);
        if let Err(error) = written {
            let reason = error_chain(error);
            tracing::warn!("pictures and counts cannot be written: {reason}");
        } else if was_down {
            tracing::info!("pictures and counts are written to the database again");
        }
    }

    /// Writes the first pictures of the queue, and the counts up to now. Returns `true` if these were the last ones.
    async fn write(&self) -> Result<bool, StoreError> {
        let mut written = self.written.lock().await;
        // They stay in the queue until they are written.
        let batch: Vec<_> = {
            let queue = self.queue.lock();
            queue.pictures.iter().take(MAX_BATCH).cloned().collect()
        };
        let images: Vec<(&str, &CachedImage)> =
            batch.iter().map(|(key, file)| (&**key, &**file)).collect();
        let count_of = |&edition| RenderCount {
            edition,
            writer: self.writer,
            total: self.counts[edition as usize].load(Relaxed),
        };
        let mut counts: Vec<RenderCount> = Edition::ALL.iter().map(count_of).collect();
        counts.retain(|count| count.total > written[count.edition as usize]);
        if !images.is_empty() || !counts.is_empty() {
            self.store.write(&images, &counts).await?;
        }
        let mut queue = self.queue.lock();
        queue.pictures.drain(..batch.len());
        queue.bytes -= batch.iter().map(|(_, file)| bytes_of(file)).sum::<usize>();
        drop(queue);
        for RenderCount { edition, total, .. } in counts {
            written[edition as usize] = total;
        }
        Ok(batch.len() < MAX_BATCH)
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use fixtures::MemoryStore;
    use tokio::{task::yield_now, time::advance};

    use super::*;

    fn queue(files: &Files, key: &str) {
        let picture = CachedImage {
            data: Vec::new().into(),
            content_type: String::new(),
            created_at: UNIX_EPOCH,
        };
        files.store_later(key.to_owned(), &Arc::new(picture));
        files.write_soon();
    }

    #[tokio::test(start_paused = true)]
    async fn writes_gather_before_they_go_to_the_store() {
        let store = MemoryStore::default();
        let files = Arc::new(Files::new(Arc::new(store.clone()), Duration::from_secs(1)));
        tokio::spawn(Arc::clone(&files).write_queued());
        queue(&files, "first");
        yield_now().await;
        assert_eq!(store.writes(), 1, "the first one goes at once");
        for key in ["second", "third"] {
            queue(&files, key);
            advance(GATHER_TIME / 4).await;
        }
        assert_eq!(store.writes(), 1);
        advance(GATHER_TIME).await;
        yield_now().await;
        assert_eq!(store.writes(), 2, "the others go together");
    }

    #[tokio::test]
    async fn pictures_beyond_the_queue_are_dropped_and_counted() {
        let files = Files::new(Arc::new(MemoryStore::default()), Duration::from_secs(1));
        let room = MAX_QUEUED_BYTES / MIN_BYTES;
        for number in 0..room + 2 {
            queue(&files, &number.to_string());
        }
        assert_eq!((files.queued(), files.dropped()), (room, 2));
        files.flush().await;
        assert_eq!((files.queued(), files.queued_bytes()), (0, 0));
    }
}
