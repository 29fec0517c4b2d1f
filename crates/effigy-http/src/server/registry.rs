//! The open connections.

use std::{cmp::Reverse, sync::Weak};

use parking_lot::Mutex;
use tokio::{task::AbortHandle, time::Instant};

use super::connection::Connection;

/// The open connections, each with its task, with which it is closed. Those that have ended stay until the next search.
#[derive(Debug, Default)]
pub(super) struct Registry(Mutex<Vec<(Weak<Connection>, AbortHandle)>>);

impl Registry {
    /// Adds a connection, which its task keeps.
    pub(super) fn add(&self, connection: Weak<Connection>, task: AbortHandle) {
        self.0.lock().push((connection, task));
    }

    /// Closes the connections that are over.
    pub(super) fn close(&self, is_over: impl Fn(&Connection) -> bool) {
        for (_, task) in self.search(|connection| is_over(connection).then_some(())) {
            tracing::debug!("a connection ended early: it timed out");
            task.abort();
        }
    }

    /// Closes the connection with the most of something: of several, the one that has made no progress for the longest
    /// time. Returns `false` if none has anything.
    pub(super) fn close_largest<T: Ord>(&self, amount: impl Fn(&Connection) -> Option<T>) -> bool {
        let found = self.search(amount).into_iter();
        let largest = found.max_by(|(one, _), (other, _)| one.cmp(other));
        largest.inspect(|(_, task)| task.abort()).is_some()
    }

    /// Returns what is found of the open connections, each with the time of its last progress.
    pub(super) fn search<T>(
        &self,
        find: impl Fn(&Connection) -> Option<T>,
    ) -> Vec<((T, Reverse<Instant>), AbortHandle)> {
        let mut found = Vec::new();
        self.0.lock().retain(|(connection, task)| {
            let connection = connection.upgrade();
            if let Some(connection) = &connection
                && let Some(value) = find(connection)
            {
                let since = Reverse(connection.phase().1);
                found.push(((value, since), task.clone()));
            }
            connection.is_some()
        });
        found
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::{net::Ipv4Addr, sync::Arc, time::Duration};

    use effigy_service::{Client, ClientLimits, Gate};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;
    use crate::server::connection::Phase;

    const SECOND: Duration = Duration::from_secs(1);

    pub(in crate::server) fn client() -> Client {
        let gate = Gate::new(ClientLimits::default()).unwrap();
        gate.client(Ipv4Addr::LOCALHOST.into(), true)
    }

    /// Returns both ends of a connection.
    pub(in crate::server) async fn connect(peer: &Client) -> (Arc<Connection>, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let client = TcpStream::connect(address).await.unwrap();
        let stream = listener.accept().await.unwrap().0;
        (Connection::new(stream, peer.clone()), client)
    }

    /// Adds a connection to the registry, which lasts until it is closed.
    async fn open(registry: &Registry, peer: &Client) -> Arc<Connection> {
        let (connection, _) = connect(peer).await;
        let kept = Arc::clone(&connection);
        let task = tokio::spawn(async move {
            let _kept = kept;
            std::future::pending::<()>().await
        });
        registry.add(Arc::downgrade(&connection), task.abort_handle());
        connection
    }

    #[tokio::test(start_paused = true)]
    async fn the_largest_goes_first_and_of_several_the_one_that_has_been_quiet_for_the_longest_time()
     {
        let client = client();
        let registry = Registry::default();
        let mut connections = Vec::new();
        for _ in 0..4 {
            connections.push(open(&registry, &client).await);
        }
        let [young, oldest, working, waiting] = &*connections else {
            unreachable!("there are four")
        };
        working.begin(Instant::now());
        for connection in [oldest, young] {
            connection.send(Instant::now(), None);
            tokio::time::advance(SECOND).await;
        }
        assert!(
            waiting.is_quiet(Phase::Waiting, 2 * SECOND)
                && !waiting.is_quiet(Phase::Waiting, 3 * SECOND)
        );
        assert!(
            working.is_quiet(Phase::Working, 2 * SECOND)
                && !working.is_quiet(Phase::Waiting, SECOND)
        );
        let sizes = [1, 1, 2, 0];
        for expected in [2, 1, 0] {
            let amount = |connection: &Connection| {
                let mut pairs = connections.iter().zip(sizes);
                let (known, size) = pairs.find(|(known, _)| std::ptr::eq(&***known, connection))?;
                // Those that have been closed are kept by this test, and the search.
                (Arc::strong_count(known) > 2).then_some(size)
            };
            assert!(registry.close_largest(amount));
            tokio::task::yield_now().await;
            assert_eq!(Arc::strong_count(&connections[expected]), 1, "{expected}");
        }
        assert_eq!(Arc::strong_count(waiting), 2);
        registry.close(|connection| connection.is_quiet(Phase::Waiting, SECOND));
        tokio::task::yield_now().await;
        assert_eq!(Arc::strong_count(waiting), 1);
        drop(connections);
        assert!(!registry.close_largest(|_| Some(1)));
    }
}
