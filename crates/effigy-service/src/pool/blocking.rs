//! A bounded share of the runtime's blocking threads.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::ServiceError;

/// Runs a bounded number of blocking calls and rejects further ones at once: a queue would only
/// delay the failure until the caller has given up.
#[derive(Debug, Clone)]
pub(crate) struct BlockingPool {
    name: &'static str,
    permits: Arc<Semaphore>,
}

impl BlockingPool {
    pub(crate) fn new(name: &'static str, max_calls: usize) -> Self {
        Self {
            name,
            permits: Arc::new(Semaphore::new(max_calls)),
        }
    }

    /// Runs `work` on a blocking thread.
    ///
    /// # Errors
    /// `Overloaded` if the pool is full, `Interrupted` if the work panics.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        let permit = Arc::clone(&self.permits)
            .try_acquire_owned()
            .map_err(|_| ServiceError::Overloaded { pool: self.name })?;
        // The permit moves with the work: a busy thread counts even if the caller has left.
        let task = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        task.await.map_err(|_| ServiceError::Interrupted)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn work_returns_its_value() {
        let pool = BlockingPool::new("test", 1);
        assert_eq!(pool.run(|| 7).await.unwrap(), 7);
        assert_eq!(pool.run(|| 8).await.unwrap(), 8);
    }

    #[tokio::test]
    async fn a_full_pool_fails_at_once_and_recovers() {
        let pool = BlockingPool::new("test", 1);
        let (release, held) = mpsc::channel::<()>();
        let running = tokio::spawn({
            let pool = pool.clone();
            async move { pool.run(move || held.recv().is_ok()).await }
        });
        while pool.permits.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let rejected = pool.run(|| true).await;
        assert!(matches!(
            rejected,
            Err(ServiceError::Overloaded { pool: "test" })
        ));

        release.send(()).unwrap();
        assert!(running.await.unwrap().unwrap());
        assert!(pool.run(|| true).await.unwrap());
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_releases_its_permit() {
        let pool = BlockingPool::new("test", 1);
        let panicked: Result<(), _> = pool.run(|| panic!("the work is broken")).await;
        assert!(matches!(panicked, Err(ServiceError::Interrupted)));
        assert!(pool.run(|| true).await.unwrap());
    }
}
