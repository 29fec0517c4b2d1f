//! A client, and what it does through the gate.

use std::{sync::Arc, time::Duration};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{
    Gate, Turn, turn,
    usage::{Bucket, Usage, now},
};
use crate::error::{Refused, Scope, ServiceError, SharedResource};

/// The processor time that a read of the database counts as, here and in the database.
const READ: Duration = Duration::from_micros(200);

/// The sender of a request. Clones are handles to the same client.
#[derive(Debug, Clone)]
pub struct Client {
    gate: Arc<Gate>,
    usage: Arc<Usage>,
}

impl Client {
    pub(super) const fn new(gate: Arc<Gate>, usage: Arc<Usage>) -> Self {
        Self { gate, usage }
    }

    /// Counts a connection of the client until the permit is dropped.
    ///
    /// # Errors
    /// If the client has too many.
    pub fn connect(&self) -> Result<Permit, Refused> {
        let (resource, own) = (SharedResource::Connections, &self.usage.connections);
        Ok(Permit {
            _of_all: None,
            _own: self.acquire(resource, Scope::Client, own, 1)?,
        })
    }

    /// Counts bytes that wait for the client until the permit is dropped.
    ///
    /// # Errors
    /// If too many wait for the client, or for all clients.
    pub fn hold(&self, bytes: usize) -> Result<Permit, Refused> {
        let (resource, all, own) = (SharedResource::Bytes, &self.gate.bytes, &self.usage.bytes);
        Ok(Permit {
            _of_all: Some(self.acquire(resource, Scope::AllClients, all, bytes)?),
            _own: self.acquire(resource, Scope::Client, own, bytes)?,
        })
    }

    /// Checks that work of the client would not be refused now, before anything is done for that work.
    ///
    /// # Errors
    /// If the client owes work, or so much of it waits that the next piece goes.
    pub(crate) fn expect_work(&self) -> Result<(), Refused> {
        self.check_work()?;
        match self.gate.queue.is_full_for(&self.usage) {
            true => Err(self.refuse(Refused::soon(SharedResource::Work, Scope::AllClients))),
            false => Ok(()),
        }
    }

    /// Charges the client for so many calls to upstreams, which are made before the permit is dropped.
    ///
    /// # Errors
    /// If the client may make fewer, or too many are being made.
    pub(crate) fn call(&self, count: u32) -> Result<OwnedSemaphorePermit, Refused> {
        let resource = SharedResource::Lookups;
        let call = self.acquire(resource, Scope::AllClients, &self.gate.calls, 1)?;
        self.take(resource, &self.usage.lookups, count.into())?;
        Ok(call)
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

    /// Runs `work` on a drawing thread when it is the client's turn, and charges the client for the time that
    /// it takes there. It may use that much memory.
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
        let done = turn::run(&self.gate.queue, Arc::clone(&self.usage), memory, work).await;
        done.map_err(|error| match error {
            ServiceError::Refused(refused) => self.refuse(refused).into(),
            error => error,
        })
    }

    fn check_work(&self) -> Result<(), Refused> {
        self.take(SharedResource::Work, &self.usage.work, 0.0)
    }

    /// Takes this much of something that comes back, unless it would be too much.
    fn take(&self, resource: SharedResource, of: &Bucket, amount: f64) -> Result<(), Refused> {
        let scope = Scope::Client;
        of.take(amount, now()).map_err(|retry_after| {
            self.refuse(Refused {
                resource,
                scope,
                retry_after,
            })
        })
    }

    /// Acquires this many of what may be used at once.
    fn acquire(
        &self,
        resource: SharedResource,
        scope: Scope,
        limit: &Arc<Semaphore>,
        number: usize,
    ) -> Result<OwnedSemaphorePermit, Refused> {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let acquired = Arc::clone(limit).try_acquire_many_owned(number);
        acquired.map_err(|_| self.refuse(Refused::soon(resource, scope)))
    }

    #[cfg(test)]
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.usage, &other.usage)
    }

    /// Counts a refusal.
    fn refuse(&self, refused: Refused) -> Refused {
        let resource = refused.resource.as_str();
        self.gate.refused.with_label_values(&[resource]).inc();
        refused
    }
}

/// Something that a client uses until it is dropped.
#[derive(Debug)]
pub struct Permit {
    _own: OwnedSemaphorePermit,
    _of_all: Option<OwnedSemaphorePermit>,
}
