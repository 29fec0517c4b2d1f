//! The answers of a moment ago with which nothing was found: there is no such thing, or an outage.

use std::hash::Hash;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quick_cache::sync::Cache;

use crate::{UpstreamError, error::Result, fetcher::Fetcher, limits::PROBE_INTERVAL};

/// The number of answers that are remembered. It is more than the public services give in a minute.
const MAX_ANSWERS: usize = 10_000;

/// The last answers with which nothing was found, which everyone shares who asks meanwhile. So requests for one thing cannot
/// use up a rate limit.
pub(crate) struct NothingFound<K> {
    /// The time for which an answer holds. An outage lasts no longer than until the next probe.
    ttl: Duration,
    /// Each with its time, and the outage if it was one.
    answers: Cache<K, (Instant, Option<Arc<UpstreamError>>)>,
}

impl<K: Clone + Eq + Hash> NothingFound<K> {
    pub(crate) fn new(ttl: Duration) -> Self {
        let answers = Cache::new(MAX_ANSWERS);
        Self { ttl, answers }
    }

    /// Returns what `find` finds, unless that was nothing a moment ago. A call that was not made is no answer.
    pub(crate) fn or_find<V>(
        &self,
        key: &K,
        fetcher: &Fetcher,
        find: impl FnOnce() -> Result<Option<V>>,
    ) -> Result<Option<V>, Arc<UpstreamError>> {
        if let Some((since, outage)) = self.answers.get(key) {
            let probe = outage.as_ref().map_or(self.ttl, |_| PROBE_INTERVAL);
            if fetcher.now().saturating_duration_since(since) < self.ttl.min(probe) {
                return outage.map_or(Ok(None), Err);
            }
        }
        let found = find().map_err(Arc::new);
        let nothing = match &found {
            Ok(found) => found.is_none().then_some(None),
            Err(outage) => outage.limit().is_none().then(|| Some(Arc::clone(outage))),
        };
        if let Some(outage) = nothing {
            self.answers.insert(key.clone(), (fetcher.now(), outage));
        }
        found
    }
}
