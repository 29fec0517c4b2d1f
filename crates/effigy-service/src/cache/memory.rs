//! The most requested pictures, in memory in front of the store, with the store's lifetime.

use std::time::{Duration, SystemTime};

use quick_cache::{Weighter, sync::Cache};

use crate::{Image, Origin};

/// Approximate bytes of bookkeeping per entry, in addition to its key and its file.
const OVERHEAD_BYTES: usize = 256;

/// The size of an entry for which the cache chooses its number of shards, about that of a body 128
/// pixels wide. Each shard has room for at least 32 of them, so that longer files fit too.
const TYPICAL_BYTES: u64 = 32 << 10;

/// A cache of pictures bounded by bytes, which evicts by frequency and recency of requests.
pub(crate) struct MemoryCache {
    entries: Cache<String, Image, ByteWeighter>,
    /// The age at which an entry is removed.
    lifetime: Duration,
}

impl MemoryCache {
    /// A cache of at most `capacity_bytes` that keeps pictures until they are `lifetime` old, an
    /// hour or more. With a capacity of zero it stays empty.
    pub(crate) fn new(capacity_bytes: u64, lifetime: Duration) -> Self {
        let typical = usize::try_from(capacity_bytes / TYPICAL_BYTES).unwrap_or(usize::MAX);
        let entries = Cache::with_weighter(typical, capacity_bytes, ByteWeighter);
        Self { entries, lifetime }
    }

    /// Returns the picture under `key` if it is fresh at `now`.
    pub(crate) fn get(&self, key: &str, now: SystemTime) -> Option<Image> {
        let image = self.get_maybe_stale(key, now)?;
        image.is_fresh(now).then_some(image)
    }

    /// Returns the picture under `key` unless its lifetime is over at `now`. It may be stale.
    pub(crate) fn get_maybe_stale(&self, key: &str, now: SystemTime) -> Option<Image> {
        let image = self.entries.get(key)?;
        if image.file.age(now) >= self.lifetime {
            // Another request may have replaced it since.
            self.entries
                .remove_if(key, |image| image.file.age(now) >= self.lifetime);
            return None;
        }
        Some(image)
    }

    /// Stores the picture under `key`, replacing an older one.
    pub(crate) fn insert(&self, key: String, image: &Image) {
        let image = Image {
            origin: Origin::Cache,
            ..image.clone()
        };
        self.entries.insert(key, image);
    }

    /// The approximate numbers of entries and of bytes.
    pub(crate) fn usage(&self) -> (u64, u64) {
        (self.entries.len() as u64, self.entries.weight())
    }
}

#[derive(Clone)]
struct ByteWeighter;

impl Weighter<String, Image> for ByteWeighter {
    fn weight(&self, key: &String, image: &Image) -> u64 {
        (key.len() + image.file.data.len() + OVERHEAD_BYTES) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use bytes::Bytes;
    use effigy_store::{CachedImage, LIFETIME};

    use super::*;

    fn image(length: usize) -> Image {
        let file = CachedImage {
            data: Bytes::from(vec![7; length]),
            content_type: "image/png".to_owned(),
            created_at: UNIX_EPOCH,
        };
        Image::new(file, Origin::Render)
    }

    #[test]
    fn an_entry_is_fresh_for_less_than_an_hour() {
        let rows = [(0, true), (3_599_999, true), (3_600_000, false)];
        for (age, expected) in rows {
            let cache = MemoryCache::new(10_000, LIFETIME);
            cache.insert("key".to_owned(), &image(10));
            let found = cache.get("key", UNIX_EPOCH + Duration::from_millis(age));
            assert_eq!(found.is_some(), expected, "{age} ms");
            if let Some(found) = found {
                assert_eq!(found.origin, Origin::Cache);
                assert_eq!(found.fingerprint, image(10).fingerprint);
            }
        }
    }

    #[test]
    fn an_expired_entry_is_removed_and_can_be_replaced() {
        let cache = MemoryCache::new(10_000, LIFETIME);
        cache.insert("key".to_owned(), &image(10));
        let later = UNIX_EPOCH + Duration::from_secs(3600);
        assert!(cache.get("key", later).is_none());
        assert!(cache.get("key", UNIX_EPOCH).is_none());
        cache.insert("key".to_owned(), &image(11));
        let found = cache.get("key", UNIX_EPOCH);
        assert_eq!(found.map(|image| image.file.data.len()), Some(11));
    }

    #[test]
    fn an_entry_stays_until_the_end_of_its_lifetime() {
        let day = LIFETIME * 24;
        for (age, kept) in [
            (LIFETIME, true),
            (day - Duration::from_millis(1), true),
            (day, false),
        ] {
            let cache = MemoryCache::new(10_000, day);
            cache.insert("key".to_owned(), &image(10));
            assert!(cache.get("key", UNIX_EPOCH + age).is_none(), "{age:?}");
            let found = cache.get_maybe_stale("key", UNIX_EPOCH + age);
            assert_eq!(found.is_some(), kept, "{age:?}");
        }
    }

    #[test]
    fn the_bytes_are_bounded() {
        let cache = MemoryCache::new(100_000, LIFETIME);
        for number in 0..1_000 {
            cache.insert(format!("key {number}"), &image(1_000));
        }
        let (entries, bytes) = cache.usage();
        assert!((50..=100).contains(&entries), "{entries}");
        assert!(bytes <= 100_000, "{bytes}");
    }

    #[test]
    fn an_entry_larger_than_the_cache_is_not_stored() {
        for (capacity, length) in [(1_000, 2_000), (0, 1)] {
            let cache = MemoryCache::new(capacity, LIFETIME);
            cache.insert("key".to_owned(), &image(length));
            assert!(cache.get("key", UNIX_EPOCH).is_none(), "{capacity}");
        }
    }
}
