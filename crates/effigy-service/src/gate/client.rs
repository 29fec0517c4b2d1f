//! A client, and what it does through the gate.

use std::{
    fmt,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use super::{
    Gate, MAX_BYTES, Rate, Turn,
    bucket::{Bucket, Time},
    usage::Usage,
};
use crate::{
    error::ServiceError,
    refused::{Refused, Scope, SharedResource},
};

/// The processor time that a read of the database counts as, here and in the database.
const READ: Duration = Duration::from_micros(200);

/// The sender of a request. Clones are handles to the same client.
#[derive(Clone)]
pub struct Client {
    gate: Arc<Gate>,
    usage: Arc<Usage>,
    is_limited: bool,
}

impl Client {
    pub(super) fn new(gate: Arc<Gate>, usage: Arc<Usage>, is_limited: bool) -> Self {
        Self {
            gate,
            usage,
            is_limited,
        }
    }

    /// Counts a connection of the client until the permit is dropped.
    ///
    /// # Errors
    /// If the client has too many.
    pub fn connect(&self) -> Result<Permit, Refused> {
        let max = self.limit(self.gate.limits.connections).map(u64::from);
        match self.usage.connections.add(1, max) {
            true => Ok(self.permit(Held::Connection)),
            false => Err(self.refuse(Refused::soon(SharedResource::Connections, Scope::Client))),
        }
    }

    /// Counts bytes that wait for the client until the permit is dropped.
    ///
    /// # Errors
    /// If too many wait for the client, or for all clients.
    pub fn hold(&self, bytes: usize) -> Result<Permit, Refused> {
        let refused = |scope| Err(self.refuse(Refused::soon(SharedResource::Bytes, scope)));
        if !self.gate.bytes.add(bytes, Some(MAX_BYTES)) {
            return refused(Scope::AllClients);
        }
        if !self
            .usage
            .bytes
            .add(bytes, self.limit(self.gate.limits.bytes))
        {
            self.gate.bytes.subtract(bytes);
            return refused(Scope::Client);
        }
        Ok(self.permit(Held::Bytes(bytes)))
    }

    /// Charges the client for calls to upstreams that are about to be made.
    ///
    /// # Errors
    /// If the client may make fewer.
    pub fn look_ups(&self, count: u32) -> Result<(), Refused> {
        let (rate, bucket) = (self.gate.limits.lookups, &self.usage.lookups);
        self.take(SharedResource::Lookups, bucket, rate, count.into())
    }

    /// Charges the client for a read of the database that is about to be made.
    ///
    /// # Errors
    /// If the client owes work.
    pub fn read(&self) -> Result<(), Refused> {
        self.check_work()?;
        self.gate.scheduler.charge(&self.usage, READ);
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
        let scheduler = &self.gate.scheduler;
        let done = scheduler.run(Arc::clone(&self.usage), memory, work).await;
        done.map_err(|error| match error {
            ServiceError::Refused(refused) => self.refuse(refused).into(),
            error => error,
        })
    }

    fn check_work(&self) -> Result<(), Refused> {
        let (rate, bucket) = (self.gate.limits.work, &self.usage.work);
        self.take(SharedResource::Work, bucket, rate, 0.0)
    }

    /// Takes this much of something that comes back, unless it would be too much.
    fn take(
        &self,
        resource: SharedResource,
        bucket: &Bucket,
        rate: Option<Rate>,
        amount: f64,
    ) -> Result<(), Refused> {
        let Some(rate) = self.limit(rate) else {
            return Ok(());
        };
        let taken = bucket.take(rate.time_of(amount), rate, Time::now());
        taken.map_err(|retry_after| {
            self.refuse(Refused {
                resource,
                scope: Scope::Client,
                retry_after,
            })
        })
    }

    fn limit<T>(&self, limit: Option<T>) -> Option<T> {
        limit.filter(|_| self.is_limited)
    }

    fn permit(&self, held: Held) -> Permit {
        Permit {
            gate: Arc::clone(&self.gate),
            usage: Arc::clone(&self.usage),
            held,
        }
    }

    /// Counts a refusal.
    fn refuse(&self, refused: Refused) -> Refused {
        self.gate.refused[refused.resource as usize].fetch_add(1, Ordering::Relaxed);
        refused
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("usage", &self.usage)
            .field("is_limited", &self.is_limited)
            .finish_non_exhaustive()
    }
}

/// Something that a client uses until it is dropped.
#[derive(Debug)]
pub struct Permit {
    gate: Arc<Gate>,
    usage: Arc<Usage>,
    held: Held,
}

#[derive(Debug)]
enum Held {
    Connection,
    Bytes(usize),
}

impl Drop for Permit {
    fn drop(&mut self) {
        match self.held {
            Held::Connection => self.usage.connections.subtract(1),
            Held::Bytes(bytes) => {
                self.usage.bytes.subtract(bytes);
                self.gate.bytes.subtract(bytes);
            }
        }
    }
}
