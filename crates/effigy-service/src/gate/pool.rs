//! What all clients share and give back: connections, calls, and bytes that wait.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use parking_lot::Mutex;

use crate::error::Scope;

/// A thing of which there is so much for all clients together.
///
/// A client that is limited takes at most half of what the others have left, so that there is always some for another one.
#[derive(Debug)]
pub(super) struct Pool {
    max: usize,
    used: Mutex<Used>,
}

#[derive(Debug, Default)]
struct Used {
    amount: usize,
    /// The buffers that several permits share, by their addresses: the number of permits, and the bytes.
    buffers: HashMap<usize, (usize, usize)>,
}

/// The share that one client has of a pool.
#[derive(Debug)]
pub(super) struct Share {
    /// The most that it may be, or `None` if the client is not limited.
    max: Option<usize>,
    used: AtomicUsize,
}

/// Something that a client uses until it is dropped.
#[derive(Debug)]
pub struct Permit {
    pool: Arc<Pool>,
    own: Arc<Share>,
    amount: usize,
    buffer: Option<usize>,
}

/// What one request makes wait.
#[derive(Debug, Default)]
pub struct Permits(Mutex<Vec<Permit>>);

impl Share {
    pub(super) fn new(max: Option<usize>) -> Arc<Self> {
        let used = AtomicUsize::new(0);
        Arc::new(Self { max, used })
    }

    /// Returns how much the client has. Nothing is taken from one that is not limited, so it is nothing then.
    pub(super) fn of_limited(&self) -> usize {
        self.max.map_or(0, |_| self.used.load(Relaxed))
    }
}

impl Pool {
    pub(super) fn new(max: usize) -> Arc<Self> {
        let used = Mutex::default();
        Arc::new(Self { max, used })
    }

    pub(super) fn used(&self) -> usize {
        self.used.lock().amount
    }

    /// Takes an amount until the permit is dropped. The bytes of a buffer that another permit has are there already.
    ///
    /// # Errors
    /// Whose limit is reached.
    pub(super) fn take(
        self: &Arc<Self>,
        own: &Arc<Share>,
        amount: usize,
        buffer: Option<usize>,
    ) -> Result<Permit, Scope> {
        let mut used = self.used.lock();
        let known = buffer.and_then(|buffer| used.buffers.get_mut(&buffer));
        if let Some((permits, _)) = known {
            *permits += 1;
        } else {
            let left = (self.max - used.amount).checked_sub(amount);
            let left = left.ok_or(Scope::AllClients)?;
            let of_client = own.used.load(Relaxed).saturating_add(amount);
            if own.max.is_some_and(|max| of_client > max.min(left)) {
                return Err(Scope::Client);
            }
            used.amount += amount;
            used.buffers
                .extend(buffer.map(|buffer| (buffer, (1, amount))));
        }
        own.used.fetch_add(amount, Relaxed);
        Ok(Permit {
            pool: Arc::clone(self),
            own: Arc::clone(own),
            amount,
            buffer,
        })
    }
}

impl Permits {
    /// Adds a permit, which is kept until they are cleared.
    pub fn add(&self, permit: impl Into<Option<Permit>>) {
        self.0.lock().extend(permit.into());
    }

    /// Gives everything back.
    pub fn clear(&self) {
        self.0.lock().clear();
    }

    /// Returns how much the client of the permits has, by these and others: 0 if it is not limited, and none without permits.
    #[must_use]
    pub fn of_client(&self) -> Option<usize> {
        self.0.lock().last().map(|permit| permit.own.of_limited())
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.own.used.fetch_sub(self.amount, Relaxed);
        let mut used = self.pool.used.lock();
        let Some(buffer) = self.buffer else {
            used.amount -= self.amount;
            return;
        };
        let (permits, bytes) = used.buffers.get_mut(&buffer).expect("the permit has it");
        *permits -= 1;
        if *permits == 0 {
            used.amount -= *bytes;
            used.buffers.remove(&buffer);
        }
    }
}
