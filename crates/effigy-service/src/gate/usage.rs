//! The use that each client makes of what all share.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, AtomicUsize, Ordering},
    },
    time::Duration,
};

use super::bucket::{Bucket, Rate, Time};

/// The number of clients that are remembered, in some 16 MiB. A client beyond it is new with each request: with
/// that many addresses, an attacker is bounded by the limits of all clients together only.
const MAX_CLIENTS: usize = 1 << 17;

/// The shortest time between two searches for clients to forget.
const FORGET_INTERVAL: Duration = Duration::from_secs(1);

/// The processor time that is free for each client if there is no limit. It decides about turns only.
const WORK: Rate = Rate::new(30_000, Duration::from_secs(120)).expect("an amount and a period");

/// The unit of rates of work.
const MILLISECOND: Duration = Duration::from_millis(1);

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
    work: Bucket,
    bytes: AtomicUsize,
    connections: AtomicU32,
}

impl Usage {
    /// Returns the time at which the client will have no work in use. The less, the sooner its turn.
    pub(super) fn rested_at(&self, now: Time) -> Time {
        self.work.unused_at(now)
    }

    /// Charges processor time that was used.
    pub(super) fn charge_work(&self, time: Duration, rate: Option<Rate>, now: Time) {
        let rate = rate.unwrap_or(WORK);
        self.work
            .charge(rate.time_of(time, MILLISECOND), 4 * rate.period(), now);
    }

    /// # Errors
    /// If the client owes work: the time until it does not.
    pub(super) fn check_work(&self, rate: Rate, now: Time) -> Result<(), Duration> {
        self.work.take(Duration::ZERO, rate, now)
    }

    /// Returns `false`, and holds nothing, if that would be too much.
    pub(super) fn hold(&self, bytes: usize, max: Option<u64>) -> bool {
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let is_allowed = max.is_none_or(|max| (before + bytes) as u64 <= max);
        if !is_allowed {
            self.release(bytes);
        }
        is_allowed
    }

    pub(super) fn release(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Returns `false`, and counts nothing, if that would be too much.
    pub(super) fn connect(&self, max: Option<u32>) -> bool {
        let before = self.connections.fetch_add(1, Ordering::Relaxed);
        let is_allowed = max.is_none_or(|max| before < max);
        if !is_allowed {
            self.disconnect();
        }
        is_allowed
    }

    pub(super) fn disconnect(&self) {
        self.connections.fetch_sub(1, Ordering::Relaxed);
    }

    fn is_unused(&self, now: Time) -> bool {
        self.work.unused_at(now) == now && self.lookups.unused_at(now) == now
    }
}

/// The clients that are remembered.
#[derive(Debug, Default)]
pub(super) struct UsageTable(Mutex<Table>);

#[derive(Debug, Default)]
struct Table {
    clients: HashMap<IpAddr, Arc<Usage>>,
    forgot: Option<std::time::Instant>,
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
        self.forgot = Some(std::time::Instant::now());
        let now = Time::now();
        self.clients
            .retain(|_, usage| Arc::strong_count(usage) > 1 || !usage.is_unused(now));
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn the_table_is_bounded_and_forgets_clients_that_use_nothing() {
        let table = UsageTable::default();
        let address = |number: usize| {
            IpAddr::V4(Ipv4Addr::from_bits(
                u32::try_from(number).expect("a small number"),
            ))
        };
        let busy = table.of(address(0));
        busy.charge_work(Duration::from_secs(1), None, Time::now());
        drop(busy);
        for number in 1..MAX_CLIENTS + 10 {
            drop(table.of(address(number)));
        }
        assert!(table.len() < 20, "{}", table.len());
        assert!(!table.of(address(0)).is_unused(Time::now()));
    }

    #[test]
    fn bytes_and_connections_come_back() {
        let usage = Usage::default();
        assert!(usage.hold(60, Some(100)));
        assert!(!usage.hold(60, Some(100)));
        assert!(usage.hold(40, Some(100)));
        usage.release(100);
        assert!(usage.hold(100, Some(100)));
        assert!(usage.connect(Some(1)));
        assert!(!usage.connect(Some(1)));
        usage.disconnect();
        assert!(usage.connect(Some(1)));
    }
}
