//! A write-behind cache: pictures and counts are written to the store after the response.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use effigy_player::Edition;
use effigy_store::{CachedImage, Store, StoreError};
use tokio::sync::Mutex as AsyncMutex;

use crate::{
    WriteQueueSnapshot,
    cache::{
        circuit_breaker::CircuitBreaker,
        write_queue::{Batch, Counts, WriteQueue},
    },
};

/// The time in which writes gather before they go to the store together.
const GATHER_TIME: Duration = Duration::from_millis(50);

/// The pause after a failed write.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// The one writer of a store.
///
/// # Guarantees
/// - Only [`flush`](Self::flush) and [`counts`](Self::counts) wait for the store.
/// - The queue is bounded. A picture that does not fit is dropped and drawn again on its next
///   request. Counts are never dropped.
/// - [`counts`](Self::counts) sees each render exactly once, in the store or in the queue.
pub(crate) struct WriteBehind {
    store: Arc<dyn Store>,
    queue: Mutex<WriteQueue>,
    /// Held while taking from the queue and writing.
    writing: AsyncMutex<()>,
    /// Held while counts move to the store, and while both are added up.
    counting: AsyncMutex<()>,
    circuit: CircuitBreaker,
}

impl WriteBehind {
    pub(crate) fn new(store: Arc<dyn Store>) -> Arc<Self> {
        Arc::new(Self {
            store,
            queue: Mutex::default(),
            writing: AsyncMutex::new(()),
            counting: AsyncMutex::new(()),
            circuit: CircuitBreaker::new("takes writes", RETRY_PAUSE),
        })
    }

    /// Queues a picture to be stored.
    pub(crate) fn store(self: &Arc<Self>, key: &str, file: &Arc<CachedImage>) {
        self.enqueue(|queue| queue.push(key, file));
    }

    /// Queues a render to be counted.
    pub(crate) fn count_render(self: &Arc<Self>, edition: Edition) {
        self.enqueue(|queue| queue.counts.add(edition, 1));
    }

    /// The picture under `key`, until it is in the store.
    pub(crate) fn queued(&self, key: &str) -> Option<Arc<CachedImage>> {
        self.queue().get(key)
    }

    /// The state of the queue.
    pub(crate) fn snapshot(&self) -> WriteQueueSnapshot {
        let queue = self.queue();
        WriteQueueSnapshot {
            images: queue.len(),
            bytes: queue.bytes,
            dropped_images: queue.dropped,
            writes_fail: self.circuit.is_open(),
        }
    }

    /// The count of every edition, in the store and in the queue together.
    pub(crate) async fn counts(&self) -> Result<Counts, StoreError> {
        let _counting = self.counting.lock().await;
        let stored = self.store.counts().await?;
        let mut counts = self.queue().counts;
        for (edition, count) in stored {
            counts.add(edition, count);
        }
        Ok(counts)
    }

    /// Writes the whole queue now.
    ///
    /// # Errors
    /// The first failure of the store. The rest stays in the queue.
    pub(crate) async fn flush(&self) -> Result<(), StoreError> {
        let _writing = self.writing.lock().await;
        let outcome = self.write_all().await;
        match &outcome {
            Ok(()) => self.circuit.record_success(Instant::now()),
            Err(error) => self.circuit.record_failure(error, Instant::now()),
        }
        outcome
    }

    /// Changes the queue and starts the writer task unless it runs already.
    fn enqueue(self: &Arc<Self>, change: impl FnOnce(&mut WriteQueue)) {
        let must_start = {
            let mut queue = self.queue();
            change(&mut queue);
            queue.claim_writer()
        };
        if must_start {
            tokio::spawn(Arc::clone(self).run());
        }
    }

    /// The writer task, which ends when the queue is empty.
    async fn run(self: Arc<Self>) {
        let mut pause = GATHER_TIME;
        loop {
            tokio::time::sleep(pause).await;
            pause = match self.flush().await {
                Ok(()) => GATHER_TIME,
                Err(_) => RETRY_PAUSE,
            };
            if self.queue().release_writer() {
                return;
            }
        }
    }

    async fn write_all(&self) -> Result<(), StoreError> {
        self.write_counts().await?;
        loop {
            let batch = self.queue().next_batch();
            if batch.is_empty() {
                return Ok(());
            }
            self.write_images(batch).await?;
        }
    }

    async fn write_counts(&self) -> Result<(), StoreError> {
        let _counting = self.counting.lock().await;
        for edition in Edition::ALL {
            let by = self.queue().counts.of(edition);
            if by > 0 {
                self.store.write(&[], &[(edition, by)]).await?;
                // Renders that were counted in the meantime stay in the queue.
                self.queue().counts.subtract(edition, by);
            }
        }
        Ok(())
    }

    async fn write_images(&self, batch: Batch) -> Result<(), StoreError> {
        let images = batch.iter().map(|(key, file)| (key.as_str(), &**file));
        let images: Vec<(&str, &CachedImage)> = images.collect();
        let outcome = self.store.write(&images, &[]).await;
        match outcome {
            Ok(()) => self.queue().batch_written(batch),
            Err(_) => self.queue().batch_failed(batch),
        }
        outcome
    }

    fn queue(&self) -> MutexGuard<'_, WriteQueue> {
        // No method of the queue panics halfway, so a poisoned queue is consistent.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
