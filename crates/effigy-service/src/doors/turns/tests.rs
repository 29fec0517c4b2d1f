mod random_load;

use std::{
    net::Ipv4Addr,
    sync::mpsc::{Receiver, Sender},
};

use tokio::{task::JoinHandle, time::timeout};

use super::{capacity::MAX_MEMORY, queue::MAX_WAITING, *};
use crate::doors::Client;

type Log = Arc<Mutex<Vec<&'static str>>>;
type Outcome<T> = Result<T, JobError>;

/// The longest wait for jobs. The threads have a low priority, and the processor may be busy with
/// something else.
const PATIENCE: Duration = Duration::from_secs(60);

fn client(number: u32) -> Askers {
    Askers::one(Client::limited(Ipv4Addr::from_bits(number).into()))
}

fn counts(waiting: usize, running: usize) -> JobCounts {
    JobCounts { waiting, running }
}

fn network(address: &str) -> Askers {
    Askers::one(Client::limited(address.parse().unwrap()))
}

/// Asks for a job, which is in the queue soon.
fn ask<T: Send + 'static>(
    turns: &Arc<Turns>,
    askers: &Askers,
    memory: u64,
    work: impl FnOnce(&Turn) -> T + Send + 'static,
) -> JoinHandle<Outcome<T>> {
    let turns = Arc::clone(turns);
    let askers = askers.clone();
    tokio::spawn(async move { turns.run(&askers, memory, work).await })
}

/// Asks for a job, which waits when this returns.
async fn ask_in_order<T: Send + 'static>(
    turns: &Arc<Turns>,
    askers: &Askers,
    memory: u64,
    work: impl FnOnce(&Turn) -> T + Send + 'static,
) -> JoinHandle<Outcome<T>> {
    let waiting = turns.jobs().waiting;
    let handle = ask(turns, askers, memory, work);
    until(|| turns.jobs().waiting > waiting).await;
    handle
}

