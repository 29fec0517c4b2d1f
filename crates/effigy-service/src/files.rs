//! Files kept in the store for later requests. A store that fails has none, since they can be made again.

pub(crate) mod writer;

use std::{
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use effigy_store::{CachedImage, Store, StoreError};
use effigy_upstream::error_chain;
use parking_lot::Mutex;
use prometheus::HistogramVec;
use tokio::{task::JoinSet, time::timeout};

use self::writer::Writer;
use crate::metrics::observe;

/// The longest wait for a read. Drawing again takes about as long.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The time after a read that has failed in which requests are spared the wait.
const PAUSE: Duration = Duration::from_secs(1);

/// The files in a store.
pub(crate) struct Files {
    pub(crate) store: Arc<dyn Store>,
    /// The time for which a file is kept.
    lifetime: Duration,
    pub(crate) writer: Arc<Writer>,
    /// The task of the writer, which ends with this.
    _task: JoinSet<()>,
    /// The time before which nothing is read from the store, since the last read failed.
    not_before: Mutex<Option<Instant>>,
}

impl Files {
    /// The files in `store` until they are `lifetime` old.
    pub(crate) fn new(store: Arc<dyn Store>, lifetime: Duration) -> Self {
        let writer = Arc::new(Writer::new(Arc::clone(&store)));
        Self {
            _task: JoinSet::from_iter([Arc::clone(&writer).run()]),
            writer,
            not_before: Mutex::default(),
            lifetime,
            store,
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
