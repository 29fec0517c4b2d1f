//! Files kept in the store for later requests. A store that fails has none, since they can be made again.

mod writes;

use std::{
    hash::{BuildHasher, RandomState},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64},
    },
    time::{Duration, Instant, SystemTime},
};

use effigy_player::Edition;
use effigy_store::{CachedImage, Store, StoreError};
use effigy_upstream::error_chain;
use parking_lot::Mutex;
use prometheus::HistogramVec;
use tokio::{sync::Notify, time::timeout};

use self::writes::WriteQueue;
use crate::metrics::observe;

/// The longest wait for a read. Drawing again takes about as long.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The time after a read that has failed in which requests are spared the wait.
const PAUSE: Duration = Duration::from_secs(1);

/// The files in a store, and those on their way to it.
pub(crate) struct Files {
    pub(crate) store: Arc<dyn Store>,
    /// The time for which a file is kept.
    lifetime: Duration,
    /// The time before which nothing is read from the store, since the last read failed.
    not_before: Mutex<Option<Instant>>,
    /// The random number by which the store knows the counts of this service.
    writer: i64,
    queue: Mutex<WriteQueue>,
    /// The renders of each edition since the start.
    counts: [AtomicU64; Edition::ALL.len()],
    /// Those of them that are in the store. Locked while anything is written, and while both are added up.
    written: tokio::sync::Mutex<[u64; Edition::ALL.len()]>,
    /// Tells that there is something to write.
    queued: Notify,
    dropped: AtomicU64,
    is_writing_down: AtomicBool,
}

impl Files {
    /// The files in `store` until they are `lifetime` old.
    pub(crate) fn new(store: Arc<dyn Store>, lifetime: Duration) -> Self {
        Self {
            store,
            lifetime,
            not_before: Mutex::default(),
            writer: RandomState::new().hash_one("writer").cast_signed(),
            queue: Mutex::default(),
            counts: Default::default(),
            written: Default::default(),
            queued: Notify::default(),
            dropped: AtomicU64::default(),
            is_writing_down: AtomicBool::default(),
        }
    }

    /// Returns `true` from a read that has failed until one succeeds.
    pub(crate) fn is_reading_down(&self) -> bool {
        self.not_before.lock().is_some()
    }

    /// Returns the file under `key` if there is one in the store and the store can be read.
    pub(crate) async fn read(
        &self,
        key: &str,
        now: SystemTime,
        times: &HistogramVec,
    ) -> Option<CachedImage> {
        let started = Instant::now();
        if !self.may_read(started) {
            return None;
        }
        let lookup = self.store.lookup(key, now, self.lifetime);
        let found = timeout(TIMEOUT, lookup).await;
        let found = found.unwrap_or(Err(StoreError::TimedOut(TIMEOUT)));
        observe(times, started.elapsed(), &found);
        match &found {
            Ok(_) => self.end_pause(),
            Err(error) => {
                *self.not_before.lock() = Some(Instant::now() + PAUSE);
                let reason = error_chain(error);
                tracing::warn!("pictures are served without the database: {reason}");
            }
        }
        found.ok().flatten()
    }

    /// Reads from the store again, after a read that has succeeded.
    pub(crate) fn end_pause(&self) {
        if self.not_before.lock().take().is_some() {
            tracing::info!("pictures are read from the database again");
        }
    }

    /// Returns `true` if the store can be read. After a pause only the first reader finds out whether it can.
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
        let files = Files::new(Arc::new(store.expect("a database")), TIMEOUT);
        let start = Instant::now();
        assert!(files.may_read(start) && files.may_read(start) && !files.is_reading_down());
        *files.not_before.lock() = Some(start + PAUSE);
        assert!(files.is_reading_down());
        // It has not been tried again since.
        *files.not_before.lock() = Some(start);
        assert!(files.is_reading_down());
        *files.not_before.lock() = Some(start + PAUSE);
        for (millis, expected) in [(999, false), (1_000, true), (1_000, false), (2_000, true)] {
            let now = start + Duration::from_millis(millis);
            assert_eq!(files.may_read(now), expected, "{millis} ms");
        }
    }
}
