//! The use that each client makes of what all share.

use std::{sync::Arc, time::Duration};

use tokio::sync::Semaphore;

use super::bucket::{Bucket, Rate, Time};

/// The limits of each client; `None` is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClientLimits {
    /// Calls to upstreams.
    pub lookups: Option<Rate>,
    /// Milliseconds of processor time. It is measured, so a client may owe some afterwards.
    pub work: Option<Rate>,
    /// Bytes that wait to be sent, or that are being received.
    pub bytes: Option<u64>,
    /// Connections.
    pub connections: Option<u32>,
}

/// The use of one client.
#[derive(Debug)]
pub(super) struct Usage {
    pub(super) lookups: Bucket,
    pub(super) work: Bucket,
    pub(super) bytes: Arc<Semaphore>,
    pub(super) connections: Arc<Semaphore>,
}

impl Usage {
    pub(super) fn new(limits: &ClientLimits) -> Self {
        let semaphore = |max: Option<u64>| {
            let max = max.and_then(|max| usize::try_from(max).ok());
            let max = max.unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
            Arc::new(Semaphore::new(max))
        };
        Self {
            lookups: Bucket::default(),
            work: Bucket::default(),
            bytes: semaphore(limits.bytes),
            connections: semaphore(limits.connections.map(u64::from)),
        }
    }

    /// Returns the time at which the client has no work in use, or `earliest` if that is later. The sooner,
    /// the sooner its turn.
    pub(super) fn rested_at(&self, earliest: Time) -> Time {
        self.work.unused_at(earliest)
    }

    /// Charges processor time that was used.
    pub(super) fn charge_work(&self, time: Duration, rate: Rate, now: Time) {
        let millis = time.as_secs_f64() * 1_000.0;
        self.work
            .charge(rate.time_of(millis), 4 * rate.period(), now);
    }
}

impl Default for Usage {
    /// The use of a client without limits.
    fn default() -> Self {
        Self::new(&ClientLimits::default())
    }
}
