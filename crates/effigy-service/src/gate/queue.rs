//! The drawing threads, and the queue of jobs in front of them: who comes first, and who makes way.
//!
//! As many jobs run as there are processors, at a lower priority than the threads that answer requests. The site whose
//! clients have used the least processor time lately comes first, and of these clients the one that has; jobs of one client,
//! and of clients that are equal, run in the order in which they came. A job that runs for longer than a slice makes way at
//! its next checkpoint if somebody else comes first, and goes on when it is its turn again. So a client waits for its own
//! work, and hardly for that of others.
//!
//! If the turns are left to the system instead, with a running job of each client, hits take ten times as long at the
//! 99th percentile while many clients draw, even at the lowest priority.

use std::{
    cell::Cell,
    collections::HashMap,
    fmt, io, mem,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use effigy_upstream::Payer as _;
use parking_lot::Mutex;
use scopeguard::guard;
use tokio::sync::oneshot::{self, error::RecvError};

use super::usage::{Payers, Time, Usage, now};

/// The processor time after which a job lets those run who come first.
const SLICE: Duration = Duration::from_millis(10);

/// The processor time after which a job lets a thread that answers run, if one is ready. The system may leave a thread its
/// processor for some milliseconds more, whatever its priority.
const SPELL: Duration = Duration::from_micros(200);

/// The processor time of one job. Every size is accepted, but a picture must not keep a processor when its client
/// has given up.
const MAX_TIME: Duration = Duration::from_secs(30);

/// Jobs that may be paused, in addition to those that run. Each keeps its thread.
const MAX_PAUSED: usize = 16;

/// Jobs that may wait to be started. Beyond it, the client with the most of them loses its newest one.
const MAX_WAITING: usize = 512;

/// The memory of all jobs that have begun.
const MAX_MEMORY: u64 = 256 << 20;

/// The memory of one job, so that there is always room for two and for small ones.
pub(crate) const MAX_MEMORY_OF_ONE: u64 = MAX_MEMORY / 8 * 3;

/// The memory up to which a job is a small one, as pictures of up to some 2,000 pixels are. It ends soon.
const SMALL_MEMORY: u64 = 6 << 20;

/// The memory and the threads that only small jobs get, so that long ones do not keep them waiting.
const MEMORY_FOR_SMALL: u64 = MAX_MEMORY / 4;
const THREADS_FOR_SMALL: usize = 8;

/// A job, which begins as the property of its owner on the thread of this number. One that is dropped instead is
/// refused.
type Job = Box<dyn FnOnce(Arc<Owner>, usize) + Send>;

/// The jobs that wait or run. The queue's threads end with it.
pub(super) struct JobQueue(Mutex<Queue>);

struct Queue {
    processors: usize,
    /// In the order in which they came.
    jobs: Vec<(Arc<Owner>, State)>,
    /// Each runs the jobs that it is sent until the end of the queue.
    threads: Vec<mpsc::Sender<(Job, Arc<Owner>)>>,
    /// The threads without a job, the one that has had one last at the end.
    idle: Vec<usize>,
}

enum State {
    New(Job),
    Running,
    /// It waits for its next turn, which begins with a message.
    Paused(mpsc::Sender<()>),
}

/// What is known of a job: whose it is, and what it takes.
#[derive(Debug)]
struct Owner {
    payers: Payers,
    is_cancelled: AtomicBool,
    came: Time,
    memory: u64,
}

impl JobQueue {
    /// Starts the threads of a new queue.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub(super) fn start(processors: usize) -> io::Result<Arc<Self>> {
        let mut threads = Vec::new();
        for number in 0..processors + MAX_PAUSED {
            let (sender, jobs) = mpsc::channel::<(Job, Arc<Owner>)>();
            let thread = thread::Builder::new().name("drawing".to_owned());
            thread.spawn(move || {
                // Linux lowers the priority of the thread alone, other systems would lower that of the process. If it
                // fails, the thread has the usual priority. With more than the least one, a thread that draws keeps the
                // processor for its slice although a hit waits.
                #[cfg(target_os = "linux")]
                let _ = rustix::process::nice(19);
                for (job, owner) in jobs {
                    job(owner, number);
                }
            })?;
            threads.push(sender);
        }
        let queue = Queue {
            processors,
            jobs: Vec::new(),
            idle: (0..threads.len()).collect(),
            threads,
        };
        Ok(Arc::new(Self(Mutex::new(queue))))
    }

    /// Returns the numbers of jobs that wait, and of jobs that run.
    pub(super) fn jobs(&self) -> (usize, usize) {
        let queue = self.0.lock();
        let running = queue.running();
        (queue.jobs.len() - running, running)
    }

    /// Returns `true` if the queue is full, and the next new job of the client would be the one that goes.
    pub(super) fn is_full_for(&self, usage: &Arc<Usage>) -> bool {
        let queue = self.0.lock();
        let next = queue.excess(MAX_WAITING - 1);
        next.is_some_and(|position| Arc::ptr_eq(&queue.jobs[position].0.payer(), usage))
    }

    /// Runs `work` in its turn, and returns its outcome, or `None` if it panics. It is cancelled when the returned future
    /// is dropped.
    ///
    /// # Errors
    /// If too many jobs wait.
    pub(super) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        payers: Payers,
        memory: u64,
        work: impl FnOnce(&Turn) -> T + Send + 'static,
    ) -> Result<Option<T>, RecvError> {
        let (sender, outcome) = oneshot::channel();
        let queue = Arc::clone(self);
        let job = move |owner, thread| {
            let began = thread_time();
            let turn = Turn {
                queue,
                owner,
                thread,
                began,
                slice_began: Cell::new(began),
                spell_began: Cell::new(began),
            };
            // The panic hook reports a panic; the thread goes on.
            let work = AssertUnwindSafe(|| (!sender.is_closed()).then(|| work(&turn)));
            let outcome = catch_unwind(work);
            // It has ended when the caller hears of the outcome.
            drop(turn);
            drop(sender.send(outcome.ok().flatten()));
        };
        let owner = Arc::new(Owner {
            came: payers.came.unwrap_or_else(now),
            payers,
            is_cancelled: AtomicBool::new(false),
            memory,
        });
        self.add(Arc::clone(&owner), Box::new(job));
        let _cancel = guard(owner, |owner| self.cancel(&owner));
        outcome.await
    }

    fn add(&self, owner: Arc<Owner>, job: Job) {
        let mut queue = self.0.lock();
        let jobs = &mut queue.jobs;
        let place = jobs.partition_point(|(other, _)| other.came <= owner.came);
        jobs.insert(place, (owner, State::New(job)));
        queue.dispatch();
        let refused = queue.excess(MAX_WAITING).map(|job| queue.jobs.remove(job));
        // They may own much, so the queue is not locked any more.
        drop((queue, refused));
    }

    fn cancel(&self, owner: &Arc<Owner>) {
        owner.is_cancelled.store(true, Ordering::Relaxed);
        let mut queue = self.0.lock();
        let waiting = queue.jobs.extract_if(.., |(other, state)| {
            matches!(state, State::New(_)) && Arc::ptr_eq(other, owner)
        });
        let job = waiting.last();
        // It may own much, so the queue is not locked any more.
        drop((queue, job));
    }
}

