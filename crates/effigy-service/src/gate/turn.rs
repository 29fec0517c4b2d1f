//! A job, and its turn on a drawing thread.

use std::{
    cell::Cell,
    io::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use tokio::sync::oneshot;

use super::{
    queue::{JobQueue, MAX_MEMORY, Owner},
    usage::Payers,
};
use crate::error::{Refused, Scope, ServiceError, SharedResource};

/// The processor time after which a job lets those run who come first.
const SLICE: Duration = Duration::from_millis(10);

/// The processor time of one job. Every size is accepted, but a picture must not keep a processor when its client
/// has given up.
const MAX_TIME: Duration = Duration::from_secs(30);

/// The memory of one job, so that there is always room for two and for small ones.
pub(crate) const MAX_MEMORY_OF_ONE: usize = MAX_MEMORY / 8 * 3;

/// Runs `work` in its turn. It is cancelled when the returned future is dropped.
///
/// # Errors
/// `TooLarge` if it needs too much memory, `Refused` if too many jobs wait, `Interrupted` if it panics.
pub(super) async fn run<T: Send + 'static>(
    queue: &Arc<JobQueue>,
    payers: Payers,
    memory: usize,
    work: impl FnOnce(&Turn) -> T + Send + 'static,
) -> Result<T, ServiceError> {
    if memory > MAX_MEMORY_OF_ONE {
        return Err(ServiceError::TooLarge);
    }
    let (sender, outcome) = oneshot::channel();
    let own_queue = Arc::clone(queue);
    let job = move |owner, thread| {
        let began = thread_time();
        let turn = Turn {
            queue: own_queue,
            owner,
            thread,
            began,
            slice_began: Cell::new(began),
        };
        // The panic hook reports a panic; the thread goes on.
        let work = AssertUnwindSafe(|| (!sender.is_closed()).then(|| work(&turn)));
        let outcome = catch_unwind(work);
        // It has ended when the caller hears of the outcome.
        drop(turn);
        drop(sender.send(outcome.ok().flatten()));
    };
    let _cancel = queue.submit(payers, memory, Box::new(job));
    let refused = |_| Refused::soon(SharedResource::Work, Scope::AllClients);
    let outcome = outcome.await.map_err(refused)?;
    outcome.ok_or(ServiceError::Interrupted)
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
}

impl Turn {
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
        let now = thread_time();
        if now.saturating_sub(self.slice_began.get()) < SLICE {
            return Ok(());
        }
        self.charge(now);
        if now.saturating_sub(self.began) > MAX_TIME {
            let message = "drawing takes too long";
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
        }
        self.queue.make_way(&self.owner);
        Ok(())
    }

    fn charge(&self, now: Duration) {
        let slice = now.saturating_sub(self.slice_began.replace(now));
        self.owner.payer().charge_work(slice);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.charge(thread_time());
        self.queue.end(&self.owner, self.thread);
    }
}

/// The longest file. A body 20,000 pixels wide takes a fiftieth of it.
const MAX_FILE_BYTES: usize = 32 << 20;

/// A buffer that fails to grow beyond its length, and with its turn.
#[derive(Debug)]
pub struct BoundedBuffer<'a> {
    bytes: Vec<u8>,
    turn: &'a Turn,
}

impl<'a> BoundedBuffer<'a> {
    /// Creates an empty buffer.
    #[must_use]
    pub const fn new(turn: &'a Turn) -> Self {
        Self {
            bytes: Vec::new(),
            turn,
        }
    }

    /// Returns the bytes, in no more memory than they need, because they will be cached.
    #[must_use]
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.shrink_to_fit();
        self.bytes
    }
}

impl Write for BoundedBuffer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.turn.checkpoint()?;
        if bytes.len() > MAX_FILE_BYTES - self.bytes.len() {
            return Err(io::Error::other("the file is too long"));
        }
        self.bytes.try_reserve(bytes.len())?;
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// The renderer flushes between strips of rows.
    fn flush(&mut self) -> io::Result<()> {
        self.turn.checkpoint()
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

#[cfg(test)]
mod tests;
