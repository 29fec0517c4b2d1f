//! Reads of pictures from the store.

use std::{
    mem,
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use effigy_store::{CachedImage, Store, StoreError};
use effigy_upstream::error_chain;
use parking_lot::Mutex;
use prometheus::HistogramVec;
use tokio::time::timeout;

use crate::metrics::observe;

/// The longest wait for a read. Drawing again takes about as long.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The time after a read that has failed in which requests are spared the wait.
const PAUSE: Duration = Duration::from_secs(1);

/// The reader of a store. A store that fails has no pictures, since they can be drawn again.
#[derive(Debug)]
pub(crate) struct StoreReads {
    store: Arc<dyn Store>,
    /// The age until which pictures are returned.
    lifetime: Duration,
    /// The time before which nothing is read, since the last read failed.
    not_before: Mutex<Option<Instant>>,
}

impl StoreReads {
    pub(crate) fn new(store: Arc<dyn Store>, lifetime: Duration) -> Self {
        Self {
            store,
            lifetime,
            not_before: Mutex::default(),
        }
    }

    /// Returns `true` while nothing is read.
    pub(crate) fn is_paused(&self) -> bool {
        let not_before = *self.not_before.lock();
        not_before.is_some_and(|then| Instant::now() < then)
    }

    /// Returns the picture under `key` if there is one and the store can be read.
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
        let found = found.unwrap_or(Err(StoreError::TimedOut {
            operation: "look an image up",
            limit: TIMEOUT,
        }));
        observe(times, started.elapsed(), &found);
        let not_before = found.is_err().then(|| Instant::now() + PAUSE);
        let was_paused = mem::replace(&mut *self.not_before.lock(), not_before).is_some();
        match &found {
            Ok(_) if was_paused => tracing::info!("pictures are read from the database again"),
            Ok(_) => {}
            Err(error) => {
                let reason = error_chain(error);
                tracing::warn!("pictures are served without the database: {reason}");
            }
        }
        found.ok().flatten()
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
        let reads = StoreReads::new(Arc::new(store.expect("a database")), TIMEOUT);
        let start = Instant::now();
        assert!(reads.may_read(start) && reads.may_read(start) && !reads.is_paused());
        *reads.not_before.lock() = Some(start + PAUSE);
        assert!(reads.is_paused());
        for (millis, expected) in [(999, false), (1_000, true), (1_000, false), (2_000, true)] {
            let now = start + Duration::from_millis(millis);
            assert_eq!(reads.may_read(now), expected, "{millis} ms");
        }
    }
}
