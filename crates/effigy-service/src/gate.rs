//! The gate: everything that a request makes the service do beyond parsing and a look at memory.
//!
//! That is one of three things: look-ups, which upstreams limit; work, which takes processor time; and bytes
//! that wait to be sent. `client` bounds what one client uses of each, and `queue` gives the drawing threads to clients in
//! turns. Whatever a route does through the gate is bounded without a line of its own.

mod buffer;
mod client;
mod queue;
mod turn;
mod usage;

pub use buffer::BoundedBuffer;
pub use client::{Client, Permit};
pub use turn::Turn;
pub use usage::ClientLimits;

use std::{convert::Infallible, io, net::IpAddr, sync::Arc};

use prometheus::IntCounterVec;
use quick_cache::sync::Cache;
use tokio::sync::Semaphore;

use queue::JobQueue;
use usage::Usage;

/// The bytes of all clients that may wait to be sent. Memory in use for pictures that are being drawn is bounded
/// by the queue.
const MAX_BYTES: usize = 256 << 20;

/// Calls of the source of skins at once: twice the limit of one upstream, so that a hanging upstream leaves
/// room for the others. A call mostly waits, so this is about memory, not processors.
const MAX_CALLS: usize = 256;

/// The number of clients that are remembered, in some 20 MiB. With more addresses than that, an attacker is
/// bounded by the limits of all clients together only.
const MAX_CLIENTS: usize = 1 << 16;

/// The bounds of all clients and of each.
#[derive(Debug)]
pub(crate) struct Gate {
    limits: ClientLimits,
    /// The use of each address, with limits or without.
    usages: Cache<(IpAddr, bool), Arc<Usage>>,
    queue: Arc<JobQueue>,
    /// One permit for each byte that may wait to be sent.
    bytes: Arc<Semaphore>,
    /// One permit for each call of the source of skins that may be made at once.
    calls: Arc<Semaphore>,
    /// Refusals by resource.
    refused: IntCounterVec,
}

impl Gate {
    /// # Errors
    /// If a drawing thread cannot be started.
    pub(crate) fn new(limits: ClientLimits, refused: IntCounterVec) -> io::Result<Arc<Self>> {
        Ok(Arc::new(Self {
            queue: JobQueue::start()?,
            limits,
            usages: Cache::new(MAX_CLIENTS),
            bytes: Arc::new(Semaphore::new(MAX_BYTES)),
            calls: Arc::new(Semaphore::new(MAX_CALLS)),
            refused,
        }))
    }

    /// Returns the client at an address. One that is not limited takes its turn like any other, and is refused
    /// only if a limit of all clients is reached.
    pub(crate) fn client(self: &Arc<Self>, address: IpAddr, is_limited: bool) -> Client {
        let new = || {
            let usage = match is_limited {
                true => Usage::new(&self.limits),
                false => Usage::default(),
            };
            Ok::<_, Infallible>(Arc::new(usage))
        };
        let key = (address, is_limited);
        let Ok(usage) = self.usages.get_or_insert_with(&key, new);
        Client::new(Arc::clone(self), usage)
    }

    /// Returns a client without an address, for work of the service itself and for tests.
    pub(crate) fn own_client(self: &Arc<Self>) -> Client {
        Client::new(Arc::clone(self), Arc::default())
    }

    /// Returns `true` if so many bytes wait to be sent that the longest-stalled response should go.
    pub(crate) fn is_short_of_bytes(&self) -> bool {
        self.waiting_bytes() > MAX_BYTES / 4 * 3
    }

    pub(crate) fn waiting_bytes(&self) -> usize {
        MAX_BYTES - self.bytes.available_permits()
    }

    /// The number of clients that are remembered.
    pub(crate) fn clients(&self) -> usize {
        self.usages.len()
    }

    /// The numbers of jobs that wait for a drawing thread, or for their next turn on one, and of jobs on them.
    pub(crate) fn jobs(&self) -> (usize, usize) {
        self.queue.jobs()
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::metrics::ServiceMetrics;

    #[test]
    fn clients_are_bounded_and_those_that_come_again_are_remembered() {
        let gate = Gate::new(ClientLimits::default(), ServiceMetrics::new().refused).unwrap();
        let client = |number: usize| {
            let number = u32::try_from(number).unwrap();
            gate.client(IpAddr::V4(Ipv4Addr::from_bits(number)), true)
        };
        let busy = client(0);
        for number in 1..2 * MAX_CLIENTS {
            drop(client(number));
            assert!(number % 1_000 != 0 || client(0).is(&busy), "{number}");
        }
        assert!(gate.clients() <= MAX_CLIENTS);
    }

    #[test]
    fn what_a_client_has_comes_back() {
        let limits = ClientLimits {
            bytes: Some(100),
            connections: Some(1),
            ..ClientLimits::default()
        };
        let gate = Gate::new(limits, ServiceMetrics::new().refused).unwrap();
        let client = gate.client(IpAddr::V4(Ipv4Addr::LOCALHOST), true);
        let (connection, bytes) = (client.connect().unwrap(), client.hold(60).unwrap());
        assert!(client.connect().is_err() && client.hold(60).is_err());
        assert!(client.hold(40).is_ok() && gate.own_client().hold(200).is_ok());
        assert_eq!(gate.waiting_bytes(), 60);
        drop((connection, bytes));
        assert!(client.connect().is_ok() && client.hold(100).is_ok());
        assert_eq!(gate.waiting_bytes(), 0);
        let refused = gate.own_client().hold(MAX_BYTES + 1).unwrap_err();
        assert_eq!(refused.scope, crate::error::Scope::AllClients);
    }
}
