//! Writes to the store, which are made after the response.

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
    queue::{Due, PlayerWrite, QueuedBatch, TextureWrite},
};

/// The time in which writes gather before they go to the store together.
const GATHER_TIME: Duration = Duration::from_millis(10);

/// The interval at which writes are made that nothing else asks for.
const IDLE_INTERVAL: Duration = Duration::from_secs(60);

/// The pause after a failed write.
const PAUSE: Duration = Duration::from_secs(1);

/// The state of the queue after a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// All that was due is written.
    Done,
    /// The batch was full or failed, so more may be due.
    MoreMayWait,
}

/// The writes to the store.
///
/// # Guarantees
/// - Only [`flush`](Self::flush) and [`counts`](Self::counts) wait for the store.
/// - The queue is bounded. A picture, texture or player that does not fit is dropped, and made,
///   fetched or looked up again on a later request. Writes that the store refuses are repeated
///   later. Counts are never dropped.
/// - [`counts`](Self::counts) sees each render exactly once, in the store or in this process.
///   After a write whose outcome is not known, it may see a render twice until the next write.
impl Files {
    /// Queues a picture to be stored, if there is room for it.
    pub(crate) fn put_picture(&self, key: String, file: &Arc<CachedImage>) {
        let is_queued = self.queue.lock().put_picture(key, file);
        self.count_if_dropped(is_queued);
    }

    /// Queues a texture to be stored, if there is room for it.
    pub(crate) fn put_texture(&self, id: TextureId, file: Bytes) {
        let is_queued = self.queue.lock().put_texture(id, file);
        self.count_if_dropped(is_queued);
        self.write_soon();
    }

    /// Queues the record of a player, if there is room for it. One that a check has not `changed`
    /// may wait.
    pub(crate) fn put_player(&self, row: PlayerRow, changed: bool) {
        let now = (self.clock)();
        let is_urgent = changed || self.shared_store;
        let is_queued = self.queue.lock().put_player(row, is_urgent, now);
        self.count_if_dropped(is_queued);
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

    /// Queues the record of a player to be deleted, if there is room for it.
    pub(crate) fn delete_player(&self, key: String, now: SystemTime) {
        let is_queued = self.queue.lock().delete_player(key, now);
        self.count_if_dropped(is_queued);
        self.write_soon();
    }

    fn count_if_dropped(&self, is_queued: bool) {
        if !is_queued {
            self.dropped.fetch_add(1, Relaxed);
        }
    }

    /// Counts a render.
    pub(crate) fn count_render(&self, edition: Edition) {
        self.counts[edition as usize].fetch_add(1, Relaxed);
    }

    /// Wakes the task that writes the queue and the counts.
    pub(crate) fn write_soon(&self) {
        self.queued.notify_one();
    }

    /// Returns the count of every edition, in the store and not yet written together, descending;
    /// Java first on a tie.
    pub(crate) async fn counts(&self) -> Result<Vec<(Edition, u64)>, StoreError> {
        let stored = self.stored_counts.lock().await;
        let mut counts = self.store.counts().await?;
        for (edition, count) in &mut counts {
            let edition = *edition as usize;
            *count += self.counts[edition].load(Relaxed) - stored[edition];
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

    /// Returns the number of pictures, textures and players that were not stored because too many
    /// waited.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped.load(Relaxed)
    }

    /// Returns `true` while the database accepts no writes.
    pub(crate) fn writes_fail(&self) -> bool {
        self.writes_fail.load(Relaxed)
    }

    /// Writes whatever is queued from now on.
    pub(crate) async fn write_queued(self: Arc<Self>) {
        loop {
            // Some writes are due without a request.
            let _ = timeout(IDLE_INTERVAL, self.queued.notified()).await;
            while self.write_or_pause(Due::At((self.clock)())).await == Progress::MoreMayWait {}
            sleep(GATHER_TIME).await;
        }
    }

    /// Waits until the whole queue is written, which does not happen while the store fails.
    pub(crate) async fn flush(&self) {
        while self.write_or_pause(Due::All).await == Progress::MoreMayWait {}
    }

    /// Writes the next batch. If that fails, it waits a moment before it returns.
    async fn write_or_pause(&self, due: Due) -> Progress {
        let written = self.write(due).await;
        self.record_outcome(&written);
        match written {
            Ok(progress) => progress,
            Err(_) => {
                sleep(PAUSE).await;
                Progress::MoreMayWait
            }
        }
    }

    /// Records whether the database accepts writes, and logs it.
    fn record_outcome(&self, written: &Result<Progress, StoreError>) {
        let was_down = self.writes_fail.swap(written.is_err(), Relaxed);
        if let Err(error) = written {
            let reason = error_chain(error);
            tracing::warn!("the database accepts no writes: {reason}");
        } else if was_down {
            tracing::info!("the database accepts writes again");
        }
    }

    /// Writes the next batch of the queue, and the counts up to now.
    async fn write(&self, due: Due) -> Result<Progress, StoreError> {
        let mut stored_counts = self.stored_counts.lock().await;
        // The batch stays in the queue until it is written.
        let batch = self.queue.lock().next_batch(due);
        let counts = self.counts_since(&stored_counts);
        if !batch.is_empty() || !counts.is_empty() {
            self.write_batch(&batch, &counts).await?;
        }
        self.queue.lock().done(&batch);
        for RenderCount { edition, total, .. } in counts {
            stored_counts[edition as usize] = total;
        }
        if batch.is_full() {
            Ok(Progress::MoreMayWait)
        } else {
            Ok(Progress::Done)
        }
    }

    /// Returns the counts that are higher than the stored ones.
    fn counts_since(&self, stored: &[u64; Edition::ALL.len()]) -> Vec<RenderCount> {
        let mut counts = Vec::new();
        for &edition in Edition::ALL {
            let total = self.counts[edition as usize].load(Relaxed);
            if total > stored[edition as usize] {
                counts.push(RenderCount {
                    edition,
                    writer: self.writer,
                    total,
                });
            }
        }
        counts
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

    #[tokio::test(start_paused = true)]
    async fn changed_players_are_written_at_once() {
        let store = MemoryStore::default();
        let files = Arc::new(files(&store));
        tokio::spawn(Arc::clone(&files).write_queued());
        for (changed, writes) in [(false, 0), (true, 1)] {
            let row = PlayerRow {
                key: changed.to_string(),
                value: Bytes::new(),
                checked_at: UNIX_EPOCH,
                used_at: UNIX_EPOCH,
            };
            files.put_player(row, changed);
            yield_now().await;
            assert_eq!(store.writes(), writes, "changed: {changed}");
        }
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
