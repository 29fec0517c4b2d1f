//! Values in memory that are reused for a while, and computed once for all who need them at the same time.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::Arc,
    time::{Duration, SystemTime},
};

use futures_util::{
    FutureExt as _,
    future::{BoxFuture, WeakShared},
};
use parking_lot::Mutex;
use quick_cache::{Weighter, sync::Cache};
use scopeguard::guard;
use tokio::time::Instant;

use crate::{
    Client,
    error::{Result, ServiceError},
    gate::Waiters,
};

/// Approximate bytes of a key and of bookkeeping.
const OVERHEAD_BYTES: usize = 320;

/// The size of a value for which a cache chooses its number of shards, about that of a body 128
/// pixels wide. Each shard has room for at least 32 of them, so that longer ones fit too.
const TYPICAL_BYTES: u64 = 32 << 10;

/// The time after which a caller joins no other computation that may be refused.
const PATIENCE: Duration = Duration::from_secs(1);

/// A cache bounded by bytes, which evicts by age, and by frequency and recency of requests. Simultaneous computations of
/// a value are coalesced.
///
/// # Guarantees
/// - The computation of the first caller is the one that all callers of the meantime drive and get the value of. It goes on
///   as long as one of them waits, whoever leaves, and its work is done in the turn of any of them.
/// - A refusal belongs to the client of the first caller. Another caller computes then, and waits for others no longer
///   than its patience lasts.
/// - A computation that inserts its value is the only one: a caller that finds none in flight looks once more whether the
///   value is known by then.
pub(crate) struct LoadingCache<K, V> {
    entries: Cache<K, Entry<V>, ByteWeighter<V>>,
    lifetime: Lifetime<V>,
    flights: Arc<Flights<K, V>>,
    /// `true` if a computation goes on when all callers have left.
    outlives_callers: bool,
}

#[derive(Clone)]
struct Entry<V> {
    created_at: SystemTime,
    value: V,
}

/// Returns the time for which a value is kept.
type Lifetime<V> = Box<dyn Fn(&V) -> Duration + Send + Sync>;

// Not an async mutex, because it is held for map operations only, never across an await.
type Flights<K, V> = Mutex<HashMap<K, Flight<V>>>;

