use std::io::Write as _;
use std::sync::{
    Mutex,
    atomic::{AtomicBool, Ordering},
    mpsc::{self, Receiver, Sender},
};

use super::*;
use crate::{
    BoundedBuffer,
    gate::{queue::MAX_WAITING, usage::Usage},
};

type Log = Arc<Mutex<Vec<&'static str>>>;

/// Occupies the only processor until the sender is dropped.
async fn occupy(queue: &Arc<JobQueue>) -> Sender<()> {
    let (sender, receiver): (Sender<()>, Receiver<()>) = mpsc::channel();
    let queue = Arc::clone(queue);
    let (began, begins) = oneshot::channel();
    tokio::spawn(async move {
        let work = move |_: &Turn| {
            let _ = began.send(());
            let _ = receiver.recv();
        };
        run(&queue, one(unlimited()), 0, work).await
    });
    begins.await.unwrap();
    sender
}

fn unlimited() -> Arc<Usage> {
    Arc::new(Usage::new(None, [192, 0, 2, 1].into()))
}

/// A client who waits alone.
const fn one(usage: Arc<Usage>) -> Payers {
    Payers::new(usage)
}

fn one_processor() -> Arc<JobQueue> {
    JobQueue::start(1).unwrap()
}

/// Starts a job, which waits when this returns.
async fn start(
    queue: &Arc<JobQueue>,
    usage: &Arc<Usage>,
    work: impl FnOnce(&Turn) + Send + 'static,
) -> tokio::task::JoinHandle<Result<(), ServiceError>> {
    let before = queue.jobs().0;
    let (job_queue, usage) = (Arc::clone(queue), Arc::clone(usage));
    let job = async move { run(&job_queue, one(usage), 0, work).await };
    let handle = tokio::spawn(job);
    while queue.jobs().0 == before {
        tokio::task::yield_now().await;
    }
    handle
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
    let (busy, new, log) = (unlimited(), unlimited(), Log::default());
    busy.charge_work(Duration::from_secs(1));
    let mut handles = Vec::new();
    for (usage, name) in [(&busy, "busy"), (&new, "new"), (&busy, "busy again")] {
        let log = Arc::clone(&log);
        let work = move |_: &Turn| log.lock().unwrap().push(name);
        handles.push(start(&queue, usage, work).await);
    }
    drop(occupied);
    for handle in handles {
        handle.await.unwrap().unwrap();
    }
    assert_eq!(*log.lock().unwrap(), ["new", "busy", "busy again"]);
    assert_eq!(queue.jobs().0, 0);
}

#[tokio::test]
async fn the_parts_of_a_work_have_the_place_of_the_first_one() {
    let queue = one_processor();
    let occupied = occupy(&queue).await;
    let (begun, log) = (crate::gate::usage::now(), Log::default());
    let mut jobs = Vec::new();
    for (name, came) in [("new", None), ("part", Some(begun))] {
        let (job_queue, log) = (Arc::clone(&queue), Arc::clone(&log));
        let payers = Payers {
            came,
            ..one(unlimited())
        };
        let before = queue.jobs().0;
        jobs.push(tokio::spawn(async move {
            let work = move |_: &Turn| log.lock().unwrap().push(name);
            run(&job_queue, payers, 0, work).await
        }));
        while queue.jobs().0 == before {
            tokio::task::yield_now().await;
        }
    }
    drop(occupied);
    for job in jobs {
        job.await.unwrap().unwrap();
    }
    assert_eq!(*log.lock().unwrap(), ["part", "new"]);
}

