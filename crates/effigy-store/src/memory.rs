//! A store in the memory of this process, for tests and the demo.

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

/// A store in memory. Clones share their contents, which end with the last clone.
///
/// It behaves like [`SqlStore`](crate::SqlStore), except that it never fails.
#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    contents: Arc<Mutex<Contents>>,
}

#[derive(Debug, Default)]
struct Contents {
    images: HashMap<String, CachedImage>,
    counts: HashMap<Edition, u64>,
    /// Sorted by time, oldest first; entries of the same time in the order of recording.
    health: Vec<HealthEntry>,
}

impl MemoryStore {
    /// Creates an empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        // Each change below is one step, so a panic while the lock is held leaves valid contents.
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

    fn put_all<'a>(
        &'a self,
        images: &'a [(&'a str, &'a CachedImage)],
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let copies = images.iter().map(|&(key, image)| {
                let mut copy = image.clone();
                copy.created_at = whole_millis(image.created_at);
                (key.to_owned(), copy)
            });
            self.contents().images.extend(copies);
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
            let images = &mut self.contents().images;
            let before = images.len();
            images.retain(|_, image| image.age(now) < lifetime);
            Ok((before - images.len()) as u64)
        })
    }
}

impl Counters for MemoryStore {
    fn increment(&self, edition: Edition, by: u64) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let mut contents = self.contents();
            let counter = contents.counts.entry(edition).or_default();
            *counter = counter.saturating_add(by).min(i64::MAX.unsigned_abs());
            Ok(())
        })
    }

    fn count(&self, edition: Edition) -> BoxFuture<'_, Result<u64, StoreError>> {
        Box::pin(async move { Ok(self.contents().count(edition)) })
    }

    fn counts(&self) -> BoxFuture<'_, Result<Vec<(Edition, u64)>, StoreError>> {
        Box::pin(async move {
            let contents = self.contents();
            Ok(descending(|edition| contents.count(edition)))
        })
    }
}

impl HealthLog for MemoryStore {
    fn record<'a>(&'a self, entry: &'a HealthEntry) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let entry = HealthEntry {
                response_time: Duration::from_millis(to_millis(entry.response_time).unsigned_abs()),
                timestamp: whole_millis(entry.timestamp),
                message: entry.message_without_nul(),
                status: entry.status,
            };
            let log = &mut self.contents().health;
            let index = log.partition_point(|other| other.timestamp <= entry.timestamp);
            log.insert(index, entry);
            Ok(())
        })
    }

    fn recent(&self, limit: u32) -> BoxFuture<'_, Result<Vec<HealthEntry>, StoreError>> {
        Box::pin(async move {
            let log = &self.contents().health;
            Ok(log.iter().rev().take(limit as usize).cloned().collect())
        })
    }

    fn prune_health(&self) -> BoxFuture<'_, Result<u64, StoreError>> {
        Box::pin(async move {
            let log = &mut self.contents().health;
            let excess = log.len().saturating_sub(HEALTH_LOG_LENGTH as usize);
            Ok(log.drain(..excess).count() as u64)
        })
    }
}

impl Contents {
    fn count(&self, edition: Edition) -> u64 {
        self.counts.get(&edition).copied().unwrap_or_default()
    }
}

/// Rounds the time as a database would.
fn whole_millis(time: SystemTime) -> SystemTime {
    from_unix_millis(to_unix_millis(time))
}
