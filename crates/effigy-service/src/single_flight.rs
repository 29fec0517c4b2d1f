//! Sharing one computation among simultaneous callers.

use std::{collections::HashMap, hash::Hash, sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::{sync::watch, time::timeout};

/// The longest wait for a computation in the queue of another client.
const PATIENCE: Duration = Duration::from_secs(1);

/// Coalesces simultaneous computations by their key.
///
/// # Guarantees
/// - One caller leads and computes in its own future. The callers in the meantime follow and get the same
///   value.
/// - If the leader is dropped without having shared a value, one of the followers leads.
/// - Values are not kept. A leader that keeps its value before it shares it is the only one: a caller that finds no
///   computation in flight looks once more whether the value is known by then.
#[derive(Debug)]
pub(crate) struct SingleFlight<K, V>(Arc<Flights<K, V>>);

// Not an async mutex, because it is held for map operations only, never across an await.
type Flights<K, V> = Mutex<HashMap<K, Flight<V>>>;

type Flight<V> = watch::Receiver<Progress<V>>;

#[derive(Debug)]
enum Progress<V> {
    Begun,
    /// It is in the queue of its leader's client.
    Queued,
    Done(V),
}

/// The caller that computes.
#[derive(Debug)]
pub(crate) struct Leader<K: Eq + Hash, V> {
    flights: Arc<Flights<K, V>>,
    key: K,
    progress: watch::Sender<Progress<V>>,
}

impl<K, V> Default for SingleFlight<K, V> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K: Clone + Eq + Hash, V: Clone> SingleFlight<K, V> {
    /// Returns the known value or the one that the leader of this key shares, or leads and returns the value of
    /// `work`.
    pub(crate) async fn run(
        &self,
        key: K,
        known: impl Fn() -> Option<V>,
        work: impl AsyncFnOnce(Arc<Leader<K, V>>) -> V,
    ) -> V {
        if let Some(value) = known() {
            return value;
        }
        let mut left = None;
        loop {
            match self.join(&key, &known, left.as_ref()) {
                Ok(leader) => return work(Arc::new(leader)).await,
                Err(mut flight) => match follow(&mut flight).await {
                    Some(value) => return value,
                    None => left = Some(flight),
                },
            }
        }
    }

    /// Leads a new computation. The error is the one in flight, unless the caller has left that, or one that has
    /// ended.
    fn join(
        &self,
        key: &K,
        known: impl Fn() -> Option<V>,
        left: Option<&Flight<V>>,
    ) -> Result<Leader<K, V>, Flight<V>> {
        let mut flights = self.0.lock();
        if let Some(flight) = flights.get(key)
            && left.is_none_or(|left| !left.same_channel(flight))
        {
            return Err(flight.clone());
        }
        if let Some(value) = known() {
            return Err(watch::channel(Progress::Done(value)).1);
        }
        let (progress, flight) = watch::channel(Progress::Begun);
        flights.insert(key.clone(), flight);
        Ok(Leader {
            flights: Arc::clone(&self.0),
            key: key.clone(),
            progress,
        })
    }

    /// The number of computations in flight.
    pub(crate) fn in_flight(&self) -> usize {
        self.0.lock().len()
    }
}

/// Waits for the value of a computation. Returns `None` if there will be none, or if it waits too long in the
/// queue of its leader's client.
async fn follow<V: Clone>(flight: &mut Flight<V>) -> Option<V> {
    let is_queued = |progress: &Progress<V>| !matches!(progress, Progress::Begun);
    flight.wait_for(is_queued).await.map(drop).ok()?;
    let done = flight.wait_for(|progress| matches!(progress, Progress::Done(_)));
    let done = timeout(PATIENCE, done).await.ok()?.ok()?;
    match &*done {
        Progress::Done(value) => Some(value.clone()),
        _ => None,
    }
}

impl<K: Eq + Hash, V> Leader<K, V> {
    /// Tells the followers that the computation enters the queue of a client.
    pub(crate) fn enter_queue(&self) {
        self.progress.send_replace(Progress::Queued);
    }

    /// Shares the value with all followers. Later callers start a new computation.
    pub(crate) fn share(&self, value: V) {
        self.land();
        self.progress.send_replace(Progress::Done(value));
    }

    /// Removes the computation, unless another caller has taken it over.
    fn land(&self) {
        let (mut flights, own) = (self.flights.lock(), self.progress.subscribe());
        if (flights.get(&self.key)).is_some_and(|flight| flight.same_channel(&own)) {
            flights.remove(&self.key);
        }
    }
}

impl<K: Eq + Hash, V> Drop for Leader<K, V> {
    fn drop(&mut self) {
        self.land();
    }
}

#[cfg(test)]
mod tests {
    use tokio::{sync::oneshot, task::JoinHandle};

    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Failure {
        Down,
        Refused,
    }

    type Outcome = Result<usize, Failure>;
    type TestFlight = Arc<SingleFlight<u8, Outcome>>;

    const KEY: u8 = 0;

    /// Starts to lead. The leader shares what is sent, or ends without that if the sender is dropped.
    async fn lead(flight: &TestFlight) -> (JoinHandle<Outcome>, oneshot::Sender<Outcome>) {
        let (end, ended) = oneshot::channel::<Outcome>();
        let before = flight.in_flight();
        let task = tokio::spawn({
            let flight = Arc::clone(flight);
            async move {
                let work = |leader: Arc<Leader<_, _>>| async move {
                    let Ok(value) = ended.await else {
                        return Err(Failure::Refused);
                    };
                    leader.share(value);
                    value
                };
                flight.run(KEY, || None, work).await
            }
        });
        while flight.in_flight() == before {
            tokio::task::yield_now().await;
        }
        (task, end)
    }

    /// Starts callers that follow, and lead with this value if they have to.
    async fn follow(flight: &TestFlight, callers: usize, own: Outcome) -> Vec<JoinHandle<Outcome>> {
        let call = |_| {
            let flight = Arc::clone(flight);
            let work = move |leader: Arc<Leader<_, _>>| async move {
                leader.share(own);
                own
            };
            tokio::spawn(async move { flight.run(KEY, || None, work).await })
        };
        let tasks = (0..callers).map(call).collect();
        tokio::task::yield_now().await;
        tasks
    }

    #[tokio::test]
    async fn simultaneous_callers_share_an_outcome_and_later_ones_do_not() {
        for outcome in [Ok(7), Err(Failure::Down)] {
            let flight = TestFlight::default();
            let (leader, end) = lead(&flight).await;
            let followers = follow(&flight, 200, Ok(0)).await;
            end.send(outcome).unwrap();
            assert_eq!(leader.await.unwrap(), outcome);
            for follower in followers {
                assert_eq!(follower.await.unwrap(), outcome);
            }
            assert_eq!(flight.in_flight(), 0);
            let later = follow(&flight, 1, Ok(1)).await.remove(0);
            assert_eq!(later.await.unwrap(), Ok(1));
        }
    }

    #[tokio::test]
    async fn a_value_that_is_kept_before_it_is_shared_is_computed_once() {
        let (flight, looks) = (TestFlight::default(), std::cell::Cell::new(0));
        // Another leader keeps it, and lands, after this caller has looked.
        let known = || (looks.replace(looks.get() + 1) > 0).then_some(Ok(5));
        let work = |_| async { unreachable!("the value is known") };
        assert_eq!(flight.run(KEY, known, work).await, Ok(5));
        assert_eq!((looks.get(), flight.in_flight()), (2, 0));
    }

    #[tokio::test]
    async fn a_refusal_belongs_to_the_leader_and_another_caller_leads() {
        let flight = TestFlight::default();
        let (leader, end) = lead(&flight).await;
        let followers = follow(&flight, 5, Ok(3)).await;
        drop(end);
        assert_eq!(leader.await.unwrap(), Err(Failure::Refused));
        for follower in followers {
            assert_eq!(follower.await.unwrap(), Ok(3));
        }
    }

    #[tokio::test]
    async fn a_leader_that_leaves_stops_nobody() {
        let flight = TestFlight::default();
        let (leader, _end) = lead(&flight).await;
        let followers = follow(&flight, 5, Ok(3)).await;
        leader.abort();
        for follower in followers {
            assert_eq!(follower.await.unwrap(), Ok(3));
        }
        assert_eq!(flight.in_flight(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_long_in_the_queue_of_another_client() {
        let flight = TestFlight::default();
        let stuck = |leader: Arc<Leader<_, _>>| async move {
            tokio::time::sleep(10 * PATIENCE).await;
            leader.enter_queue();
            std::future::pending().await
        };
        let leader = tokio::spawn({
            let flight = Arc::clone(&flight);
            async move { flight.run(KEY, || None, stuck).await }
        });
        tokio::task::yield_now().await;
        let began = tokio::time::Instant::now();
        // The first of them leads, and all others follow it.
        for follower in follow(&flight, 5, Ok(4)).await {
            assert_eq!(follower.await.unwrap(), Ok(4));
        }
        // A look-up is waited for, however long it takes.
        assert_eq!(began.elapsed(), 11 * PATIENCE);
        leader.abort();
    }
}
