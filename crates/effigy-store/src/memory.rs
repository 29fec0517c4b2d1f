//! A store in the memory of this process, for tests and the demo.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use effigy_player::Edition;
use parking_lot::Mutex;

use crate::timestamp::{from_unix_millis, to_millis, to_unix_millis};
use crate::{CachedImage, HEALTH_LOG_LENGTH, HealthEntry, Store, StoreError};

/// Bytes of images beyond which the oldest are deleted, and bytes that are left then.
const MAX_BYTES: usize = 64 << 20;
const BYTES_LEFT: usize = MAX_BYTES / 4 * 3;

/// Approximate bytes that an image takes in addition to its key and data.
const OVERHEAD_BYTES: usize = 200;

/// A store in memory of at most 64 MiB. Clones share their contents, which end with the last clone.
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
}

impl Contents {
    /// Deletes the oldest images if there are too many.
    fn evict(&mut self) {
        let size =
            |(key, image): (&String, &CachedImage)| key.len() + image.data.len() + OVERHEAD_BYTES;
        if self.images.iter().map(size).sum::<usize>() <= MAX_BYTES {
            return;
        }
        let mut images: Vec<_> = self.images.drain().collect();
        images.sort_by_key(|(_, image)| Reverse(image.created_at));
        let mut bytes = 0;
        self.images
            .extend(images.into_iter().take_while(|(key, image)| {
                bytes += size((key, image));
                bytes <= BYTES_LEFT
            }));
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn lookup(
        &self,
        key: &str,
        now: SystemTime,
        lifetime: Duration,
    ) -> Result<Option<CachedImage>, StoreError> {
        let now = whole_millis(now);
        let contents = self.contents.lock();
        let image = contents.images.get(key);
        let is_served = |image: &&CachedImage| image.created_at <= now && image.age(now) < lifetime;
        Ok(image.filter(is_served).cloned())
    }

    async fn write(
        &self,
        images: &[(&str, &CachedImage)],
        counts: &[(Edition, u64)],
    ) -> Result<(), StoreError> {
        let mut contents = self.contents.lock();
        for &(key, image) in images {
            let mut image = image.clone();
            image.created_at = whole_millis(image.created_at);
            contents.images.insert(key.to_owned(), image);
        }
        for &(edition, by) in counts {
            let counter = contents.counts.entry(edition).or_default();
            *counter = counter.saturating_add(by).min(i64::MAX.unsigned_abs());
        }
        contents.evict();
        Ok(())
    }

    async fn counts(&self) -> Result<Vec<(Edition, u64)>, StoreError> {
        let counts = &self.contents.lock().counts;
        let count = |edition| (edition, counts.get(&edition).copied().unwrap_or_default());
        Ok(Edition::ALL.map(count).to_vec())
    }

    async fn record(&self, entry: &HealthEntry) -> Result<(), StoreError> {
        let entry = HealthEntry {
            response_time: Duration::from_millis(to_millis(entry.response_time).unsigned_abs()),
            timestamp: whole_millis(entry.timestamp),
            message: entry.message_without_nul(),
            status: entry.status,
        };
        let log = &mut self.contents.lock().health;
        let index = log.partition_point(|other| other.timestamp <= entry.timestamp);
        log.insert(index, entry);
        let excess = log.len().saturating_sub(HEALTH_LOG_LENGTH as usize);
        log.drain(..excess);
        Ok(())
    }

    async fn recent(&self, limit: u32) -> Result<Vec<HealthEntry>, StoreError> {
        let log = &self.contents.lock().health;
        Ok(log.iter().rev().take(limit as usize).cloned().collect())
    }

    async fn prune(&self, now: SystemTime, lifetime: Duration) -> Result<u64, StoreError> {
        let now = whole_millis(now);
        let images = &mut self.contents.lock().images;
        let expired = images.extract_if(|_, image| {
            let ahead = image.created_at.duration_since(now).unwrap_or_default();
            image.age(now) >= lifetime || ahead > lifetime
        });
        Ok(expired.count() as u64)
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
    use crate::{HealthStatus, LIFETIME};

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
            let written = store.write(&[(&number.to_string(), &image)], &[]).await;
            written.expect("it never fails");
        }
        for (number, expected) in [(0, false), (30, false), (60, true), (99, true)] {
            let key = number.to_string();
            let found = store.lookup(&key, created_at(number), LIFETIME).await;
            let found = found.expect("it never fails");
            assert_eq!(found.is_some(), expected, "{number}");
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
        for _ in 0..HEALTH_LOG_LENGTH + 10 {
            store.record(&entry).await.expect("it never fails");
        }
        let kept = store.recent(u32::MAX).await.expect("it never fails");
        assert_eq!(kept.len(), HEALTH_LOG_LENGTH as usize);
    }
}
