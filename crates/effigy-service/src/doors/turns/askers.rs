//! The clients who wait for one piece of work.

use std::sync::Arc;

use parking_lot::Mutex;
use smallvec::SmallVec;

use crate::doors::client::Client;

/// The clients who wait for one piece of work: the one who asked first, and those who have joined
/// since. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Askers {
    first: Client,
    all: Arc<Mutex<SmallVec<[Client; 1]>>>,
}

impl Askers {
    /// A client who waits alone.
    pub(crate) fn one(client: Client) -> Self {
        Self {
            first: client,
            all: Arc::new(Mutex::new(SmallVec::from_buf([client]))),
        }
    }

    /// Returns the client who asked first, and pays.
    pub(crate) const fn first(&self) -> Client {
        self.first
    }

    /// Adds the clients who wait for other work that needs this one. Clients who join the other
    /// work later aren't added.
    pub(crate) fn join(&self, others: &Self) {
        let others = others.all.lock().clone();
        let mut all = self.all.lock();
        for client in others {
            if !all.contains(&client) {
                all.push(client);
            }
        }
    }

    /// Returns `true` for clones of the same askers.
    pub(crate) fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.all, &other.all)
    }

    /// Returns the client with the least key, and the key.
    pub(crate) fn min_by_key<K: Ord>(&self, key: impl Fn(Client) -> K) -> (Client, K) {
        let all = self.all.lock();
        let keyed = all.iter().map(|client| (*client, key(*client)));
        keyed
            .min_by(|(_, one), (_, other)| one.cmp(other))
            .expect("one has asked")
    }
}
