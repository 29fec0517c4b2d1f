use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::{sync::watch, task::JoinHandle};

use super::*;
use crate::{Client, Fault, SharedResource, error::Refused};

const KEY: u16 = 0;

/// The end of a computation.
type End = fn() -> Result<usize>;

/// A caller who waits for it.
type Call = JoinHandle<Result<usize>>;

fn refused() -> Result<usize> {
    let refused = Refused {
        resource: SharedResource::Drawing,
        fault: Fault::Limited,
        retry_after: Duration::ZERO,
    };
    Err(refused.into())
}

/// A computation that callers share, which is begun, waits and may fail.
struct Bench {
    flights: SingleFlight<u16, usize>,
    begun: Arc<AtomicUsize>,
    end: watch::Sender<Option<End>>,
}

impl Bench {
    fn new(flights: SingleFlight<u16, usize>) -> Arc<Self> {
        Arc::new(Self {
            flights,
            begun: Arc::default(),
            end: watch::channel(None).0,
        })
    }

    /// Computes if nobody else does.
    fn call(
        self: &Arc<Self>,
        computation: impl Future<Output = Result<usize>> + Send + 'static,
    ) -> Call {
        let bench = Arc::clone(self);
        tokio::spawn(async move {
            let askers = Askers::one(Client::SERVICE);
            bench.flights.run(&askers, KEY, || None, computation).await
        })
    }

    /// Starts callers, who have asked when this returns.
    async fn ask(self: &Arc<Self>, callers: usize) -> Vec<Call> {
        let call = |_| {
            let begun = Arc::clone(&self.begun);
            let mut end = self.end.subscribe();
            self.call(async move {
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

async fn assert_shared(end: End, succeeds: bool) {
    let bench = Bench::new(SingleFlight::new());
    let callers = bench.ask(200).await;
    bench.end.send_replace(Some(end));
    for caller in callers {
        assert_eq!(caller.await.unwrap().is_ok(), succeeds);
    }
    assert_eq!(bench.begun(), 1);
    assert_eq!(bench.flights.len(), 0);
}

#[tokio::test]
async fn simultaneous_callers_share_a_value() {
    assert_shared(|| Ok(7), true).await;
}

#[tokio::test]
async fn simultaneous_callers_share_a_failure() {
    assert_shared(|| Err(ServiceError::NoCape.into()), false).await;
}

#[tokio::test]
async fn a_later_caller_computes_anew() {
    let bench = Bench::new(SingleFlight::new());
    bench.end.send_replace(Some(|| Ok(7)));
    for begun in 1..=2 {
        bench.ask(1).await.remove(0).await.unwrap().unwrap();
        assert_eq!(bench.begun(), begun);
    }
}

#[tokio::test]
async fn a_known_value_does_not_wait_for_a_computation() {
    let bench = Bench::new(SingleFlight::new());
    let callers = bench.ask(1).await;
    let askers = Askers::one(Client::SERVICE);
    let computation = async { unreachable!("the value is known") };
    let found = bench
        .flights
        .run(&askers, KEY, || Some(5), computation)
        .await;
    assert_eq!(found.unwrap(), 5);
    assert_eq!(bench.flights.len(), 1);
    callers.into_iter().for_each(|caller| caller.abort());
}

#[tokio::test(start_paused = true)]
async fn a_caller_waits_for_refusals_of_others_a_second_at_most() {
    let bench = Bench::new(SingleFlight::new());
    let attack = |_| {
        bench.call(async {
            tokio::time::sleep(Duration::from_millis(900)).await;
            refused()
        })
    };
    // Of those who wait, the next one leads whenever one is refused.
    let attacks: Vec<Call> = (0..20).map(attack).collect();
    tokio::time::sleep(Duration::from_millis(10)).await;
    let begun = Instant::now();
    let value = bench.call(async { Ok(7) }).await.unwrap();
    let waited = begun.elapsed();
    assert!(
        value.is_ok() && waited < Duration::from_secs(2),
        "{waited:?}"
    );
    attacks.into_iter().for_each(|call| call.abort());
}

#[tokio::test]
async fn after_a_refusal_of_the_first_caller_the_others_compute() {
    let bench = Bench::new(SingleFlight::new());
    let callers = bench.ask(5).await;
    bench.end.send_replace(Some(refused));
    for caller in callers {
        assert!(caller.await.unwrap().is_err());
    }
    assert_eq!(bench.begun(), 5);
    assert_eq!(bench.flights.len(), 0);
}

/// Else those who wait for the picture of a route would lose their turn if it is being drawn.
#[tokio::test]
async fn a_caller_joins_with_all_its_askers() {
    let client = |last| Client::limited([192, 0, 2, last].into());
    let one = Askers::one(client(1));
    let two_and_three = Askers::one(client(2));
    two_and_three.join(&Askers::one(client(3)));
    let flights = SingleFlight::new();
    let first = flights.run(&one, KEY, || None, async {
        tokio::task::yield_now().await;
        Ok(7)
    });
    let joined = flights.run(&two_and_three, KEY, || None, async {
        unreachable!("another caller computes")
    });
    let (led, followed) = tokio::join!(first, joined);
    assert_eq!((led.unwrap(), followed.unwrap()), (7, 7));
    let (preferred, _) = one.min_by_key(|asker| asker != client(3));
    assert_eq!(preferred, client(3));
}

#[tokio::test]
async fn a_computation_goes_on_until_the_last_caller_leaves() {
    let bench = Bench::new(SingleFlight::new());
    let mut callers = bench.ask(3).await;
    let last = callers.pop().unwrap();
    for caller in callers {
        caller.abort();
        assert!(caller.await.is_err());
    }
    assert_eq!(bench.flights.len(), 1);
    last.abort();
    assert!(last.await.is_err());
    assert_eq!(bench.flights.len(), 0);
}

#[tokio::test]
async fn a_computation_goes_on_without_its_first_caller() {
    let bench = Bench::new(SingleFlight::new());
    let mut callers = bench.ask(2).await;
    callers.remove(0).abort();
    tokio::task::yield_now().await;
    bench.end.send_replace(Some(|| Ok(3)));
    assert_eq!(callers.remove(0).await.unwrap().unwrap(), 3);
    assert_eq!(bench.begun(), 1);
}

#[tokio::test]
async fn a_computation_may_outlive_its_callers() {
    let bench = Bench::new(SingleFlight::that_outlive_callers());
    let caller = bench.ask(1).await.remove(0);
    caller.abort();
    assert!(caller.await.is_err());
    assert_eq!(bench.flights.len(), 1);
    let joined = bench.ask(1).await.remove(0);
    bench.end.send_replace(Some(|| Ok(3)));
    assert_eq!(joined.await.unwrap().unwrap(), 3);
    assert_eq!(bench.begun(), 1);
}
