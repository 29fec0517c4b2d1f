//! Pictures and counts on their way to the store, which they reach after the response.

use std::{
    cmp::Reverse,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use effigy_player::Edition;
use effigy_store::{
    CachedImage, PlayerChange, PlayerRow, RenderCount, StoreError, TextureChange, TextureId,
    WriteBatch,
};
use effigy_upstream::error_chain;
use tokio::time::{sleep, timeout};

use super::{
    Files,
    queue::{PlayerWrite, QueuedBatch, TextureWrite},
};

/// The time in which writes gather before they go to the store together.
const GATHER_TIME: Duration = Duration::from_millis(10);

/// The interval at which writes are made that nothing else asks for.
const IDLE_INTERVAL: Duration = Duration::from_secs(60);

/// The pause after a failed write.
const PAUSE: Duration = Duration::from_secs(1);

/// The amount that a batch has written.
enum Written {
    /// All that waited.
    Everything,
    /// A full batch, after which more may wait.
    Part,
}

/// The writes to the store.
///
/// # Guarantees
/// - Only [`flush`](Self::flush) and [`counts`](Self::counts) wait for the store.
/// - The queue is bounded. A file that does not fit is dropped, and made or fetched again on a
///   later request. Writes that the store refuses are repeated later. Counts are never dropped.
/// - [`counts`](Self::counts) sees each render exactly once, in the store or in the queue; after a
///   write whose outcome is not known, from the next one on.
impl Files {
    /// Queues a picture to be stored, if there is room for it.
    pub(crate) fn put_picture(&self, key: String, file: &Arc<CachedImage>) {
        if !self.queue.lock().put_picture(key, file) {
            self.dropped.fetch_add(1, Relaxed);
        }
    }

    /// Queues a texture to be stored, if there is room for it.
    pub(crate) fn put_texture(&self, id: TextureId, file: Bytes) {
        if !self.queue.lock().put_texture(id, file) {
            self.dropped.fetch_add(1, Relaxed);
        }
        self.write_soon();
    }

    /// Queues the record of a player. One that a check has not `changed` may wait.
    pub(crate) fn put_player(&self, row: PlayerRow, changed: bool) {
        let now = (self.clock)();
        let is_urgent = changed || self.shared_store;
        self.queue.lock().put_player(row, is_urgent, now);
        if is_urgent {
            self.write_soon();
        }
    }

    /// Queues the use of a player to be stored.
    pub(crate) fn use_player(&self, key: String, now: SystemTime) {
        self.queue.lock().use_player(key, now);
        self.write_soon();
    }

    /// Queues the use of a texture to be stored.
    pub(crate) fn use_texture(&self, id: TextureId) {
        self.queue.lock().use_texture(id);
    }

    /// Queues the record of a player to be deleted.
    pub(crate) fn delete_player(&self, key: String, now: SystemTime) {
        self.queue.lock().delete_player(key, now);
        self.write_soon();
    }

    /// Counts a render.
    pub(crate) fn count_render(&self, edition: Edition) {
        self.counts[edition as usize].fetch_add(1, Relaxed);
    }

    /// Wakes the task that writes the queue and the counts.
    pub(crate) fn write_soon(&self) {
        self.queued.notify_one();
    }

    /// Returns the count of every edition, in the store and in the queue together, descending; Java
    /// first on a tie.
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

    /// Returns the number of pictures that wait or are being written.
    pub(crate) fn queued(&self) -> usize {
        self.queue.lock().pictures()
    }

    /// Returns the bytes of the files that wait or are being written.
    pub(crate) fn queued_bytes(&self) -> usize {
        self.queue.lock().bytes()
    }

    /// Returns the number of pictures that were not stored because too many waited.
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
            // Some writes are due without a request.
            let _ = timeout(IDLE_INTERVAL, self.queued.notified()).await;
            self.write_all(true).await;
            sleep(GATHER_TIME).await;
        }
    }

    /// Waits until the whole queue is written, which does not happen while the store fails.
    pub(crate) async fn flush(&self) {
        self.write_all(false).await;
    }

    /// Writes what waits: all of it, or what is due.
    async fn write_all(&self, only_due: bool) {
        loop {
            let due = if only_due { Some((self.clock)()) } else { None };
            let written = self.write(due).await;
            self.record_outcome(&written);
            match written {
                Ok(Written::Everything) => return,
                Ok(Written::Part) => {}
                Err(_) => sleep(PAUSE).await,
            }
        }
    }

    /// Records whether the database accepts writes, and logs it.
    fn record_outcome(&self, written: &Result<Written, StoreError>) {
        let was_down = self.is_writing_down.swap(written.is_err(), Relaxed);
        if let Err(error) = written {
            let reason = error_chain(error);
            tracing::warn!("pictures and counts cannot be written: {reason}");
        } else if was_down {
            tracing::info!("pictures and counts are written to the database again");
        }
    }

    /// Writes the next batch of the queue, up to a time at which it is due, and the counts up to
    /// now.
    async fn write(&self, due: Option<SystemTime>) -> Result<Written, StoreError> {
        let mut written = self.written.lock().await;
        // The batch stays in the queue until it is written.
        let batch = self.queue.lock().next_batch(due);
        let mut counts = Vec::new();
        for &edition in Edition::ALL {
            let total = self.counts[edition as usize].load(Relaxed);
            if total > written[edition as usize] {
                counts.push(RenderCount {
                    edition,
                    writer: self.writer,
                    total,
                });
            }
        }
        if !batch.is_empty() || !counts.is_empty() {
            self.write_batch(&batch, &counts).await?;
        }
        self.queue.lock().done(&batch);
        for RenderCount { edition, total, .. } in counts {
            written[edition as usize] = total;
        }
        if batch.is_full() {
            Ok(Written::Part)
        } else {
            Ok(Written::Everything)
        }
    }

    async fn write_batch(
        &self,
        batch: &QueuedBatch,
        counts: &[RenderCount],
    ) -> Result<(), StoreError> {
        let pictures = batch.pictures.iter().map(|(key, file)| (&**key, &**file));
        let pictures: Vec<(&str, &CachedImage)> = pictures.collect();
        let textures: Vec<_> = batch.textures.iter().map(texture_change).collect();
        let players: Vec<_> = batch.players.iter().map(player_change).collect();
        let writes = WriteBatch {
            pictures: &pictures,
            textures: &textures,
            players: &players,
            counts,
            ..WriteBatch::new((self.clock)())
        };
        self.store.write(&writes).await
    }
}

