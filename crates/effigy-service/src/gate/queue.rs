//! The queue of jobs: who comes first, and who makes way.

use std::{
    collections::HashMap,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread::{self, Thread},
};

use super::{
    bucket::{Rate, Time},
    usage::Usage,
};
use crate::refused::{Refused, Scope, SharedResource};

/// Jobs that may wait to be started. Beyond it, the client with the most of them loses its newest one.
pub(super) const MAX_WAITING: usize = 512;

/// The memory of all jobs that have begun.
pub(super) const MAX_MEMORY: usize = 256 << 20;

/// The memory up to which a job is a small one, as pictures of up to some 2,000 pixels are. It ends soon.
const SMALL_MEMORY: usize = 6 << 20;

/// The memory and the threads that only small jobs get, so that long ones do not keep them waiting.
const MEMORY_FOR_SMALL: usize = MAX_MEMORY / 4;
const THREADS_FOR_SMALL: usize = 8;

/// A job, which begins as the property of its owner, or is told why it does not begin.
pub(super) type Job = Box<dyn FnOnce(Result<Owner, Refused>) + Send>;

/// The jobs that wait, and what is free for them.
pub(super) struct JobQueue(Mutex<Queue>);

struct Queue {
    waiting: Vec<Waiting>,
    /// The threads without a job.
    idle: Vec<mpsc::Sender<(Job, Owner)>>,
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

/// What is known of a job: whose it is, and what it takes.
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

impl JobQueue {
    pub(super) fn new(processors: usize) -> Self {
        Self(Mutex::new(Queue {
            waiting: Vec::new(),
            idle: Vec::new(),
            processors,
            free_processors: processors,
            free_memory: MAX_MEMORY,
            next_ticket: 0,
            is_closed: false,
        }))
    }

    /// Returns the numbers of jobs that wait, and of jobs that run.
    pub(super) fn jobs(&self) -> (usize, usize) {
        let queue = self.queue();
        (
            queue.waiting.len(),
            queue.processors - queue.free_processors,
        )
    }

    /// Ends the threads as soon as they have no job, and begins no more jobs.
    pub(super) fn close(&self) {
        let mut queue = self.queue();
        queue.is_closed = true;
        queue.idle.clear();
        queue
            .waiting
            .retain(|waiting| matches!(waiting.state, State::Paused(_)));
    }

    /// Waits for the next job that this thread is to run. Returns `None` after the queue was closed.
    pub(super) fn next(&self) -> Option<(Job, Owner)> {
        let (sender, job) = mpsc::channel();
        let mut queue = self.queue();
        if queue.is_closed {
            return None;
        }
        queue.idle.push(sender);
        self.dispatch(&mut queue);
        drop(queue);
        job.recv().ok()
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing panics while the queue is inconsistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job, which is cancelled when the returned guard is dropped.
    pub(super) fn submit(
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
            queue: Arc::clone(self),
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
    fn dispatch(&self, queue: &mut Queue) {
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
                    // A thread that is idle receives.
                    drop(thread.send((job, owner)));
                }
            }
        }
    }

    /// Lets others have the processor, and returns when it is this job's turn again.
    pub(super) fn make_way(&self, owner: &Owner) {
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
    pub(super) fn end(&self, owner: &Owner) {
        let mut queue = self.queue();
        queue.free_processors += 1;
        queue.free_memory += owner.memory;
        self.dispatch(&mut queue);
    }
}

/// Cancels a job when it is dropped.
pub(super) struct Cancel {
    queue: Arc<JobQueue>,
    ticket: u64,
    is_cancelled: Arc<AtomicBool>,
}

impl Drop for Cancel {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        let mut queue = self.queue.queue();
        let position = queue.waiting.iter().position(|waiting| {
            waiting.owner.ticket == self.ticket && matches!(waiting.state, State::New(_))
        });
        let job = position.map(|position| queue.waiting.swap_remove(position));
        drop(queue);
        // It may own much.
        drop(job);
    }
}

impl Queue {
    /// Returns the position of the job that comes first, of those that can run now.
    fn first(&self, now: Time) -> Option<usize> {
        let can_run = |waiting: &Waiting| match waiting.state {
            State::Paused(_) => true,
            State::New(_) => self.has_room_for(waiting.owner.memory),
        };
        let waiting = self.waiting.iter().enumerate();
        let ready = waiting.filter(|(_, waiting)| can_run(waiting));
        ready
            .min_by_key(|(_, waiting)| waiting.owner.rank(now))
            .map(|(position, _)| position)
    }

    /// Returns `true` if a job that needs this much memory can begin.
    fn has_room_for(&self, memory: usize) -> bool {
        let (reserved_threads, reserved_memory) = match memory <= SMALL_MEMORY {
            true => (0, 0),
            false => (THREADS_FOR_SMALL, MEMORY_FOR_SMALL),
        };
        self.idle.len() > reserved_threads && memory + reserved_memory <= self.free_memory
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

impl fmt::Debug for JobQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JobQueue").finish_non_exhaustive()
    }
}
