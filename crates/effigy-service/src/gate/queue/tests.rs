use std::sync::mpsc::{Receiver, Sender};

use tokio::{task::JoinHandle, time::timeout};

use super::*;

type Log = Arc<Mutex<Vec<&'static str>>>;
type Outcome<T> = Result<Option<T>, RecvError>;

/// The longest wait for jobs. The threads have a low priority, and the processor may be busy with something else.
const PATIENCE: Duration = Duration::from_secs(60);

fn unlimited() -> Arc<Usage> {
    Arc::new(Usage::new(None, [192, 0, 2, 1].into(), None))
}

/// A client who waits alone.
fn one() -> Payers {
    Payers::new(unlimited())
}

fn one_processor() -> Arc<JobQueue> {
    JobQueue::start(1).unwrap()
}

/// Asks for a job, which is in the queue soon.
fn ask<T: Send + 'static>(
    queue: &Arc<JobQueue>,
    payers: Payers,
    memory: u64,
    work: impl FnOnce(&Turn) -> T + Send + 'static,
) -> JoinHandle<Outcome<T>> {
    let queue = Arc::clone(queue);
    tokio::spawn(async move { queue.run(payers, memory, work).await })
}

/// Asks for a job, which waits when this returns.
async fn start<T: Send + 'static>(
    queue: &Arc<JobQueue>,
    payers: Payers,
    work: impl FnOnce(&Turn) -> T + Send + 'static,
) -> JoinHandle<Outcome<T>> {
    let before = queue.jobs().0;
    let handle = ask(queue, payers, 0, work);
    while queue.jobs().0 == before {
        tokio::task::yield_now().await;
    }
    handle
}

/// Occupies the only processor until the sender is dropped.
async fn occupy(queue: &Arc<JobQueue>) -> Sender<()> {
    let (sender, receiver): (Sender<()>, Receiver<()>) = mpsc::channel();
    let (began, begins) = oneshot::channel();
    ask(queue, one(), 0, move |_| {
        let _ = began.send(());
        let _ = receiver.recv();
    });
    begins.await.unwrap();
    sender
}

async fn all_done<T>(handles: Vec<JoinHandle<Outcome<T>>>) {
    for handle in handles {
        assert!(handle.await.unwrap().unwrap().is_some());
    }
}

fn spin(time: Duration, turn: &Turn) -> io::Result<()> {
    let began = std::time::Instant::now();
    while began.elapsed() < time {
        turn.checkpoint()?;
    }
    Ok(())
}

#[tokio::test]
async fn the_client_that_has_used_least_comes_first() {
    let queue = one_processor();
    let occupied = occupy(&queue).await;
    let (busy, log) = (unlimited(), Log::default());
    busy.charge_work(Duration::from_secs(1));
    // The parts of a work have the place of the first one.
    let begun = Some(now());
    let rows = [
        (&busy, None, "busy"),
        (&unlimited(), None, "new"),
        (&unlimited(), begun, "part"),
        (&busy, None, "busy again"),
    ];
    let mut handles = Vec::new();
    for (usage, came, name) in rows {
        let log = Arc::clone(&log);
        let payers = Payers {
            came,
            ..Payers::new(Arc::clone(usage))
        };
        let work = move |_: &Turn| log.lock().push(name);
        handles.push(start(&queue, payers, work).await);
    }
    drop(occupied);
    all_done(handles).await;
    assert_eq!(*log.lock(), ["part", "new", "busy", "busy again"]);
    assert_eq!(queue.jobs().0, 0);
}

#[tokio::test]
async fn a_long_job_makes_way_and_goes_on() {
    let queue = one_processor();
    let log = Log::default();
    let long_log = Arc::clone(&log);
    let (began, begins) = oneshot::channel();
    let long = ask(&queue, one(), 0, move |turn| {
        let _ = began.send(());
        while long_log.lock().is_empty() {
            spin(Duration::from_millis(1), turn).unwrap();
        }
        long_log.lock().push("long");
    });
    begins.await.unwrap();
    let short_log = Arc::clone(&log);
    let short = move |_: &Turn| short_log.lock().push("short");
    all_done(vec![ask(&queue, one(), 0, short), long]).await;
    assert_eq!(*log.lock(), ["short", "long"]);
}

#[tokio::test]
async fn a_job_that_nobody_waits_for_does_not_begin_or_fails() {
    let queue = one_processor();
    let (stopped, stops) = oneshot::channel();
    let (began, begins) = oneshot::channel();
    let running = ask(&queue, one(), 0, move |turn| {
        let _ = began.send(());
        let _ = stopped.send(spin(PATIENCE, turn).is_err());
    });
    begins.await.unwrap();
    let never = |_: &Turn| panic!("it was cancelled before it began");
    let waiting = start(&queue, one(), never).await;
    waiting.abort();
    assert!(waiting.await.is_err());
    assert_eq!(queue.jobs().0, 0);
    running.abort();
    assert!(stops.await.unwrap());
    assert_eq!(queue.run(one(), 0, |_| 7).await, Ok(Some(7)));
}

