//! The outages of a moment ago, each of one thing that was looked up.

use std::hash::Hash;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quick_cache::sync::Cache;

use crate::{UpstreamError, error::Result, fetcher::Fetcher, limits::PROBE_INTERVAL};

/// The number of things whose outages are remembered.
const MAX_OUTAGES: usize = 10_000;

/// The last outages, which everyone shares who asks meanwhile.
pub(crate) struct Outages<K> {
    ttl: Duration,
    recent: Cache<K, (Instant, Arc<UpstreamError>)>,
}

impl<K: Clone + Eq + Hash> Outages<K> {
    /// Remembers outages until the next probe, but no longer than `max_ttl`.
    pub(crate) fn new(max_ttl: Duration) -> Self {
        Self {
            ttl: PROBE_INTERVAL.min(max_ttl),
            recent: Cache::new(MAX_OUTAGES),
        }
    }

    /// Returns what `find` returns, unless that was an outage a moment ago. A call that was not made is none.
    pub(crate) fn or_find<V>(
        &self,
        key: &K,
        fetcher: &Fetcher,
        find: impl FnOnce() -> Result<V>,
    ) -> Result<V, Arc<UpstreamError>> {
        if let Some((since, outage)) = self.recent.get(key)
            && fetcher.now().saturating_duration_since(since) < self.ttl
        {
            return Err(outage);
        }
        let found = find().map_err(Arc::new);
        if let Err(error) = &found
            && error.limit().is_none()
        {
            let outage = (fetcher.now(), Arc::clone(error));
            self.recent.insert(key.clone(), outage);
        }
        found
    }
}
