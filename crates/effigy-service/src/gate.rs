//! The gate: everything that a request makes the service do beyond parsing and a look at memory.
//!
//! That is one of three things: look-ups, which upstreams limit; work, which takes processor time; and bytes
//! that wait to be sent. A [`Gate`] bounds what all clients and each [`Client`] use of them, and its queue gives the drawing
//! threads to clients in turns. Whatever a route does through the gate is bounded without a line of its own.

mod queue;
mod usage;

use std::{
    convert::Infallible,
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    num::NonZeroUsize,
    sync::Arc,
    thread,
    time::Duration,
};

use effigy_upstream::Payer;
use prometheus::IntCounterVec;
use quick_cache::sync::Cache;

use self::{
    queue::JobQueue,
    usage::{Payers, Pool, Usage, now},
};
use crate::{
    error::{Fault, Refused, ServiceError, SharedResource},
    metrics::counter,
};

pub(crate) use self::{queue::MAX_MEMORY_OF_ONE, usage::Waiters};
pub use self::{
    queue::Turn,
    usage::{ClientLimits, Permit},
};

/// The bytes of all clients that may wait to be sent. Memory in use for pictures that are being drawn is bounded
/// by the queue.
const MAX_BYTES: usize = 256 << 20;

/// The bytes of files that may wait to be written to the database, or are being written.
const MAX_WRITE_BYTES: usize = 32 << 20;

/// The least number of them that a file counts as.
const MIN_WRITE_BYTES: usize = 32 << 10;

/// The longest body that takes no permit: the system's own buffer takes it at once.
const SMALL_BODY: usize = 16 << 10;

/// Calls of the source of skins at once: twice the limit of one upstream, so that a hanging upstream leaves
/// room for the others. A call mostly waits, so this is about memory, not processors.
const MAX_CALLS: usize = 256;

/// The number of clients that are remembered, in some 20 MiB. With more addresses than that, an attacker is
/// bounded by the limits of all clients together only.
const MAX_CLIENTS: usize = 1 << 16;

/// The bits of an IPv6 address that name a client, which usually has the rest to itself, and those that name its site,
/// whose clients stand together where they are equal.
const CLIENT_BITS: u32 = 64;
const SITE_BITS: u32 = 48;

/// The processor time that a read of the database counts as, here and in the database.
const READ: Duration = Duration::from_micros(200);

/// The nanoseconds of processor time that each byte counts as which the database reads or writes.
const PER_BYTE: u64 = 2;

/// The bounds of all clients and of each.
#[derive(Debug)]
pub struct Gate {
    limits: ClientLimits,
    /// The use of each network of so many bits, with limits or without.
    usages: Cache<(IpAddr, u32, bool), Arc<Usage>>,
    queue: Arc<JobQueue>,
    /// What is given back, by resource.
    pools: Box<[Arc<Pool>]>,
    /// Refusals by resource.
    pub(crate) refused: IntCounterVec,
}

impl Gate {
    /// The bounds of clients that have these limits each.
    ///
    /// # Errors
    /// If a drawing thread cannot be started.
    pub fn new(limits: ClientLimits) -> io::Result<Arc<Self>> {
        let refused = counter(
            "effigy_refused_total",
            "Requests refused because a limit of clients was reached, by what it limits.",
            &["resource"],
        );
        for resource in SharedResource::WORDS {
            refused.with_label_values(&[resource]);
        }
        let resources = SharedResource::ALL.iter().copied();
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Ok(Arc::new(Self {
            queue: JobQueue::start(processors)?,
            limits,
            usages: Cache::new(MAX_CLIENTS),
            pools: resources.map(Pool::new).collect(),
            refused,
        }))
    }

    /// Returns the client at an address, or in its IPv6 network of 64 bits, in whose name work is done. One that is not
    /// limited takes its turn like any other, but is refused only if a limit of all clients is reached.
    #[must_use]
    pub fn client(self: &Arc<Self>, address: IpAddr, is_limited: bool) -> Client {
        let limits = is_limited.then_some(self.limits);
        Client {
            gate: Arc::clone(self),
            address,
            payers: Payers::new(self.usage(address, CLIENT_BITS, limits)),
        }
    }

