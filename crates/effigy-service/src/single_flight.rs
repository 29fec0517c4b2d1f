//! Sharing one computation among simultaneous callers.

use std::{collections::HashMap, hash::Hash, sync::Arc, time::Duration};

use futures_util::{
    FutureExt as _,
    future::{BoxFuture, Shared, WeakShared},
};
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::{
    Client,
    error::{Result, ServiceError},
    gate::Waiters,
};

/// The time after which a caller joins no other computation that may be refused.
const PATIENCE: Duration = Duration::from_secs(1);

/// Coalesces simultaneous computations by their key.
///
/// # Guarantees
/// - The computation of the first caller is the one that all callers of the meantime drive and get the value of. It goes on
///   as long as one of them waits, whoever leaves, and its work is done in the turn of any of them.
/// - A refusal belongs to the client of the first caller. Another caller computes then, and waits for others no longer
///   than its patience lasts.
/// - Values are not kept. A computation that keeps its value is the only one: a caller that finds none in flight looks
///   once more whether the value is known by then.
pub(crate) struct SingleFlight<K, T> {
    flights: Arc<Flights<K, T>>,
    /// `true` if a computation goes on when all callers have left.
    outlives_callers: bool,
}

// Not an async mutex, because it is held for map operations only, never across an await.
type Flights<K, T> = Mutex<HashMap<K, Flight<T>>>;

type Computation<T> = BoxFuture<'static, Result<T>>;

/// A computation in flight, which ends when nobody waits for it.
struct Flight<T> {
    computation: WeakShared<Computation<T>>,
    waiters: Waiters,
}

/// Removes a computation that has ended, unless another one has taken its place.
struct Landing<K: Eq + Hash, T> {
    flights: Arc<Flights<K, T>>,
    key: K,
    waiters: Waiters,
}

impl<K: Eq + Hash, T> Drop for Landing<K, T> {
    fn drop(&mut self) {
        let mut flights = self.flights.lock();
        let flight = flights.get(&self.key);
        if flight.is_some_and(|flight| flight.waiters.is(&self.waiters)) {
            flights.remove(&self.key);
        }
    }
}

impl<K, T> SingleFlight<K, T>
where
    K: Clone + Eq + Hash + Send + 'static,
    T: Clone + Send + Sync + 'static,
{
    pub(crate) fn new(outlives_callers: bool) -> Self {
        let flights = Arc::default();
        Self {
            flights,
            outlives_callers,
        }
    }

    /// Returns the known value, that of the computation in flight, or that of `compute`.
    pub(crate) async fn run<F>(
        &self,
        client: &Client,
        key: K,
        known: impl Fn() -> Option<T>,
        compute: impl FnOnce(Client) -> F,
    ) -> Result<T>
    where
        F: Future<Output = Result<T>> + Send + 'static,
    {
        let begun = Instant::now();
        let (sharing, waiters) = client.sharing();
        let landing = Landing {
            flights: Arc::clone(&self.flights),
            key: key.clone(),
            waiters: waiters.clone(),
        };
        let computation = compute(sharing);
        let own = async move {
            let value = computation.await;
            drop(landing);
            value
        };
        let own = own.boxed().shared();
        loop {
            let is_patient = begun.elapsed() < PATIENCE;
            let computation = match self.join(client, &key, &known, (&own, &waiters), is_patient) {
                Ok(computation) => computation,
                Err(value) => return Ok(value),
            };
            let is_own = computation.ptr_eq(&own);
            if is_own && self.outlives_callers {
                tokio::spawn(own.clone());
            }
            match computation.await {
                Err(error) if !is_own && matches!(*error, ServiceError::Refused(_)) => {}
                value => return value,
            }
        }
    }

    /// Returns the computation in flight for a patient caller, or puts the own one there. The error is the value, if it is known by now.
    fn join(
        &self,
        client: &Client,
        key: &K,
        known: impl Fn() -> Option<T>,
        (own, waiters): (&Shared<Computation<T>>, &Waiters),
        is_patient: bool,
    ) -> Result<Shared<Computation<T>>, T> {
        let mut flights = self.flights.lock();
        if let Some(flight) = flights.get(key).filter(|_| is_patient)
            && let Some(computation) = flight.computation.upgrade()
        {
            client.wait_with(&flight.waiters);
            return Ok(computation);
        }
        if let Some(value) = known() {
            return Err(value);
        }
        let computation = own.downgrade().expect("nobody has polled it");
        let waiters = waiters.clone();
        flights.insert(
            key.clone(),
            Flight {
                computation,
                waiters,
            },
        );
        Ok(own.clone())
    }

    /// The number of computations in flight.
    pub(crate) fn in_flight(&self) -> usize {
        self.flights.lock().len()
    }
}

