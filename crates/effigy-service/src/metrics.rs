//! Metrics: observations while the service works, and a snapshot of its state.

use std::{sync::Arc, time::Duration};

use crate::{Endpoint, Fault};

/// A receiver of observations. Closures implement it.
pub trait MetricsSink: Send + Sync + 'static {
    /// Records one observation. It must not block.
    fn observe(&self, observation: Observation);
}

impl<F: Fn(Observation) + Send + Sync + 'static> MetricsSink for F {
    fn observe(&self, observation: Observation) {
        self(observation);
    }
}

impl MetricsSink for Option<Arc<dyn MetricsSink>> {
    fn observe(&self, observation: Observation) {
        if let Some(sink) = self {
            sink.observe(observation);
        }
    }
}

/// The end of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Observation {
    /// A picture was looked up in the database.
    DatabaseRead {
        /// The time it took.
        duration: Duration,
        /// `true` if the database answered, with or without a picture.
        succeeded: bool,
    },
    /// A player was resolved, including every upstream call.
    Resolve {
        /// The time it took.
        duration: Duration,
        /// `true` if there is a skin, which may be a fallback.
        succeeded: bool,
    },
    /// A picture was drawn and encoded, which is one pass over its rows.
    Render {
        /// The endpoint of the request.
        endpoint: Endpoint,
        /// The time it took.
        duration: Duration,
    },
    /// A request failed. Those that waited for the same work count once.
    Failed {
        /// The party at fault.
        fault: Fault,
    },
    /// A request was rejected because a limit of concurrent work was reached.
    Rejected {
        /// The kind of work.
        pool: &'static str,
    },
}

/// The state of a service at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetricsSnapshot {
    /// Approximate number of pictures in memory.
    pub memory_entries: u64,
    /// Their approximate size.
    pub memory_bytes: u64,
    /// Cache misses being served.
    pub misses_in_flight: usize,
    /// Players being resolved.
    pub resolves_in_flight: usize,
    /// Pictures being drawn or waiting for a drawing thread.
    pub renders_in_flight: usize,
    /// Large pictures being drawn while they are sent.
    pub large_pictures_in_flight: usize,
    /// `true` if the last read of a picture from the database failed.
    pub reads_fail: bool,
    /// Writes that are not in the database yet.
    pub write_queue: WriteQueueSnapshot,
}

/// The state of the queue of writes to the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteQueueSnapshot {
    /// Queued pictures.
    pub images: usize,
    /// Their bytes.
    pub bytes: usize,
    /// Pictures dropped since the start, because the queue was full or the database refused them.
    pub dropped_images: u64,
    /// `true` if the last write failed.
    pub writes_fail: bool,
}
