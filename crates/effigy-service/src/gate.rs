//! The gate: everything that a request makes the service do beyond parsing and a look at memory.
//!
//! That is one of three things: look-ups, which upstreams limit; work, which takes processor time; and bytes
//! that wait to be sent. `client` bounds what one client uses of each, `queue` and `scheduler` give the drawing threads to
//! clients in turns. Whatever a route does through the gate is bounded without a line of its own.

mod bucket;
mod buffer;
mod client;
mod queue;
mod scheduler;
mod turn;
mod usage;

pub use bucket::Rate;
pub use buffer::BoundedBuffer;
pub use client::{Client, Permit};
pub use turn::Turn;
pub use usage::ClientLimits;

use std::{
    io,
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use crate::refused::SharedResource;
use scheduler::Scheduler;
use usage::{Count, UsageTable};

/// The bytes of all clients that may wait to be sent. Memory in use for pictures that are being drawn is bounded
/// by the scheduler.
const MAX_BYTES: u64 = 256 << 20;

/// The processor time that is free for each client if there is no limit. It decides about turns only.
const WORK: Rate = Rate::new(30_000, Duration::from_secs(120)).expect("an amount and a period");

/// The bounds of all clients and of each.
#[derive(Debug)]
pub(crate) struct Gate {
    limits: ClientLimits,
    usages: UsageTable,
    scheduler: Scheduler,
    /// The bytes of all clients that wait to be sent.
    bytes: Count,
    refused: [AtomicU64; SharedResource::ALL.len()],
}

/// The state of the gate, for metrics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GateSnapshot {
    /// Jobs that wait for a drawing thread, or for their next turn on one.
    pub waiting_jobs: usize,
    /// Jobs on the drawing threads.
    pub running_jobs: usize,
    /// Bytes that wait to be sent.
    pub waiting_bytes: usize,
    /// The clients that are remembered.
    pub clients: usize,
    /// Refusals since the start, in the order of [`SharedResource::ALL`].
    pub refused: [u64; SharedResource::ALL.len()],
}

impl Gate {
    /// # Errors
    /// If a drawing thread cannot be started.
    pub(crate) fn new(limits: ClientLimits) -> io::Result<Arc<Self>> {
        Ok(Arc::new(Self {
            scheduler: Scheduler::start(limits.work.unwrap_or(WORK))?,
            limits,
            usages: UsageTable::default(),
            bytes: Count::default(),
            refused: [const { AtomicU64::new(0) }; SharedResource::ALL.len()],
        }))
    }

    /// Returns the client at an address. One that is not limited takes its turn like any other, and is refused
    /// only if a limit of all clients is reached.
    pub(crate) fn client(self: &Arc<Self>, address: IpAddr, is_limited: bool) -> Client {
        Client::new(Arc::clone(self), self.usages.of(address), is_limited)
    }

    /// Returns a client without an address, for work of the service itself and for tests.
    pub(crate) fn own_client(self: &Arc<Self>) -> Client {
        Client::new(Arc::clone(self), Arc::default(), false)
    }

    /// Returns `true` if so many bytes wait to be sent that the longest-stalled response should go.
    pub(crate) fn is_short_of_bytes(&self) -> bool {
        self.bytes.get() as u64 > MAX_BYTES / 4 * 3
    }

    pub(crate) fn snapshot(&self) -> GateSnapshot {
        let (waiting_jobs, running_jobs) = self.scheduler.jobs();
        GateSnapshot {
            waiting_jobs,
            running_jobs,
            waiting_bytes: self.bytes.get(),
            clients: self.usages.len(),
            refused: self
                .refused
                .each_ref()
                .map(|count| count.load(Ordering::Relaxed)),
        }
    }
}
