//! Values in memory that are reused for a while.

use std::{
    hash::Hash,
    time::{Duration, SystemTime},
};

use quick_cache::{Weighter, sync::Cache};

/// Approximate bytes of a key and of bookkeeping.
const OVERHEAD_BYTES: usize = 320;

/// The typical size of a value, by which a cache chooses its number of shards: about a body 128
/// pixels wide. Each shard has room for at least 32 such values, so that longer ones fit, too.
const TYPICAL_BYTES: u64 = 32 << 10;

/// A cache bounded by bytes, which evicts by age, and by frequency and recency of requests.
pub(crate) struct MemoryCache<K, V> {
    entries: Cache<K, Entry<V>, ByteWeighter<V>>,
    lifetime: Lifetime<V>,
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

/// The function that returns the time for which a value is kept.
type Lifetime<V> = Box<dyn Fn(&V) -> Duration + Send + Sync>;

impl<K, V> MemoryCache<K, V>
where
    K: Clone + Eq + Hash + Send + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// A cache of at most `capacity_bytes` that keeps each value until it is its `lifetime` old. If
    /// either is zero, the cache stays empty. `bytes` returns the approximate size of a value.
    pub(crate) fn new(
        capacity_bytes: u64,
        lifetime: impl Fn(&V) -> Duration + Send + Sync + 'static,
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
        let is_old = |entry: &Entry<V>| self.time_left(entry, now).is_zero();
        let entry = self.entries.get(key)?;
        if is_old(&entry) {
            // Another request may have replaced it since.
            self.entries.remove_if(key, is_old);
            return None;
        }
        Some(entry.value)
    }

    /// Stores a value under `key`, unless there is one that is kept for longer.
    pub(crate) fn insert(&self, key: K, created_at: SystemTime, value: V) {
        let entry = Entry { created_at, value };
        if let Some(known) = self.entries.peek(&key) {
            // A computation that began earlier may end later. Both values are compared at the later
            // time, because no time is left before a value was created.
            let now = created_at.max(known.created_at);
            if self.time_left(&known, now) > self.time_left(&entry, now) {
                return;
            }
        }
        self.entries.insert(key, entry);
    }

    /// Returns the rest of the lifetime of an entry. It is zero if the clock was set back, because
    /// the age is not known then.
    fn time_left(&self, entry: &Entry<V>, now: SystemTime) -> Duration {
        match now.duration_since(entry.created_at) {
            Ok(age) => (self.lifetime)(&entry.value).saturating_sub(age),
            Err(_) => Duration::ZERO,
        }
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
    fn what_is_kept_for_longer_stays() {
        let lifetime = |value: &u64| Duration::from_secs(*value);
        let cache = MemoryCache::<u16, u64>::new(10_000, lifetime, |_| 0);
        let at = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        let rows = [
            (10, 60, 60),
            (10, 1, 60),
            // Its computation began earlier and took longer.
            (8, 1, 60),
            (8, 61, 60),
            (8, 62, 62),
            (69, 1, 1),
            (69, 60, 60),
        ];
        for (created_at, value, expected) in rows {
            cache.insert(KEY, at(created_at), value);
            let found = cache.get(&KEY, at(created_at.max(10)));
            assert_eq!(found, Some(expected), "{value} at {created_at}");
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