/// Asks for as many jobs as may wait, and for one of another client, for whom the newest of them makes room.
async fn assert_makes_room(of_many: impl Fn() -> Payers, other: Payers) {
    let queue = one_processor();
    let occupied = occupy(&queue).await;
    let mut handles = Vec::new();
    for _ in 0..MAX_WAITING {
        handles.push(start(&queue, of_many(), |_| ()).await);
    }
    assert!(!queue.is_full_for(&other.usage));
    let of_other = ask(&queue, other, 0, |_| ());
    assert!(handles.pop().unwrap().await.unwrap().is_err());
    drop(occupied);
    handles.push(of_other);
    all_done(handles).await;
}

#[tokio::test]
async fn too_many_jobs_cost_the_client_with_the_most_its_newest() {
    let many = Payers::new(unlimited());
    assert_makes_room(|| many.clone(), one()).await;
}

#[tokio::test]
async fn of_clients_with_as_many_jobs_one_of_the_largest_network_loses_one() {
    let of_network = |network: &str| {
        let usage = Usage::new(None, network.parse().unwrap(), None);
        Payers::new(Arc::new(usage))
    };
    assert_makes_room(|| of_network("2001:db8::"), of_network("2001:db8:1::")).await;
}

#[tokio::test]
async fn memory_is_bounded() {
    let queue = JobQueue::start(4).unwrap();
    let (sender, receiver) = mpsc::channel::<()>();
    let receiver = Arc::new(Mutex::new(receiver));
    let large = |_| {
        let receiver = Arc::clone(&receiver);
        let work = move |_: &Turn| receiver.lock().recv().is_err();
        ask(&queue, one(), MAX_MEMORY_OF_ONE, work)
    };
    let handles = (0..3).map(large).collect();
    while queue.jobs() != (1, 2) {
        tokio::task::yield_now().await;
    }
    // A small one does not wait for the third.
    queue.run(one(), 0, |_| ()).await.unwrap();
    drop(sender);
    all_done(handles).await;
}

#[tokio::test]
async fn a_panic_ends_only_its_job() {
    let queue = one_processor();
    let outcome: Outcome<()> = queue.run(one(), 0, |_| panic!("broken")).await;
    assert_eq!(outcome, Ok(None));
    queue.run(one(), 0, |_| ()).await.unwrap();
    assert_eq!(queue.jobs(), (0, 0));
}

#[tokio::test]
async fn long_jobs_of_many_clients_leave_room_for_small_ones() {
    let queue = one_processor();
    let is_over = Arc::new(AtomicBool::new(false));
    let long = |_| {
        let is_over = Arc::clone(&is_over);
        ask(&queue, one(), 8 << 20, move |turn| {
            while !is_over.load(Ordering::Relaxed) {
                turn.checkpoint().unwrap();
            }
        })
    };
    let handles = (0..40).map(long).collect();
    while queue.jobs() != (39, 1) {
        tokio::task::yield_now().await;
    }
    // Many of them have begun, and have had more turns than one.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let in_time = timeout(PATIENCE, queue.run(one(), 0, |_| ())).await;
    is_over.store(true, Ordering::Relaxed);
    in_time.unwrap().unwrap();
    all_done(handles).await;
    assert_eq!(queue.jobs(), (0, 0));
}

#[tokio::test]
async fn nothing_is_left_of_jobs_that_end_fail_panic_or_are_left() {
    let queue = JobQueue::start(2).unwrap();
    let clients: Vec<Payers> = (0..8).map(|_| one()).collect();
    let mut handles = Vec::new();
    for number in 0..150_usize {
        let memory = (number as u64 % 5) << 23;
        let work = move |turn: &Turn| {
            let time = Duration::from_micros(number as u64 * 371 % 12_000);
            let outcome = spin(time, turn);
            assert!(number % 13 != 0, "broken");
            outcome.is_ok()
        };
        handles.push(ask(&queue, clients[number % 8].clone(), memory, work));
        if number % 3 == 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
            handles[number / 2].abort();
        }
    }
    for (number, handle) in handles.into_iter().enumerate() {
        match timeout(PATIENCE, handle).await.unwrap() {
            Ok(outcome) => match outcome.unwrap() {
                None => assert_eq!(number % 13, 0),
                Some(is_ok) => assert!(is_ok),
            },
            Err(error) => assert!(error.is_cancelled()),
        }
    }
    let ended = async {
        while queue.jobs() != (0, 0) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let ended = timeout(PATIENCE, ended).await;
    assert!(ended.is_ok(), "{:?}", queue.jobs());
    queue.run(one(), 0, |_| ()).await.unwrap();
}
