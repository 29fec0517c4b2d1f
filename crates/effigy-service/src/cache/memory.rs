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

/// A value that grows old.
pub(crate) trait Aging: Clone {
    fn created_at(&self) -> SystemTime;

    /// The approximate bytes that it owns.
    fn bytes(&self) -> usize;
}

/// A cache bounded by bytes, which evicts by age, and by frequency and recency of requests.
pub(crate) struct MemoryCache<K, V> {
    values: Cache<K, V, ByteWeighter>,
    lifetime: Duration,
}

impl<K: Eq + Hash, V: Aging> MemoryCache<K, V> {
    /// A cache of at most `capacity_bytes` that keeps values until they are `lifetime` old. If one of both is
    /// zero it stays empty.
    pub(crate) fn new(capacity_bytes: u64, lifetime: Duration) -> Self {
        let typical = usize::try_from(capacity_bytes / TYPICAL_BYTES).unwrap_or(usize::MAX);
        let values = Cache::with_weighter(typical, capacity_bytes, ByteWeighter);
        Self { values, lifetime }
    }

    /// Returns the value under `key` unless its lifetime is over at `now`.
    pub(crate) fn get(
        &self,
        key: &(impl Hash + Equivalent<K> + ?Sized),
        now: SystemTime,
    ) -> Option<V> {
        // After the clock was set back the age is unknown.
        let age = |value: &V| now.duration_since(value.created_at());
        let is_old = |value: &V| age(value).map_or(true, |age| age >= self.lifetime);
        let value = self.values.get(key)?;
        if is_old(&value) {
            // Another request may have replaced it since.
            self.values.remove_if(key, is_old);
            return None;
        }
        Some(value)
    }

    /// Stores the value under `key`, replacing an older one.
    pub(crate) fn insert(&self, key: K, value: V) {
        self.values.insert(key, value);
    }

    /// The approximate numbers of values and of bytes.
    pub(crate) fn usage(&self) -> (u64, u64) {
        (self.values.len() as u64, self.values.weight())
    }
}

#[derive(Clone)]
struct ByteWeighter;

impl<K, V: Aging> Weighter<K, V> for ByteWeighter {
    fn weight(&self, _: &K, value: &V) -> u64 {
        (value.bytes() + OVERHEAD_BYTES) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use effigy_store::LIFETIME;

    use super::*;

    /// A value of this length from the beginning of time.
    #[derive(Debug, Clone, PartialEq)]
    struct Value(usize);

    impl Aging for Value {
        fn created_at(&self) -> SystemTime {
            UNIX_EPOCH
        }

        fn bytes(&self) -> usize {
            self.0
        }
    }

    #[test]
    fn a_value_stays_until_the_end_of_its_lifetime() {
        let rows = [(0, true), (3_599_999, true), (3_600_000, false)];
        for (age, expected) in rows {
            let cache = MemoryCache::new(10_000, LIFETIME);
            cache.insert("key".to_owned(), Value(10));
            let found = cache.get("key", UNIX_EPOCH + Duration::from_millis(age));
            assert_eq!(found, expected.then_some(Value(10)), "{age} ms");
            // Nobody knows how old one from the future is.
            let cache = MemoryCache::new(10_000, LIFETIME);
            cache.insert("key".to_owned(), Value(10));
            let before = UNIX_EPOCH - Duration::from_millis(1);
            assert_eq!(cache.get("key", before), None);
        }
    }

    #[test]
    fn an_expired_entry_is_removed_and_can_be_replaced() {
        let cache = MemoryCache::new(10_000, LIFETIME);
        cache.insert("key".to_owned(), Value(10));
        let later = UNIX_EPOCH + Duration::from_secs(3600);
        assert!(cache.get("key", later).is_none());
        assert!(cache.get("key", UNIX_EPOCH).is_none());
        cache.insert("key".to_owned(), Value(11));
        let found = cache.get("key", UNIX_EPOCH);
        assert_eq!(found, Some(Value(11)));
    }

    #[test]
    fn the_bytes_are_bounded() {
        let cache = MemoryCache::new(100_000, LIFETIME);
        for number in 0..1_000 {
            cache.insert(format!("key {number}"), Value(1_000));
        }
        let (entries, bytes) = cache.usage();
        assert!((50..=100).contains(&entries), "{entries}");
        assert!(bytes <= 100_000, "{bytes}");
    }

    #[test]
    fn an_entry_larger_than_the_cache_is_not_stored() {
        for (capacity, length) in [(1_000, 2_000), (0, 1)] {
            let cache = MemoryCache::new(capacity, LIFETIME);
            cache.insert("key".to_owned(), Value(length));
            assert!(cache.get("key", UNIX_EPOCH).is_none(), "{capacity}");
        }
    }
}