    /// Returns the use of the network of an address that has so many bits.
    fn usage(&self, address: IpAddr, bits: u32, limits: Option<ClientLimits>) -> Arc<Usage> {
        let network = network(address, bits);
        let has_site = address.is_ipv6() && bits > SITE_BITS;
        let site = has_site.then(|| self.usage(address, SITE_BITS, limits));
        let new = || Ok::<_, Infallible>(Arc::new(Usage::new(limits, network, site)));
        let key = (network, bits, limits.is_some());
        let Ok(usage) = self.usages.get_or_insert_with(&key, new);
        usage
    }

    /// Returns the one client without an address, for work that no client is charged for.
    #[must_use]
    pub fn own_client(self: &Arc<Self>) -> Client {
        // An IPv4 address stands in no site, whose other clients would delay it.
        self.client(Ipv4Addr::UNSPECIFIED.into(), false)
    }

    /// Returns `true` if so many bytes wait that the client with the most of them should lose some.
    #[must_use]
    pub fn is_short_of_bytes(&self) -> bool {
        self.used(SharedResource::Bytes) > MAX_BYTES / 4 * 3
    }

    /// The amount of a resource that clients have.
    pub(crate) fn used(&self, resource: SharedResource) -> usize {
        self.pools[resource as usize].used()
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

/// Returns how much there is of something that is given back.
const fn size(resource: SharedResource) -> usize {
    match resource {
        SharedResource::Lookups => MAX_CALLS,
        SharedResource::Bytes => MAX_BYTES,
        SharedResource::Writes => MAX_WRITE_BYTES,
        // The server limits connections, and the queue has the work.
        SharedResource::Connections | SharedResource::Work => usize::MAX,
    }
}

/// Returns the first bits of an IPv6 address, or an IPv4 address.
fn network(address: IpAddr, bits: u32) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let mask = u128::MAX << (Ipv6Addr::BITS - bits);
            Ipv6Addr::from_bits(address.to_bits() & mask).into()
        }
    }
}

/// The sender of a request. Clones are handles to the same client.
#[derive(Debug, Clone)]
pub struct Client {
    gate: Arc<Gate>,
    address: IpAddr,
    payers: Payers,
}

impl Client {
    /// Returns the address of the client.
    #[must_use]
    pub const fn address(&self) -> IpAddr {
        self.address
    }

    /// Takes this much of something that is given back when the permit is dropped.
    ///
    /// # Errors
    /// If the client, or all clients, have too much of it.
    pub fn take(&self, resource: SharedResource, amount: usize) -> Result<Permit, Refused> {
        self.share(resource, amount, None)
    }

    /// Returns the number of the client's connections, or 0 if it is not limited.
    #[must_use]
    pub fn connections(&self) -> usize {
        (self.payers.usage).of_limited(SharedResource::Connections)
    }

    /// Counts a body that waits for the client until the permit is dropped: once for all clients, if they are sent the same
    /// buffer. A small one is not counted.
    ///
    /// # Errors
    /// If too many bytes wait for the client, or for all clients.
    pub fn send(&self, body: &[u8]) -> Result<Option<Permit>, Refused> {
        let buffer = Some(body.as_ptr().addr());
        let permit = || self.share(SharedResource::Bytes, body.len(), buffer);
        (body.len() > SMALL_BODY).then(permit).transpose()
    }

    /// Returns the client whose work others wait for too, and these others, none at first.
    pub(crate) fn sharing(&self) -> (Self, Waiters) {
        let (mut client, waiters) = (self.clone(), Waiters::default());
        client.payers.others.push(waiters.clone());
        client.payers.came.get_or_insert_with(now);
        (client, waiters)
    }

    /// Adds the client to those who wait for the same file.
    pub(crate) fn wait_with(&self, waiters: &Waiters) {
        waiters.add(&self.payers.usage);
    }

    /// Checks that work of the client would not be refused now, before anything is done for that work.
    ///
    /// # Errors
    /// If the client owes work, or so much of it waits that the next piece goes.
    pub(crate) fn expect_work(&self) -> Result<(), Refused> {
        self.check_work()?;
        match self.gate.queue.is_full_for(&self.payers.usage) {
            true => Err(self.refuse(SharedResource::Work, Fault::Overloaded)),
            false => Ok(()),
        }
    }

