//! The number of connections of each client.

use std::{collections::HashMap, net::IpAddr, sync::Arc};

use effigy_service::Client;
use parking_lot::Mutex;
use prometheus::IntGauge;

/// The connections that one client may have open. Browsers open six.
const MAX_CONNECTIONS: u32 = 256;

/// The numbers of open connections. Clients without limits are not counted for themselves.
#[derive(Debug)]
pub(super) struct ConnectionCounts {
    by_network: Mutex<HashMap<IpAddr, u32>>,
    /// All connections.
    total: IntGauge,
}

/// A connection that counts until this is dropped.
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

    #[test]
    fn a_client_has_a_maximum_of_connections() {
        let counts = counts();
        let client = |text: &str| Client::limited(text.parse().unwrap());
        let open = (0..MAX_CONNECTIONS).map(|host| {
            // Those of one IPv6 network of 64 bits are one client's.
            let address = format!("2001:db8::{host:x}");
            counts.add(client(&address)).unwrap()
        });
        let mut open: Vec<CountedConnection> = open.collect();
        assert!(counts.add(client("2001:db8::ffff")).is_none());
        let other = counts.add(client("2001:db8:0:1::1"));
        assert!(other.is_some());
        open.pop();
        let again = counts.add(client("2001:db8::ffff"));
        assert!(again.is_some());
        drop((open, other, again));
        assert!(counts.by_network.lock().is_empty());
        assert_eq!(counts.total.get(), 0);
    }

    #[test]
    fn a_peer_without_limits_has_any_number_of_connections() {
        let counts = counts();
        let proxy = Client::unlimited([127, 0, 0, 1].into());
        let open = (0..2 * MAX_CONNECTIONS).map(|_| counts.add(proxy));
        let open: Vec<_> = open.collect();
        assert!(open.iter().all(Option::is_some));
        assert_eq!(counts.total.get(), i64::from(2 * MAX_CONNECTIONS));
    }
}
