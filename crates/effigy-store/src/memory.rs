//! A store in this process's memory, for tests and demonstrations.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use effigy_player::Edition;

use crate::count::descending;
use crate::timestamp::{from_unix_millis, to_millis, to_unix_millis};
use crate::{
    CachedImage, Counters, HEALTH_LOG_LENGTH, HealthEntry, HealthLog, ImageCache, StoreError,
};

/// A store in memory. Its clones share what they hold; it is gone with the last of them.
///
/// It behaves as [`SqlStore`](crate::SqlStore) does, except that it never fails.
#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    contents: Arc<Mutex<Contents>>,
}

#[derive(Debug, Default)]
struct Contents {
    images: HashMap<String, CachedImage>,
    java: u64,
    bedrock: u64,
    /// Oldest first; equally old ones in the order in which they were recorded.
    health: Vec<HealthEntry>,
}

impl Contents {
    fn counter(&mut self, edition: Edition) -> &mut u64 {
        match edition {
            Edition::Java => &mut self.java,
            Edition::Bedrock => &mut self.bedrock,
        }
    }
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        // Every change below is complete or not begun, so a panic elsewhere leaves sound contents.
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ImageCache for MemoryStore {
    async fn lookup_within(
        &self,
        key: &str,
        now: SystemTime,
        lifetime: Duration,
    ) -> Result<Option<CachedImage>, StoreError> {
        let now = whole_millis(now);
        let contents = self.contents();
        let image = contents.images.get(key);
        Ok(image.filter(|image| image.age(now) < lifetime).cloned())
    }

    async fn put(&self, key: &str, image: &CachedImage) -> Result<(), StoreError> {
        self.put_all(&[(key, image)]).await
    }

    async fn put_all(&self, images: &[(&str, &CachedImage)]) -> Result<(), StoreError> {
        let kept = images.iter().map(|&(key, image)| {
            let created_at = whole_millis(image.created_at);
            let image = CachedImage {
                created_at,
                ..image.clone()
            };
            (key.to_owned(), image)
        });
        self.contents().images.extend(kept);
        Ok(())
    }

    async fn prune_images(&self, now: SystemTime, lifetime: Duration) -> Result<u64, StoreError> {
        let now = whole_millis(now);
        let mut pruned = 0;
        self.contents().images.retain(|_, image| {
            let keep = image.age(now) < lifetime;
            pruned += u64::from(!keep);
            keep
        });
        Ok(pruned)
    }
}

impl Counters for MemoryStore {
    async fn increment(&self, edition: Edition, by: u64) -> Result<(), StoreError> {
        let mut contents = self.contents();
        let counter = contents.counter(edition);
        *counter = counter.saturating_add(by).min(i64::MAX.unsigned_abs());
        Ok(())
    }

    async fn count(&self, edition: Edition) -> Result<u64, StoreError> {
        Ok(*self.contents().counter(edition))
    }

    async fn counts(&self) -> Result<Vec<(Edition, u64)>, StoreError> {
        let contents = self.contents();
        Ok(descending(|edition| match edition {
            Edition::Java => contents.java,
            Edition::Bedrock => contents.bedrock,
        }))
    }
}

impl HealthLog for MemoryStore {
    async fn record(&self, entry: &HealthEntry) -> Result<(), StoreError> {
        let entry = HealthEntry {
            response_time: Duration::from_millis(to_millis(entry.response_time).unsigned_abs()),
            timestamp: whole_millis(entry.timestamp),
            message: entry.storable_message(),
            status: entry.status,
        };
        let log = &mut self.contents().health;
        let place = log.partition_point(|other| other.timestamp <= entry.timestamp);
        log.insert(place, entry);
        Ok(())
    }

    async fn recent(&self, limit: u32) -> Result<Vec<HealthEntry>, StoreError> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(self
            .contents()
            .health
            .iter()
            .rev()
            .take(limit)
            .cloned()
            .collect())
    }

    async fn prune_health(&self) -> Result<u64, StoreError> {
        let kept = usize::try_from(HEALTH_LOG_LENGTH).unwrap_or(usize::MAX);
        let log = &mut self.contents().health;
        let excess = log.len().saturating_sub(kept);
        Ok(log.drain(..excess).count() as u64)
    }
}

/// The time as a database would give it back.
fn whole_millis(time: SystemTime) -> SystemTime {
    from_unix_millis(to_unix_millis(time))
}
