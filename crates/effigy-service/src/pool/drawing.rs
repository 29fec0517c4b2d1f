//! The threads that draw: as many as there are processors, and less important than all others.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
};

use tokio::sync::{Semaphore, oneshot};

use crate::ServiceError;

/// How much less of a processor a drawing thread gets than one that answers requests, where both
/// want it, as `nice` counts. So a hit, which takes microseconds, does not wait for a picture, which
/// takes milliseconds.
const NICENESS: i32 = 10;

/// A thread's share of the work.
type Job = Box<dyn FnOnce() + Send>;

/// A bounded number of pictures that are drawn or wait for it.
///
/// So many are drawn at once and so many more may wait; who comes after that fails at once.
pub(crate) struct DrawingPool {
    size: usize,
    places: Arc<Semaphore>,
    /// The threads end when this is gone.
    jobs: mpsc::Sender<Job>,
}

impl DrawingPool {
    /// A pool of so many threads, with room for `waiting` more pictures behind those they draw.
    pub(crate) fn new(threads: usize, waiting: usize) -> Self {
        let (jobs, queue) = mpsc::channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..threads {
            let queue = Arc::clone(&queue);
            let work = move || {
                while let Some(job) = next(&queue) {
                    job();
                }
            };
            if let Err(error) = start("drawing", work) {
                tracing::error!("one thread less draws pictures: {error}");
            }
        }
        let size = threads + waiting;
        Self {
            size,
            places: Arc::new(Semaphore::new(size)),
            jobs,
        }
    }

    /// How many pictures are drawn or wait.
    pub(crate) fn taken(&self) -> usize {
        self.size.saturating_sub(self.places.available_permits())
    }

    /// Runs `work` on one of the threads.
    ///
    /// # Errors
    /// `Overloaded` when every place is taken, `Interrupted` when the work panics.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        let place = Arc::clone(&self.places)
            .try_acquire_owned()
            .map_err(|_| ServiceError::Overloaded { pool: "renders" })?;
        let (sender, drawn) = oneshot::channel();
        let job = Box::new(move || {
            // Nobody waits for what nobody gets.
            if sender.is_closed() {
                return;
            }
            // The panic hook tells what and where; the thread goes on.
            let outcome = catch_unwind(AssertUnwindSafe(work));
            // The place goes with the work, even when the caller has gone away, and is free when the
            // caller hears of it.
            drop(place);
            if let Ok(value) = outcome {
                drop(sender.send(value));
            }
        });
        self.jobs.send(job).map_err(|_| ServiceError::Interrupted)?;
        drawn.await.map_err(|_| ServiceError::Interrupted)
    }
}

impl fmt::Debug for DrawingPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DrawingPool")
            .field("size", &self.size)
            .field("taken", &self.taken())
            .finish_non_exhaustive()
    }
}

fn next(queue: &Mutex<mpsc::Receiver<Job>>) -> Option<Job> {
    // A receiver that somebody panicked with is as good as any.
    let queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    queue.recv().ok()
}

/// Starts a thread that is less important than those that answer requests.
///
/// # Errors
/// When the system gives none.
pub(crate) fn start(
    name: &str,
    work: impl FnOnce() + Send + 'static,
) -> std::io::Result<thread::JoinHandle<()>> {
    thread::Builder::new().name(name.to_owned()).spawn(move || {
        // Where it cannot be had, it is as important as all others. On Linux this concerns the
        // thread alone; elsewhere it would be the process, and nothing would be won.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(NICENESS);
        work();
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_gives_its_value_on_a_thread_of_its_own() {
        let pool = DrawingPool::new(2, 0);
        let ours = thread::current().id();
        let theirs = pool.run(|| thread::current().id()).await.unwrap();
        assert_ne!(ours, theirs);
        assert_eq!(pool.taken(), 0);
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
        while pool.taken() < 2 {
            tokio::task::yield_now().await;
        }
        let refused = pool.run(|| true).await;
        assert!(matches!(refused, Err(ServiceError::Overloaded { .. })));

        release.send(()).unwrap();
        running.await.unwrap().unwrap();
        waiting.await.unwrap().unwrap();
        assert!(pool.run(|| true).await.unwrap());
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_costs_no_thread() {
        let pool = DrawingPool::new(1, 0);
        for _ in 0..3 {
            let panicked: Result<(), _> = pool.run(|| panic!("the work is broken")).await;
            assert!(matches!(panicked, Err(ServiceError::Interrupted)));
        }
        assert!(pool.run(|| true).await.unwrap());
    }

    #[tokio::test]
    async fn nothing_is_drawn_for_nobody() {
        let pool = Arc::new(DrawingPool::new(1, 1));
        let (release, held) = mpsc::channel::<()>();
        let running = {
            let pool = Arc::clone(&pool);
            tokio::spawn(async move { pool.run(move || held.recv().is_ok()).await })
        };
        while pool.taken() < 1 {
            tokio::task::yield_now().await;
        }
        let (drawn, seen) = mpsc::channel::<()>();
        let gone = tokio::time::timeout(std::time::Duration::ZERO, pool.run(move || drawn));
        assert!(gone.await.is_err());
        release.send(()).unwrap();
        assert!(running.await.unwrap().unwrap());
        // It was dropped undone.
        assert!(seen.recv().is_err());
        assert!(pool.run(|| true).await.is_ok());
    }
}
