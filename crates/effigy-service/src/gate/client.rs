//! The bounds of all clients and of each, and what a client does through them.

use std::{
    convert::Infallible, io, net::IpAddr, num::NonZeroUsize, sync::Arc, thread, time::Duration,
};

use effigy_upstream::Payer;
use prometheus::IntCounterVec;
use quick_cache::sync::Cache;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{
    queue::JobQueue,
    turn::{self, Turn},
    usage::{ClientLimits, Usage, Waiters, now},
};
use crate::error::{Refused, Scope, ServiceError, SharedResource};

/// The bytes of all clients that may wait to be sent. Memory in use for pictures that are being drawn is bounded
/// by the queue.
const MAX_BYTES: usize = 256 << 20;

/// Calls of the source of skins at once: twice the limit of one upstream, so that a hanging upstream leaves
/// room for the others. A call mostly waits, so this is about memory, not processors.
const MAX_CALLS: usize = 256;

/// The number of clients that are remembered, in some 20 MiB. With more addresses than that, an attacker is
/// bounded by the limits of all clients together only.
const MAX_CLIENTS: usize = 1 << 16;

/// The processor time that a read of the database counts as, here and in the database.
const READ: Duration = Duration::from_micros(200);

/// The bounds of all clients and of each.
#[derive(Debug)]
pub struct Gate {
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
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Ok(Arc::new(Self {
            queue: JobQueue::start(processors)?,
            limits,
            usages: Cache::new(MAX_CLIENTS),
            bytes: Arc::new(Semaphore::new(MAX_BYTES)),
            calls: Arc::new(Semaphore::new(MAX_CALLS)),
            refused,
        }))
    }

    /// Returns the client at an address, in whose name work is done. One that is not limited takes its turn
    /// like any other, but is refused only if a limit of all clients is reached.
    #[must_use]
    pub fn client(self: &Arc<Self>, address: IpAddr, is_limited: bool) -> Client {
        let limits = Some(self.limits).filter(|_| is_limited).unwrap_or_default();
        let new = || Ok::<_, Infallible>(Arc::new(Usage::new(limits)));
        let Ok(usage) = self.usages.get_or_insert_with(&(address, is_limited), new);
        Client::new(self, usage)
    }

    /// Returns a client without an address, for work that no client is charged for.
    #[must_use]
    pub fn own_client(self: &Arc<Self>) -> Client {
        Client::new(self, Arc::new(Usage::new(ClientLimits::default())))
    }

    /// Returns `true` if so many bytes wait to be sent that the longest-stalled response should go.
    #[must_use]
    pub fn is_short_of_bytes(&self) -> bool {
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

/// The sender of a request. Clones are handles to the same client.
#[derive(Debug, Clone)]
pub struct Client {
    gate: Arc<Gate>,
    usage: Arc<Usage>,
    /// The clients who wait for the files that this one's work is a part of, each with others who wait for the same one.
    waiters: Vec<Waiters>,
}

impl Client {
    fn new(gate: &Arc<Gate>, usage: Arc<Usage>) -> Self {
        Self {
            gate: Arc::clone(gate),
            waiters: vec![Waiters::of(&usage)],
            usage,
        }
    }

    /// Counts a connection of the client until the permit is dropped.
    ///
    /// # Errors
    /// If the client has too many.
    pub fn connect(&self) -> Result<Permit, Refused> {
        let own = Arc::clone(&self.usage.connections).try_acquire_owned();
        let refused = |_| self.refuse(SharedResource::Connections, Scope::Client);
        Ok(Permit {
            _of_all: None,
            _own: own.map_err(refused)?,
        })
    }

    /// Counts bytes that wait for the client until the permit is dropped.
    ///
    /// # Errors
    /// If too many wait for the client, or for all clients.
    pub fn hold(&self, bytes: usize) -> Result<Permit, Refused> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let acquire = |limit: &Arc<Semaphore>, scope| {
            let acquired = Arc::clone(limit).try_acquire_many_owned(bytes);
            acquired.map_err(|_| self.refuse(SharedResource::Bytes, scope))
        };
        Ok(Permit {
            _of_all: Some(acquire(&self.gate.bytes, Scope::AllClients)?),
            _own: acquire(&self.usage.bytes, Scope::Client)?,
        })
    }

    /// Returns the client whose work others wait for too, and these others, none at first.
    pub(crate) fn sharing(&self) -> (Self, Waiters) {
        let (mut client, waiters) = (self.clone(), Waiters::of(&self.usage));
        client.waiters.push(waiters.clone());
        (client, waiters)
    }

    /// Adds the client to those who wait for the same file.
    pub(crate) fn wait_with(&self, waiters: &Waiters) {
        waiters.add(&self.usage);
    }

    /// Checks that work of the client would not be refused now, before anything is done for that work.
    ///
    /// # Errors
    /// If the client owes work, or so much of it waits that the next piece goes.
    pub(crate) fn expect_work(&self) -> Result<(), Refused> {
        self.check_work()?;
        match self.gate.queue.is_full_for(&self.usage) {
            true => Err(self.refuse(SharedResource::Work, Scope::AllClients)),
            false => Ok(()),
        }
    }

    /// Permits a call of the source of skins.
    ///
    /// # Errors
    /// If too many are being made.
    pub(crate) fn call(&self) -> Result<OwnedSemaphorePermit, Refused> {
        let call = Arc::clone(&self.gate.calls).try_acquire_owned();
        call.map_err(|_| self.refuse(SharedResource::Lookups, Scope::AllClients))
    }

    /// Returns the client as the payer of calls to upstreams, if it is limited.
    pub(crate) fn payer(&self) -> Option<Arc<dyn Payer>> {
        let limited = self.usage.lookups.rate.is_some();
        limited.then(|| Arc::clone(&self.usage) as Arc<dyn Payer>)
    }

    /// Charges the client for a read of the database that is about to be made.
    ///
    /// # Errors
    /// If the client owes work.
    pub fn read(&self) -> Result<(), Refused> {
        self.check_work()?;
        self.usage.charge_work(READ);
        Ok(())
    }

    /// Runs `work` on a drawing thread when it is the turn of the client, or of one who waits for it too, and charges
    /// that one for the time that it takes there. It may use that much memory.
    ///
    /// If the returned future is dropped, the work does not begin, or fails at its next checkpoint.
    ///
    /// # Errors
    /// `Refused` if the client owes work, or too much work waits. `Interrupted` if `work` panics.
    pub async fn work<T: Send + 'static>(
        &self,
        memory: usize,
        work: impl FnOnce(&Turn) -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        self.check_work()?;
        let waiters = self.waiters.clone();
        let done = turn::run(&self.gate.queue, waiters, memory, work).await;
        done.map_err(|error| match error {
            ServiceError::Refused(refused) => self.refuse(refused.resource, refused.scope).into(),
            error => error,
        })
    }

    fn check_work(&self) -> Result<(), Refused> {
        let owed = self.usage.work.take(0.0, now());
        owed.map_err(|retry_after| self.refuse_for(SharedResource::Work, retry_after))
    }

    /// Counts a refusal of a client that has used its share, and returns it.
    pub(crate) fn refuse_for(&self, resource: SharedResource, retry_after: Duration) -> Refused {
        Refused {
            retry_after,
            ..self.refuse(resource, Scope::Client)
        }
    }

    /// Counts a refusal, and returns it.
    fn refuse(&self, resource: SharedResource, scope: Scope) -> Refused {
        let refused = &self.gate.refused;
        refused.with_label_values(&[resource.as_str()]).inc();
        Refused::soon(resource, scope)
    }
}

