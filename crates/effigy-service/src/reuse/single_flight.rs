//! Computations that simultaneous callers share.

use std::{collections::HashMap, hash::Hash, sync::Arc, time::Duration};

use futures_util::{
    FutureExt as _,
    future::{BoxFuture, Shared, WeakShared},
};
use parking_lot::Mutex;
use scopeguard::guard;
use tokio::time::Instant;

use crate::{
    doors::Askers,
    error::{Result, ServiceError},
};

/// The time for which a caller joins computations of others. If one is refused because of the
/// client who began it, the callers who joined it try again. After this time, a caller computes
/// the value itself, rather than join another computation that may be refused, too.
const JOINING_TIME: Duration = Duration::from_secs(1);

/// Computations in flight. Concurrent callers for the same key share one.
///
/// # Guarantees
/// - A known value is returned at once, even if a computation is in flight.
/// - A computation goes on as long as one caller waits for it. If it
///   [outlives](Self::that_outlive_callers) its callers, it goes on without any.
/// - A refusal belongs to the client of the first caller. The next caller computes then, and joins
///   others for a second at most.
pub(crate) struct SingleFlight<K, V> {
    flights: Arc<Flights<K, V>>,
    outlives_callers: bool,
}

// Not an async mutex, because it is held for map operations only, never across an await.
type Flights<K, V> = Mutex<HashMap<K, Flight<V>>>;

/// A computation in flight, and the clients who wait for it.
struct Flight<V> {
    computation: WeakShared<BoxFuture<'static, Result<V>>>,
    askers: Askers,
}

/// The part that a caller has in a computation.
enum Part<V> {
    /// The value was known.
    Known(V),
    /// Another caller computes.
    Joined(Shared<BoxFuture<'static, Result<V>>>),
    /// This caller computes.
    Leading,
}

impl<K, V> SingleFlight<K, V>
where
    K: Clone + Eq + Hash + Send + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// Computations that end when all their callers have left.
    pub(crate) fn new() -> Self {
        Self {
            flights: Arc::default(),
            outlives_callers: false,
        }
    }

    /// Computations that go on when all their callers have left.
    pub(crate) fn that_outlive_callers() -> Self {
        Self {
            flights: Arc::default(),
            outlives_callers: true,
        }
    }

    /// Returns the known value, or the outcome of the computation in flight, or the outcome of
    /// `computation`, for which `askers` wait.
    pub(crate) async fn run(
        &self,
        askers: &Askers,
        key: K,
        known: impl Fn() -> Option<V>,
        computation: impl Future<Output = Result<V>> + Send + 'static,
    ) -> Result<V> {
        let begun = Instant::now();
        // It is dropped unused if we join another one.
        let own = self.leaving_when_over(askers, key.clone(), computation);
        loop {
            let joins_others = begun.elapsed() < JOINING_TIME;
            match self.take_part(&own, askers, &key, &known, joins_others) {
                Part::Known(value) => return Ok(value),
                Part::Leading => {
                    if self.outlives_callers {
                        tokio::spawn(own.clone());
                    }
                    return own.await;
                }
                Part::Joined(other) => match other.await {
                    Err(error) if matches!(*error, ServiceError::Refused(_)) => {}
                    outcome => return outcome,
                },
            }
        }
    }

    /// Returns the number of computations in flight.
    pub(crate) fn len(&self) -> usize {
        self.flights.lock().len()
    }

    /// Returns a computation that leaves the map of flights when it has ended, or when all callers
    /// have left.
    fn leaving_when_over(
        &self,
        askers: &Askers,
        key: K,
        computation: impl Future<Output = Result<V>> + Send + 'static,
    ) -> Shared<BoxFuture<'static, Result<V>>> {
        let flights = Arc::clone(&self.flights);
        let askers = askers.clone();
        let removal = guard((), move |()| {
            let mut flights = flights.lock();
            // Another computation may have taken its place, or this one was never in the map, because
            // its caller joined another.
            if let Some(flight) = flights.get(&key)
                && flight.askers.same(&askers)
            {
                flights.remove(&key);
            }
        });
        let guarded = async move {
            let outcome = computation.await;
            drop(removal);
            outcome
        };
        guarded.boxed().shared()
    }

    /// Decides which part a caller has.
    fn take_part(
        &self,
        own: &Shared<BoxFuture<'static, Result<V>>>,
        askers: &Askers,
        key: &K,
        known: &impl Fn() -> Option<V>,
        joins_others: bool,
    ) -> Part<V> {
        let mut flights = self.flights.lock();
        // A computation makes its value known before it leaves the map, so either the value or the
        // flight is found.
        if let Some(value) = known() {
            return Part::Known(value);
        }
        if joins_others
            && let Some(flight) = flights.get(key)
            && let Some(computation) = flight.computation.upgrade()
        {
            flight.askers.join(askers);
            return Part::Joined(computation);
        }
        let flight = Flight {
            computation: own.downgrade().expect("nobody has polled it"),
            askers: askers.clone(),
        };
        flights.insert(key.clone(), flight);
        Part::Leading
    }
}

#[cfg(test)]
mod tests;
