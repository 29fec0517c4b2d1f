//! Metrics in Prometheus' text format.

mod process;
mod table;
mod text;

use std::{
    collections::BTreeMap,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use effigy_service::{Histogram, Service};
use parking_lot::RwLock;
use tracing_appender::non_blocking::ErrorCounter;

pub(crate) use process::Memory;

/// The media type of the format.
pub(crate) const CONTENT_TYPE: &str = "text/plain; version=0.0.4";

/// The metrics of a process: of its requests and of its calls to upstreams.
#[derive(Debug, Default)]
pub struct Metrics {
    /// By the route and the status.
    requests: Family<(&'static str, u16), AtomicU64>,
    /// The durations of responses, in the order of [`CACHE_STATUSES`].
    responses: [Histogram; CACHE_STATUSES.len()],
    /// By the step and the outcome.
    upstream_calls: Family<(Arc<str>, &'static str, &'static str), Histogram>,
    /// Each open connection has a clone.
    pub(crate) connections: Arc<()>,
    /// The lines that the access log lost, if there is one.
    pub(crate) lost_lines: OnceLock<ErrorCounter>,
}

/// The metrics of one name, by their labels.
#[derive(Debug)]
struct Family<K, V>(RwLock<BTreeMap<K, V>>);

/// The origins of the picture in a response, as `X-Cache` states them. The last is that of all others.
const CACHE_STATUSES: [&str; 4] = ["hit", "miss", "stale", "none"];

impl Metrics {
    /// Metrics that start at zero.
    #[must_use]
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Counts a request.
    pub(crate) fn observe_request(
        &self,
        route: &'static str,
        status: u16,
        cache: Option<&str>,
        duration: Duration,
    ) {
        self.requests.with((route, status), |count| {
            count.fetch_add(1, Ordering::Relaxed);
        });
        let mut statuses = CACHE_STATUSES.into_iter();
        let index = statuses.position(|status| Some(status) == cache);
        self.responses[index.unwrap_or(CACHE_STATUSES.len() - 1)].observe(duration);
    }

    /// Counts a call to a provider.
    pub fn observe_upstream_call(
        &self,
        provider: &Arc<str>,
        step: &'static str,
        outcome: &'static str,
        duration: Duration,
    ) {
        let calls = &self.upstream_calls;
        calls.with((Arc::clone(provider), step, outcome), |histogram| {
            histogram.observe(duration)
        });
    }

    /// Writes all metrics, with those of the service, of its upstreams and of the process.
    pub(crate) fn text(&self, service: &Service) -> String {
        table::text(self, service)
    }
}

impl<K: Ord, V: Default> Family<K, V> {
    /// Calls `observe` with the metric of these labels, which is made if there is none.
    fn with(&self, labels: K, observe: impl FnOnce(&V)) {
        if let Some(metric) = self.0.read().get(&labels) {
            return observe(metric);
        }
        observe(self.0.write().entry(labels).or_default());
    }
}

impl<K, V> Default for Family<K, V> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}
