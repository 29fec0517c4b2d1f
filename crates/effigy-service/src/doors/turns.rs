//! The second door: clients take turns on the drawing threads.
//!
//! One job runs per processor, two at least, at a lower priority than the threads that answer
//! requests. The client that has had no turn for the longest time comes first; jobs of
//! one client run in the order in which they came. One client occupies at most half of the threads,
//! and jobs that have run for long leave a thread to short ones, so that nobody waits for somebody
//! else's large picture. A picture that several clients wait for is drawn in the turn of any of
//! them.

mod askers;
mod capacity;
mod history;
mod job;
mod load;
mod queue;
mod threads;

use std::{
    cell::Cell,
    fmt, io,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use parking_lot::Mutex;
use scopeguard::guard;
use tokio::sync::oneshot;

pub(crate) use self::{askers::Askers, capacity::MAX_JOB_MEMORY};
use self::{
    capacity::SMALL_MEMORY,
    job::{Job, JobId, ThreadNumber},
    queue::{JobCounts, Queue},
    threads::{Threads, thread_time},
};

/// The processor time after which a job is long. Most pictures take a few milliseconds. Large ones
/// are long from the beginning.
const LONG: Duration = Duration::from_millis(250);

/// The processor time after which a job lets a thread that answers requests run, if one is ready.
const SPELL: Duration = Duration::from_micros(200);

/// The greatest processor time of one job. A picture must not keep a processor for ever.
const MAX_TIME: Duration = Duration::from_secs(30);

/// The drawing threads, and the jobs that wait for them.
#[derive(Debug)]
pub(crate) struct Turns {
    queue: Mutex<Queue>,
    threads: Threads,
}

/// The reason why a job has no outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JobError {
    /// Too many jobs waited, and this one made room.
    QueueFull,
    /// The work panicked.
    Panicked,
}

impl Turns {
    /// Starts the drawing threads.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub(crate) fn start() -> io::Result<Arc<Self>> {
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self::with_slots(processors.max(2))
    }

    /// Starts threads of which this number may run at once.
    fn with_slots(slots: usize) -> io::Result<Arc<Self>> {
        let threads = Threads::start(slots)?;
        let queue = Mutex::new(Queue::new(slots, threads.count()));
        Ok(Arc::new(Self { queue, threads }))
    }

    /// Returns the numbers of jobs.
    pub(crate) fn jobs(&self) -> JobCounts {
        self.queue.lock().counts()
    }

    /// Runs `work` on a drawing thread when it is the turn of one of `askers`, and returns its
    /// outcome. It may use this much memory.
    ///
    /// If the returned future is dropped, the work does not begin, or fails at its next checkpoint.
    ///
    /// # Errors
    /// If the work panics, or too many jobs wait and none of another client makes room.
    pub(crate) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        askers: &Askers,
        memory: u64,
        work: impl FnOnce(&Turn) -> T + Send + 'static,
    ) -> Result<T, JobError> {
        let (sender, outcome) = oneshot::channel();
        let turns = Arc::clone(self);
        let cancelled = Arc::new(AtomicBool::new(false));
        let job_cancelled = Arc::clone(&cancelled);
        let large = memory > SMALL_MEMORY;
        let begin = move |id, thread| {
            let turn = Turn::begin(turns, id, thread, large, job_cancelled);
            // The panic hook reports a panic; the thread goes on.
            let done = catch_unwind(AssertUnwindSafe(|| work(&turn)));
            // The turn has ended when the caller hears of the outcome.
            drop(turn);
            // The caller may have left.
            let _ = sender.send(done.ok());
        };
        let job = Job::new(askers.clone(), memory, cancelled, Box::new(begin));
        let id = self.add(job);
        let _cancel_when_dropped = guard(id, |id| self.cancel(id));
        match outcome.await {
            Ok(Some(done)) => Ok(done),
            Ok(None) => Err(JobError::Panicked),
            // The job was dropped, with the sender.
            Err(_) => Err(JobError::QueueFull),
        }
    }

    /// Adds a job to the queue. If too many wait, one of the client with the most is dropped.
    fn add(&self, job: Job) -> JobId {
        let mut queue = self.queue.lock();
        let id = queue.add(job);
        self.dispatch(&mut queue);
        let dropped = queue.remove_excess();
        // A job may own much, so it is dropped when the queue is not locked any more.
        drop(queue);
        drop(dropped);
        id
    }

    /// Removes a job that has not begun, or lets it fail at its next checkpoint.
    fn cancel(&self, id: JobId) {
        let mut queue = self.queue.lock();
        let dropped = queue.cancel(id);
        self.dispatch(&mut queue);
        drop(queue);
        drop(dropped);
    }

    /// Gives free slots to the jobs whose turn it is.
    fn dispatch(&self, queue: &mut Queue) {
        while let Some(started) = queue.start_next() {
            self.threads.begin(started);
        }
    }
}

/// The turn of a running job, which ends when it is dropped.
pub struct Turn {
    turns: Arc<Turns>,
    job: JobId,
    thread: ThreadNumber,
    /// `true` if the job is long from the beginning.
    large: bool,
    cancelled: Arc<AtomicBool>,
    /// The thread's processor time when the job began.
    began: Duration,
    /// The thread's processor time when it last let others run.
    spell_began: Cell<Duration>,
}

impl Turn {
    fn begin(
        turns: Arc<Turns>,
        job: JobId,
        thread: ThreadNumber,
        large: bool,
        cancelled: Arc<AtomicBool>,
    ) -> Self {
        let now = thread_time();
        Self {
            turns,
            job,
            thread,
            large,
            cancelled,
            began: now,
            spell_began: Cell::new(now),
        }
    }

    /// Lets short jobs have the thread if this one has had it for long. Call it every few
    /// milliseconds.
    ///
    /// # Errors
    /// If nobody waits for the outcome any more, and `TimedOut` if the job takes too long.
    pub fn checkpoint(&self) -> io::Result<()> {
        if self.cancelled.load(Ordering::Relaxed) {
            // Not the kind `Interrupted`, which means "try again".
            return Err(io::Error::other("nobody waits for the picture any more"));
        }
        let now = thread_time();
        if now.saturating_sub(self.spell_began.get()) >= SPELL {
            self.spell_began.set(now);
            thread::yield_now();
        }
        let used = now.saturating_sub(self.began);
        if used > MAX_TIME {
            let message = "drawing takes too long";
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
        }
        if self.large || used >= LONG {
            self.make_way();
        }
        Ok(())
    }

    /// Lets a short job have the slot if long ones occupy all of them, and returns when it is this
    /// job's turn again.
    fn make_way(&self) {
        let mut queue = self.turns.queue.lock();
        queue.mark_long(self.job);
        if !queue.must_pause() {
            return;
        }
        let (sender, next_turn) = mpsc::channel();
        queue.pause(self.job, sender);
        self.turns.dispatch(&mut queue);
        drop(queue);
        // The queue keeps the sender until it sends.
        let _ = next_turn.recv();
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.threads.release(self.thread);
        let mut queue = self.turns.queue.lock();
        queue.end(self.job);
        self.turns.dispatch(&mut queue);
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn")
            .field("job", &self.job)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
