//! The drawing threads: one per processor, at a lower priority than those that answer requests.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
};

use tokio::sync::oneshot;

use super::limit::Limit;
use crate::ServiceError;

/// The `nice` value that drawing threads add to their own, so that a hit, which takes microseconds,
/// does not wait for a picture, which takes milliseconds.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

type Job = Box<dyn FnOnce() + Send>;

/// Draws a bounded number of pictures, queues a bounded number of further ones, and rejects others at
/// once.
pub(crate) struct DrawingPool {
    /// One permit for each picture that is drawn or waits.
    pub(crate) limit: Limit,
    /// The threads end when this is dropped.
    jobs: mpsc::Sender<Job>,
}

impl DrawingPool {
    /// A pool of that many threads, with room for `max_waiting` more pictures.
    pub(crate) fn new(threads: usize, max_waiting: usize) -> Self {
        let (jobs, queue) = mpsc::channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..threads {
            let queue = Arc::clone(&queue);
            let work = move || {
                while let Some(job) = next(&queue) {
                    job();
                }
            };
            if let Err(error) = spawn_drawing_thread("drawing", work) {
                tracing::error!("a drawing thread could not be started: {error}");
            }
        }
        Self {
            limit: Limit::new("renders", threads + max_waiting),
            jobs,
        }
    }

    /// Runs `work` on a drawing thread. It is skipped if the caller leaves before it starts.
    ///
    /// # Errors
    /// `Overloaded` if the pool is full, `Interrupted` if the work panics.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        let permit = self.limit.acquire()?;
        let (sender, drawn) = oneshot::channel();
        let job = Box::new(move || {
            if sender.is_closed() {
                return;
            }
            // The panic hook reports the panic; the thread goes on.
            let outcome = catch_unwind(AssertUnwindSafe(work));
            // Released after the work even if the caller has left, and before the caller hears of it.
            drop(permit);
            if let Ok(value) = outcome {
                drop(sender.send(value));
            }
        });
        self.jobs.send(job).map_err(|_| ServiceError::Interrupted)?;
        drawn.await.map_err(|_| ServiceError::Interrupted)
    }
}

fn next(queue: &Mutex<mpsc::Receiver<Job>>) -> Option<Job> {
    let queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    queue.recv().ok()
}

/// Starts a thread at a lower priority than those that answer requests.
///
/// # Errors
/// If the system refuses a thread.
pub(crate) fn spawn_drawing_thread(
    name: &str,
    work: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    let work = move || {
        // Linux lowers the priority of the thread alone, other systems would lower that of the
        // process. If it fails, the thread has the usual priority.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(NICENESS);
        work();
    };
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(work)
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_runs_on_another_thread() {
        let pool = DrawingPool::new(2, 0);
        let ours = thread::current().id();
        let theirs = pool.run(|| thread::current().id()).await.unwrap();
        assert_ne!(ours, theirs);
        assert_eq!(pool.limit.in_flight(), 0);
    }

    #[tokio::test]
    async fn a_full_pool_fails_at_once_and_recovers() {
        let pool = Arc::new(DrawingPool::new(1, 1));
        let (release, held) = mpsc::channel::<()>();
        let run = |work: Job| {
            let pool = Arc::clone(&pool);
            tokio::spawn(async move { pool.run(work).await })
        };
        let running = run(Box::new(move || assert!(held.recv().is_ok())));
        let waiting = run(Box::new(|| ()));
        while pool.limit.in_flight() < 2 {
            tokio::task::yield_now().await;
        }
        let rejected = pool.run(|| true).await;
        assert!(matches!(rejected, Err(ServiceError::Overloaded { .. })));

        release.send(()).unwrap();
        running.await.unwrap().unwrap();
        waiting.await.unwrap().unwrap();
        assert!(pool.run(|| true).await.unwrap());
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_the_thread_survives() {
        let pool = DrawingPool::new(1, 0);
        for _ in 0..3 {
            let panicked: Result<(), _> = pool.run(|| panic!("the work is broken")).await;
            assert!(matches!(panicked, Err(ServiceError::Interrupted)));
        }
        assert!(pool.run(|| true).await.unwrap());
    }

    #[tokio::test]
    async fn work_is_skipped_if_its_caller_has_left() {
        let pool = Arc::new(DrawingPool::new(1, 1));
        let (release, held) = mpsc::channel::<()>();
        let running = {
            let pool = Arc::clone(&pool);
            tokio::spawn(async move { pool.run(move || held.recv().is_ok()).await })
        };
        while pool.limit.in_flight() < 1 {
            tokio::task::yield_now().await;
        }
        let (drawn, seen) = mpsc::channel::<()>();
        let gone = tokio::time::timeout(std::time::Duration::ZERO, pool.run(move || drawn));
        assert!(gone.await.is_err());
        release.send(()).unwrap();
        assert!(running.await.unwrap().unwrap());
        assert!(seen.recv().is_err());
        assert!(pool.run(|| true).await.is_ok());
    }
}
