//! Values in memory that are reused for a while.

use std::{
    hash::Hash,
    time::{Duration, SystemTime},
};

use quick_cache::{Weighter, sync::Cache};

use super::age::is_younger;

/// Approximate bytes of a key and of bookkeeping.
const OVERHEAD_BYTES: usize = 320;

/// The typical size of a value, by which a cache chooses its number of shards: about a body 128
/// pixels wide. Each shard has room for at least 32 such values, so that longer ones fit, too.
const TYPICAL_BYTES: u64 = 32 << 10;

/// A cache bounded by bytes, which evicts by age, and by frequency and recency of requests.
pub(crate) struct MemoryCache<K, V> {
    entries: Cache<K, Entry<V>, ByteWeighter<V>>,
    lifetime: Lifetime<K>,
}

/// The use of a cache.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usage {
    pub(crate) entries: u64,
    pub(crate) bytes: u64,
}

#[derive(Clone)]
struct Entry<V> {
    created_at: SystemTime,
    value: V,
}

/// The function that returns the time for which the value under a key is kept.
type Lifetime<K> = Box<dyn Fn(&K) -> Duration + Send + Sync>;

impl<K, V> MemoryCache<K, V>
where
    K: Clone + Eq + Hash + Send + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// A cache of at most `capacity_bytes` that keeps each value for the `lifetime` of its key. If
    /// either is zero, no value is kept. `bytes` returns the approximate size of a value.
    pub(crate) fn new(
        capacity_bytes: u64,
        lifetime: impl Fn(&K) -> Duration + Send + Sync + 'static,
        bytes: fn(&V) -> usize,
    ) -> Self {
        let typical = usize::try_from(capacity_bytes / TYPICAL_BYTES).unwrap_or(usize::MAX);
        Self {
            entries: Cache::with_weighter(typical, capacity_bytes, ByteWeighter(bytes)),
            lifetime: Box::new(lifetime),
        }
    }

    /// Returns the value under `key` unless its lifetime is over at `now`.
    pub(crate) fn get(&self, key: &K, now: SystemTime) -> Option<V> {
        let lifetime = (self.lifetime)(key);
        let is_old = |entry: &Entry<V>| !is_younger(entry.created_at, lifetime, now);
        let entry = self.entries.get(key)?;
        if is_old(&entry) {
            // Another request may have replaced it since.
            self.entries.remove_if(key, is_old);
            return None;
        }
        Some(entry.value)
    }

    /// Stores a value under `key`, unless there is a newer one.
    pub(crate) fn insert(&self, key: K, created_at: SystemTime, value: V) {
        // A computation that began earlier may end later.
        if let Some(known) = self.entries.peek(&key)
            && known.created_at > created_at
        {
            return;
        }
        self.entries.insert(key, Entry { created_at, value });
    }

    /// A cache of values that never change.
    pub(crate) fn immutable(capacity_bytes: u64, bytes: fn(&V) -> usize) -> Self {
        Self::new(capacity_bytes, |_| Duration::MAX, bytes)
    }

    /// Returns the value under `key`, which never changes.
    pub(crate) fn get_immutable(&self, key: &K) -> Option<V> {
        let entry = self.entries.get(key)?;
        Some(entry.value)
    }

    /// Stores a value under `key`, which never changes.
    pub(crate) fn insert_immutable(&self, key: K, value: V) {
        let created_at = SystemTime::UNIX_EPOCH;
        self.entries.insert(key, Entry { created_at, value });
    }

    /// Returns the use of the cache, approximately.
    pub(crate) fn usage(&self) -> Usage {
        Usage {
            entries: self.entries.len() as u64,
            bytes: self.entries.weight(),
        }
    }
}

/// The function that returns the approximate bytes of a value.
#[derive(Clone)]
struct ByteWeighter<V>(fn(&V) -> usize);

impl<K, V> Weighter<K, Entry<V>> for ByteWeighter<V> {
    fn weight(&self, _: &K, entry: &Entry<V>) -> u64 {
        (self.0(&entry.value) + OVERHEAD_BYTES) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use effigy_store::LIFETIME;

    use super::*;

    const KEY: u16 = 0;

    fn bounded(capacity_bytes: u64) -> MemoryCache<u16, usize> {
        MemoryCache::new(capacity_bytes, |_| LIFETIME, |bytes| *bytes)
    }

    /// A cache whose keys are the lifetimes of their values, in seconds.
    fn by_lifetime() -> MemoryCache<u64, &'static str> {
        MemoryCache::new(10_000, |seconds| Duration::from_secs(*seconds), |_| 0)
    }

    #[test]
    fn a_value_stays_until_the_end_of_its_lifetime() {
        let rows = [
            (Duration::ZERO, true),
            (LIFETIME - Duration::from_millis(1), true),
            (LIFETIME, false),
        ];
        for (age, expected) in rows {
            let cache = bounded(10_000);
            cache.insert(KEY, UNIX_EPOCH, 10);
            let found = cache.get(&KEY, UNIX_EPOCH + age);
            assert_eq!(found, expected.then_some(10), "{age:?}");
            // An expired one is removed, and can be replaced.
            assert_eq!(cache.get(&KEY, UNIX_EPOCH), found);
            cache.insert(KEY, UNIX_EPOCH, 11);
            assert_eq!(cache.get(&KEY, UNIX_EPOCH), Some(11));
            // Nobody knows how old one from the future is.
            let before = UNIX_EPOCH - Duration::from_millis(1);
            assert_eq!(cache.get(&KEY, before), None);
        }
    }

    #[test]
    fn a_newer_value_stays() {
        let at = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        // A computation that began earlier may end later.
        let rows = [
            (10, 11, "second"),
            (10, 10, "second"),
            (10, 9, "first"),
            (100, 10, "first"),
        ];
        for (first, second, expected) in rows {
            for lifetime in [1, 60] {
                let cache = by_lifetime();
                cache.insert(lifetime, at(first), "first");
                cache.insert(lifetime, at(second), "second");
                let found = cache.get(&lifetime, at(first.max(second)));
                assert_eq!(found, Some(expected), "{first} and {second}, {lifetime} s");
            }
        }
    }

    #[test]
    fn each_key_has_its_own_lifetime() {
        let cache = by_lifetime();
        let later = UNIX_EPOCH + Duration::from_secs(10);
        for (lifetime, expected) in [(0, None), (10, None), (11, Some("a")), (60, Some("a"))] {
            cache.insert(lifetime, UNIX_EPOCH, "a");
            assert_eq!(cache.get(&lifetime, later), expected, "{lifetime} s");
        }
    }

    #[test]
    fn the_bytes_are_bounded() {
        let cache = bounded(100_000);
        for number in 0..1_000 {
            cache.insert(number, UNIX_EPOCH, 1_000);
        }
        let usage = cache.usage();
        assert!((50..=100).contains(&usage.entries), "{usage:?}");
        assert!(usage.bytes <= 100_000, "{usage:?}");
        // A value that is larger than the cache is not stored.
        for (capacity, length) in [(1_000, 2_000), (0, 1)] {
            let small = bounded(capacity);
            small.insert(KEY, UNIX_EPOCH, length);
            assert!(small.get(&KEY, UNIX_EPOCH).is_none(), "{capacity}");
        }
    }
}
