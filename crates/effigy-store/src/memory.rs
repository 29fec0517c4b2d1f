//! A store in the memory of this process, for tests and the demo.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use effigy_player::Edition;

use crate::counts::descending;
use crate::timestamp::{from_unix_millis, to_millis, to_unix_millis};
use crate::{
    CachedImage, Counters, HEALTH_LOG_LENGTH, HealthEntry, HealthLog, ImageCache, StoreError,
};

/// Number of entries of the health log, of which [`HealthLog::prune_health`] keeps fewer.
const MAX_HEALTH_LOG_LENGTH: usize = 2 * HEALTH_LOG_LENGTH as usize;

/// Bytes of images beyond which the oldest are evicted, and bytes that are left then.
const MAX_BYTES: usize = 64 << 20;
const BYTES_LEFT: usize = MAX_BYTES / 4 * 3;

/// Approximate bytes that an image takes in addition to its key and data.
const OVERHEAD_BYTES: usize = 200;

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

#[async_trait]
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
        let is_served = |image: &&CachedImage| image.created_at <= now && image.age(now) < lifetime;
        Ok(image.filter(is_served).cloned())
    }

    async fn put_all(&self, images: &[(&str, &CachedImage)]) -> Result<(), StoreError> {
        let copies = images.iter().map(|&(key, image)| {
            let created_at = whole_millis(image.created_at);
            let image = image.clone();
            (
                key.to_owned(),
                CachedImage {
                    created_at,
                    ..image
                },
            )
        });
        self.contents().images.extend(copies);
        Ok(())
    }

    async fn prune_images(&self, now: SystemTime, lifetime: Duration) -> Result<u64, StoreError> {
        let now = whole_millis(now);
        let images = &mut self.contents().images;
        let expired = images.extract_if(|_, image| {
            let ahead = image.created_at.duration_since(now).unwrap_or_default();
            image.age(now) >= lifetime || ahead > lifetime
        });
        Ok(expired.count() as u64)
    }

    async fn evict(&self) -> Result<u64, StoreError> {
        let images = &mut self.contents().images;
        let size =
            |key: &String, image: &CachedImage| key.len() + image.data.len() + OVERHEAD_BYTES;
        let mut bytes: usize = images.iter().map(|(key, image)| size(key, image)).sum();
        if bytes <= MAX_BYTES {
            return Ok(0);
        }
        let mut oldest: Vec<_> = images
            .iter()
            .map(|(key, image)| (image.created_at, key.clone(), size(key, image)))
            .collect();
        oldest.sort();
        let mut evicted = 0;
        for (_, key, size) in oldest {
            if bytes <= BYTES_LEFT {
                break;
            }
            images.remove(&key);
            bytes -= size;
            evicted += 1;
        }
        Ok(evicted)
    }

    async fn remove(&self, key: &str) -> Result<(), StoreError> {
        self.contents().images.remove(key);
        Ok(())
    }
}

#[async_trait]
impl Counters for MemoryStore {
    async fn increment(&self, edition: Edition, by: u64) -> Result<(), StoreError> {
        let mut contents = self.contents();
        let counter = contents.counts.entry(edition).or_default();
        *counter = counter.saturating_add(by).min(i64::MAX.unsigned_abs());
        Ok(())
    }

    async fn counts(&self) -> Result<Vec<(Edition, u64)>, StoreError> {
        let counts = &self.contents().counts;
        Ok(descending(|edition| {
            counts.get(&edition).copied().unwrap_or_default()
        }))
    }
}

#[async_trait]
impl HealthLog for MemoryStore {
    async fn record(&self, entry: &HealthEntry) -> Result<(), StoreError> {
        let entry = HealthEntry {
            response_time: Duration::from_millis(to_millis(entry.response_time).unsigned_abs()),
            timestamp: whole_millis(entry.timestamp),
            message: entry.message_without_nul(),
            status: entry.status,
        };
        let log = &mut self.contents().health;
        let index = log.partition_point(|other| other.timestamp <= entry.timestamp);
        log.insert(index, entry);
        let excess = log.len().saturating_sub(MAX_HEALTH_LOG_LENGTH);
        log.drain(..excess);
        Ok(())
    }

    async fn recent(&self, limit: u32) -> Result<Vec<HealthEntry>, StoreError> {
        let log = &self.contents().health;
        Ok(log.iter().rev().take(limit as usize).cloned().collect())
    }

    async fn prune_health(&self) -> Result<u64, StoreError> {
        let log = &mut self.contents().health;
        let excess = log.len().saturating_sub(HEALTH_LOG_LENGTH as usize);
        Ok(log.drain(..excess).count() as u64)
    }
}

/// Rounds the time as a database would.
fn whole_millis(time: SystemTime) -> SystemTime {
    from_unix_millis(to_unix_millis(time))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::HealthStatus;

    #[tokio::test]
    async fn the_oldest_images_make_room() {
        let store = MemoryStore::new();
        let created_at = |number| SystemTime::UNIX_EPOCH + Duration::from_secs(number);
        for number in 0..100 {
            let image = CachedImage {
                data: Bytes::from(vec![7; 1 << 20]),
                content_type: "image/png".to_owned(),
                created_at: created_at(number),
            };
            let stored = store.put(&number.to_string(), &image).await;
            stored.expect("it never fails");
            store.evict().await.expect("it never fails");
        }
        for (number, expected) in [(0, false), (30, false), (60, true), (99, true)] {
            let found = store.lookup(&number.to_string(), created_at(number)).await;
            assert_eq!(
                found.expect("it never fails").is_some(),
                expected,
                "{number}"
            );
        }
    }

    #[tokio::test]
    async fn the_health_log_is_bounded() {
        let store = MemoryStore::new();
        let entry = HealthEntry {
            status: HealthStatus::Green,
            message: String::new(),
            response_time: Duration::ZERO,
            timestamp: SystemTime::UNIX_EPOCH,
        };
        for _ in 0..MAX_HEALTH_LOG_LENGTH + 10 {
            store.record(&entry).await.expect("it never fails");
        }
        let kept = store.recent(u32::MAX).await.expect("it never fails");
        assert_eq!(kept.len(), MAX_HEALTH_LOG_LENGTH);
    }
}
