//! A store whose methods can fail.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use effigy_player::Edition;
use effigy_store::{CachedImage, HealthEntry, RenderCount, Store, StoreError, async_trait};
use fixtures::MemoryStore;

/// The methods of a store that fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failing {
    Nothing,
    Reads,
    Writes,
    Everything,
    /// No call ends.
    Hanging,
}

/// A store whose methods can fail. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct FlakyStore {
    inner: MemoryStore,
    failing: Arc<Mutex<Failing>>,
    lookups: Arc<AtomicU64>,
}

impl FlakyStore {
    pub(crate) fn new(inner: MemoryStore) -> Self {
        Self {
            inner,
            failing: Arc::new(Mutex::new(Failing::Nothing)),
            lookups: Arc::default(),
        }
    }

    pub(crate) fn fail(&self, failing: Failing) {
        *self.failing.lock().unwrap() = failing;
    }

    /// The number of lookups of pictures.
    pub(crate) fn lookups(&self) -> u64 {
        self.lookups.load(Ordering::SeqCst)
    }

    async fn reads(&self) -> Result<(), StoreError> {
        self.fails(&[Failing::Reads, Failing::Everything]).await
    }

    async fn writes(&self) -> Result<(), StoreError> {
        self.fails(&[Failing::Writes, Failing::Everything]).await
    }

    async fn fails(&self, when: &[Failing]) -> Result<(), StoreError> {
        let failing = *self.failing.lock().unwrap();
        if failing == Failing::Hanging {
            std::future::pending::<()>().await;
        }
        if when.contains(&failing) {
            return Err(StoreError::TimedOut(Duration::ZERO));
        }
        Ok(())
    }
}

#[async_trait]
impl Store for FlakyStore {
    async fn lookup(
        &self,
        key: &str,
        now: SystemTime,
        lifetime: Duration,
    ) -> Result<Option<CachedImage>, StoreError> {
        self.lookups.fetch_add(1, Ordering::SeqCst);
        self.reads().await?;
        self.inner.lookup(key, now, lifetime).await
    }

    async fn write(
        &self,
        images: &[(&str, &CachedImage)],
        counts: &[RenderCount],
    ) -> Result<(), StoreError> {
        self.writes().await?;
        self.inner.write(images, counts).await
    }

    async fn counts(&self) -> Result<Vec<(Edition, u64)>, StoreError> {
        self.reads().await?;
        self.inner.counts().await
    }

    async fn record(&self, entry: &HealthEntry) -> Result<(), StoreError> {
        self.writes().await?;
        self.inner.record(entry).await
    }

    async fn recent(&self, limit: u32) -> Result<Vec<HealthEntry>, StoreError> {
        self.reads().await?;
        self.inner.recent(limit).await
    }

    async fn prune(&self, now: SystemTime, lifetime: Duration) -> Result<u64, StoreError> {
        self.writes().await?;
        self.inner.prune(now, lifetime).await
    }
}
