//! Writes behind the answer: pictures and counts wait here for the database, so that no request does.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use effigy_player::Edition;
use effigy_store::{CachedImage, Store, StoreError};
use tokio::sync::Mutex as AsyncMutex;

use crate::{
    WriteFigures,
    cache::{
        store_state::StoreState,
        write_queue::{Batch, Counts, WriteQueue},
    },
};

/// How long writes gather before they go to the database together.
const LINGER: Duration = Duration::from_millis(50);

/// The pause after a failure.
const PAUSE: Duration = Duration::from_secs(1);

/// The one writer of a store. Clones are handles to it.
///
/// # Guarantees
/// - Nobody waits for the database but who asks for [`flush`](Self::flush) or for counts.
/// - What waits is bounded: pictures beyond that are dropped and drawn again when asked for.
///   Counts are never dropped.
/// - A count is in the database or here, and not in both, whenever [`count`](Self::count) looks.
pub(crate) struct WriteBehind<St> {
    shared: Arc<Shared<St>>,
}

struct Shared<St> {
    store: Arc<St>,
    queue: Mutex<WriteQueue>,
    /// Held by whoever takes from the queue.
    writing: AsyncMutex<()>,
    /// Held while counts move to the store, and by whoever adds up both.
    counting: AsyncMutex<()>,
    state: StoreState,
}

impl<St: Store> WriteBehind<St> {
    pub(crate) fn new(store: Arc<St>) -> Self {
        let shared = Shared {
            store,
            queue: Mutex::default(),
            writing: AsyncMutex::new(()),
            counting: AsyncMutex::new(()),
            state: StoreState::new("takes writes", PAUSE),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Has the picture stored, soon.
    pub(crate) fn put(&self, key: &str, file: &Arc<CachedImage>) {
        let start = {
            let mut queue = self.shared.queue();
            queue.put(key, file);
            queue.begin()
        };
        self.start_if(start);
    }

    /// Has a render counted, soon.
    pub(crate) fn increment(&self, edition: Edition) {
        let start = {
            let mut queue = self.shared.queue();
            queue.counts.add(edition, 1);
            queue.begin()
        };
        self.start_if(start);
    }

    /// The picture, while it waits.
    pub(crate) fn pending(&self, key: &str) -> Option<Arc<CachedImage>> {
        self.shared.queue().get(key)
    }

    /// What waits, and what could not.
    pub(crate) fn figures(&self) -> WriteFigures {
        let queue = self.shared.queue();
        WriteFigures {
            waiting_images: queue.len(),
            waiting_bytes: queue.bytes(),
            dropped_images: queue.dropped(),
            is_down: self.shared.state.is_down(),
        }
    }

    /// Every count: what the database has, and what waits.
    pub(crate) async fn counts(&self) -> Result<Counts, StoreError> {
        let _still = self.shared.counting.lock().await;
        let stored = self.shared.store.counts().await?;
        let mut counts = self.shared.queue().counts;
        for (edition, count) in stored {
            counts.add(edition, count);
        }
        Ok(counts)
    }

    /// Writes all that waits, now.
    ///
    /// # Errors
    /// The first failure of the database. What was not written waits on.
    pub(crate) async fn flush(&self) -> Result<(), StoreError> {
        self.shared.write_all().await
    }

    /// Starts the writer where it is not running: it ends when nothing waits.
    fn start_if(&self, start: bool) {
        if start {
            tokio::spawn(Arc::clone(&self.shared).run());
        }
    }
}

impl<St: Store> Shared<St> {
    async fn run(self: Arc<Self>) {
        let mut pause = LINGER;
        loop {
            tokio::time::sleep(pause).await;
            pause = match self.write_all().await {
                Ok(()) => LINGER,
                Err(_) => PAUSE,
            };
            if self.queue().end() {
                return;
            }
        }
    }

    async fn write_all(&self) -> Result<(), StoreError> {
        let _alone = self.writing.lock().await;
        let outcome = self.write_each().await;
        match &outcome {
            Ok(()) => self.state.succeeded(Instant::now()),
            Err(error) => self.state.failed(error, Instant::now()),
        }
        outcome
    }

    async fn write_each(&self) -> Result<(), StoreError> {
        self.write_counts().await?;
        loop {
            let batch = self.queue().take();
            if batch.is_empty() {
                return Ok(());
            }
            self.write_images(batch).await?;
        }
    }

    async fn write_counts(&self) -> Result<(), StoreError> {
        let _moving = self.counting.lock().await;
        for edition in Edition::ALL {
            let by = self.queue().counts.of(edition);
            if by > 0 {
                self.store.increment(edition, by).await?;
                // What was added meanwhile stays.
                self.queue().counts.subtract(edition, by);
            }
        }
        Ok(())
    }

    async fn write_images(&self, batch: Batch) -> Result<(), StoreError> {
        let images: Vec<(&str, &CachedImage)> = batch
            .iter()
            .map(|(key, file)| (key.as_str(), &**file))
            .collect();
        match self.store.put_all(&images).await {
            Ok(()) => {
                self.queue().written(&batch);
                Ok(())
            }
            Err(error) => {
                self.queue().refused(batch);
                Err(error)
            }
        }
    }

    fn queue(&self) -> MutexGuard<'_, WriteQueue> {
        // Each change of the queue is complete or not begun, so a poisoned one is as good as any.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<St> fmt::Debug for WriteBehind<St> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteBehind").finish_non_exhaustive()
    }
}
