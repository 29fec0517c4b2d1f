//! Values in memory that are reused for a while.

use std::{
    hash::Hash,
    time::{Duration, SystemTime},
};

use quick_cache::{Equivalent, Weighter, sync::Cache};

/// Approximate bytes of a key and of bookkeeping.
const OVERHEAD_BYTES: usize = 320;

/// The size of a value for which a cache chooses its number of shards, about that of a body 128
/// pixels wide. Each shard has room for at least 32 of them, so that longer ones fit too.
const TYPICAL_BYTES: u64 = 32 << 10;

/// A cache bounded by bytes, which evicts by age, and by frequency and recency of requests.
pub(crate) struct MemoryCache<K, V> {
    entries: Cache<K, Entry<V>, ByteWeighter>,
    lifetime: Duration,
}

#[derive(Clone)]
struct Entry<V> {
    created_at: SystemTime,
    /// The approximate bytes that the value owns.
    bytes: usize,
    value: V,
}

impl<K: Eq + Hash, V: Clone> MemoryCache<K, V> {
    /// A cache of at most `capacity_bytes` that keeps values until they are `lifetime` old. If one of both is
    /// zero it stays empty.
    pub(crate) fn new(capacity_bytes: u64, lifetime: Duration) -> Self {
        let typical = usize::try_from(capacity_bytes / TYPICAL_BYTES).unwrap_or(usize::MAX);
        let entries = Cache::with_weighter(typical, capacity_bytes, ByteWeighter);
        Self { entries, lifetime }
    }

    /// Returns the value under `key` unless its lifetime is over at `now`.
    pub(crate) fn get(
        &self,
        key: &(impl Hash + Equivalent<K> + ?Sized),
        now: SystemTime,
    ) -> Option<V> {
        let is_old = |entry: &Entry<V>| {
            // After the clock was set back the age is unknown.
            let age = now.duration_since(entry.created_at);
            age.map_or(true, |age| age >= self.lifetime)
        };
        let entry = self.entries.get(key)?;
        if is_old(&entry) {
            // Another request may have replaced it since.
            self.entries.remove_if(key, is_old);
            return None;
        }
        Some(entry.value)
    }

    /// Stores a value of so many bytes under `key`, replacing an older one.
    pub(crate) fn insert(&self, key: K, created_at: SystemTime, bytes: usize, value: V) {
        let entry = Entry {
            created_at,
            bytes,
            value,
        };
        self.entries.insert(key, entry);
    }

    /// The approximate numbers of values and of bytes.
    pub(crate) fn usage(&self) -> (u64, u64) {
        (self.entries.len() as u64, self.entries.weight())
    }
}

#[derive(Clone)]
struct ByteWeighter;

impl<K, V> Weighter<K, Entry<V>> for ByteWeighter {
    fn weight(&self, _: &K, entry: &Entry<V>) -> u64 {
        (entry.bytes + OVERHEAD_BYTES) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use effigy_store::LIFETIME;

    use super::*;

    /// Stores a value of this length from the beginning of time.
    fn insert(cache: &MemoryCache<String, usize>, key: &str, bytes: usize) {
        cache.insert(key.to_owned(), UNIX_EPOCH, bytes, bytes);
    }

    #[test]
    fn a_value_stays_until_the_end_of_its_lifetime() {
        let rows = [(0, true), (3_599_999, true), (3_600_000, false)];
        for (age, expected) in rows {
            let cache = MemoryCache::new(10_000, LIFETIME);
            insert(&cache, "key", 10);
            let found = cache.get("key", UNIX_EPOCH + Duration::from_millis(age));
            assert_eq!(found, expected.then_some(10), "{age} ms");
            // Nobody knows how old one from the future is.
            let cache = MemoryCache::new(10_000, LIFETIME);
            insert(&cache, "key", 10);
            let before = UNIX_EPOCH - Duration::from_millis(1);
            assert_eq!(cache.get("key", before), None);
        }
    }

    #[test]
    fn an_expired_entry_is_removed_and_can_be_replaced() {
        let cache = MemoryCache::new(10_000, LIFETIME);
        insert(&cache, "key", 10);
        let later = UNIX_EPOCH + Duration::from_secs(3600);
        assert!(cache.get("key", later).is_none());
        assert!(cache.get("key", UNIX_EPOCH).is_none());
        insert(&cache, "key", 11);
        let found = cache.get("key", UNIX_EPOCH);
        assert_eq!(found, Some(11));
    }

    #[test]
    fn the_bytes_are_bounded() {
        let cache = MemoryCache::new(100_000, LIFETIME);
        for number in 0..1_000 {
            insert(&cache, &format!("key {number}"), 1_000);
        }
        let (entries, bytes) = cache.usage();
        assert!((50..=100).contains(&entries), "{entries}");
        assert!(bytes <= 100_000, "{bytes}");
    }

    #[test]
    fn an_entry_larger_than_the_cache_is_not_stored() {
        for (capacity, length) in [(1_000, 2_000), (0, 1)] {
            let cache = MemoryCache::new(capacity, LIFETIME);
            insert(&cache, "key", length);
            assert!(cache.get("key", UNIX_EPOCH).is_none(), "{capacity}");
        }
    }
}