#[tokio::test]
async fn a_long_job_makes_way_and_goes_on() {
    let queue = one_processor();
    let log = Log::default();
    let (long_log, long_queue) = (Arc::clone(&log), Arc::clone(&queue));
    let (began, begins) = oneshot::channel();
    let long = tokio::spawn(async move {
        let work = move |turn: &Turn| {
            let _ = began.send(());
            while long_log.lock().unwrap().is_empty() {
                spin(Duration::from_millis(1), turn).unwrap();
            }
            long_log.lock().unwrap().push("long");
        };
        run(&long_queue, one(unlimited()), 0, work).await
    });
    begins.await.unwrap();
    let short_log = Arc::clone(&log);
    let short = move |_: &Turn| short_log.lock().unwrap().push("short");
    run(&queue, one(unlimited()), 0, short).await.unwrap();
    long.await.unwrap().unwrap();
    assert_eq!(*log.lock().unwrap(), ["short", "long"]);
}

#[tokio::test]
async fn a_job_that_nobody_waits_for_does_not_begin_or_fails() {
    let queue = one_processor();
    let (stopped, stops) = oneshot::channel();
    let (began, begins) = oneshot::channel();
    let running_queue = Arc::clone(&queue);
    let running = tokio::spawn(async move {
        let work = move |turn: &Turn| {
            let _ = began.send(());
            let _ = stopped.send(spin(Duration::from_secs(60), turn).is_err());
        };
        run(&running_queue, one(unlimited()), 0, work).await
    });
    begins.await.unwrap();
    let never = |_: &Turn| panic!("it was cancelled before it began");
    let waiting = start(&queue, &unlimited(), never).await;
    waiting.abort();
    assert!(waiting.await.is_err());
    assert_eq!(queue.jobs().0, 0);
    running.abort();
    assert!(stops.await.unwrap());
    let outcome = run(&queue, one(unlimited()), 0, |_| 7).await;
    assert_eq!(outcome.unwrap(), 7);
}

