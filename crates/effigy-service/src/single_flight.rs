//! Sharing one computation among simultaneous callers.

use std::{
    collections::HashMap,
    future::Future,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::watch;

use crate::ServiceError;

/// Coalesces simultaneous computations by their key.
///
/// # Guarantees
/// - At most one computation runs per key, and every caller in the meantime gets its value.
/// - The computation runs in a task of its own, so a caller that leaves does not stop it.
/// - Values are not cached: a call after the end of the computation starts a new one.
pub(crate) struct SingleFlight<K, V> {
    // A std mutex, because it is held for map operations only, never across an await.
    flights: Arc<Mutex<Flights<K, V>>>,
}

type Flights<K, V> = HashMap<K, watch::Receiver<Option<V>>>;

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

    /// Returns the value of the computation in flight for `key`, or starts `work` and returns its value.
    ///
    /// # Errors
    /// `Interrupted` if the computation panics, or the runtime shuts down.
    pub(crate) async fn run<F>(&self, key: K, work: impl FnOnce() -> F) -> Result<V, ServiceError>
    where
        F: Future<Output = V> + Send + 'static,
    {
        let mut receiver = self.join(key, work);
        let value = receiver.wait_for(Option::is_some).await;
        // The sender was dropped if there is no value.
        let value = value.ok().and_then(|value| value.clone());
        value.ok_or(ServiceError::Interrupted)
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

        let removal = RemoveOnDrop {
            flights: Arc::clone(&self.flights),
            key,
        };
        let work = work();
        tokio::spawn(async move {
            let value = work.await;
            // Removed before the value is sent, so that nobody joins an ended computation.
            drop(removal);
            sender.send_replace(Some(value));
        });
        receiver
    }

    /// The number of computations in flight.
    pub(crate) fn in_flight(&self) -> usize {
        lock(&self.flights).len()
    }
}

/// Removes a computation from the map when it ends, also by a panic.
struct RemoveOnDrop<K: Eq + Hash, V> {
    flights: Arc<Mutex<Flights<K, V>>>,
    key: K,
}

impl<K: Eq + Hash, V> Drop for RemoveOnDrop<K, V> {
    fn drop(&mut self) {
        lock(&self.flights).remove(&self.key);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Map operations do not panic halfway, so a poisoned map is consistent.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::sync::Semaphore;

    use super::*;

    type Flight = SingleFlight<&'static str, Result<usize, &'static str>>;

    /// Starts `callers` on one key, releases the work when all of them wait, and returns their
    /// values.
    async fn callers_of(
        flight: &Flight,
        callers: usize,
        runs: &Arc<AtomicUsize>,
        outcome: Result<usize, &'static str>,
    ) -> Vec<Result<usize, &'static str>> {
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
                    let value = receiver.wait_for(Option::is_some).await.unwrap();
                    value.expect("the value that it waited for")
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
    async fn simultaneous_callers_share_one_run() {
        let (flight, runs) = (Flight::new(), Arc::default());
        let values = callers_of(&flight, 200, &runs, Ok(7)).await;
        assert_eq!(values, vec![Ok(7); 200]);
        assert_eq!(runs.load(Ordering::SeqCst), 1);
        assert_eq!(flight.in_flight(), 0);
    }

    #[tokio::test]
    async fn a_failure_reaches_every_waiter_and_no_later_caller() {
        let (flight, runs) = (Flight::new(), Arc::default());
        let values = callers_of(&flight, 20, &runs, Err("down")).await;
        assert_eq!(values, vec![Err("down"); 20]);
        assert_eq!(runs.load(Ordering::SeqCst), 1);

        let after = flight.run("key", || async { Ok(1) }).await;
        assert_eq!(after.unwrap(), Ok(1));
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
        assert_eq!(after.unwrap(), Ok(2));
    }

    #[tokio::test]
    async fn a_caller_that_leaves_does_not_stop_the_work() {
        let flight = Arc::new(Flight::new());
        let gate = Arc::new(Semaphore::new(0));
        let leader = {
            let (flight, gate) = (Arc::clone(&flight), Arc::clone(&gate));
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
        let other = flight.run("key", || async { Ok(4) }).await;
        assert_eq!(other.unwrap(), Ok(4));
        drop(stuck);
    }
}
