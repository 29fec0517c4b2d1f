//! The drawing threads, and the order in which jobs get them.
//!
//! As many jobs run as there are processors, at a lower priority than the threads that answer requests. The client
//! that has used the least processor time lately comes first; jobs of one client, and of clients that are equal,
//! run in the order in which they came. A job that runs for longer than a slice makes way at its next checkpoint
//! if somebody else comes first, and goes on when it is its turn again. So a client waits for its own work, and
//! hardly for that of others.

use std::{
    collections::HashMap,
    fmt, io,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread::{self, Thread},
};

use tokio::sync::oneshot;

use super::{
    bucket::{Rate, Time},
    turn::Turn,
    usage::Usage,
};
use crate::{
    error::ServiceError,
    refused::{Refused, Scope, SharedResource},
};

/// Jobs that may wait to be started. Beyond it, the client with the most of them loses its newest one.
const MAX_WAITING: usize = 512;

/// Jobs that may be paused, in addition to those that run. Each keeps its thread.
const MAX_PAUSED: usize = 16;

/// The memory of all jobs that have begun.
const MAX_MEMORY: usize = 256 << 20;

/// The memory of one job, so that there is always room for two.
const MAX_MEMORY_OF_ONE: usize = MAX_MEMORY / 2;

/// The niceness of the drawing threads.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// A job, which is told its turn, or why it gets none.
type Job = Box<dyn FnOnce(Result<Turn, Refused>) + Send>;

/// The owner of the drawing threads, which end when it is dropped.
pub(super) struct Scheduler(Arc<Shared>);

/// The part of a scheduler that its threads have too.
pub(super) struct Shared(Mutex<Queue>);

struct Queue {
    waiting: Vec<Waiting>,
    /// The threads without a job.
    idle: Vec<mpsc::Sender<(Job, Turn)>>,
    processors: usize,
    free_processors: usize,
    free_memory: usize,
    next_ticket: u64,
    is_closed: bool,
}

/// A job that waits for its turn.
struct Waiting {
    owner: Owner,
    state: State,
}

enum State {
    New(Job),
    Paused(Arc<Pause>),
}

/// What the scheduler knows of a job.
#[derive(Debug, Clone)]
pub(super) struct Owner {
    /// The number of the job, in the order in which they came.
    ticket: u64,
    pub(super) usage: Arc<Usage>,
    pub(super) rate: Option<Rate>,
    pub(super) is_cancelled: Arc<AtomicBool>,
    memory: usize,
}

/// A thread that waits for its next turn.
struct Pause {
    thread: Thread,
    is_over: AtomicBool,
}

impl Scheduler {
    /// # Errors
    /// If a thread cannot be started.
    pub(super) fn start() -> io::Result<Self> {
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self::with_processors(processors)
    }

    fn with_processors(processors: usize) -> io::Result<Self> {
        let queue = Queue {
            waiting: Vec::new(),
            idle: Vec::new(),
            processors,
            free_processors: processors,
            free_memory: MAX_MEMORY,
            next_ticket: 0,
            is_closed: false,
        };
        let scheduler = Self(Arc::new(Shared(Mutex::new(queue))));
        for _ in 0..processors + MAX_PAUSED {
            let shared = Arc::clone(&scheduler.0);
            let draw = move || shared.work();
            thread::Builder::new()
                .name("drawing".to_owned())
                .spawn(draw)?;
        }
        Ok(scheduler)
    }

    /// Returns the numbers of jobs that wait, and of jobs that run.
    pub(super) fn jobs(&self) -> (usize, usize) {
        let queue = self.0.queue();
        (
            queue.waiting.len(),
            queue.processors - queue.free_processors,
        )
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
        let job = Box::new(move |turn: Result<Turn, Refused>| {
            if sender.is_closed() {
                return;
            }
            // The turn has ended when the caller hears of the outcome.
            let outcome = turn.map(|turn| work(&turn));
            drop(sender.send(outcome));
        });
        let _cancel = self.0.submit(usage, rate, memory, job);
        let outcome = outcome.await.map_err(|_| ServiceError::Interrupted)?;
        Ok(outcome?)
    }
}

impl Drop for Scheduler {
    fn drop(&mut self) {
        let mut queue = self.0.queue();
        queue.is_closed = true;
        queue.idle.clear();
        queue
            .waiting
            .retain(|waiting| matches!(waiting.state, State::Paused(_)));
    }
}

/// Cancels a job when it is dropped.
struct Cancel {
    shared: Arc<Shared>,
    ticket: u64,
    is_cancelled: Arc<AtomicBool>,
}