    /// Returns the client as the payer of calls to upstreams, if it is limited.
    pub(crate) fn payer(&self) -> Option<Arc<dyn Payer>> {
        let usage = &self.payers.usage;
        let limited = usage.lookups.rate.is_some();
        limited.then(|| Arc::clone(usage) as Arc<dyn Payer>)
    }

    /// Charges the client for a read of the database that is about to be made.
    ///
    /// # Errors
    /// If the client owes work.
    pub fn read(&self) -> Result<(), Refused> {
        self.check_work()?;
        self.payers.usage.charge_work(READ);
        Ok(())
    }

    /// Does a short piece of work at once, and charges the client for its time.
    pub fn charged<T>(&self, work: impl FnOnce() -> T) -> T {
        let begun = now();
        let done = work();
        self.payers.usage.charge_work(now().saturating_sub(begun));
        done
    }

    /// Charges the client for so many bytes that the database has read or is to write.
    pub(crate) fn charge_bytes(&self, bytes: usize) {
        let time = Duration::from_nanos(PER_BYTE * bytes as u64);
        self.payers.usage.charge_work(time);
    }

    /// Charges the client for a file on its way to the database. Returns none if there is no room for it, or the client
    /// has written its share of the database lately.
    pub(crate) fn write(&self, bytes: usize) -> Option<Permit> {
        let (resource, kib) = (SharedResource::Writes, bytes as f64 / 1024.0);
        let permit = self.take(resource, bytes.max(MIN_WRITE_BYTES));
        let written = self.payers.usage.of_site().written.take(kib, now());
        let written = written.map_err(|retry_after| self.refuse_for(resource, retry_after));
        self.charge_bytes(bytes);
        permit.ok().filter(|_| written.is_ok())
    }

    /// Runs `work` on a drawing thread when it is the turn of the client, or of one who waits for it too, and charges
    /// that one for the time that it takes there. It may use that much memory.
    ///
    /// If the returned future is dropped, the work does not begin, or fails at its next checkpoint.
    ///
    /// # Errors
    /// `Refused` if the client owes work, or too much work waits. `TooLarge` if it needs too much memory. `Interrupted` if
    /// `work` panics.
    pub async fn work<T: Send + 'static>(
        &self,
        memory: u64,
        work: impl FnOnce(&Turn) -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        self.check_work()?;
        if memory > MAX_MEMORY_OF_ONE {
            return Err(ServiceError::TooLarge);
        }
        let done = self.gate.queue.run(self.payers.clone(), memory, work).await;
        let done = done.map_err(|_| self.refuse(SharedResource::Work, Fault::Overloaded))?;
        done.ok_or(ServiceError::Interrupted)
    }

    fn check_work(&self) -> Result<(), Refused> {
        let owed = self.payers.usage.work.take(0.0, now());
        owed.map_err(|retry_after| self.refuse_for(SharedResource::Work, retry_after))
    }

    /// Takes this much, once for all who have the buffer.
    fn share(
        &self,
        resource: SharedResource,
        amount: usize,
        buffer: Option<usize>,
    ) -> Result<Permit, Refused> {
        let pool = &self.gate.pools[resource as usize];
        let taken = pool.take(&self.payers.usage, amount, buffer);
        taken.map_err(|fault| self.refuse(resource, fault))
    }

    /// Counts a refusal of a client that has used its share, and returns it.
    pub(crate) fn refuse_for(&self, resource: SharedResource, retry_after: Duration) -> Refused {
        Refused {
            retry_after,
            ..self.refuse(resource, Fault::Limited)
        }
    }

    /// Counts a refusal, and returns it.
    fn refuse(&self, resource: SharedResource, fault: Fault) -> Refused {
        let refused = &self.gate.refused;
        refused.with_label_values(&[resource.as_str()]).inc();
        Refused {
            resource,
            fault,
            // Something comes back whenever a request ends.
            retry_after: Duration::from_secs(1),
        }
    }
}

#[cfg(test)]
mod tests;
