//! The drawing threads.
//!
//! As many jobs run as there are processors, at a lower priority than the threads that answer requests. The client
//! that has used the least processor time lately comes first; jobs of one client, and of clients that are equal,
//! run in the order in which they came. A job that runs for longer than a slice makes way at its next checkpoint
//! if somebody else comes first, and goes on when it is its turn again. So a client waits for its own work, and
//! hardly for that of others.

use std::{
    io,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
    time::Duration,
};

use tokio::sync::oneshot;

use super::{
    bucket::Rate,
    queue::{JobQueue, MAX_MEMORY, Owner},
    turn::Turn,
    usage::Usage,
};
use crate::error::{Refused, Scope, ServiceError, SharedResource};

/// Jobs that may be paused, in addition to those that run. Each keeps its thread.
const MAX_PAUSED: usize = 16;

/// The memory of one job, so that there is always room for two and for small ones.
const MAX_MEMORY_OF_ONE: usize = MAX_MEMORY / 8 * 3;

/// The niceness of the drawing threads.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// The owner of the drawing threads, which end with it.
#[derive(Debug)]
pub(super) struct Scheduler(Arc<JobQueue>);

impl Scheduler {
    /// # Errors
    /// If a thread cannot be started.
    pub(super) fn start(rate: Rate) -> io::Result<Self> {
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self::with_processors(processors, rate)
    }

    fn with_processors(processors: usize, rate: Rate) -> io::Result<Self> {
        let queue = Arc::new(JobQueue::new(processors, rate));
        for _ in 0..processors + MAX_PAUSED {
            let queue = Arc::downgrade(&queue);
            let run_jobs = move || {
                be_nice();
                while let Some((job, owner)) = JobQueue::next(&queue) {
                    job(owner);
                }
            };
            let thread = thread::Builder::new().name("drawing".to_owned());
            thread.spawn(run_jobs)?;
        }
        Ok(Self(queue))
    }

    /// Returns the numbers of jobs that wait, and of jobs that run.
    pub(super) fn jobs(&self) -> (usize, usize) {
        self.0.jobs()
    }

    /// Charges a client for processor time that is used elsewhere.
    pub(super) fn charge(&self, usage: &Usage, time: Duration) {
        self.0.charge(usage, time);
    }

    /// Runs `work` in its turn. It is cancelled when the returned future is dropped.
    ///
    /// # Errors
    /// `TooLarge` if it needs too much memory, `Refused` if too many jobs wait, `Interrupted` if it panics.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        usage: Arc<Usage>,
        memory: usize,
        work: impl FnOnce(&Turn) -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        if memory > MAX_MEMORY_OF_ONE {
            return Err(ServiceError::TooLarge);
        }
        let (sender, outcome) = oneshot::channel();
        let queue = Arc::clone(&self.0);
        let job = move |owner: Arc<Owner>| {
            let turn = Turn::new(queue, owner);
            // The panic hook reports a panic; the thread goes on.
            let work = AssertUnwindSafe(|| (!sender.is_closed()).then(|| work(&turn)));
            let outcome = catch_unwind(work);
            // It has ended when the caller hears of the outcome.
            drop(turn);
            drop(sender.send(outcome.ok().flatten()));
        };
        let _cancel = self.0.submit(usage, memory, Box::new(job));
        let refused = |_| Refused::soon(SharedResource::Work, Scope::AllClients);
        let outcome = outcome.await.map_err(refused)?;
        outcome.ok_or(ServiceError::Interrupted)
    }
}

