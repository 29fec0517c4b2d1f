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
};

use parking_lot::Mutex;

use super::usage::{Payers, Time, Usage, now};

/// Jobs that may be paused, in addition to those that run. Each keeps its thread.
const MAX_PAUSED: usize = 16;

/// Jobs that may wait to be started. Beyond it, the client with the most of them loses its newest one.
pub(super) const MAX_WAITING: usize = 512;

/// The memory of all jobs that have begun.
pub(super) const MAX_MEMORY: usize = 256 << 20;

/// The memory up to which a job is a small one, as pictures of up to some 2,000 pixels are. It ends soon.
const SMALL_MEMORY: usize = 6 << 20;

/// The memory and the threads that only small jobs get, so that long ones do not keep them waiting.
const MEMORY_FOR_SMALL: usize = MAX_MEMORY / 4;
const THREADS_FOR_SMALL: usize = 8;

/// A job, which begins as the property of its owner on the thread of this number. One that is dropped instead is
/// refused.
pub(super) type Job = Box<dyn FnOnce(Arc<Owner>, usize) + Send>;

/// The jobs that wait or run. The queue's threads end with it.
pub(super) struct JobQueue(Mutex<Queue>);

struct Queue {
    processors: usize,
    /// In the order in which they came.
    jobs: Vec<(Arc<Owner>, State)>,
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
pub(super) struct Owner {
    payers: Payers,
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
        let mut threads = Vec::new();
        for number in 0..processors + MAX_PAUSED {
            let (sender, jobs) = mpsc::channel();
            let thread = thread::Builder::new().name("drawing".to_owned());
            thread.spawn(move || run_jobs(number, jobs))?;
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

    /// Adds a job, which is cancelled when the returned guard is dropped.
    pub(super) fn submit(self: &Arc<Self>, payers: Payers, memory: usize, job: Job) -> Cancel {
        let owner = Arc::new(Owner {
            came: payers.came.unwrap_or_else(now),
            payers,
            is_cancelled: AtomicBool::new(false),
            memory,
        });
        let mut queue = self.0.lock();
        let place = queue
            .jobs
            .partition_point(|(other, _)| other.came <= owner.came);
        queue
            .jobs
            .insert(place, (Arc::clone(&owner), State::New(job)));
        queue.dispatch();
        let refused = queue.excess(MAX_WAITING).map(|job| queue.jobs.remove(job));
        // They may own much, so the queue is not locked any more.
        drop((queue, refused));
        let queue = Arc::clone(self);
        Cancel { queue, owner }
    }

    /// Lets others have the processor, and returns when it is this job's turn again.
    pub(super) fn make_way(&self, owner: &Arc<Owner>) {
        let mut queue = self.0.lock();
        let first = queue.first().map(|first| queue.jobs[first].0.rank());
        let is_first = first.is_none_or(|first| first >= owner.rank());
        let Some(own) = queue.position(owner).filter(|_| !is_first) else {
            return;
        };
        let (sender, next_turn) = mpsc::channel();
        queue.jobs[own].1 = State::Paused(sender);
        queue.dispatch();
        drop(queue);
        // The sender is kept until it sends.
        let _ = next_turn.recv();
    }

    /// Ends the turn of a job for good. Its thread takes the next one.
    pub(super) fn end(&self, owner: &Arc<Owner>, thread: usize) {
        let mut queue = self.0.lock();
        queue.idle.push(thread);
        (queue.jobs).retain(|(other, _)| !Arc::ptr_eq(other, owner));
        queue.dispatch();
    }
}

/// Runs jobs until the end of the queue.
fn run_jobs(thread: usize, jobs: mpsc::Receiver<(Job, Arc<Owner>)>) {
    // Linux lowers the priority of the thread alone, other systems would lower that of the process. If it
    // fails, the thread has the usual priority.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(10);
    for (job, owner) in jobs {
        job(owner, thread);
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
        let states = self.jobs.iter().map(|(_, state)| state);
        states
            .filter(|state| matches!(state, State::Running))
            .count()
    }

    /// Returns the position of the job that comes first, of those that wait and can run now.
    fn first(&self) -> Option<usize> {
        let jobs = self.jobs.iter();
        let begun = jobs.filter(|(_, state)| !matches!(state, State::New(_)));
        let used: usize = begun.map(|(owner, _)| owner.memory).sum();
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
                let of_network = networks.entry(payer.network).or_insert(0);
                *of_client += 1;
                *of_network += 1;
                longest = longest.max(Some((*of_client, *of_network, position)));
            }
        }
        longest.map(|(.., position)| position)
    }

    fn position(&self, owner: &Arc<Owner>) -> Option<usize> {
        let mut owners = self.jobs.iter().map(|(owner, _)| owner);
        owners.position(|other| Arc::ptr_eq(other, owner))
    }
}

impl Owner {
    /// The place in the order: the lower, the sooner. It stays while the client waits, and that of others gets
    /// later with what they use, so each job comes first some time.
    fn rank(&self) -> (bool, Time) {
        // A cancelled job ends at once, and gives its memory back.
        let is_wanted = !self.is_cancelled.load(Ordering::Relaxed);
        (is_wanted, self.payer().work.unused_at(self.came))
    }

    /// The client in whose turn the job runs: of those who wait for it, the one that has used the least.
    pub(super) fn payer(&self) -> Arc<Usage> {
        self.payers.first(self.came)
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
        let mut queue = self.queue.0.lock();
        let waiting = queue.position(&self.owner);
        let waiting = waiting.filter(|&job| matches!(queue.jobs[job].1, State::New(_)));
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
