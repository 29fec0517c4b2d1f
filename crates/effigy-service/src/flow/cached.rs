//! Files from the caches, or made once for all simultaneous callers.

use std::{
    future::Future,
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use effigy_store::StoreError;
use effigy_upstream::Revision;
use twox_hash::XxHash3_128;

use crate::{
    Image, MetricsSink, Observation, Origin, error::Shared, pool::picture_stream::MAX_CACHED_BYTES,
    request::key::Entry, service::Inner,
};

/// The longest wait for a read from the database. Drawing again takes about as long.
const READ_TIMEOUT: Duration = Duration::from_secs(1);

/// The share of a file in the limit of [`Inner::misses`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Admission {
    /// It is what a request asks for.
    Counted,
    /// It is part of a request that has a permit.
    Nested,
}

impl Inner {
    /// Returns the cached file, or the one that `make` makes, once for all simultaneous callers. Fails
    /// if too many others are being made.
    ///
    /// `make` is told whether a stale file is available in an outage.
    pub(super) async fn cached_or<F>(
        self: &Arc<Self>,
        entry: Entry,
        admission: Admission,
        make: impl FnOnce(Arc<Self>, bool) -> F + Send + 'static,
    ) -> Shared<Image>
    where
        F: Future<Output = Shared<Image>> + Send,
    {
        let inner = Arc::clone(self);
        let key = entry.key.clone();
        let work = || async move {
            let permit = match admission {
                Admission::Counted => inner.misses.acquire().map(Some),
                Admission::Nested => Ok(None),
            };
            let _permit = permit.map_err(|error| inner.failed(&entry, error))?;
            // The cache lookup is part of the shared work, in memory too: a caller that has just missed
            // there could otherwise draw again what another one has stored in the meantime.
            let stale = match inner.find_cached(&entry).await {
                Ok(image) => return Ok(image),
                Err(stale) => stale,
            };
            let mut made = make(Arc::clone(&inner), stale.is_some()).await;
            if admission == Admission::Counted {
                // Otherwise the request that it is part of logs it.
                made = made.inspect_err(|error| inner.log_failure(&entry, error));
            }
            let image = or_stale(made, stale)?.of(&entry);
            inner.store(&entry, &image);
            Ok(image)
        };
        self.renders.run(key, work).await?
    }

    /// Stores a new picture for later requests, unless it is too long, or shows the wrong player or an
    /// outdated skin.
    pub(super) fn store(&self, entry: &Entry, image: &Image) {
        let is_right = image.origin == Origin::Render && self.is_current(entry);
        if is_right && image.file.data.len() <= MAX_CACHED_BYTES {
            self.writer.store(&entry.key, &image.file);
            self.memory.insert(entry.key.clone(), image);
        }
    }

    /// Returns the newest file in memory, in the write queue or in the store if it is fresh. The error
    /// is a stale one, if stale files are kept for outages.
    pub(super) async fn find_cached(&self, entry: &Entry) -> Result<Image, Option<Image>> {
        let key = &entry.key;
        let now = self.clock.now();
        let in_memory = self.memory.get_maybe_stale(key, now);
        if let Some(image) = in_memory.as_ref().filter(|image| image.is_fresh(now)) {
            return Ok(image.clone());
        }
        let stored = self.find_stored(key, now).await;
        let both = stored.into_iter().chain(in_memory);
        let newest = both.max_by_key(|image| image.file.created_at);
        let newest = newest.ok_or(None)?.of(entry);
        self.memory.insert(key.clone(), &newest);
        if newest.is_fresh(now) {
            return Ok(newest);
        }
        let origin = Origin::Stale;
        Err(Some(Image { origin, ..newest }))
    }

    /// Returns the queued or stored file. A failing store has none, since a picture can be drawn again.
    async fn find_stored(&self, key: &str, now: SystemTime) -> Option<Image> {
        let queued = self.writer.queued(key);
        let queued = queued.map(|file| Image::shared(file, Origin::Cache));
        if let Some(image) = queued.filter(|image| image.is_fresh(now)) {
            return Some(image);
        }
        if !self.reads.allows(Instant::now()) {
            return None;
        }
        let started = Instant::now();
        let lookup = self.store.lookup(key, now, self.lifetime);
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

/// The key of a file contains the revision of the players in the folder of skins, so a changed skin makes
/// another file, which every process with the same folder finds.
impl Inner {
    /// Returns the entry of the file that shows the players' skins as they are now.
    pub(super) fn current(&self, entry: &Entry) -> Entry {
        match self.revision(entry) {
            Some(revision) => entry.at(revision),
            None => entry.clone(),
        }
    }

    /// Returns `true` if the players' skins are still those of the entry.
    pub(super) fn is_current(&self, entry: &Entry) -> bool {
        self.revision(entry) == entry.revision
    }

    /// Returns the revision of all players together, or `None` if none of them is in the folder of skins.
    pub(super) fn revision(&self, entry: &Entry) -> Option<Revision> {
        let revisions = entry.inputs().map(|input| self.source.revision(input));
        if revisions.clone().all(|revision| revision.is_none()) {
            return None;
        }
        let text = |revision: Option<Revision>| {
            let text = revision.map(|revision| revision.to_string());
            text.unwrap_or_else(|| "-".to_owned())
        };
        let all: String = revisions.map(text).collect();
        Some(Revision::new(XxHash3_128::oneshot(all.as_bytes())))
    }
}

/// Replaces a failure by the stale file if an outage is the cause.
pub(super) fn or_stale<T: From<Image>>(made: Shared<T>, stale: Option<Image>) -> Shared<T> {
    made.or_else(|error| match stale {
        Some(stale) if error.is_outage() => Ok(stale.into()),
        _ => Err(error),
    })
}