impl Drop for Cancel {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        let mut queue = self.shared.queue();
        let position = queue.waiting.iter().position(|waiting| {
            waiting.owner.ticket == self.ticket && matches!(waiting.state, State::New(_))
        });
        let job = position.map(|position| queue.waiting.swap_remove(position));
        drop(queue);
        // It may own much.
        drop(job);
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing panics while the queue is inconsistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn submit(
        self: &Arc<Self>,
        usage: Arc<Usage>,
        rate: Option<Rate>,
        memory: usize,
        job: Job,
    ) -> Cancel {
        let mut queue = self.queue();
        let owner = Owner {
            ticket: queue.next_ticket,
            usage,
            rate,
            is_cancelled: Arc::default(),
            memory,
        };
        queue.next_ticket += 1;
        let cancel = Cancel {
            shared: Arc::clone(self),
            ticket: owner.ticket,
            is_cancelled: Arc::clone(&owner.is_cancelled),
        };
        let state = State::New(job);
        queue.waiting.push(Waiting { owner, state });
        self.dispatch(&mut queue);
        let refused =
            (queue.waiting.len() > MAX_WAITING).then(|| queue.remove_one_of_the_longest());
        drop(queue);
        if let Some(Waiting {
            state: State::New(job),
            ..
        }) = refused.flatten()
        {
            job(Err(Refused::soon(SharedResource::Work, Scope::AllClients)));
        }
        cancel
    }

    /// Gives the free processors to the jobs that come first.
    fn dispatch(self: &Arc<Self>, queue: &mut Queue) {
        while queue.free_processors > 0 {
            let Some(first) = queue.first(Time::now()) else {
                return;
            };
            let Waiting { owner, state } = queue.waiting.swap_remove(first);
            queue.free_processors -= 1;
            match state {
                State::Paused(pause) => pause.end(),
                State::New(job) => {
                    queue.free_memory -= owner.memory;
                    let thread = queue
                        .idle
                        .pop()
                        .expect("such a job comes first only if there is one");
                    let turn = Turn::new(Arc::clone(self), owner);
                    // A thread that is idle receives.
                    drop(thread.send((job, turn)));
                }
            }
        }
    }

    /// Lets others have the processor, and returns when it is this job's turn again.
    pub(super) fn make_way(self: &Arc<Self>, owner: &Owner) {
        let mut queue = self.queue();
        let now = Time::now();
        let own = owner.rank(now);
        if queue
            .first(now)
            .is_none_or(|first| queue.waiting[first].owner.rank(now) >= own)
        {
            return;
        }
        let pause = Arc::new(Pause {
            thread: thread::current(),
            is_over: AtomicBool::new(false),
        });
        queue.waiting.push(Waiting {
            owner: owner.clone(),
            state: State::Paused(Arc::clone(&pause)),
        });
        queue.free_processors += 1;
        self.dispatch(&mut queue);
        drop(queue);
        while !pause.is_over.load(Ordering::Acquire) {
            thread::park();
        }
    }

    /// Ends the turn of a job for good.
    pub(super) fn end(self: &Arc<Self>, owner: &Owner) {
        let mut queue = self.queue();
        queue.free_processors += 1;
        queue.free_memory += owner.memory;
        self.dispatch(&mut queue);
    }

    /// Runs jobs until the scheduler is dropped.
    fn work(self: Arc<Self>) {
        // Linux lowers the priority of the thread alone, other systems would lower that of the process. If it
        // fails, the thread has the usual priority.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(NICENESS);
        loop {
            let (sender, job) = mpsc::channel();
            let mut queue = self.queue();
            if queue.is_closed {
                return;
            }
            queue.idle.push(sender);
            self.dispatch(&mut queue);
            drop(queue);
            let Ok((job, turn)) = job.recv() else {
                return;
            };
            // The panic hook reports a panic; the thread goes on.
            let _ = catch_unwind(AssertUnwindSafe(|| {
                turn.begin();
                job(Ok(turn));
            }));
        }
    }
}

impl Queue {
    /// Returns the position of the job that comes first, of those that can run now.
    fn first(&self, now: Time) -> Option<usize> {
        let can_run = |waiting: &Waiting| match waiting.state {
            State::Paused(_) => true,
            State::New(_) => !self.idle.is_empty() && waiting.owner.memory <= self.free_memory,
        };
        let waiting = self.waiting.iter().enumerate();
        let ready = waiting.filter(|(_, waiting)| can_run(waiting));
        ready
            .min_by_key(|(_, waiting)| waiting.owner.rank(now))
            .map(|(position, _)| position)
    }

    /// Removes the newest new job of the client that has the most.
    fn remove_one_of_the_longest(&mut self) -> Option<Waiting> {
        let mut counts = HashMap::new();
        let mut longest = (0, 0, 0);
        for (position, waiting) in self.waiting.iter().enumerate() {
            if let State::New(_) = waiting.state {
                let (count, newest) = counts
                    .entry(Arc::as_ptr(&waiting.owner.usage))
                    .or_insert((0, (0, 0)));
                *count += 1;
                *newest = (*newest).max((waiting.owner.ticket, position));
                longest = longest.max((*count, newest.0, newest.1));
            }
        }
        let (count, _, position) = longest;
        (count > 0).then(|| self.waiting.swap_remove(position))
    }
}

impl Owner {
    /// The place in the order: the lower, the sooner.
    fn rank(&self, now: Time) -> (bool, Time, u64) {
        // A cancelled job ends at once, and gives its memory back.
        let is_wanted = !self.is_cancelled.load(Ordering::Relaxed);
        (is_wanted, self.usage.rested_at(now), self.ticket)
    }
}

impl Pause {
    fn end(&self) {
        self.is_over.store(true, Ordering::Release);
        self.thread.unpark();
    }
}

impl fmt::Debug for Scheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Scheduler").field(&self.jobs()).finish()
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::mpsc::{Receiver, Sender},
        time::Duration,
    };

    use super::*;

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
