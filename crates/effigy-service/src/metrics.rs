//! Metrics: what the service has done since its start, and its state at one moment.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use crate::{Endpoint, Fault, GateSnapshot};

/// The limits of the buckets of a [`Histogram`] in microseconds, from a cache hit to a look-up that times
/// out.
pub const BUCKETS_MICROS: [u64; 18] = [
    25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 10_000_000, 30_000_000,
];

/// A number of durations by their length.
#[derive(Debug, Default)]
pub struct Histogram {
    /// One bucket for each limit, and one for longer durations.
    buckets: [AtomicU64; BUCKETS_MICROS.len() + 1],
    sum_micros: AtomicU64,
}

impl Histogram {
    /// Counts a duration.
    pub fn observe(&self, duration: Duration) {
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let bucket = BUCKETS_MICROS.partition_point(|limit| *limit < micros);
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.sum_micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// Returns the number of durations in each bucket: those up to each limit and above the one before, and
    /// those above all limits.
    #[must_use]
    pub fn buckets(&self) -> [u64; BUCKETS_MICROS.len() + 1] {
        self.buckets
            .each_ref()
            .map(|count| count.load(Ordering::Relaxed))
    }

    /// Returns the sum of all durations.
    #[must_use]
    pub fn sum(&self) -> Duration {
        Duration::from_micros(self.sum_micros.load(Ordering::Relaxed))
    }
}

/// The durations of operations that succeeded and of those that failed.
#[derive(Debug, Default)]
pub struct Outcomes {
    /// The operations that succeeded.
    pub succeeded: Histogram,
    /// The operations that failed.
    pub failed: Histogram,
}

impl Outcomes {
    pub(crate) fn observe<T, E>(&self, duration: Duration, outcome: &Result<T, E>) {
        match outcome {
            Ok(_) => self.succeeded.observe(duration),
            Err(_) => self.failed.observe(duration),
        }
    }
}

/// What a service has done since its start.
#[derive(Debug, Default)]
pub struct ServiceMetrics {
    /// Reads of a picture from the database. One succeeds with or without a picture.
    pub database_reads: Outcomes,
    /// Calls of the source of skins. One may take several calls to upstreams.
    pub look_ups: Outcomes,
    /// The drawing and encoding of pictures, in the order of [`Endpoint::ALL`].
    pub renders: [Histogram; Endpoint::ALL.len()],
    /// Failed requests, in the order of [`Fault::ALL`]. Those that waited for the same work count once.
    pub failures: [AtomicU64; Fault::ALL.len()],
}

/// The state of a service at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServiceSnapshot {
    /// Approximate number of pictures in memory.
    pub memory_entries: u64,
    /// Their approximate size.
    pub memory_bytes: u64,
    /// Files being made.
    pub misses_in_flight: usize,
    /// Players being looked up.
    pub look_ups_in_flight: usize,
    /// `true` while pictures are not read from the database, because it has just failed.
    pub reads_are_down: bool,
    /// Pictures that are not in the database yet.
    pub queued_images: usize,
    /// Their approximate bytes.
    pub queued_bytes: u64,
    /// Pictures that were not written since the start, because too many waited or the database failed.
    pub dropped_images: u64,
    /// `true` if the last write to the database failed.
    pub writes_are_down: bool,
    /// The gate.
    pub gate: GateSnapshot,
}
