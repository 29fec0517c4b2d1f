//! A job's turn on a drawing thread.

use std::{
    cell::Cell,
    io,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use super::queue::{JobQueue, Owner};

/// The processor time after which a job lets those run who come first.
const SLICE: Duration = Duration::from_millis(10);

/// The processor time of one job. Every size is accepted, but a picture must not keep a processor when its client
/// has given up.
const MAX_TIME: Duration = Duration::from_secs(30);

/// The turn of a job, which ends when it is dropped. The client is charged for the processor time meanwhile.
#[derive(Debug)]
pub struct Turn {
    queue: Arc<JobQueue>,
    owner: Arc<Owner>,
    /// The time of the thread when the slice began.
    slice_began: Cell<Duration>,
    /// The time of all slices before.
    used: Cell<Duration>,
}

impl Turn {
    /// Begins a turn on the thread that does the work.
    pub(super) fn new(queue: Arc<JobQueue>, owner: Arc<Owner>) -> Self {
        Self {
            queue,
            owner,
            slice_began: Cell::new(thread_time()),
            used: Cell::new(Duration::ZERO),
        }
    }

    /// Lets other clients have their turns if this job has had the processor for long. Call it every few
    /// milliseconds.
    ///
    /// # Errors
    /// `Interrupted` if nobody waits for the outcome any more, and `TimedOut` if the job takes too long.
    pub fn checkpoint(&self) -> io::Result<()> {
        if self.owner.is_cancelled.load(Ordering::Relaxed) {
            // Not the kind `Interrupted`, which means "try again".
            return Err(io::Error::other("nobody waits for the picture any more"));
        }
        if thread_time().saturating_sub(self.slice_began.get()) < SLICE {
            return Ok(());
        }
        self.charge();
        if self.used.get() > MAX_TIME {
            let message = "drawing takes too long";
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
        }
        self.queue.make_way(&self.owner);
        Ok(())
    }

    fn charge(&self) {
        let now = thread_time();
        let slice = now.saturating_sub(self.slice_began.replace(now));
        self.used.set(self.used.get() + slice);
        self.queue.charge(&self.owner.usage, slice);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.charge();
        self.queue.end(&self.owner);
    }
}

/// Returns the processor time of this thread.
#[cfg(unix)]
fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Returns the time, where the processor time of a thread is not available.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    static FIRST: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    FIRST.elapsed()
}