fn texture_change((id, write): &(TextureId, TextureWrite)) -> TextureChange<'_> {
    match write {
        TextureWrite::Put(file) => TextureChange::Put { id, file },
        TextureWrite::Used => TextureChange::Used(id),
    }
}

fn player_change((key, write): &(Arc<str>, PlayerWrite)) -> PlayerChange<'_> {
    match write {
        PlayerWrite::Put(row) => PlayerChange::Put(row),
        PlayerWrite::Used(used_at) => PlayerChange::Used {
            key,
            used_at: *used_at,
        },
        PlayerWrite::Delete(checked_at) => PlayerChange::Delete {
            key,
            checked_at: *checked_at,
        },
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use fixtures::MemoryStore;
    use tokio::{task::yield_now, time::advance};

    use super::*;
    use crate::files::queue::{MAX_BYTES, MIN_BYTES};

    fn files(store: &MemoryStore) -> Files {
        Files::new(Arc::new(store.clone()), Arc::new(SystemTime::now), false)
    }

    fn queue(files: &Files, key: &str) {
        let picture = CachedImage {
            data: Vec::new().into(),
            content_type: String::new(),
            created_at: UNIX_EPOCH,
        };
        files.put_picture(key.to_owned(), &Arc::new(picture));
        files.write_soon();
    }

    #[tokio::test(start_paused = true)]
    async fn writes_gather_before_they_go_to_the_store() {
        let store = MemoryStore::default();
        let files = Arc::new(files(&store));
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
        let files = files(&MemoryStore::default());
        let room = MAX_BYTES / MIN_BYTES;
        for number in 0..room + 2 {
            queue(&files, &number.to_string());
        }
        assert_eq!((files.queued(), files.dropped()), (room, 2));
        files.flush().await;
        assert_eq!((files.queued(), files.queued_bytes()), (0, 0));
    }
}