#[tokio::test]
async fn too_many_jobs_cost_the_client_with_the_most_its_newest() {
    let queue = one_processor();
    let occupied = occupy(&queue).await;
    let (many, few) = (unlimited(), unlimited());
    let mut handles = Vec::new();
    for _ in 0..MAX_WAITING {
        handles.push(start(&queue, &many, |_| ()).await);
    }
    let of_few = tokio::spawn({
        let queue = Arc::clone(&queue);
        async move { run(&queue, one(few), 0, |_| ()).await }
    });
    let newest = handles.pop().unwrap().await.unwrap();
    assert!(
        matches!(newest, Err(ServiceError::Refused(_))),
        "{newest:?}"
    );
    drop(occupied);
    of_few.await.unwrap().unwrap();
    for handle in handles {
        handle.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn of_clients_with_as_many_jobs_one_of_the_largest_network_loses_one() {
    let queue = one_processor();
    let occupied = occupy(&queue).await;
    let of_network = || Arc::new(Usage::new(None, "2001:db8::".parse().unwrap()));
    let mut handles = Vec::new();
    for _ in 0..MAX_WAITING {
        handles.push(start(&queue, &of_network(), |_| ()).await);
    }
    let other = Arc::new(Usage::new(None, "2001:db8:1::".parse().unwrap()));
    assert!(!queue.is_full_for(&other));
    let of_other = tokio::spawn({
        let queue = Arc::clone(&queue);
        async move { run(&queue, one(other), 0, |_| ()).await }
    });
    assert!(handles.pop().unwrap().await.unwrap().is_err());
    drop(occupied);
    of_other.await.unwrap().unwrap();
}

#[tokio::test]
async fn memory_is_bounded() {
    let queue = JobQueue::start(4).unwrap();
    let too_much = MAX_MEMORY_OF_ONE + 1;
    let refused = run(&queue, one(unlimited()), too_much, |_| ()).await;
    assert!(matches!(refused, Err(ServiceError::TooLarge)));
    let (sender, receiver) = mpsc::channel::<()>();
    let receiver = Arc::new(Mutex::new(receiver));
    let mut handles = Vec::new();
    for _ in 0..3 {
        let (queue, receiver) = (Arc::clone(&queue), Arc::clone(&receiver));
        handles.push(tokio::spawn(async move {
            let work = move |_: &Turn| {
                let _ = receiver.lock().unwrap().recv();
            };
            run(&queue, one(unlimited()), MAX_MEMORY_OF_ONE, work).await
        }));
    }
    while queue.jobs() != (1, 2) {
        tokio::task::yield_now().await;
    }
    // A small one does not wait for the third.
    run(&queue, one(unlimited()), 0, |_| ()).await.unwrap();
    drop(sender);
    for handle in handles {
        handle.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_file_has_a_greatest_length() {
    let part = vec![0; 1 << 20];
    let fill = move |turn: &Turn| {
        let mut buffer = BoundedBuffer::new(turn);
        let full = (0..).find(|_| buffer.write_all(&part).is_err());
        (full, buffer.into_bytes().len())
    };
    let filled = run(&one_processor(), one(unlimited()), 0, fill).await;
    assert_eq!(filled.unwrap(), (Some(32), 32 << 20));
}

#[tokio::test]
async fn a_panic_ends_only_its_job() {
    let queue = one_processor();
    let outcome = run(&queue, one(unlimited()), 0, |_| panic!("broken")).await;
    let outcome: Result<(), ServiceError> = outcome;
    assert!(matches!(outcome, Err(ServiceError::Interrupted)));
    run(&queue, one(unlimited()), 0, |_| ()).await.unwrap();
    assert_eq!(queue.jobs(), (0, 0));
}

#[tokio::test]
async fn long_jobs_of_many_clients_leave_room_for_small_ones() {
    let queue = one_processor();
    let is_over = Arc::new(AtomicBool::new(false));
    let mut handles = Vec::new();
    for _ in 0..40 {
        let (queue, is_over) = (Arc::clone(&queue), Arc::clone(&is_over));
        handles.push(tokio::spawn(async move {
            let work = move |turn: &Turn| {
                while !is_over.load(Ordering::Relaxed) {
                    turn.checkpoint().unwrap();
                }
            };
            run(&queue, one(unlimited()), 8 << 20, work).await
        }));
    }
    while queue.jobs() != (39, 1) {
        tokio::task::yield_now().await;
    }
    // Many of them have begun, and have had more turns than one.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let small = run(&queue, one(unlimited()), 0, |_| ());
    // The threads have a low priority, and the processor may be busy with something else.
    let in_time = tokio::time::timeout(Duration::from_secs(60), small).await;
    is_over.store(true, Ordering::Relaxed);
    in_time.unwrap().unwrap();
    for handle in handles {
        handle.await.unwrap().unwrap();
    }
    assert_eq!(queue.jobs(), (0, 0));
}

#[tokio::test]
async fn nothing_is_left_of_jobs_that_end_fail_panic_or_are_left() {
    let queue = JobQueue::start(2).unwrap();
    let usages: Vec<Arc<Usage>> = (0..8).map(|_| unlimited()).collect();
    let mut handles = Vec::new();
    for number in 0..150_usize {
        let (queue, usage) = (Arc::clone(&queue), Arc::clone(&usages[number % 8]));
        let memory = (number % 5) << 23;
        let work = move |turn: &Turn| {
            let time = Duration::from_micros(number as u64 * 371 % 12_000);
            let outcome = spin(time, turn);
            assert!(number % 13 != 0, "broken");
            outcome.is_ok()
        };
        handles.push(tokio::spawn(async move {
            run(&queue, one(usage), memory, work).await
        }));
        if number % 3 == 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
            handles[number / 2].abort();
        }
    }
    for (number, handle) in handles.into_iter().enumerate() {
        let outcome = tokio::time::timeout(Duration::from_secs(60), handle).await;
        match outcome.unwrap() {
            Ok(Err(ServiceError::Interrupted)) => assert_eq!(number % 13, 0),
            Ok(outcome) => assert!(outcome.unwrap()),
            Err(error) => assert!(error.is_cancelled()),
        }
    }
    let ended = async {
        while queue.jobs() != (0, 0) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let ended = tokio::time::timeout(Duration::from_secs(60), ended).await;
    assert!(ended.is_ok(), "{:?}", queue.jobs());
    run(&queue, one(unlimited()), 0, |_| ()).await.unwrap();
}
