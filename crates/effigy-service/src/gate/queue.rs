//! The drawing threads, and the queue of jobs in front of them: who comes first, and who makes way.
//!
//! As many jobs run as there are processors, at a lower priority than the threads that answer requests. The client
//! that has used the least processor time lately comes first; jobs of one client, and of clients that are equal,
//! run in the order in which they came. A job that runs for longer than a slice makes way at its next checkpoint
//! if somebody else comes first, and goes on when it is its turn again. So a client waits for its own work, and
//! hardly for that of others.
//!
//! If the turns are left to the system instead, with a running job of each client, hits take ten times as long at the
//! 99th percentile while many clients draw, even at the lowest priority.

use std::{
    collections::HashMap,
    fmt, io, mem,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use parking_lot::Mutex;

use super::usage::{Time, Usage, Waiters, now};

/// Jobs that may be paused, in addition to those that run. Each keeps its thread.
const MAX_PAUSED: usize = 16;

/// The niceness of the drawing threads.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Jobs that may wait to be started. Beyond it, the client with the most of them loses its newest one.
pub(super) const MAX_WAITING: usize = 512;

/// The memory of all jobs that have begun.
pub(super) const MAX_MEMORY: usize = 256 << 20;

/// The memory up to which a job is a small one, as pictures of up to some 2,000 pixels are. It ends soon.
const SMALL_MEMORY: usize = 6 << 20;

/// The memory and the threads that only small jobs get, so that long ones do not keep them waiting.
const MEMORY_FOR_SMALL: usize = MAX_MEMORY / 4;
const THREADS_FOR_SMALL: usize = 8;

/// A job, which begins as the property of its owner on a thread. One that is dropped instead is refused.
pub(super) type Job = Box<dyn FnOnce(Arc<Owner>, Thread) + Send>;

/// A drawing thread, which takes jobs. It belongs to the queue or to its job.
#[derive(Debug)]
pub(super) struct Thread(mpsc::Sender<(Job, Arc<Owner>, Thread)>);

/// The jobs that wait or run. The queue's threads end with it.
pub(super) struct JobQueue {
    processors: usize,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    /// In the order in which they came.
    jobs: Vec<(Arc<Owner>, State)>,
    /// The threads without a job, the one that has had one last at the end.
    idle: Vec<Thread>,
}

enum State {
    New(Job),
    Running,
    /// It waits for its next turn, which begins with a message.
    Paused(mpsc::Sender<()>),
}

/// What is known of a job: whose it is, and what it takes.
#[derive(Debug)]
pub(super) struct Owner {
    waiters: Vec<Waiters>,
    pub(super) is_cancelled: AtomicBool,
    came: Time,
    memory: usize,
}

impl JobQueue {
    /// Starts the threads of a new queue.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub(super) fn start(processors: usize) -> io::Result<Arc<Self>> {
        let mut queue = Queue::default();
        for _ in 0..processors + MAX_PAUSED {
            let (sender, jobs) = mpsc::channel();
            let thread = thread::Builder::new().name("drawing".to_owned());
            thread.spawn(move || run_jobs(jobs))?;
            queue.idle.push(Thread(sender));
        }
        Ok(Arc::new(Self {
            processors,
            queue: Mutex::new(queue),
        }))
    }

    /// Returns the numbers of jobs that wait, and of jobs that run.
    pub(super) fn jobs(&self) -> (usize, usize) {
        let queue = self.queue.lock();
        let running = queue.running();
        (queue.jobs.len() - running, running)
    }

    /// Returns `true` if the queue is full, and the next new job of the client would be the one that goes.
    pub(super) fn is_full_for(&self, usage: &Arc<Usage>) -> bool {
        let queue = self.queue.lock();
        let next = queue.excess(MAX_WAITING - 1);
        next.is_some_and(|position| Arc::ptr_eq(&queue.jobs[position].0.payer().1, usage))
    }

    /// Adds a job, which is cancelled when the returned guard is dropped.
    pub(super) fn submit(
        self: &Arc<Self>,
        waiters: Vec<Waiters>,
        memory: usize,
        job: Job,
    ) -> Cancel {
        let owner = Arc::new(Owner {
            waiters,
            is_cancelled: AtomicBool::new(false),
            came: now(),
            memory,
        });
        let mut queue = self.queue.lock();
        queue.jobs.push((Arc::clone(&owner), State::New(job)));
        queue.dispatch(self.processors);
        let refused = queue.excess(MAX_WAITING).map(|job| queue.jobs.remove(job));
        // They may own much, so the queue is not locked any more.
        drop((queue, refused));
        let queue = Arc::clone(self);
        Cancel { queue, owner }
    }

    /// Lets others have the processor, and returns when it is this job's turn again.
    pub(super) fn make_way(&self, owner: &Arc<Owner>) {
        let mut queue = self.queue.lock();
        let first = queue.first().map(|first| queue.jobs[first].0.rank());
        let is_first = first.is_none_or(|first| first >= owner.rank());
        let Some(own) = queue.position(owner).filter(|_| !is_first) else {
            return;
        };
        let (sender, next_turn) = mpsc::channel();
        queue.jobs[own].1 = State::Paused(sender);
        queue.dispatch(self.processors);
        drop(queue);
        // The sender is kept until it sends.
        let _ = next_turn.recv();
    }

    /// Ends the turn of a job for good. Its thread takes the next one.
    pub(super) fn end(&self, owner: &Arc<Owner>, thread: Thread) {
        let mut queue = self.queue.lock();
        queue.idle.push(thread);
        (queue.jobs).retain(|(other, _)| !Arc::ptr_eq(other, owner));
        queue.dispatch(self.processors);
    }
}