/// Something that a client uses until it is dropped.
#[derive(Debug)]
pub struct Permit {
    _own: OwnedSemaphorePermit,
    _of_all: Option<OwnedSemaphorePermit>,
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::metrics::ServiceMetrics;

    #[test]
    fn clients_are_bounded_and_those_that_come_again_are_remembered() {
        let gate = Gate::new(ClientLimits::default(), ServiceMetrics::default().refused).unwrap();
        let client = |number: usize| {
            let number = u32::try_from(number).unwrap();
            gate.client(IpAddr::V4(Ipv4Addr::from_bits(number)), true)
        };
        let busy = client(0);
        for number in 1..2 * MAX_CLIENTS {
            drop(client(number));
            assert!(
                number % 1_000 != 0 || Arc::ptr_eq(&client(0).usage, &busy.usage),
                "{number}"
            );
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
        let gate = Gate::new(limits, ServiceMetrics::default().refused).unwrap();
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

    #[tokio::test]
    async fn work_is_done_in_the_turn_and_at_the_expense_of_whoever_waits_for_it() {
        let gate = Gate::new(ClientLimits::default(), ServiceMetrics::default().refused).unwrap();
        let client = |number| gate.client(IpAddr::V4(Ipv4Addr::from_bits(number)), true);
        let (busy, new) = (client(1), client(2));
        let spin = |turn: &Turn| {
            let begun = std::time::Instant::now();
            while begun.elapsed() < Duration::from_millis(30) {
                turn.checkpoint().unwrap();
            }
        };
        busy.usage.charge_work(Duration::from_secs(1));
        let used = |client: &Client| client.usage.work.unused_at(Duration::ZERO);
        let of_busy = used(&busy);
        let (sharing, waiters) = busy.sharing();
        new.wait_with(&waiters);
        sharing.work(0, spin).await.unwrap();
        assert_eq!(used(&busy), of_busy);
        assert!(used(&new) > Duration::ZERO);
    }
}
