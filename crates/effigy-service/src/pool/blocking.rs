//! The one place where blocking work leaves the async side.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::ServiceError;

/// A bounded share of the runtime's blocking threads.
///
/// So many pieces of work run at once and so many more may wait; who comes after that fails at
/// once, for a queue without an end only moves the failure to where nobody waits for it any more.
#[derive(Debug, Clone)]
pub(crate) struct BlockingPool {
    name: &'static str,
    running: Arc<Semaphore>,
    places: Arc<Semaphore>,
}

impl BlockingPool {
    /// A pool with room for `running` pieces of work at once and `waiting` more behind them.
    pub(crate) fn new(name: &'static str, running: usize, waiting: usize) -> Self {
        Self {
            name,
            running: Arc::new(Semaphore::new(running)),
            places: Arc::new(Semaphore::new(running + waiting)),
        }
    }

    /// Runs `work` on a blocking thread.
    ///
    /// # Errors
    /// `Overloaded` when every place is taken, `Interrupted` when the work panics.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        let place = Arc::clone(&self.places)
            .try_acquire_owned()
            .map_err(|_| ServiceError::Overloaded { pool: self.name })?;
        let permit = Arc::clone(&self.running)
            .acquire_owned()
            .await
            .map_err(|_| ServiceError::Interrupted)?;
        // Both go with the work: a thread that is still busy keeps its place even when the
        // caller has gone away.
        tokio::task::spawn_blocking(move || {
            let _held = (place, permit);
            work()
        })
        .await
        .map_err(|_| ServiceError::Interrupted)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn work_gives_its_value() {
        let pool = BlockingPool::new("test", 1, 0);
        assert_eq!(pool.run(|| 7).await.unwrap(), 7);
        assert_eq!(pool.run(|| 8).await.unwrap(), 8);
    }

    #[tokio::test]
    async fn a_full_pool_fails_at_once_and_recovers() {
        let pool = BlockingPool::new("test", 1, 1);
        let (release, held) = mpsc::channel::<()>();
        let running = tokio::spawn({
            let pool = pool.clone();
            async move { pool.run(move || held.recv().is_ok()).await }
        });
        let waiting = tokio::spawn({
            let pool = pool.clone();
            async move { pool.run(|| true).await }
        });
        while pool.places.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let refused = pool.run(|| true).await;
        assert!(matches!(
            refused,
            Err(ServiceError::Overloaded { pool: "test" })
        ));

        release.send(()).unwrap();
        assert!(running.await.unwrap().unwrap());
        assert!(waiting.await.unwrap().unwrap());
        assert!(pool.run(|| true).await.unwrap());
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_frees_its_place() {
        let pool = BlockingPool::new("test", 1, 0);
        let panicked = pool.run(|| panic!("the work is broken")).await;
        let _: Result<(), _> = panicked.inspect_err(|error| {
            assert!(matches!(error, ServiceError::Interrupted));
        });
        assert!(pool.run(|| true).await.unwrap());
    }
}