/// A computation in flight, which ends when nobody waits for it, and those who wait.
type Flight<V> = (WeakShared<BoxFuture<'static, Result<V>>>, Waiters);

impl<K, V> LoadingCache<K, V>
where
    K: Clone + Eq + Hash + Send + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// A cache of at most `capacity_bytes` that keeps each value until it is its `lifetime` old. If one of both is
    /// zero it stays empty. A value owns approximately so many `bytes`.
    pub(crate) fn new(
        capacity_bytes: u64,
        lifetime: impl Fn(&V) -> Duration + Send + Sync + 'static,
        outlives_callers: bool,
        bytes: fn(&V) -> usize,
    ) -> Self {
        let typical = usize::try_from(capacity_bytes / TYPICAL_BYTES).unwrap_or(usize::MAX);
        Self {
            entries: Cache::with_weighter(typical, capacity_bytes, ByteWeighter(bytes)),
            lifetime: Box::new(lifetime),
            flights: Arc::default(),
            outlives_callers,
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

    /// Stores a value under `key`, replacing another one unless that is kept for longer.
    pub(crate) fn insert(&self, key: K, created_at: SystemTime, value: V) {
        let entry = Entry { created_at, value };
        let lasts_longer = |known: Entry<V>| {
            // A computation that began earlier may end later.
            let now = created_at.max(known.created_at);
            self.time_left(&known, now) > self.time_left(&entry, now)
        };
        let known = self.entries.peek(&key);
        if !known.is_some_and(lasts_longer) {
            self.entries.insert(key, entry);
        }
    }

    /// Returns the rest of the lifetime of an entry, which is over if the clock was set back, because its age is not known
    /// then.
    fn time_left(&self, entry: &Entry<V>, now: SystemTime) -> Duration {
        let age = now.duration_since(entry.created_at);
        let age = age.unwrap_or(Duration::MAX);
        (self.lifetime)(&entry.value).saturating_sub(age)
    }

    /// Returns the known value, that of the computation in flight, or that of `compute`.
    pub(crate) async fn get_or_compute<F>(
        &self,
        client: &Client,
        key: K,
        known: impl Fn() -> Option<V>,
        compute: impl FnOnce(Client) -> F,
    ) -> Result<V>
    where
        F: Future<Output = Result<V>> + Send + 'static,
    {
        let begun = Instant::now();
        let (sharing, waiters) = client.sharing();
        let flight = (Arc::clone(&self.flights), key.clone(), waiters.clone());
        // It is no longer in flight when it has ended or all have left, unless another one has taken its place.
        let landing = guard(flight, |(flights, key, waiters)| {
            let mut flights = flights.lock();
            let flight = flights.get(&key);
            if flight.is_some_and(|(_, others)| others.is(&waiters)) {
                flights.remove(&key);
            }
        });
        let computation = compute(sharing);
        let own = async move {
            let value = computation.await;
            drop(landing);
            value
        };
        let own = own.boxed().shared();
        loop {
            let in_flight = {
                let mut flights = self.flights.lock();
                let flight = flights.get(&key);
                let flight = flight.filter(|_| begun.elapsed() < PATIENCE);
                let in_flight = flight.and_then(|(computation, others)| {
                    let computation = computation.upgrade()?;
                    client.wait_with(others);
                    Some(computation)
                });
                if in_flight.is_none() {
                    if let Some(value) = known() {
                        return Ok(value);
                    }
                    let computation = own.downgrade().expect("nobody has polled it");
                    flights.insert(key.clone(), (computation, waiters.clone()));
                }
                in_flight
            };
            let Some(computation) = in_flight else {
                if self.outlives_callers {
                    tokio::spawn(own.clone());
                }
                return own.await;
            };
            match computation.await {
                Err(error) if matches!(*error, ServiceError::Refused(_)) => {}
                value => return value,
            }
        }
    }

    /// The approximate numbers of values and of bytes.
    pub(crate) fn usage(&self) -> (u64, u64) {
        (self.entries.len() as u64, self.entries.weight())
    }

    /// The number of computations in flight.
    pub(crate) fn in_flight(&self) -> usize {
        self.flights.lock().len()
    }
}

/// Returns the approximate bytes that a value owns.
#[derive(Clone)]
struct ByteWeighter<V>(fn(&V) -> usize);

impl<K, V> Weighter<K, Entry<V>> for ByteWeighter<V> {
    fn weight(&self, _: &K, entry: &Entry<V>) -> u64 {
        (self.0(&entry.value) + OVERHEAD_BYTES) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::{
        cell::Cell,
        net::{IpAddr, Ipv4Addr},
        sync::atomic::{AtomicUsize, Ordering},
        time::UNIX_EPOCH,
    };

    use effigy_store::LIFETIME;
    use tokio::sync::watch;

    use super::*;
    use crate::{ClientLimits, Fault, SharedResource, error::Refused, gate::Gate};

    const KEY: u16 = 0;

    fn bounded(capacity_bytes: u64) -> LoadingCache<u16, usize> {
        LoadingCache::new(capacity_bytes, |_| LIFETIME, false, |bytes| *bytes)
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
        let cache = LoadingCache::<u16, u64>::new(10_000, lifetime, false, |_| 0);
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
        let (entries, bytes) = cache.usage();
        assert!((50..=100).contains(&entries), "{entries}");
        assert!(bytes <= 100_000, "{bytes}");
        // A value that is larger than the cache is not stored.
        for (capacity, length) in [(1_000, 2_000), (0, 1)] {
            let cache = bounded(capacity);
            cache.insert(KEY, UNIX_EPOCH, length);
            assert!(cache.get(&KEY, UNIX_EPOCH).is_none(), "{capacity}");
        }
    }

    /// The end of a computation.
    type End = fn() -> Result<usize>;

    /// A caller who waits for it.
    type Call = tokio::task::JoinHandle<Result<usize>>;

    fn client() -> Client {
        let gate = Gate::new(ClientLimits::default()).unwrap();
        gate.client(IpAddr::V4(Ipv4Addr::LOCALHOST), true)
    }

    fn refused() -> Result<usize> {
        let refused = Refused {
            resource: SharedResource::Work,
            fault: Fault::Overloaded,
            retry_after: Duration::ZERO,
        };
        Err(refused.into())
    }

    /// A computation that callers share, which is begun, waits and may fail.
    struct Bench {
        cache: LoadingCache<u16, usize>,
        begun: Arc<AtomicUsize>,
        end: watch::Sender<Option<End>>,
    }

    impl Bench {
        fn new(outlives_callers: bool) -> Arc<Self> {
            Arc::new(Self {
                cache: LoadingCache::new(0, |_| LIFETIME, outlives_callers, |_| 0),
                begun: Arc::default(),
                end: watch::channel(None).0,
            })
        }

        /// Computes for another client if nobody else does.
        fn call<F>(self: &Arc<Self>, compute: impl FnOnce(Client) -> F + Send + 'static) -> Call
        where
            F: Future<Output = Result<usize>> + Send + 'static,
        {
            let bench = Arc::clone(self);
            tokio::spawn(async move {
                let (cache, client) = (&bench.cache, client());
                cache.get_or_compute(&client, KEY, || None, compute).await
            })
        }

        /// Starts callers, who have asked when this returns.
        async fn ask(self: &Arc<Self>, callers: usize) -> Vec<Call> {
            let call = |_| {
                let (begun, mut end) = (Arc::clone(&self.begun), self.end.subscribe());
                self.call(|_| async move {
                    begun.fetch_add(1, Ordering::Relaxed);
                    let end = end.wait_for(Option::is_some).await.unwrap();
                    end.unwrap()()
                })
            };
            let tasks = (0..callers).map(call).collect();
            for _ in 0..callers {
                tokio::task::yield_now().await;
            }
            tasks
        }

        fn begun(&self) -> usize {
            self.begun.load(Ordering::Relaxed)
        }
    }

    #[tokio::test]
    async fn simultaneous_callers_share_an_outcome_and_later_ones_do_not() {
        let outcomes: [(End, bool); 2] = [
            (|| Ok(7), true),
            (|| Err(ServiceError::NoCape.into()), false),
        ];
        for (outcome, is_ok) in outcomes {
            let bench = Bench::new(false);
            let callers = bench.ask(200).await;
            bench.end.send_replace(Some(outcome));
            for caller in callers {
                assert_eq!(caller.await.unwrap().is_ok(), is_ok);
            }
            assert_eq!((bench.begun(), bench.cache.in_flight()), (1, 0));
            bench.ask(1).await.remove(0).await.unwrap().ok();
            assert_eq!(bench.begun(), 2);
        }
    }

    #[tokio::test]
    async fn a_value_that_is_known_is_not_computed() {
        let (cache, looks) = (
            LoadingCache::<u16, usize>::new(0, |_| LIFETIME, false, |_| 0),
            Cell::new(0),
        );
        let known = || Some(5).inspect(|_| looks.set(looks.get() + 1));
        let compute = |_| async { unreachable!("the value is known") };
        let found = cache.get_or_compute(&client(), KEY, known, compute).await;
        assert_eq!((found.unwrap(), looks.get(), cache.in_flight()), (5, 1, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_caller_does_not_wait_for_one_refusal_after_the_other() {
        let bench = Bench::new(false);
        let attack = |_| {
            bench.call(|_| async {
                tokio::time::sleep(Duration::from_millis(900)).await;
                refused()
            })
        };
        // Of those who wait, the next one leads whenever one is refused.
        let attacks: Vec<Call> = (0..20).map(attack).collect();
        tokio::time::sleep(Duration::from_millis(10)).await;
        let begun = Instant::now();
        let value = bench.call(|_| async { Ok(7) }).await.unwrap();
        let waited = begun.elapsed();
        assert!(
            value.is_ok() && waited < Duration::from_secs(2),
            "{waited:?}"
        );
        attacks.into_iter().for_each(|attack| attack.abort());
    }

    #[tokio::test]
    async fn a_refusal_belongs_to_the_first_caller_and_the_others_compute() {
        let bench = Bench::new(false);
        let callers = bench.ask(5).await;
        bench.end.send_replace(Some(refused));
        for caller in callers {
            assert!(caller.await.unwrap().is_err());
        }
        assert_eq!((bench.begun(), bench.cache.in_flight()), (5, 0));
    }

    #[tokio::test]
    async fn a_computation_goes_on_until_the_last_caller_leaves() {
        for outlives_callers in [false, true] {
            let bench = Bench::new(outlives_callers);
            let mut callers = bench.ask(3).await;
            for caller in callers.drain(..2) {
                caller.abort();
                assert!(caller.await.is_err());
            }
            assert_eq!((bench.begun(), bench.cache.in_flight()), (1, 1));
            let last = callers.remove(0);
            last.abort();
            assert!(last.await.is_err());
            assert_eq!(bench.cache.in_flight(), usize::from(outlives_callers));
            // One that has been left is done again, and goes on without its first caller.
            let mut callers = bench.ask(2).await;
            callers.remove(0).abort();
            tokio::task::yield_now().await;
            bench.end.send_replace(Some(|| Ok(3)));
            assert_eq!(callers.remove(0).await.unwrap().unwrap(), 3);
            assert_eq!(bench.begun(), if outlives_callers { 1 } else { 2 });
        }
    }
}
