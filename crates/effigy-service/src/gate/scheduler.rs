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
};

use tokio::sync::oneshot;

use super::{
    bucket::Rate,
    queue::{JobQueue, MAX_MEMORY, Owner},
    turn::Turn,
    usage::Usage,
};
use crate::{error::ServiceError, refused::Refused};

/// Jobs that may be paused, in addition to those that run. Each keeps its thread.
const MAX_PAUSED: usize = 16;

/// The memory of one job, so that there is always room for two and for small ones.
const MAX_MEMORY_OF_ONE: usize = MAX_MEMORY / 8 * 3;

/// The niceness of the drawing threads.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// The owner of the drawing threads, which end when it is dropped.
#[derive(Debug)]
pub(super) struct Scheduler(Arc<JobQueue>);

impl Scheduler {
    /// # Errors
    /// If a thread cannot be started.
    pub(super) fn start() -> io::Result<Self> {
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self::with_processors(processors)
    }

    fn with_processors(processors: usize) -> io::Result<Self> {
        let scheduler = Self(Arc::new(JobQueue::new(processors)));
        for _ in 0..processors + MAX_PAUSED {
            let queue = Arc::clone(&scheduler.0);
            let thread = thread::Builder::new().name("drawing".to_owned());
            thread.spawn(move || run_jobs(&queue))?;
        }
        Ok(scheduler)
    }

    /// Returns the numbers of jobs that wait, and of jobs that run.
    pub(super) fn jobs(&self) -> (usize, usize) {
        self.0.jobs()
    }

    /// Runs `work` in its turn. It is cancelled when the returned future is dropped.
    ///
    /// # Errors
    /// `TooLarge` if it needs too much memory, `Refused` if too many jobs wait, `Interrupted` if it panics.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        usage: Arc<Usage>,
        rate: Option<Rate>,
        memory: usize,
        work: impl FnOnce(&Turn) -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        if memory > MAX_MEMORY_OF_ONE {
            return Err(ServiceError::TooLarge);
        }
        let (sender, outcome) = oneshot::channel();
        let queue = Arc::clone(&self.0);
        let job = Box::new(move |owner: Result<Owner, Refused>| {
            let outcome = owner.map(|owner| {
                // It has ended when the caller hears of the outcome.
                let turn = Turn::new(queue, owner);
                (!sender.is_closed()).then(|| work(&turn))
            });
            drop(sender.send(outcome));
        });
        let _cancel = self.0.submit(usage, rate, memory, job);
        let outcome = outcome.await.map_err(|_| ServiceError::Interrupted)?;
        outcome?.ok_or(ServiceError::Interrupted)
    }
}

impl Drop for Scheduler {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Runs jobs until the queue is closed.
fn run_jobs(queue: &JobQueue) {
    // Linux lowers the priority of the thread alone, other systems would lower that of the process. If it
    // fails, the thread has the usual priority.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
    while let Some((job, owner)) = queue.next() {
        // The panic hook reports a panic; the thread goes on.
        let _ = catch_unwind(AssertUnwindSafe(|| job(Ok(owner))));
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{
            Mutex,
            mpsc::{self, Receiver, Sender},
        },
        time::Duration,
    };

    use super::*;
    use crate::gate::{bucket::Time, queue::MAX_WAITING};

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
            scheduler.run(Arc::default(), None, 0, work).await
        });
        begins.await.unwrap();
        sender
    }

    fn one_processor() -> Arc<Scheduler> {
        Arc::new(Scheduler::with_processors(1).unwrap())
    }

    /// Starts a job, which waits when this returns.
    async fn start(
        scheduler: &Arc<Scheduler>,
        usage: &Arc<Usage>,
        work: impl FnOnce(&Turn) + Send + 'static,
    ) -> tokio::task::JoinHandle<Result<(), ServiceError>> {
        let before = scheduler.jobs().0;
        let (job_scheduler, usage) = (Arc::clone(scheduler), Arc::clone(usage));
        let job = async move { job_scheduler.run(usage, None, 0, work).await };
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
        busy.charge_work(Duration::from_secs(1), None, Time::now());
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
            long_scheduler.run(Arc::default(), None, 0, work).await
        });
        begins.await.unwrap();
        let short_log = Arc::clone(&log);
        let short = move |_: &Turn| short_log.lock().unwrap().push("short");
        scheduler.run(Arc::default(), None, 0, short).await.unwrap();
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
            running_scheduler.run(Arc::default(), None, 0, work).await
        });
        begins.await.unwrap();
        let never = |_: &Turn| panic!("it was cancelled before it began");
        let waiting = start(&scheduler, &Arc::default(), never).await;
        waiting.abort();
        assert!(waiting.await.is_err());
        assert_eq!(scheduler.jobs().0, 0);
        running.abort();
        assert!(stops.await.unwrap());
        let outcome = scheduler.run(Arc::default(), None, 0, |_| 7).await;
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
            async move { scheduler.run(few, None, 0, |_| ()).await }
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
        let scheduler = Arc::new(Scheduler::with_processors(4).unwrap());
        let too_much = MAX_MEMORY_OF_ONE + 1;
        let refused = scheduler.run(Arc::default(), None, too_much, |_| ()).await;
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
                scheduler
                    .run(Arc::default(), None, MAX_MEMORY_OF_ONE, work)
                    .await
            }));
        }
        while scheduler.jobs() != (1, 2) {
            tokio::task::yield_now().await;
        }
        // A small one does not wait for the third.
        scheduler
            .run(Arc::default(), None, 0, |_| ())
            .await
            .unwrap();
        drop(sender);
        for handle in handles {
            handle.await.unwrap().unwrap();
        }
    }

    #[tokio::test]
    async fn a_panic_ends_only_its_job() {
        let scheduler = one_processor();
        let outcome = scheduler
            .run(Arc::default(), None, 0, |_| panic!("broken"))
            .await;
        let outcome: Result<(), ServiceError> = outcome;
        assert!(matches!(outcome, Err(ServiceError::Interrupted)));
        scheduler
            .run(Arc::default(), None, 0, |_| ())
            .await
            .unwrap();
        assert_eq!(scheduler.jobs(), (0, 0));
    }
}
