//! The use that each client makes of what all share.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use super::bucket::{Bucket, Rate, Time};

/// The number of clients that are remembered, in some 16 MiB. A client beyond it is new with each request: with
/// that many addresses, an attacker is bounded by the limits of all clients together only.
const MAX_CLIENTS: usize = 1 << 17;

/// The shortest time between two searches for clients to forget.
const FORGET_INTERVAL: Duration = Duration::from_secs(1);

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
#[derive(Debug, Default)]
pub(super) struct Usage {
    pub(super) lookups: Bucket,
    pub(super) work: Bucket,
    pub(super) bytes: Count,
    pub(super) connections: Count,
}

impl Usage {
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

    fn is_unused(&self, now: Time) -> bool {
        self.work.unused_at(now) == now && self.lookups.unused_at(now) == now
    }
}

/// The number of things that are in use now.
#[derive(Debug, Default)]
pub(super) struct Count(AtomicUsize);

impl Count {
    /// Counts this many more. Returns `false`, and counts nothing, if that would be too many.
    pub(super) fn add(&self, number: usize, max: Option<u64>) -> bool {
        let before = self.0.fetch_add(number, Ordering::Relaxed);
        let is_allowed = max.is_none_or(|max| (before + number) as u64 <= max);
        if !is_allowed {
            self.subtract(number);
        }
        is_allowed
    }

    pub(super) fn subtract(&self, number: usize) {
        self.0.fetch_sub(number, Ordering::Relaxed);
    }

    pub(super) fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// The clients that are remembered.
#[derive(Debug, Default)]
pub(super) struct UsageTable(Mutex<Table>);

#[derive(Debug, Default)]
struct Table {
    clients: HashMap<IpAddr, Arc<Usage>>,
    forgot: Option<Instant>,
}

impl UsageTable {
    /// Returns the use of a client, which is remembered from now on if there is room.
    pub(super) fn of(&self, client: IpAddr) -> Arc<Usage> {
        let mut table = self.table();
        if table.clients.len() >= MAX_CLIENTS && !table.clients.contains_key(&client) {
            table.forget();
            if table.clients.len() >= MAX_CLIENTS {
                return Arc::default();
            }
        }
        Arc::clone(table.clients.entry(client).or_default())
    }

    pub(super) fn len(&self) -> usize {
        self.table().clients.len()
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // No method panics halfway, so a poisoned table is consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    /// Forgets the clients that use nothing.
    fn forget(&mut self) {
        if self
            .forgot
            .is_some_and(|then| then.elapsed() < FORGET_INTERVAL)
        {
            return;
        }
        self.forgot = Some(Instant::now());
        let now = Time::now();
        self.clients
            .retain(|_, usage| Arc::strong_count(usage) > 1 || !usage.is_unused(now));
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::gate::WORK;

    #[test]
    fn the_table_is_bounded_and_forgets_clients_that_use_nothing() {
        let table = UsageTable::default();
        let address = |number: usize| {
            IpAddr::V4(Ipv4Addr::from_bits(
                u32::try_from(number).expect("a small number"),
            ))
        };
        let busy = table.of(address(0));
        busy.charge_work(Duration::from_secs(1), WORK, Time::now());
        drop(busy);
        for number in 1..MAX_CLIENTS + 10 {
            drop(table.of(address(number)));
        }
        assert!(table.len() < 20, "{}", table.len());
        assert!(!table.of(address(0)).is_unused(Time::now()));
    }

    #[test]
    fn what_is_counted_comes_back() {
        let count = Count::default();
        assert!(count.add(60, Some(100)));
        assert!(!count.add(60, Some(100)));
        assert!(count.add(40, Some(100)));
        count.subtract(100);
        assert!(count.add(100, Some(100)) && count.add(1, None));
        assert_eq!(count.get(), 101);
    }
}
