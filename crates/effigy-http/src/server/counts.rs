//! The number of connections of each client.

use std::{collections::HashMap, net::IpAddr, sync::Arc};

use effigy_service::Client;
use parking_lot::Mutex;
use prometheus::IntGauge;

/// The number of connections that one client may have open. Browsers open six.
const MAX_CONNECTIONS: u32 = 256;

/// The numbers of open connections. Connections of clients without limits are only in the total.
#[derive(Debug)]
pub(super) struct ConnectionCounts {
    by_network: Mutex<HashMap<IpAddr, u32>>,
    /// All connections.
    total: IntGauge,
}

/// A guard that counts a connection until it is dropped.
#[derive(Debug)]
pub(super) struct CountedConnection {
    counts: Arc<ConnectionCounts>,
    peer: Client,
}

impl ConnectionCounts {
    pub(super) fn new(total: IntGauge) -> Self {
        Self {
            by_network: Mutex::default(),
            total,
        }
    }

    /// Counts one more connection of a peer. Returns `None` if it has too many.
    pub(super) fn add(self: &Arc<Self>, peer: Client) -> Option<CountedConnection> {
        if peer.is_limited() {
            let mut by_network = self.by_network.lock();
            let count = by_network.entry(peer.network()).or_default();
            if *count >= MAX_CONNECTIONS {
                return None;
            }
            *count += 1;
        }
        self.total.inc();
        Some(CountedConnection {
            counts: Arc::clone(self),
            peer,
        })
    }
}

impl Drop for CountedConnection {
    fn drop(&mut self) {
        self.counts.total.dec();
        if !self.peer.is_limited() {
            return;
        }
        let mut by_network = self.counts.by_network.lock();
        let network = self.peer.network();
        if let Some(count) = by_network.get_mut(&network) {
            *count -= 1;
            if *count == 0 {
                by_network.remove(&network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts() -> Arc<ConnectionCounts> {
        let total = IntGauge::new("connections", "Open connections.").unwrap();
        Arc::new(ConnectionCounts::new(total))
    }

    fn client(address: &str) -> Client {
        Client::limited(address.parse().unwrap())
    }

    /// Opens the greatest number of connections from one IPv6 network of 64 bits, which is one
    /// client.
    fn open_all(counts: &Arc<ConnectionCounts>) -> Vec<CountedConnection> {
        let mut open = Vec::new();
        for host in 0..MAX_CONNECTIONS {
            let peer = client(&format!("2001:db8::{host:x}"));
            open.push(counts.add(peer).unwrap());
        }
        open
    }

    #[test]
    fn client_with_too_many_connections_gets_no_more() {
        let counts = counts();
        let mut open = open_all(&counts);
        assert!(counts.add(client("2001:db8::ffff")).is_none());
        open.pop();
        assert!(counts.add(client("2001:db8::ffff")).is_some());
    }

    #[test]
    fn other_clients_have_connections_of_their_own() {
        let counts = counts();
        let _open = open_all(&counts);
        assert!(counts.add(client("2001:db8:0:1::1")).is_some());
    }

    #[test]
    fn closed_connections_leave_no_counts() {
        let counts = counts();
        let open = open_all(&counts);
        assert_eq!(counts.total.get(), i64::from(MAX_CONNECTIONS));
        drop(open);
        assert!(counts.by_network.lock().is_empty());
        assert_eq!(counts.total.get(), 0);
    }

    #[test]
    fn peer_without_limits_has_any_number_of_connections() {
        let counts = counts();
        let proxy = Client::unlimited([127, 0, 0, 1].into());
        let mut open = Vec::new();
        for _ in 0..2 * MAX_CONNECTIONS {
            open.push(counts.add(proxy).unwrap());
        }
        assert_eq!(counts.total.get(), i64::from(2 * MAX_CONNECTIONS));
    }
}