/// Runs jobs until the end of the queue.
fn run_jobs(jobs: mpsc::Receiver<(Job, Arc<Owner>, Thread)>) {
    // Linux lowers the priority of the thread alone, other systems would lower that of the process. If it
    // fails, the thread has the usual priority.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
    for (job, owner, thread) in jobs {
        job(owner, thread);
    }
}

impl Queue {
    /// Gives the free processors to the jobs that come first.
    fn dispatch(&mut self, processors: usize) {
        while self.running() < processors
            && let Some(first) = self.first()
        {
            let (owner, state) = &mut self.jobs[first];
            match mem::replace(state, State::Running) {
                State::New(job) => {
                    let thread = self.idle.pop();
                    let thread = thread.expect("a new job comes first only if there is a thread");
                    // A thread that is idle receives.
                    drop(thread.0.clone().send((job, Arc::clone(owner), thread)));
                }
                State::Paused(turn) => drop(turn.send(())),
                State::Running => {}
            }
        }
    }

    fn running(&self) -> usize {
        let states = self.jobs.iter().map(|(_, state)| state);
        states.filter(|state| state.is_running()).count()
    }

    /// Returns the position of the job that comes first, of those that wait and can run now.
    fn first(&self) -> Option<usize> {
        let begun = self.jobs.iter().filter(|(_, state)| !state.is_new());
        let used: usize = begun.map(|(owner, _)| owner.memory).sum();
        let can_run = |owner: &Owner, state: &State| match state {
            State::New(_) => self.has_room_for(owner.memory, MAX_MEMORY - used),
            State::Paused(_) => true,
            State::Running => false,
        };
        let jobs = self.jobs.iter().enumerate();
        let ready = jobs.filter(|(_, (owner, state))| can_run(owner, state));
        ready
            .min_by_key(|(_, (owner, _))| owner.rank())
            .map(|(position, _)| position)
    }

    /// Returns `true` if a job that needs this much memory can begin.
    fn has_room_for(&self, memory: usize, free: usize) -> bool {
        let (reserved_threads, reserved_memory) = match memory <= SMALL_MEMORY {
            true => (0, 0),
            false => (THREADS_FOR_SMALL, MEMORY_FOR_SMALL),
        };
        self.idle.len() > reserved_threads && memory + reserved_memory <= free
    }

    /// Returns the position of the newest new job of the client that has the most, if more than `max` jobs wait.
    fn excess(&self, max: usize) -> Option<usize> {
        if self.jobs.len() - self.running() <= max {
            return None;
        }
        let (mut counts, mut longest) = (HashMap::new(), None);
        for (position, (owner, state)) in self.jobs.iter().enumerate() {
            if state.is_new() {
                let count = counts.entry(Arc::as_ptr(&owner.payer().1)).or_insert(0);
                *count += 1;
                longest = longest.max(Some((*count, position)));
            }
        }
        longest.map(|(_, position)| position)
    }

    fn position(&self, owner: &Arc<Owner>) -> Option<usize> {
        let mut owners = self.jobs.iter().map(|(owner, _)| owner);
        owners.position(|other| Arc::ptr_eq(other, owner))
    }
}

impl State {
    const fn is_new(&self) -> bool {
        matches!(self, Self::New(_))
    }

    const fn is_running(&self) -> bool {
        matches!(self, Self::Running)
    }
}

impl Owner {
    /// The place in the order: the lower, the sooner. It stays while the client waits, and that of others gets
    /// later with what they use, so each job comes first some time.
    fn rank(&self) -> (bool, Time) {
        // A cancelled job ends at once, and gives its memory back.
        let is_wanted = !self.is_cancelled.load(Ordering::Relaxed);
        (is_wanted, self.payer().0)
    }

    /// The client in whose turn the job runs: of those who wait for it, the one that has used the least.
    fn payer(&self) -> (Time, Arc<Usage>) {
        let firsts = self
            .waiters
            .iter()
            .filter_map(|waiters| waiters.first(self.came));
        let first = firsts.min_by_key(|(unused_at, _)| *unused_at);
        first.expect("somebody waits for it")
    }

    /// Charges processor time that the job has used.
    pub(super) fn charge(&self, time: Duration) {
        self.payer().1.charge_work(time);
    }
}

/// Cancels a job when it is dropped.
pub(super) struct Cancel {
    queue: Arc<JobQueue>,
    owner: Arc<Owner>,
}

impl Drop for Cancel {
    fn drop(&mut self) {
        self.owner.is_cancelled.store(true, Ordering::Relaxed);
        let mut queue = self.queue.queue.lock();
        let waiting = queue.position(&self.owner);
        let waiting = waiting.filter(|&position| queue.jobs[position].1.is_new());
        let job = waiting.map(|position| queue.jobs.remove(position));
        // It may own much, so the queue is not locked any more.
        drop((queue, job));
    }
}

impl fmt::Debug for JobQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JobQueue").finish_non_exhaustive()
    }
}
