//! Reads of pictures from the store.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant, SystemTime},
};

use effigy_store::{CachedImage, Store, StoreError};
use tokio::time::timeout;

use crate::{Outcomes, error::error_chain};

/// The longest wait for a read. Drawing again takes about as long.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The milliseconds after a read that has failed in which requests are spared the wait.
const PAUSE: u64 = 1_000;

/// The reader of a store. A store that fails has no pictures, since they can be drawn again.
#[derive(Debug)]
pub(crate) struct StoreReads {
    store: Arc<dyn Store>,
    /// The age until which pictures are returned.
    lifetime: Duration,
    started: Instant,
    /// The milliseconds since the start before which nothing is read. Zero if the last read succeeded.
    not_before: AtomicU64,
}

impl StoreReads {
    pub(crate) fn new(store: Arc<dyn Store>, lifetime: Duration) -> Self {
        Self {
            store,
            lifetime,
            started: Instant::now(),
            not_before: AtomicU64::new(0),
        }
    }

    /// Returns `true` while nothing is read.
    pub(crate) fn is_paused(&self) -> bool {
        self.millis() < self.not_before.load(Relaxed)
    }

    /// Returns the picture under `key` if there is one and the store can be read.
    pub(crate) async fn read(
        &self,
        key: &str,
        now: SystemTime,
        metrics: &Outcomes,
    ) -> Option<CachedImage> {
        if !self.may_read(self.millis()) {
            return None;
        }
        let started = Instant::now();
        let lookup = self.store.lookup(key, now, self.lifetime);
        let found = timeout(TIMEOUT, lookup).await;
        let found = found.unwrap_or(Err(StoreError::TimedOut {
            operation: "look an image up",
            limit: TIMEOUT,
        }));
        metrics.observe(started.elapsed(), &found);
        let not_before = if found.is_ok() {
            0
        } else {
            self.millis() + PAUSE
        };
        self.not_before.store(not_before, Relaxed);
        let warn = |error: &StoreError| {
            let reason = error_chain(error);
            tracing::warn!("pictures are served without the database: {reason}");
        };
        found.inspect_err(warn).ok().flatten()
    }

    /// Returns `true` if the store can be read. After a pause only the first reader finds out whether it can.
    fn may_read(&self, now: u64) -> bool {
        let not_before = self.not_before.load(Relaxed);
        let pause = || {
            self.not_before
                .compare_exchange(not_before, now + PAUSE, Relaxed, Relaxed)
        };
        not_before == 0 || (now >= not_before && pause().is_ok())
    }

    fn millis(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use effigy_store::MemoryStore;

    use super::*;

    #[test]
    fn after_a_pause_one_reader_tries() {
        let reads = StoreReads::new(Arc::new(MemoryStore::new()), TIMEOUT);
        assert!(reads.may_read(5) && reads.may_read(5) && !reads.is_paused());
        reads.not_before.store(7_000, Relaxed);
        assert!(reads.is_paused());
        for (now, expected) in [(6_999, false), (7_000, true), (7_000, false), (8_000, true)] {
            assert_eq!(reads.may_read(now), expected, "{now} ms");
        }
    }
}
