//! Limits of concurrent work.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::ServiceError;

/// A bounded number of permits for one kind of work. Work beyond it is rejected at once: a queue would
/// only delay the failure until the caller has given up.
#[derive(Debug)]
pub(crate) struct Limit {
    pool: &'static str,
    max: usize,
    permits: Arc<Semaphore>,
}

impl Limit {
    pub(crate) fn new(pool: &'static str, max: usize) -> Self {
        Self {
            pool,
            max,
            permits: Arc::new(Semaphore::new(max)),
        }
    }

    /// Returns a permit, which counts until it is dropped.
    ///
    /// # Errors
    /// `Overloaded` if all permits are in use.
    pub(crate) fn acquire(&self) -> Result<OwnedSemaphorePermit, ServiceError> {
        let permit = Arc::clone(&self.permits).try_acquire_owned();
        permit.map_err(|_| self.overloaded())
    }

    /// Waits for a permit.
    pub(crate) async fn wait(&self) -> OwnedSemaphorePermit {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        permit.expect("the semaphore is never closed")
    }

    pub(crate) const fn overloaded(&self) -> ServiceError {
        ServiceError::Overloaded { pool: self.pool }
    }

    /// The number of permits in use.
    pub(crate) fn in_flight(&self) -> usize {
        self.max.saturating_sub(self.permits.available_permits())
    }

    /// Runs `work` on one of the runtime's blocking threads, with a permit.
    ///
    /// # Errors
    /// `Overloaded` if all permits are in use, `Interrupted` if the work panics.
    pub(crate) async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        let permit = self.acquire()?;
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
        let pool = Limit::new("test", 1);
        assert_eq!(pool.run_blocking(|| 7).await.unwrap(), 7);
        assert_eq!(pool.run_blocking(|| 8).await.unwrap(), 8);
    }

    #[tokio::test]
    async fn a_full_pool_fails_at_once_and_recovers() {
        let pool = Arc::new(Limit::new("test", 1));
        let (release, held) = mpsc::channel::<()>();
        let running = tokio::spawn({
            let pool = Arc::clone(&pool);
            async move { pool.run_blocking(move || held.recv().is_ok()).await }
        });
        while pool.in_flight() < 1 {
            tokio::task::yield_now().await;
        }
        let rejected = pool.run_blocking(|| true).await;
        assert!(matches!(
            rejected,
            Err(ServiceError::Overloaded { pool: "test" })
        ));

        release.send(()).unwrap();
        assert!(running.await.unwrap().unwrap());
        assert!(pool.run_blocking(|| true).await.unwrap());
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_releases_its_permit() {
        let pool = Limit::new("test", 1);
        let panicked: Result<(), _> = pool.run_blocking(|| panic!("the work is broken")).await;
        assert!(matches!(panicked, Err(ServiceError::Interrupted)));
        assert!(pool.run_blocking(|| true).await.unwrap());
    }
}
