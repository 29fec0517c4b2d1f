//! A store in memory, which answers at once and never fails.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, SystemTime},
};

use effigy_player::Edition;
use effigy_store::{CachedImage, HealthEntry, Store, StoreError, async_trait};

/// A store whose calls take no time, so that a test can stop the clock. Clones share their contents.
#[derive(Debug, Clone, Default)]
pub(crate) struct MemoryStore(Arc<Mutex<Contents>>);

#[derive(Debug, Default)]
struct Contents {
    images: HashMap<String, CachedImage>,
    counts: HashMap<Edition, u64>,
    health: Vec<HealthEntry>,
}

#[async_trait]
impl Store for MemoryStore {
    async fn lookup(
        &self,
        key: &str,
        now: SystemTime,
        lifetime: Duration,
    ) -> Result<Option<CachedImage>, StoreError> {
        let contents = self.0.lock().unwrap();
        let image = contents.images.get(key);
        let is_served = |image: &&CachedImage| image.created_at <= now && image.age(now) < lifetime;
        Ok(image.filter(is_served).cloned())
    }

    async fn write(
        &self,
        images: &[(&str, &CachedImage)],
        counts: &[(Edition, u64)],
    ) -> Result<(), StoreError> {
        let mut contents = self.0.lock().unwrap();
        for &(key, image) in images {
            contents.images.insert(key.to_owned(), image.clone());
        }
        for &(edition, by) in counts {
            *contents.counts.entry(edition).or_default() += by;
        }
        Ok(())
    }

    async fn counts(&self) -> Result<Vec<(Edition, u64)>, StoreError> {
        let counts = &self.0.lock().unwrap().counts;
        let count =
            |edition: &Edition| (*edition, counts.get(edition).copied().unwrap_or_default());
        Ok(Edition::ALL.iter().map(count).collect())
    }

    async fn record(&self, entry: &HealthEntry) -> Result<(), StoreError> {
        let log = &mut self.0.lock().unwrap().health;
        let index = log.partition_point(|other| other.timestamp <= entry.timestamp);
        log.insert(index, entry.clone());
        Ok(())
    }

    async fn recent(&self, limit: u32) -> Result<Vec<HealthEntry>, StoreError> {
        let log = &self.0.lock().unwrap().health;
        Ok(log.iter().rev().take(limit as usize).cloned().collect())
    }

    async fn prune(&self, now: SystemTime, lifetime: Duration) -> Result<u64, StoreError> {
        let images = &mut self.0.lock().unwrap().images;
        let expired = images.extract_if(|_, image| image.age(now) >= lifetime);
        Ok(expired.count() as u64)
    }
}
