//! Files from the caches, or made once for all simultaneous callers.

use std::{
    future::Future,
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use effigy_store::{CachedImage, StoreError};

use super::valid_request::Entry;
use crate::{
    Image, MetricsSink, Observation, Origin, ServiceError, error::Shared,
    pool::picture_stream::MAX_CACHED_BYTES, service::Inner,
};

/// The longest wait for a read from the database. Drawing anew takes about as long.
const READ_TIMEOUT: Duration = Duration::from_secs(1);

impl Inner {
    /// Returns the cached file, or the one that `make` makes, once for all simultaneous callers. Fails
    /// if too many others are being made.
    ///
    /// `make` is told whether a stale file is available in an outage.
    pub(super) async fn cached_or<F>(
        self: &Arc<Self>,
        entry: Entry,
        make: impl FnOnce(Arc<Self>, bool) -> F + Send + 'static,
    ) -> Shared<Image>
    where
        F: Future<Output = Shared<Image>> + Send,
    {
        let inner = Arc::clone(self);
        let key = entry.key.clone();
        let work = || async move {
            match inner.misses.try_acquire() {
                Ok(_permit) => Arc::clone(&inner).find_or_make(&entry, make).await,
                Err(_) => Err(inner.failed(&entry, ServiceError::Overloaded { pool: "pictures" })),
            }
        };
        self.coalesced(key, work).await
    }

    /// Does the same as part of a request that already counts among those being made.
    pub(super) async fn nested_cached_or<F>(
        self: &Arc<Self>,
        entry: Entry,
        make: impl FnOnce(Arc<Self>, bool) -> F + Send + 'static,
    ) -> Shared<Image>
    where
        F: Future<Output = Shared<Image>> + Send,
    {
        let inner = Arc::clone(self);
        let key = entry.key.clone();
        let work = || async move { inner.find_or_make(&entry, make).await };
        self.coalesced(key, work).await
    }

    async fn coalesced<F>(&self, key: String, work: impl FnOnce() -> F) -> Shared<Image>
    where
        F: Future<Output = Shared<Image>> + Send + 'static,
    {
        // The cache lookup is part of the shared work, in memory too: a caller that has just missed
        // there could otherwise draw again what another one has stored in the meantime.
        let shared = self.renders.run(key, work).await;
        shared.unwrap_or_else(|_| Err(Arc::new(ServiceError::Interrupted)))
    }

    async fn find_or_make<F>(
        self: Arc<Self>,
        entry: &Entry,
        make: impl FnOnce(Arc<Self>, bool) -> F,
    ) -> Shared<Image>
    where
        F: Future<Output = Shared<Image>>,
    {
        let cached = self.find_cached(&entry.key).await;
        if let Some(image) = cached
            .as_ref()
            .filter(|image| image.origin == Origin::Cache)
        {
            return Ok(image.clone());
        }
        let made = make(Arc::clone(&self), cached.is_some()).await;
        let image = self.or_stale(entry, made, cached)?;
        self.store(&entry.key, &image);
        Ok(image)
    }

    /// Replaces a failure by the stale file if an outage is the cause, and logs it.
    pub(super) fn or_stale<T: From<Image>>(
        &self,
        entry: &Entry,
        made: Shared<T>,
        stale: Option<Image>,
    ) -> Shared<T> {
        made.or_else(|error| {
            self.log_failure(entry, &error);
            match stale {
                Some(stale) if error.is_outage() => Ok(stale.into()),
                _ => Err(error),
            }
        })
    }

    /// Stores a new picture for later requests, unless it shows the wrong player or is too long.
    pub(super) fn store(&self, key: &str, image: &Image) {
        if image.origin == Origin::Render && image.file.data.len() <= MAX_CACHED_BYTES {
            self.writer.store(key, &image.file);
            self.memory.insert(key.to_owned(), image);
        }
    }

    /// Returns the newest file in memory, in the write queue or in the store. It may be stale if stale
    /// files are kept for outages.
    pub(super) async fn find_cached(&self, key: &str) -> Option<Image> {
        let now = self.clock.now();
        let is_fresh = |file: &CachedImage| !file.time_left(now).is_zero();
        let in_memory = self.memory.get_maybe_stale(key, now);
        if let Some(image) = in_memory.as_ref().filter(|image| is_fresh(&image.file)) {
            return Some(image.clone());
        }
        let stored = self.find_stored(key, now).await;
        let both = stored.into_iter().chain(in_memory);
        let mut newest = both.max_by_key(|image| image.file.created_at)?;
        self.memory.insert(key.to_owned(), &newest);
        if !is_fresh(&newest.file) {
            newest.origin = Origin::Stale;
        }
        Some(newest)
    }

    /// Returns the queued or stored file. A failing store has none, since a picture can be drawn anew.
    async fn find_stored(&self, key: &str, now: SystemTime) -> Option<Image> {
        let queued = self.writer.queued(key);
        if let Some(file) = queued.filter(|file| !file.time_left(now).is_zero()) {
            return Some(Image::shared(file, Origin::Cache));
        }
        if !self.reads.allows(Instant::now()) {
            return None;
        }
        let started = Instant::now();
        let lookup = self.store.lookup_within(key, now, self.lifetime);
        let lookup = tokio::time::timeout(READ_TIMEOUT, lookup);
        let found = lookup.await.unwrap_or(Err(StoreError::TimedOut {
            operation: "look an image up",
            limit: READ_TIMEOUT,
        }));
        self.metrics.observe(Observation::DatabaseRead {
            duration: started.elapsed(),
            succeeded: found.is_ok(),
        });
        match found {
            Ok(file) => {
                self.reads.record_success(Instant::now());
                file.map(|file| Image::new(file, Origin::Cache))
            }
            Err(error) => {
                self.reads.record_failure(&error, Instant::now());
                None
            }
        }
    }
}
