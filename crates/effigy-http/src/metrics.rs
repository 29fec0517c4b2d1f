//! Metrics in Prometheus' text format.

mod process;
mod table;
mod text;

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{
        Arc, OnceLock, PoisonError, RwLock,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use effigy_service::{Histogram, Service};
use hyper::StatusCode;
use tracing_appender::non_blocking::ErrorCounter;

pub(crate) use process::Memory;

/// The media type of the format.
pub(crate) const CONTENT_TYPE: &str = "text/plain; version=0.0.4";

/// The metrics of a process: of its requests and of its calls to upstreams.
#[derive(Debug, Default)]
pub struct Metrics {
    /// By the route and the status.
    requests: Family<(&'static str, u16), AtomicU64>,
    /// The durations of responses, by [`CacheStatus`].
    responses: [Histogram; CacheStatus::ALL.len()],
    /// By the step and the outcome.
    upstream_calls: Family<(&'static str, &'static str), Histogram>,
    pub(crate) connections: AtomicI64,
    /// The lines that the access log lost, if there is one.
    pub(crate) lost_lines: OnceLock<ErrorCounter>,
}

/// The metrics of one name, by their labels.
#[derive(Debug)]
struct Family<K, V>(RwLock<HashMap<K, V>>);

/// The origin of the picture in a response, as `X-Cache` states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CacheStatus {
    Hit,
    Miss,
    Stale,
    /// The response has no picture.
    None,
}

impl CacheStatus {
    const ALL: [Self; 4] = [Self::Hit, Self::Miss, Self::Stale, Self::None];

    /// Reads the header `X-Cache`.
    pub(crate) fn of(header: Option<&[u8]>) -> Self {
        match header {
            Some(b"hit") => Self::Hit,
            Some(b"stale") => Self::Stale,
            Some(_) => Self::Miss,
            None => Self::None,
        }
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Hit => "hit",
            Self::Miss => "miss",
            Self::Stale => "stale",
            Self::None => "none",
        }
    }
}

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
        status: StatusCode,
        cache: CacheStatus,
        duration: Duration,
    ) {
        self.requests.with((route, status.as_u16()), |count| {
            count.fetch_add(1, Ordering::Relaxed);
        });
        self.responses[cache as usize].observe(duration);
    }

    /// Counts a call to an upstream.
    pub fn observe_upstream_call(
        &self,
        step: &'static str,
        outcome: &'static str,
        duration: Duration,
    ) {
        let calls = &self.upstream_calls;
        calls.with((step, outcome), |histogram| histogram.observe(duration));
    }

    /// Writes all metrics, with those of the service, of its upstreams and of the process.
    pub(crate) fn text(&self, service: &Service) -> String {
        table::text(self, service)
    }
}

impl<K: Copy + Eq + Hash + Ord, V: Default> Family<K, V> {
    /// Calls `observe` with the metric of these labels, which is made if there is none.
    fn with(&self, labels: K, observe: impl FnOnce(&V)) {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(metric) = known.get(&labels) {
            return observe(metric);
        }
        drop(known);
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        observe(known.entry(labels).or_default());
    }

    /// Calls `visit` with each metric, in the order of the labels.
    fn each(&self, mut visit: impl FnMut(K, &V)) {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut metrics: Vec<(&K, &V)> = known.iter().collect();
        metrics.sort_by_key(|(labels, _)| **labels);
        metrics
            .into_iter()
            .for_each(|(labels, metric)| visit(*labels, metric));
    }
}

impl<K, V> Default for Family<K, V> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}
