//! The store, as requests use it: pictures, textures, players and counts. While it fails, pictures
//! are made again, and textures and players are asked for again.

mod queue;
mod writes;

use std::{
    hash::{BuildHasher, RandomState},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64},
    },
    time::{Duration, Instant, SystemTime},
};

use bytes::Bytes;
use effigy_player::Edition;
use effigy_store::{CachedImage, PlayerRow, Store, StoreError, TextureId};
use effigy_upstream::error_chain;
use parking_lot::Mutex;
use prometheus::HistogramVec;
use tokio::{sync::Notify, time::timeout};

use self::queue::{PlayerWrite, WriteQueue};
use crate::{Clock, metrics::observe, reuse::age::is_younger};

/// The longest wait for a read. Drawing again takes about as long.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The time after a failed read in which no request waits for the store.
const PAUSE: Duration = Duration::from_secs(1);

/// The contents of a store, and those that wait to be written to it.
pub(crate) struct Files {
    pub(crate) store: Arc<dyn Store>,
    clock: Clock,
    /// `true` if other processes share the store, so that checks are written at once.
    shared_store: bool,
    /// The time before which nothing is read from the store, because the last read failed.
    not_before: Mutex<Option<Instant>>,
    /// The random number by which the store knows the counts of this service.
    writer: i64,
    queue: Mutex<WriteQueue>,
    /// The renders of each edition since the start.
    counts: [AtomicU64; Edition::ALL.len()],
    /// The part of [`counts`](Self::counts) that is in the store. Locked while anything is written,
    /// so that one batch is written at a time, and while the counts are added up.
    stored_counts: tokio::sync::Mutex<[u64; Edition::ALL.len()]>,
    /// Tells that there is something to write.
    queued: Notify,
    /// The pictures, textures and players that the queue had no room for.
    dropped: AtomicU64,
    writes_fail: AtomicBool,
}

impl Files {
    /// The files in `store`, which other processes may share.
    pub(crate) fn new(store: Arc<dyn Store>, clock: Clock, shared_store: bool) -> Self {
        Self {
            store,
            clock,
            shared_store,
            not_before: Mutex::default(),
            writer: RandomState::new().hash_one("writer").cast_signed(),
            queue: Mutex::default(),
            counts: Default::default(),
            stored_counts: Default::default(),
            queued: Notify::default(),
            dropped: AtomicU64::default(),
            writes_fail: AtomicBool::default(),
        }
    }

    /// Returns `true` from a read that has failed until one succeeds.
    pub(crate) fn reads_fail(&self) -> bool {
        self.not_before.lock().is_some()
    }

    /// Returns the picture under `key` if it is younger than `lifetime`, and the store has it, or
    /// will have it soon, and can be read.
    pub(crate) async fn read(
        &self,
        key: &str,
        now: SystemTime,
        lifetime: Duration,
        times: &HistogramVec,
    ) -> Option<CachedImage> {
        let queued = self.queue.lock().picture(key);
        if let Some(file) = queued
            && is_younger(file.created_at, lifetime, now)
        {
            return Some((*file).clone());
        }
        let started = Instant::now();
        let found = self.try_read(self.store.lookup(key, now, lifetime)).await?;
        observe(times, started.elapsed(), &found);
        found.ok().flatten()
    }

    /// Returns a texture if the store has it, or will have it soon, and can be read.
    pub(crate) async fn texture(&self, id: &TextureId) -> Option<Bytes> {
        if let Some(file) = self.queue.lock().texture(id) {
            return Some(file);
        }
        self.try_read(self.store.texture(id)).await?.ok().flatten()
    }

    /// Returns the row of a player if the store has one, or will have it soon, and can be read.
    pub(crate) async fn player(&self, key: &str) -> Option<PlayerRow> {
        match self.queue.lock().player(key) {
            Some(PlayerWrite::Put(row)) => return Some(row),
            Some(PlayerWrite::Delete(_)) => return None,
            Some(PlayerWrite::Used(_)) | None => {}
        }
        self.try_read(self.store.player(key)).await?.ok().flatten()
    }

    /// Reads from the store, for a limited time. Returns `None` if the store has failed a moment
    /// ago.
    async fn try_read<T>(
        &self,
        read: impl Future<Output = Result<T, StoreError>>,
    ) -> Option<Result<T, StoreError>> {
        if !self.may_read(Instant::now()) {
            return None;
        }
        let found = timeout(TIMEOUT, read).await;
        let found = found.unwrap_or(Err(StoreError::TimedOut(TIMEOUT)));
        match &found {
            Ok(_) => self.end_pause(),
            Err(error) => {
                *self.not_before.lock() = Some(Instant::now() + PAUSE);
                let reason = error_chain(error);
                tracing::warn!("pictures are served without the database: {reason}");
            }
        }
        Some(found)
    }

    /// Reads from the store again, after a read that has succeeded.
    pub(crate) fn end_pause(&self) {
        if self.not_before.lock().take().is_some() {
            tracing::info!("pictures are read from the database again");
        }
    }

    /// Returns `true` if a reader may try the store. After a pause, only the first one may.
    fn may_read(&self, now: Instant) -> bool {
        match &mut *self.not_before.lock() {
            Some(then) if now < *then => return false,
            Some(then) => *then = now + PAUSE,
            None => {}
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use effigy_store::SqlStore;

    use super::*;

    #[tokio::test]
    async fn after_a_pause_one_reader_tries() {
        let store = SqlStore::open("sqlite::memory:").await;
        let store = Arc::new(store.expect("a database"));
        let files = Files::new(store, Arc::new(SystemTime::now), false);
        let start = Instant::now();
        assert!(files.may_read(start) && files.may_read(start) && !files.reads_fail());
        *files.not_before.lock() = Some(start + PAUSE);
        assert!(files.reads_fail());
        // It has not been tried again since.
        *files.not_before.lock() = Some(start);
        assert!(files.reads_fail());
        *files.not_before.lock() = Some(start + PAUSE);
        for (millis, expected) in [(999, false), (1_000, true), (1_000, false), (2_000, true)] {
            let now = start + Duration::from_millis(millis);
            assert_eq!(files.may_read(now), expected, "{millis} ms");
        }
    }
}
