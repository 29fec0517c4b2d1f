//! Files of several players, who are looked up together.

mod appearances;
mod arrangement;
mod java_names;
mod profiles;

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::{ServiceError, error::Shared};

/// The players of one request that are looked up at once.
const MAX_LOOKUPS: usize = 8;

/// Runs each piece of work in a task of its own, a few at once, and returns the results in their order.
async fn run_in_order<T, F>(work: impl Iterator<Item = F>) -> Vec<Shared<T>>
where
    T: Send + 'static,
    F: Future<Output = Shared<T>> + Send + 'static,
{
    let lookups = Arc::new(Semaphore::new(MAX_LOOKUPS));
    let run = |work: F| {
        let lookups = Arc::clone(&lookups);
        tokio::spawn(async move {
            let _permit = lookups.acquire().await;
            work.await
        })
    };
    let tasks: Vec<_> = work.map(run).collect();
    let mut results = Vec::with_capacity(tasks.len());
    for task in tasks {
        let interrupted = |_| Err(Arc::new(ServiceError::Interrupted));
        results.push(task.await.unwrap_or_else(interrupted));
    }
    results
}
