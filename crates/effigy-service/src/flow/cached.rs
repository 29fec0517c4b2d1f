//! Files from the caches, or made once for all simultaneous callers.

use std::sync::Arc;

use super::step::Flow;
use crate::{Fault, Image, Origin, error::Shared, request::key::CacheKey, single_flight::Leader};

/// The longest file that is cached.
const MAX_CACHED_BYTES: usize = 8 << 20;

/// The caller that makes a file for all others.
pub(super) type Maker = Arc<Leader<String, Shared<Image>>>;

impl Flow<'_> {
    /// Returns the cached file, or the one that `make` makes, once for all simultaneous callers.
    ///
    /// `make` is told whether a stale file is available in an outage. A refusal belongs to the client that
    /// gets it: another caller makes the file then.
    pub(super) async fn cached_or(
        &self,
        key: &CacheKey,
        make: impl AsyncFnOnce(Maker, bool) -> Shared<Image>,
    ) -> Shared<Image> {
        let known = || {
            self.state
                .memory
                .fresh(key.as_str(), self.state.now())
                .map(Ok)
        };
        let lead = |maker: Maker| async move {
            let made = self.find_or_make(key, &maker, make).await;
            if !is_refused(&made) {
                maker.share(made.clone());
            }
            made
        };
        (self.state.files)
            .run(key.as_str().to_owned(), known, lead)
            .await
    }

    async fn find_or_make(
        &self,
        key: &CacheKey,
        maker: &Maker,
        make: impl AsyncFnOnce(Maker, bool) -> Shared<Image>,
    ) -> Shared<Image> {
        let found = self.find_cached(key).await?;
        let stale = match found {
            Some(image) if image.is_fresh(self.state.now()) => return Ok(image),
            stale => stale,
        };
        let made = make(Arc::clone(maker), stale.is_some()).await;
        if let Err(error) = &made {
            self.log_failure(key, error);
        }
        let image = Image {
            may_change: key.revision.is_some(),
            ..or_stale(made, stale)?
        };
        self.keep(key, &image);
        Ok(image)
    }

    /// Returns the newest file in memory or in the store, which may be stale.
    async fn find_cached(&self, key: &CacheKey) -> Shared<Option<Image>> {
        let now = self.state.now();
        let in_memory = self.state.memory.get(key.as_str(), now);
        let allowed = self.client.read();
        allowed.map_err(|refused| self.failed(key, refused.into()))?;
        let times = &self.state.metrics.database_reads;
        let stored = self.state.reads.read(key.as_str(), now, times).await;
        let stored = stored.map(|file| Image {
            may_change: key.revision.is_some(),
            ..Image::new(file, Origin::Cache)
        });
        let both = stored.into_iter().chain(in_memory);
        let newest = both.max_by_key(|image| image.file.created_at);
        if let Some(image) = &newest {
            self.state.memory.keep(key.as_str(), image.clone());
        }
        Ok(newest)
    }

    /// Keeps a new file for later requests, unless it is too long, or shows the wrong player or an
    /// outdated skin.
    fn keep(&self, key: &CacheKey, image: &Image) {
        let is_right = image.origin == Origin::Render && key.is_current(&*self.state.source);
        if is_right && image.file.data.len() <= MAX_CACHED_BYTES {
            self.state.writer.store(key.as_str(), &image.file);
            let image = image.clone().with_origin(Origin::Cache);
            self.state.memory.keep(key.as_str(), image);
        }
    }
}

/// Returns `true` if the client is refused.
pub(super) fn is_refused<T>(result: &Shared<T>) -> bool {
    let error = result.as_ref().err();
    error.is_some_and(|error| error.fault() == Fault::Limited)
}

/// Replaces a failure by the stale file if an outage is the cause.
fn or_stale(made: Shared<Image>, stale: Option<Image>) -> Shared<Image> {
    made.or_else(|error| match stale {
        Some(stale) if error.is_outage() => Ok(stale.with_origin(Origin::Stale)),
        _ => Err(error),
    })
}
