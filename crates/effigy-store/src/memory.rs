//! A store in this process's memory, for tests and demonstrations.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use effigy_player::Edition;

use crate::counts::descending;
use crate::timestamp::{from_unix_millis, to_millis, to_unix_millis};
use crate::{
    BoxFuture, CachedImage, Counters, HEALTH_LOG_LENGTH, HealthEntry, HealthLog, ImageCache,
    StoreError,
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
    fn lookup_within<'a>(
        &'a self,
        key: &'a str,
        now: SystemTime,
        lifetime: Duration,
    ) -> BoxFuture<'a, Result<Option<CachedImage>, StoreError>> {
        Box::pin(async move {
            let now = whole_millis(now);
            let contents = self.contents();
            let image = contents.images.get(key);
            Ok(image.filter(|image| image.age(now) < lifetime).cloned())
        })
    }

    fn put<'a>(
        &'a self,
        key: &'a str,
        image: &'a CachedImage,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move { self.put_all(&[(key, image)]).await })
    }

    fn put_all<'a>(
        &'a self,
        images: &'a [(&'a str, &'a CachedImage)],
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
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
        })
    }

    fn prune_images(
        &self,
        now: SystemTime,
        lifetime: Duration,
    ) -> BoxFuture<'_, Result<u64, StoreError>> {
        Box::pin(async move {
            let now = whole_millis(now);
            let mut pruned = 0;
            self.contents().images.retain(|_, image| {
                let keep = image.age(now) < lifetime;
                pruned += u64::from(!keep);
                keep
            });
            Ok(pruned)
        })
    }
}

impl Counters for MemoryStore {
    fn increment(&self, edition: Edition, by: u64) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let mut contents = self.contents();
            let counter = contents.counter(edition);
            *counter = counter.saturating_add(by).min(i64::MAX.unsigned_abs());
            Ok(())
        })
    }

    fn count(&self, edition: Edition) -> BoxFuture<'_, Result<u64, StoreError>> {
        Box::pin(async move { Ok(*self.contents().counter(edition)) })
    }

    fn counts(&self) -> BoxFuture<'_, Result<Vec<(Edition, u64)>, StoreError>> {
        Box::pin(async move {
            let contents = self.contents();
            Ok(descending(|edition| match edition {
                Edition::Java => contents.java,
                Edition::Bedrock => contents.bedrock,
            }))
        })
    }
}

impl HealthLog for MemoryStore {
    fn record<'a>(&'a self, entry: &'a HealthEntry) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
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
        })
    }

    fn recent(&self, limit: u32) -> BoxFuture<'_, Result<Vec<HealthEntry>, StoreError>> {
        Box::pin(async move {
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            Ok(self
                .contents()
                .health
                .iter()
                .rev()
                .take(limit)
                .cloned()
                .collect())
        })
    }

    fn prune_health(&self) -> BoxFuture<'_, Result<u64, StoreError>> {
        Box::pin(async move {
            let kept = usize::try_from(HEALTH_LOG_LENGTH).unwrap_or(usize::MAX);
            let log = &mut self.contents().health;
            let excess = log.len().saturating_sub(kept);
            Ok(log.drain(..excess).count() as u64)
        })
    }
}

/// The time as a database would give it back.
fn whole_millis(time: SystemTime) -> SystemTime {
    from_unix_millis(to_unix_millis(time))
}
