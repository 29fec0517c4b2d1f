//! The pictures that are asked for most, in this process's memory: in front of the store, with the
//! store's own rule of the hour.

use std::{
    fmt,
    time::{Duration, SystemTime},
};

use quick_cache::{Weighter, sync::Cache};

use crate::{Image, Origin};

/// What an entry takes beside its key and its bytes: the cache's own bookkeeping, about.
const OVERHEAD: usize = 256;

/// A body of 128 pixels takes about as much. The cache is in shards, each for 32 of these or more, so
/// that longer files too find a place.
const TYPICAL: u64 = 32 << 10;

/// A bounded number of bytes of pictures. Which ones stay is decided by how often and how lately
/// they were asked for.
pub(crate) struct MemoryCache {
    entries: Cache<String, Image, Weight>,
    /// How old an entry may become.
    lifetime: Duration,
}

impl MemoryCache {
    /// A cache of at most `capacity` bytes, of pictures younger than `lifetime`, which is an hour
    /// or more; no capacity keeps nothing.
    pub(crate) fn new(capacity: u64, lifetime: Duration) -> Self {
        let typical = usize::try_from(capacity / TYPICAL).unwrap_or(usize::MAX);
        let entries = Cache::with_weighter(typical, capacity, Weight);
        Self { entries, lifetime }
    }

    /// The picture under `key`, while its hour lasts at `now`.
    pub(crate) fn get(&self, key: &str, now: SystemTime) -> Option<Image> {
        let image = self.last(key, now)?;
        (!image.file.time_left(now).is_zero()).then_some(image)
    }

    /// The picture under `key`, while it is kept at `now`: its hour may be over.
    pub(crate) fn last(&self, key: &str, now: SystemTime) -> Option<Image> {
        let image = self.entries.get(key)?;
        if image.file.age(now) >= self.lifetime {
            let is_gone = |image: &Image| image.file.age(now) >= self.lifetime;
            self.entries.remove_if(key, is_gone);
            return None;
        }
        Some(image)
    }

    /// Keeps the picture under `key`, in place of what was there.
    pub(crate) fn put(&self, key: String, image: &Image) {
        let image = Image {
            origin: Origin::Cache,
            ..image.clone()
        };
        self.entries.insert(key, image);
    }

    /// The pictures that are kept, and their bytes, about.
    pub(crate) fn size(&self) -> (u64, u64) {
        (self.entries.len() as u64, self.entries.weight())
    }
}

impl fmt::Debug for MemoryCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (entries, bytes) = self.size();
        f.debug_struct("MemoryCache")
            .field("entries", &entries)
            .field("bytes", &bytes)
            .finish()
    }
}

/// Weighs entries by their bytes.
#[derive(Clone)]
struct Weight;

impl Weighter<String, Image> for Weight {
    fn weight(&self, key: &String, image: &Image) -> u64 {
        (key.len() + image.file.data.len() + OVERHEAD) as u64
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
    fn an_entry_is_a_hit_for_less_than_its_hour() {
        let rows = [(0, true), (3_599_999, true), (3_600_000, false)];
        for (age, expected) in rows {
            let cache = MemoryCache::new(10_000, LIFETIME);
            cache.put("key".to_owned(), &image(10));
            let found = cache.get("key", UNIX_EPOCH + Duration::from_millis(age));
            assert_eq!(found.is_some(), expected, "{age} ms");
            if let Some(found) = found {
                assert_eq!(found.origin, Origin::Cache);
                assert_eq!(found.fingerprint, image(10).fingerprint);
            }
        }
    }

    #[test]
    fn what_has_expired_is_forgotten_and_can_be_replaced() {
        let cache = MemoryCache::new(10_000, LIFETIME);
        cache.put("key".to_owned(), &image(10));
        let later = UNIX_EPOCH + Duration::from_secs(3600);
        assert!(cache.get("key", later).is_none());
        assert!(cache.get("key", UNIX_EPOCH).is_none());
        cache.put("key".to_owned(), &image(11));
        let found = cache.get("key", UNIX_EPOCH);
        assert_eq!(found.map(|image| image.file.data.len()), Some(11));
    }

    #[test]
    fn an_entry_is_kept_for_longer_where_that_is_wanted() {
        let day = LIFETIME * 24;
        for (age, kept) in [
            (LIFETIME, true),
            (day - Duration::from_millis(1), true),
            (day, false),
        ] {
            let cache = MemoryCache::new(10_000, day);
            cache.put("key".to_owned(), &image(10));
            assert!(cache.get("key", UNIX_EPOCH + age).is_none(), "{age:?}");
            let last = cache.last("key", UNIX_EPOCH + age);
            assert_eq!(last.is_some(), kept, "{age:?}");
        }
    }

    #[test]
    fn the_bytes_are_bounded() {
        let cache = MemoryCache::new(100_000, LIFETIME);
        for number in 0..1_000 {
            cache.put(format!("key {number}"), &image(1_000));
        }
        let (entries, bytes) = cache.size();
        assert!((50..=100).contains(&entries), "{entries}");
        assert!(bytes <= 100_000, "{bytes}");
    }

    #[test]
    fn what_is_larger_than_the_cache_or_any_in_none_is_not_kept() {
        for (capacity, length) in [(1_000, 2_000), (0, 1)] {
            let cache = MemoryCache::new(capacity, LIFETIME);
            cache.put("key".to_owned(), &image(length));
            assert!(cache.get("key", UNIX_EPOCH).is_none(), "{capacity}");
        }
    }
}