impl Queue {
    /// Gives the free processors to the jobs that come first.
    fn dispatch(&mut self) {
        while self.running() < self.processors
            && let Some(first) = self.first()
        {
            let (owner, state) = &mut self.jobs[first];
            match mem::replace(state, State::Running) {
                State::New(job) => {
                    let thread = self.idle.pop();
                    let thread = thread.expect("a new job comes first only if there is a thread");
                    // A thread that is idle receives.
                    drop(self.threads[thread].send((job, Arc::clone(owner))));
                }
                State::Paused(turn) => drop(turn.send(())),
                State::Running => {}
            }
        }
    }

    fn running(&self) -> usize {
        let is_running = |(_, state): &&(_, State)| matches!(state, State::Running);
        self.jobs.iter().filter(is_running).count()
    }

    /// Returns the position of the job that comes first, of those that wait and can run now.
    fn first(&self) -> Option<usize> {
        let jobs = self.jobs.iter();
        let begun = jobs.filter(|(_, state)| !matches!(state, State::New(_)));
        let used: u64 = begun.map(|(owner, _)| owner.memory).sum();
        let (threads, free) = (self.idle.len(), MAX_MEMORY - used);
        let can_run = |(owner, state): &(Arc<Owner>, State)| match (state, owner.memory) {
            (State::New(_), ..=SMALL_MEMORY) => threads > 0 && owner.memory <= free,
            (State::New(_), memory) => {
                threads > THREADS_FOR_SMALL && memory + MEMORY_FOR_SMALL <= free
            }
            (State::Paused(_), _) => true,
            (State::Running, _) => false,
        };
        let ready = (0..self.jobs.len()).filter(|&job| can_run(&self.jobs[job]));
        ready.min_by_key(|&job| self.jobs[job].0.rank())
    }