/// Lowers the priority of this thread, and of no other.
fn be_nice() {
    // Other systems than Linux would lower that of the process. If it fails, the thread has the usual priority.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, Sender},
    };

    use super::*;
    use crate::gate::{WORK, bucket::Time, queue::MAX_WAITING};

    type Log = Arc<Mutex<Vec<&'static str>>>;

    /// Occupies the only processor until the sender is dropped.
    async fn occupy(scheduler: &Arc<Scheduler>) -> Sender<()> {
        let (sender, receiver): (Sender<()>, Receiver<()>) = mpsc::channel();
        let scheduler = Arc::clone(scheduler);
        let (began, begins) = oneshot::channel();
        tokio::spawn(async move {
            let work = move |_: &Turn| {
                let _ = began.send(());
                let _ = receiver.recv();
            };
            scheduler.run(Arc::default(), 0, work).await
        });
        begins.await.unwrap();
        sender
    }

    fn one_processor() -> Arc<Scheduler> {
        Arc::new(Scheduler::with_processors(1, WORK).unwrap())
    }

    /// Starts a job, which waits when this returns.
    async fn start(
        scheduler: &Arc<Scheduler>,
        usage: &Arc<Usage>,
        work: impl FnOnce(&Turn) + Send + 'static,
    ) -> tokio::task::JoinHandle<Result<(), ServiceError>> {
        let before = scheduler.jobs().0;
        let (job_scheduler, usage) = (Arc::clone(scheduler), Arc::clone(usage));
        let job = async move { job_scheduler.run(usage, 0, work).await };
        let handle = tokio::spawn(job);
        while scheduler.jobs().0 == before {
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
        let scheduler = one_processor();
        let occupied = occupy(&scheduler).await;
        let (busy, new, log) = (
            Arc::<Usage>::default(),
            Arc::<Usage>::default(),
            Log::default(),
        );
        busy.charge_work(Duration::from_secs(1), WORK, Time::now());
        let mut handles = Vec::new();
        for (usage, name) in [(&busy, "busy"), (&new, "new"), (&busy, "busy again")] {
            let log = Arc::clone(&log);
            let work = move |_: &Turn| log.lock().unwrap().push(name);
            handles.push(start(&scheduler, usage, work).await);
        }
        drop(occupied);
        for handle in handles {
            handle.await.unwrap().unwrap();
        }
        assert_eq!(*log.lock().unwrap(), ["new", "busy", "busy again"]);
        assert_eq!(scheduler.jobs().0, 0);
    }

    #[tokio::test]
    async fn a_long_job_makes_way_and_goes_on() {
        let scheduler = one_processor();
        let log = Log::default();
        let (long_log, long_scheduler) = (Arc::clone(&log), Arc::clone(&scheduler));
        let (began, begins) = oneshot::channel();
        let long = tokio::spawn(async move {
            let work = move |turn: &Turn| {
                let _ = began.send(());
                while long_log.lock().unwrap().is_empty() {
                    spin(Duration::from_millis(1), turn).unwrap();
                }
                long_log.lock().unwrap().push("long");
            };
            long_scheduler.run(Arc::default(), 0, work).await
        });
        begins.await.unwrap();
        let short_log = Arc::clone(&log);
        let short = move |_: &Turn| short_log.lock().unwrap().push("short");
        scheduler.run(Arc::default(), 0, short).await.unwrap();
        long.await.unwrap().unwrap();
        assert_eq!(*log.lock().unwrap(), ["short", "long"]);
    }

    #[tokio::test]
    async fn a_job_that_nobody_waits_for_does_not_begin_or_fails() {
        let scheduler = one_processor();
        let (stopped, stops) = oneshot::channel();
        let (began, begins) = oneshot::channel();
        let running_scheduler = Arc::clone(&scheduler);
        let running = tokio::spawn(async move {
            let work = move |turn: &Turn| {
                let _ = began.send(());
                let _ = stopped.send(spin(Duration::from_secs(60), turn).is_err());
            };
            running_scheduler.run(Arc::default(), 0, work).await
        });
        begins.await.unwrap();
        let never = |_: &Turn| panic!("it was cancelled before it began");
        let waiting = start(&scheduler, &Arc::default(), never).await;
        waiting.abort();
        assert!(waiting.await.is_err());
        assert_eq!(scheduler.jobs().0, 0);
        running.abort();
        assert!(stops.await.unwrap());
        let outcome = scheduler.run(Arc::default(), 0, |_| 7).await;
        assert_eq!(outcome.unwrap(), 7);
    }

    #[tokio::test]
    async fn too_many_jobs_cost_the_client_with_the_most_its_newest() {
        let scheduler = one_processor();
        let occupied = occupy(&scheduler).await;
        let (many, few) = (Arc::<Usage>::default(), Arc::<Usage>::default());
        let mut handles = Vec::new();
        for _ in 0..MAX_WAITING {
            handles.push(start(&scheduler, &many, |_| ()).await);
        }
        let of_few = tokio::spawn({
            let scheduler = Arc::clone(&scheduler);
            async move { scheduler.run(few, 0, |_| ()).await }
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
    async fn memory_is_bounded() {
        let scheduler = Arc::new(Scheduler::with_processors(4, WORK).unwrap());
        let too_much = MAX_MEMORY_OF_ONE + 1;
        let refused = scheduler.run(Arc::default(), too_much, |_| ()).await;
        assert!(matches!(refused, Err(ServiceError::TooLarge)));
        let (sender, receiver) = mpsc::channel::<()>();
        let receiver = Arc::new(Mutex::new(receiver));
        let mut handles = Vec::new();
        for _ in 0..3 {
            let (scheduler, receiver) = (Arc::clone(&scheduler), Arc::clone(&receiver));
            handles.push(tokio::spawn(async move {
                let work = move |_: &Turn| {
                    let _ = receiver.lock().unwrap().recv();
                };
                scheduler.run(Arc::default(), MAX_MEMORY_OF_ONE, work).await
            }));
        }
        while scheduler.jobs() != (1, 2) {
            tokio::task::yield_now().await;
        }
        // A small one does not wait for the third.
        scheduler.run(Arc::default(), 0, |_| ()).await.unwrap();
        drop(sender);
        for handle in handles {
            handle.await.unwrap().unwrap();
        }
    }

    #[tokio::test]
    async fn a_panic_ends_only_its_job() {
        let scheduler = one_processor();
        let outcome = scheduler.run(Arc::default(), 0, |_| panic!("broken")).await;
        let outcome: Result<(), ServiceError> = outcome;
        assert!(matches!(outcome, Err(ServiceError::Interrupted)));
        scheduler.run(Arc::default(), 0, |_| ()).await.unwrap();
        assert_eq!(scheduler.jobs(), (0, 0));
    }

    #[tokio::test]
    async fn long_jobs_of_many_clients_leave_room_for_small_ones() {
        let scheduler = one_processor();
        let is_over = Arc::new(AtomicBool::new(false));
        let mut handles = Vec::new();
        for _ in 0..40 {
            let (scheduler, is_over) = (Arc::clone(&scheduler), Arc::clone(&is_over));
            handles.push(tokio::spawn(async move {
                let work = move |turn: &Turn| {
                    while !is_over.load(Ordering::Relaxed) {
                        turn.checkpoint().unwrap();
                    }
                };
                scheduler.run(Arc::default(), 8 << 20, work).await
            }));
        }
        while scheduler.jobs() != (39, 1) {
            tokio::task::yield_now().await;
        }
        // Many of them have begun, and have had more turns than one.
        tokio::time::sleep(Duration::from_millis(500)).await;
        let small = scheduler.run(Arc::default(), 0, |_| ());
        let in_time = tokio::time::timeout(Duration::from_secs(2), small).await;
        is_over.store(true, Ordering::Relaxed);
        in_time.unwrap().unwrap();
        for handle in handles {
            handle.await.unwrap().unwrap();
        }
        assert_eq!(scheduler.jobs(), (0, 0));
    }
}