async fn until(done: impl Fn() -> bool) {
    let wait = async {
        while !done() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(PATIENCE, wait).await.expect("it takes too long");
}

/// Occupies a slot until the sender is dropped.
async fn occupy(turns: &Arc<Turns>, askers: &Askers) -> Sender<()> {
    let (sender, receiver): (Sender<()>, Receiver<()>) = mpsc::channel();
    let (began, begins) = oneshot::channel();
    ask(turns, askers, 0, move |_| {
        let _ = began.send(());
        let _ = receiver.recv();
    });
    begins.await.unwrap();
    sender
}

async fn all_done<T>(handles: Vec<JoinHandle<Outcome<T>>>) {
    for handle in handles {
        let outcome = timeout(PATIENCE, handle).await.expect("it takes too long");
        assert!(outcome.unwrap().is_ok());
    }
}

/// Uses processor time until it is told to end, as a large picture does.
fn spin_until(ended: &AtomicBool, turn: &Turn) -> io::Result<()> {
    while !ended.load(Ordering::Relaxed) {
        turn.checkpoint()?;
    }
    Ok(())
}

fn spin(time: Duration, turn: &Turn) -> io::Result<()> {
    let began = std::time::Instant::now();
    while began.elapsed() < time {
        turn.checkpoint()?;
    }
    Ok(())
}

#[tokio::test]
async fn clients_take_turns() {
    let turns = Turns::with_slots(1).unwrap();
    let occupied = occupy(&turns, &client(9)).await;
    let log = Log::default();
    let rows = [
        (1, "first of 1"),
        (1, "second of 1"),
        (1, "third of 1"),
        (2, "first of 2"),
        (2, "second of 2"),
        (3, "first of 3"),
    ];
    let mut handles = Vec::new();
    for (number, name) in rows {
        let log = Arc::clone(&log);
        let work = move |_: &Turn| log.lock().push(name);
        handles.push(ask_in_order(&turns, &client(number), 0, work).await);
    }
    drop(occupied);
    all_done(handles).await;
    let expected = [
        "first of 1",
        "first of 2",
        "first of 3",
        "second of 1",
        "second of 2",
        "third of 1",
    ];
    assert_eq!(*log.lock(), expected);
}

#[tokio::test]
async fn networks_of_one_site_share_its_turns() {
    let turns = Turns::with_slots(1).unwrap();
    let occupied = occupy(&turns, &client(9)).await;
    let log = Log::default();
    let rows = [
        ("2001:db8:1:1::", "site"),
        ("2001:db8:1:2::", "its neighbor"),
        ("2001:db8:1:1::", "site again"),
        ("2001:db8:2:1::", "other"),
    ];
    let mut handles = Vec::new();
    for (address, name) in rows {
        let log = Arc::clone(&log);
        let work = move |_: &Turn| log.lock().push(name);
        handles.push(ask_in_order(&turns, &network(address), 0, work).await);
    }
    drop(occupied);
    all_done(handles).await;
    assert_eq!(*log.lock(), ["site", "other", "its neighbor", "site again"]);
}

#[tokio::test]
async fn a_shared_job_runs_in_the_turn_of_any_asker() {
    let turns = Turns::with_slots(1).unwrap();
    let busy = client(1);
    let occupied = occupy(&turns, &busy).await;
    let log = Log::default();
    let mut handles = Vec::new();
    let shared = Askers::one(busy.first());
    for (askers, name) in [(&busy, "own"), (&client(2), "other"), (&shared, "shared")] {
        let log = Arc::clone(&log);
        let work = move |_: &Turn| log.lock().push(name);
        handles.push(ask_in_order(&turns, askers, 0, work).await);
    }
    shared.join(&client(3));
    drop(occupied);
    all_done(handles).await;
    assert_eq!(*log.lock(), ["other", "shared", "own"]);
}

#[tokio::test]
async fn one_client_occupies_at_most_half_of_the_threads() {
    let turns = Turns::with_slots(4).unwrap();
    let mut occupied = Vec::new();
    for _ in 0..2 {
        occupied.push(occupy(&turns, &client(1)).await);
    }
    let third = ask_in_order(&turns, &client(1), 0, |_| ()).await;
    turns.run(&client(2), 0, |_| ()).await.unwrap();
    assert_eq!(turns.jobs(), counts(1, 2));
    occupied.pop();
    all_done(vec![third]).await;
}

#[tokio::test]
async fn a_peer_that_stands_for_many_occupies_all_threads() {
    let turns = Turns::with_slots(2).unwrap();
    let proxy = Askers::one(Client::unlimited(Ipv4Addr::LOCALHOST.into()));
    let _first = occupy(&turns, &proxy).await;
    let _second = occupy(&turns, &proxy).await;
    assert_eq!(turns.jobs(), counts(0, 2));
}

#[tokio::test]
async fn long_jobs_leave_a_thread_to_short_ones_and_go_on() {
    let turns = Turns::with_slots(2).unwrap();
    let ended = Arc::new(AtomicBool::new(false));
    let long = |number| {
        let ended = Arc::clone(&ended);
        ask(&turns, &client(number), 0, move |turn| {
            spin_until(&ended, turn).unwrap()
        })
    };
    let handles: Vec<_> = (0..6).map(long).collect();
    until(|| turns.jobs() == counts(4, 2)).await;
    for number in 10..30 {
        let askers = client(number);
        let short = turns.run(&askers, 0, |_| ());
        timeout(PATIENCE, short)
            .await
            .expect("it waits for long jobs")
            .unwrap();
    }
    // All long jobs have begun by now, and two of them run.
    until(|| turns.jobs() == counts(4, 2)).await;
    ended.store(true, Ordering::Relaxed);
    all_done(handles).await;
    assert_eq!(turns.jobs(), counts(0, 0));
}

#[tokio::test]
async fn large_jobs_leave_a_thread_to_short_ones_at_once() {
    let turns = Turns::with_slots(2).unwrap();
    let ended = Arc::new(AtomicBool::new(false));
    let mut handles = Vec::new();
    for number in 0..12 {
        let job_ended = Arc::clone(&ended);
        let work = move |turn: &Turn| spin_until(&job_ended, turn).unwrap();
        handles.push(ask(&turns, &client(number), SMALL_MEMORY + 1, work));
    }
    until(|| turns.jobs() == counts(10, 2)).await;
    // The client of the short job has had a turn, and most others have not.
    for _ in 0..20 {
        let askers = client(20);
        let begun = std::time::Instant::now();
        turns.run(&askers, 0, |_| ()).await.unwrap();
        assert!(begun.elapsed() < PATIENCE / 10);
    }
    assert_eq!(
        turns.jobs(),
        counts(10, 2),
        "no large job has begun in its place"
    );
    ended.store(true, Ordering::Relaxed);
    all_done(handles).await;
}

#[tokio::test]
async fn a_large_job_is_not_overtaken_by_later_ones() {
    let turns = Turns::with_slots(8).unwrap();
    let log = Log::default();
    let (release, released) = mpsc::channel::<()>();
    let released = Arc::new(Mutex::new(released));
    let mut handles = Vec::new();
    // A large job occupies memory, so that the largest has no room.
    let first = Arc::clone(&released);
    let hold = move |_: &Turn| {
        let _ = first.lock().recv();
    };
    handles.push(ask(&turns, &client(1), MAX_MEMORY / 2, hold));
    until(|| turns.jobs() == counts(0, 1)).await;
    let largest_log = Arc::clone(&log);
    let largest = move |_: &Turn| largest_log.lock().push("largest");
    handles.push(ask_in_order(&turns, &client(2), MAX_JOB_MEMORY, largest).await);
    for number in 3..10 {
        let later_log = Arc::clone(&log);
        let later = move |_: &Turn| later_log.lock().push("later");
        handles.push(ask_in_order(&turns, &client(number), SMALL_MEMORY + 1, later).await);
    }
    // Small jobs have memory of their own.
    turns.run(&client(20), SMALL_MEMORY, |_| ()).await.unwrap();
    assert!(log.lock().is_empty());
    drop(release);
    all_done(handles).await;
    assert_eq!(log.lock().len(), 8);
}

#[tokio::test]
async fn a_large_job_that_is_cancelled_keeps_no_memory() {
    let turns = Turns::with_slots(8).unwrap();
    let occupied = {
        let (sender, receiver) = mpsc::channel::<()>();
        ask(&turns, &client(1), MAX_MEMORY / 2, move |_| {
            let _ = receiver.recv();
        });
        sender
    };
    until(|| turns.jobs() == counts(0, 1)).await;
    let largest = ask_in_order(&turns, &client(2), MAX_JOB_MEMORY, |_| ()).await;
    let later = ask_in_order(&turns, &client(3), SMALL_MEMORY + 1, |_| ()).await;
    largest.abort();
    all_done(vec![later]).await;
    drop(occupied);
}

#[tokio::test]
async fn a_job_that_nobody_waits_for_does_not_begin_or_fails() {
    let turns = Turns::with_slots(1).unwrap();
    let (stopped, stops) = oneshot::channel();
    let (began, begins) = oneshot::channel();
    let running = ask(&turns, &client(1), 0, move |turn| {
        let _ = began.send(());
        let _ = stopped.send(spin(PATIENCE, turn).is_err());
    });
    begins.await.unwrap();
    let never = |_: &Turn| panic!("it was cancelled before it began");
    let waiting = ask_in_order(&turns, &client(2), 0, never).await;
    waiting.abort();
    assert!(waiting.await.is_err());
    until(|| turns.jobs() == counts(0, 1)).await;
    running.abort();
    assert!(stops.await.unwrap());
    assert_eq!(turns.run(&client(3), 0, |_| 7).await, Ok(7));
}

/// Asks for the most jobs that may wait, and for one of another client, for whom the newest of them
/// makes room.
async fn assert_makes_room(many: &Askers, other: &Askers) {
    let turns = Turns::with_slots(1).unwrap();
    let occupied = occupy(&turns, &client(9)).await;
    let mut handles = Vec::new();
    for _ in 0..MAX_WAITING {
        handles.push(ask_in_order(&turns, many, 0, |_| ()).await);
    }
    let of_other = ask(&turns, other, 0, |_| ());
    let newest = handles.pop().unwrap();
    assert_eq!(newest.await.unwrap(), Err(JobError::QueueFull));
    drop(occupied);
    handles.push(of_other);
    all_done(handles).await;
}

#[tokio::test]
async fn a_full_queue_drops_the_newest_of_the_busiest_client() {
    assert_makes_room(&client(1), &client(2)).await;
}

#[tokio::test]
async fn a_full_queue_drops_the_newest_of_the_busiest_site() {
    assert_makes_room(&network("2001:db8::"), &network("2001:db8:1::")).await;
}

#[tokio::test]
async fn a_panic_ends_only_its_job() {
    let turns = Turns::with_slots(1).unwrap();
    let outcome: Outcome<()> = turns.run(&client(1), 0, |_| panic!("broken")).await;
    assert_eq!(outcome, Err(JobError::Panicked));
    turns.run(&client(1), 0, |_| ()).await.unwrap();
    assert_eq!(turns.jobs(), counts(0, 0));
}
