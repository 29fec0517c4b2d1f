//! The drawing threads, each of which runs the jobs that it is sent.

use std::{io, sync::mpsc, thread, time::Duration};

use parking_lot::Mutex;

use super::job::{JobId, Started, ThreadNumber, Work};

/// The jobs that may be paused, in addition to the running ones. Each keeps its thread.
const MAX_PAUSED: usize = 16;

/// The drawing threads. They end when this is dropped.
#[derive(Debug)]
pub(super) struct Threads {
    senders: Vec<mpsc::Sender<(JobId, Work)>>,
    /// The threads without a job. The one that was busy last comes last and is taken first, because
    /// its caches are warm.
    idle: Mutex<Vec<ThreadNumber>>,
}

impl Threads {
    /// Starts the threads for this number of jobs at once, and for those that are paused.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub(super) fn start(slots: usize) -> io::Result<Self> {
        let mut senders = Vec::new();
        let mut idle = Vec::new();
        for number in 0..slots + MAX_PAUSED {
            let (sender, jobs) = mpsc::channel::<(JobId, Work)>();
            let builder = thread::Builder::new().name("drawing".to_owned());
            builder.spawn(move || {
                lower_priority();
                for (id, work) in jobs {
                    work(id, ThreadNumber(number));
                }
            })?;
            senders.push(sender);
            idle.push(ThreadNumber(number));
        }
        Ok(Self {
            senders,
            idle: Mutex::new(idle),
        })
    }

    /// The number of threads.
    pub(super) const fn count(&self) -> usize {
        self.senders.len()
    }

    /// Begins a job on an idle thread, or continues one on its own.
    pub(super) fn begin(&self, started: Started) {
        match started {
            Started::New(id, work) => {
                let idle = self.idle.lock().pop();
                let thread = idle.expect("a job begins only if a thread is idle");
                let sent = self.senders[thread.0].send((id, work));
                sent.expect("the threads receive as long as this lives");
            }
            // The job waits for this message.
            Started::Paused(turn) => drop(turn.send(())),
        }
    }

    /// Records that the job of a thread has ended.
    pub(super) fn release(&self, thread: ThreadNumber) {
        self.idle.lock().push(thread);
    }
}

/// Gives this thread the least priority, so that it leaves the processor to a request that waits.
/// Only Linux lowers the priority of one thread; other systems would lower the priority of the
/// whole process. If it fails, the thread keeps the usual priority.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(19);
}

/// Returns the processor time of this thread.
#[cfg(unix)]
pub(super) fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Returns the time, because the processor time of a thread is not available.
#[cfg(not(unix))]
pub(super) fn thread_time() -> Duration {
    use std::{sync::LazyLock, time::Instant};
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    FIRST.elapsed()
}