#[cfg(test)]
mod tests {
    use std::{
        cell::Cell,
        net::{IpAddr, Ipv4Addr},
        sync::atomic::{AtomicUsize, Ordering},
    };

    use tokio::sync::watch;

    use super::*;
    use crate::{
        ClientLimits, Scope, SharedResource, error::Refused, gate::Gate, metrics::ServiceMetrics,
    };

    const KEY: u8 = 0;

    /// The end of a computation.
    type End = fn() -> Result<usize>;

    fn client() -> Client {
        let gate = Gate::new(ClientLimits::default(), ServiceMetrics::default().refused).unwrap();
        gate.client(IpAddr::V4(Ipv4Addr::LOCALHOST), true)
    }

    fn refused() -> Result<usize> {
        Err(Refused::soon(SharedResource::Work, Scope::AllClients).into())
    }

    /// A computation that callers share, which is begun, waits and may fail.
    struct Bench {
        flight: SingleFlight<u8, usize>,
        begun: Arc<AtomicUsize>,
        end: watch::Sender<Option<End>>,
    }

    impl Bench {
        fn new(outlives_callers: bool) -> Arc<Self> {
            Arc::new(Self {
                flight: SingleFlight::new(outlives_callers),
                begun: Arc::default(),
                end: watch::channel(None).0,
            })
        }

        /// Starts callers, who have asked when this returns.
        async fn ask(
            self: &Arc<Self>,
            callers: usize,
        ) -> Vec<tokio::task::JoinHandle<Result<usize>>> {
            let call = |_| {
                let bench = Arc::clone(self);
                tokio::spawn(async move {
                    let compute = |_| {
                        let (begun, mut end) = (Arc::clone(&bench.begun), bench.end.subscribe());
                        async move {
                            begun.fetch_add(1, Ordering::Relaxed);
                            let end = end.wait_for(Option::is_some).await.unwrap();
                            end.unwrap()()
                        }
                    };
                    let client = client();
                    bench.flight.run(&client, KEY, || None, compute).await
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
            assert_eq!((bench.begun(), bench.flight.in_flight()), (1, 0));
            bench.ask(1).await.remove(0).await.unwrap().ok();
            assert_eq!(bench.begun(), 2);
        }
    }

    #[tokio::test]
    async fn a_value_that_is_known_is_not_computed() {
        let (flight, looks) = (SingleFlight::<u8, usize>::new(false), Cell::new(0));
        let known = || Some(5).inspect(|_| looks.set(looks.get() + 1));
        let compute = |_| async { unreachable!("the value is known") };
        let found = flight.run(&client(), KEY, known, compute).await;
        assert_eq!((found.unwrap(), looks.get(), flight.in_flight()), (5, 1, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_caller_does_not_wait_for_one_refusal_after_the_other() {
        let refusing = Bench::new(false);
        let attack = |_| {
            let bench = Arc::clone(&refusing);
            tokio::spawn(async move {
                let compute = |_| async {
                    tokio::time::sleep(Duration::from_millis(900)).await;
                    refused()
                };
                bench.flight.run(&client(), KEY, || None, compute).await
            })
        };
        // Of those who wait, the next one leads whenever one is refused.
        let attacks: Vec<_> = (0..20).map(attack).collect();
        tokio::time::sleep(Duration::from_millis(10)).await;
        let begun = Instant::now();
        let bench = Arc::clone(&refusing);
        let victim = tokio::spawn(async move {
            let compute = |_| async { Ok(7) };
            bench.flight.run(&client(), KEY, || None, compute).await
        });
        let value = victim.await.unwrap();
        assert!(
            value.is_ok() && begun.elapsed() < Duration::from_secs(2),
            "{:?}",
            begun.elapsed()
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
        assert_eq!((bench.begun(), bench.flight.in_flight()), (5, 0));
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
            assert_eq!((bench.begun(), bench.flight.in_flight()), (1, 1));
            let last = callers.remove(0);
            last.abort();
            assert!(last.await.is_err());
            assert_eq!(bench.flight.in_flight(), usize::from(outlives_callers));
            // One that has been left is done again.
            let caller = bench.ask(1).await.remove(0);
            bench.end.send_replace(Some(|| Ok(3)));
            assert_eq!(caller.await.unwrap().unwrap(), 3);
            assert_eq!(bench.begun(), if outlives_callers { 1 } else { 2 });
        }
    }
}