    /// Returns the position of the newest new job of the client that has the most, if more than `max` jobs wait. Of
    /// clients that have as many, it is one in the network that has the most.
    fn excess(&self, max: usize) -> Option<usize> {
        if self.jobs.len() - self.running() <= max {
            return None;
        }
        let (mut clients, mut networks) = (HashMap::new(), HashMap::new());
        let mut longest = None;
        for (position, (owner, state)) in self.jobs.iter().enumerate() {
            if matches!(state, State::New(_)) {
                let payer = owner.payer();
                let of_client = clients.entry(Arc::as_ptr(&payer)).or_insert(0);
                let of_network = networks.entry(payer.network()).or_insert(0);
                *of_client += 1;
                *of_network += 1;
                longest = longest.max(Some((*of_client, *of_network, position)));
            }
        }
        longest.map(|(.., position)| position)
    }
}

impl Owner {
    /// The place in the order: the lower, the sooner. It stays while the client and its site wait, and that of others gets
    /// later with what they use, so each job comes first some time.
    fn rank(&self) -> (bool, (Time, Time)) {
        // A cancelled job ends at once, and gives its memory back.
        let is_wanted = !self.is_cancelled.load(Ordering::Relaxed);
        (is_wanted, self.payer().rank(self.came))
    }

    /// The client in whose turn the job runs: of those who wait for it, the one that has used the least.
    fn payer(&self) -> Arc<Usage> {
        self.payers.first(self.came)
    }
}

/// The turn of a job, which ends when it is dropped. The client is charged for the processor time meanwhile.
#[derive(Debug)]
pub struct Turn {
    queue: Arc<JobQueue>,
    owner: Arc<Owner>,
    thread: usize,
    /// The time of the thread when the job began.
    began: Duration,
    /// The time of the thread when the slice began.
    slice_began: Cell<Duration>,
    /// The time of the thread when it last let others run.
    spell_began: Cell<Duration>,
}

impl Turn {
    /// Lets other clients have their turns if this job has had the processor for long. Call it every few
    /// milliseconds.
    ///
    /// # Errors
    /// If nobody waits for the outcome any more, and `TimedOut` if the job takes too long.
    pub fn checkpoint(&self) -> io::Result<()> {
        if self.owner.is_cancelled.load(Ordering::Relaxed) {
            // Not the kind `Interrupted`, which means "try again".
            return Err(io::Error::other("nobody waits for the picture any more"));
        }
        let now = thread_time();
        if now.saturating_sub(self.spell_began.get()) >= SPELL {
            self.spell_began.set(now);
            thread::yield_now();
        }
        if now.saturating_sub(self.slice_began.get()) < SLICE {
            return Ok(());
        }
        self.charge(now);
        if now.saturating_sub(self.began) > MAX_TIME {
            let message = "drawing takes too long";
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
        }
        self.make_way();
        Ok(())
    }

    /// Lets the jobs that come first have the processor, and returns when it is this job's turn again.
    fn make_way(&self) {
        let (sender, next_turn) = mpsc::channel();
        let mut queue = self.queue.0.lock();
        let mut jobs = queue.jobs.iter_mut();
        let own = jobs.find(|(owner, _)| Arc::ptr_eq(owner, &self.owner));
        own.expect("a job that runs is there").1 = State::Paused(sender);
        queue.dispatch();
        drop(queue);
        // The sender is kept until it sends.
        let _ = next_turn.recv();
    }

    fn charge(&self, now: Duration) {
        let slice = now.saturating_sub(self.slice_began.replace(now));
        self.owner.payer().charge_work(slice);
    }
}

impl Drop for Turn {
    /// The thread takes the next job.
    fn drop(&mut self) {
        self.charge(thread_time());
        let mut queue = self.queue.0.lock();
        queue.idle.push(self.thread);
        (queue.jobs).retain(|(other, _)| !Arc::ptr_eq(other, &self.owner));
        queue.dispatch();
    }
}

/// Returns the processor time of this thread.
#[cfg(unix)]
fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// The time, if the processor time of a thread is not available.
#[cfg(not(unix))]
use super::usage::now as thread_time;

impl fmt::Debug for JobQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JobQueue").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
