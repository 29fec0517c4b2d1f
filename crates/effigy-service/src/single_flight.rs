//! Simultaneous callers that want the same thing share one piece of work.

use std::{
    collections::HashMap,
    fmt,
    future::Future,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::watch;

/// Work in flight, by what it is for. Clones share it.
///
/// # Guarantees
/// - At any moment at most one piece of work runs for a key, and everybody who asks meanwhile
///   gets its value.
/// - The work runs in a task of its own: a caller that goes away harms nobody.
/// - A value is remembered by nobody: who asks after the work has ended starts it anew.
pub(crate) struct SingleFlight<K, V> {
    // The std mutex: it is held for a map operation only, never across an await.
    flights: Arc<Mutex<Flights<K, V>>>,
}

type Flights<K, V> = HashMap<K, watch::Receiver<Option<V>>>;

/// The work ended without a value: it panicked, or the runtime shut down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Interrupted;

impl<K, V> SingleFlight<K, V>
where
    K: Clone + Eq + Hash + Send + 'static,
    V: Clone + Send + Sync + 'static,
{
    pub(crate) fn new() -> Self {
        Self {
            flights: Arc::default(),
        }
    }

    /// The value of the work in flight for `key`; where there is none, of `work`, which starts.
    pub(crate) async fn run<F>(&self, key: K, work: impl FnOnce() -> F) -> Result<V, Interrupted>
    where
        F: Future<Output = V> + Send + 'static,
    {
        let mut receiver = self.join(key, work);
        match receiver.wait_for(Option::is_some).await {
            Ok(value) => value.clone().ok_or(Interrupted),
            // The sender went away without a value.
            Err(_) => Err(Interrupted),
        }
    }

    fn join<F>(&self, key: K, work: impl FnOnce() -> F) -> watch::Receiver<Option<V>>
    where
        F: Future<Output = V> + Send + 'static,
    {
        let mut flights = lock(&self.flights);
        if let Some(receiver) = flights.get(&key) {
            return receiver.clone();
        }
        let (sender, receiver) = watch::channel(None);
        flights.insert(key.clone(), receiver.clone());
        drop(flights);

        let landing = Landing {
            flights: Arc::clone(&self.flights),
            key,
        };
        let work = work();
        tokio::spawn(async move {
            let value = work.await;
            // First out of the map, then to the waiters: nobody can join what has ended.
            drop(landing);
            sender.send_replace(Some(value));
        });
        receiver
    }

    /// How many pieces of work are in flight.
    pub(crate) fn in_flight(&self) -> usize {
        lock(&self.flights).len()
    }
}

impl<K, V> Clone for SingleFlight<K, V> {
    fn clone(&self) -> Self {
        Self {
            flights: Arc::clone(&self.flights),
        }
    }
}

impl<K, V> fmt::Debug for SingleFlight<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SingleFlight").finish_non_exhaustive()
    }
}

/// Takes the flight out of the map when its work ends, however it ends.
struct Landing<K: Eq + Hash, V> {
    flights: Arc<Mutex<Flights<K, V>>>,
    key: K,
}

impl<K: Eq + Hash, V> Drop for Landing<K, V> {
    fn drop(&mut self) {
        lock(&self.flights).remove(&self.key);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A map operation leaves nothing half done, so a poisoned map is as good as any.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::sync::Semaphore;

    use super::*;

    type Flight = SingleFlight<&'static str, Result<usize, &'static str>>;

    /// Starts `callers` at once on one key, lets the work go when all of them wait, and returns
    /// what they got.
    async fn callers_of(
        flight: &Flight,
        callers: usize,
        runs: &Arc<AtomicUsize>,
        outcome: Result<usize, &'static str>,
    ) -> Vec<Result<Result<usize, &'static str>, Interrupted>> {
        let gate = Arc::new(Semaphore::new(0));
        let tasks: Vec<_> = (0..callers)
            .map(|_| {
                let mut receiver = flight.join("key", || {
                    runs.fetch_add(1, Ordering::SeqCst);
                    let gate = Arc::clone(&gate);
                    async move {
                        let _open = gate.acquire().await;
                        outcome
                    }
                });
                tokio::spawn(async move {
                    match receiver.wait_for(Option::is_some).await {
                        Ok(value) => value.ok_or(Interrupted),
                        Err(_) => Err(Interrupted),
                    }
                })
            })
            .collect();
        gate.add_permits(Semaphore::MAX_PERMITS);
        let mut values = Vec::new();
        for task in tasks {
            values.push(task.await.unwrap());
        }
        values
    }

    #[tokio::test]
    async fn callers_at_one_time_share_one_run() {
        let (flight, runs) = (Flight::new(), Arc::default());
        let values = callers_of(&flight, 200, &runs, Ok(7)).await;
        assert_eq!(values, vec![Ok(Ok(7)); 200]);
        assert_eq!(runs.load(Ordering::SeqCst), 1);
        assert_eq!(flight.in_flight(), 0);
    }

    #[tokio::test]
    async fn a_failure_reaches_every_waiter_and_nobody_after() {
        let (flight, runs) = (Flight::new(), Arc::default());
        let values = callers_of(&flight, 20, &runs, Err("down")).await;
        assert_eq!(values, vec![Ok(Err("down")); 20]);
        assert_eq!(runs.load(Ordering::SeqCst), 1);

        let after = flight.run("key", || async { Ok(1) }).await;
        assert_eq!(after, Ok(Ok(1)));
    }

    #[tokio::test]
    async fn a_panic_reaches_every_waiter_as_an_error() {
        let flight = Flight::new();
        let gate = Arc::new(Semaphore::new(0));
        let mut waiters = Vec::new();
        for _ in 0..5 {
            let gate = Arc::clone(&gate);
            let receiver = flight.join("key", || async move {
                let _open = gate.acquire().await;
                panic!("the work is broken")
            });
            waiters.push(receiver);
        }
        gate.add_permits(Semaphore::MAX_PERMITS);
        for mut waiter in waiters {
            assert!(waiter.wait_for(Option::is_some).await.is_err());
        }
        assert_eq!(flight.in_flight(), 0);
        let after = flight.run("key", || async { Ok(2) }).await;
        assert_eq!(after, Ok(Ok(2)));
    }

    #[tokio::test]
    async fn a_caller_that_goes_away_harms_nobody() {
        let flight = Flight::new();
        let gate = Arc::new(Semaphore::new(0));
        let leader = {
            let (flight, gate) = (flight.clone(), Arc::clone(&gate));
            tokio::spawn(async move {
                let work = || async move {
                    let _open = gate.acquire().await;
                    Ok(3)
                };
                flight.run("key", work).await
            })
        };
        while flight.in_flight() == 0 {
            tokio::task::yield_now().await;
        }
        let mut waiter = flight.join("key", || async { Err("a second run") });
        leader.abort();
        assert!(leader.await.is_err());

        gate.add_permits(Semaphore::MAX_PERMITS);
        let value = waiter.wait_for(Option::is_some).await.unwrap();
        assert_eq!(*value, Some(Ok(3)));
    }

    #[tokio::test]
    async fn other_keys_do_not_wait() {
        let flight = Flight::new();
        let stuck = flight.join("stuck", std::future::pending);
        assert_eq!(flight.run("key", || async { Ok(4) }).await, Ok(Ok(4)));
        drop(stuck);
    }
}
