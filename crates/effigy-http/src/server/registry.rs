//! The registry of open connections.

use std::{cmp::Reverse, sync::Weak, time::Duration};

use parking_lot::Mutex;
use tokio::{task::AbortHandle, time::Instant};

use crate::connection::{Connection, Phase};

/// The time without progress after which a connection is slow.
const SLOW: Duration = Duration::from_secs(1);

/// The open connections, each with the task that serves it and that is aborted to close it.
/// Connections that have ended are removed by the next search.
#[derive(Debug, Default)]
pub(super) struct Registry(Mutex<Vec<(Weak<Connection>, AbortHandle)>>);

impl Registry {
    /// Adds a connection. Its task has the strong references to it.
    pub(super) fn add(&self, connection: Weak<Connection>, task: AbortHandle) {
        self.0.lock().push((connection, task));
    }

    /// Closes the connections that are over.
    pub(super) fn close(&self, is_over: impl Fn(&Connection) -> bool) {
        let found = self.search(|connection| if is_over(connection) { Some(()) } else { None });
        for (_, task) in found {
            tracing::debug!("a connection ended early: it timed out, or its client left");
            task.abort();
        }
    }

    /// Closes the connection that has been idle for the longest time, at least for `pause`. If no
    /// connection is idle, closes one whose upload has stalled.
    pub(super) fn close_longest_idle(&self, pause: Duration) {
        let is_closed = self.close_greatest(|connection| {
            let (_, since) = connection.phase();
            let is_idle = connection.is_idle(pause);
            if is_idle || connection.is_quiet(Phase::Receiving, SLOW) {
                Some((is_idle, Reverse(since)))
            } else {
                None
            }
        });
        if is_closed {
            tracing::debug!("an idle connection was closed for a new one");
        }
    }

    /// Closes the connection with the most counted bytes among the slow ones, or among all if none
    /// is slow. Returns `false` if no connection has counted bytes.
    pub(super) fn close_largest(&self) -> bool {
        let now = Instant::now();
        self.close_greatest(|connection| {
            let bytes = connection.waiting_bytes();
            if bytes == 0 {
                return None;
            }
            let (_, since) = connection.phase();
            let is_slow = now.saturating_duration_since(since) >= SLOW;
            Some((is_slow, bytes, Reverse(since)))
        })
    }

    /// Closes the connection with the greatest rank. Returns `false` if no connection has a rank.
    fn close_greatest<T: Ord>(&self, rank: impl Fn(&Connection) -> Option<T>) -> bool {
        let ranked = self.search(rank);
        let greatest = ranked
            .into_iter()
            .max_by(|(one, _), (other, _)| one.cmp(other));
        let Some((_, task)) = greatest else {
            return false;
        };
        task.abort();
        true
    }

    /// Returns the ranks and tasks of the open connections that have a rank, and removes the
    /// connections that have ended.
    fn search<T>(&self, rank: impl Fn(&Connection) -> Option<T>) -> Vec<(T, AbortHandle)> {
        let mut ranked = Vec::new();
        self.0.lock().retain(|(weak, task)| {
            let Some(connection) = weak.upgrade() else {
                return false;
            };
            if let Some(rank) = rank(&connection) {
                ranked.push((rank, task.clone()));
            }
            true
        });
        ranked
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use effigy_service::MemoryBudget;
    use futures_util::FutureExt as _;
    use tokio::io::AsyncReadExt as _;

    use super::*;
    use crate::connection::{Socket, tests::connect};

    /// Adds a connection to the registry, which stays open until the registry closes it.
    async fn open(registry: &Registry) -> Arc<Connection> {
        let (connection, client) = connect().await;
        // Hyper reads at once, which makes the stream known to the event loop.
        let mut socket = Socket(Arc::clone(&connection));
        assert!(socket.read_u8().now_or_never().is_none());
        let kept = Arc::clone(&connection);
        let task = tokio::spawn(async move {
            let _kept = kept;
            let _client = client;
            std::future::pending::<()>().await
        });
        registry.add(Arc::downgrade(&connection), task.abort_handle());
        connection
    }

    /// Returns `true` if the task of a connection has ended.
    async fn is_closed(connection: &Arc<Connection>) -> bool {
        tokio::task::yield_now().await;
        Arc::strong_count(connection) == 1
    }

    #[tokio::test(start_paused = true)]
    async fn longest_idle_connection_is_closed_first() {
        let registry = Registry::default();
        let oldest = open(&registry).await;
        tokio::time::advance(SLOW).await;
        let young = open(&registry).await;
        let working = open(&registry).await;
        working.begin_request(Instant::now());
        registry.close_longest_idle(2 * SLOW);
        assert!(!is_closed(&oldest).await);
        tokio::time::advance(2 * SLOW).await;
        registry.close_longest_idle(2 * SLOW);
        assert!(is_closed(&oldest).await && !is_closed(&young).await);
        drop(oldest);
        registry.close_longest_idle(2 * SLOW);
        assert!(is_closed(&young).await);
        drop(young);
        registry.close_longest_idle(2 * SLOW);
        assert!(!is_closed(&working).await);
    }

    #[tokio::test(start_paused = true)]
    async fn slow_connection_with_the_most_bytes_is_closed_first() {
        let registry = Registry::default();
        let budget = Arc::new(MemoryBudget::default());
        let mut connections = Vec::new();
        for bytes in [1, 3, 2] {
            let connection = open(&registry).await;
            connection.begin_sending(Instant::now(), budget.reserve_for_upload(bytes));
            connections.push(connection);
        }
        tokio::time::advance(SLOW).await;
        let quick = open(&registry).await;
        quick.begin_sending(Instant::now(), budget.reserve_for_upload(4));
        let idle = open(&registry).await;
        for expected in [1, 2, 0] {
            assert!(registry.close_largest());
            assert!(is_closed(&connections[expected]).await, "{expected}");
            // As at the end of its task.
            connections[expected] = open(&registry).await;
        }
        assert!(registry.close_largest());
        assert!(is_closed(&quick).await);
        drop(quick);
        assert!(!registry.close_largest() && !is_closed(&idle).await);
    }

    #[tokio::test(start_paused = true)]
    async fn connections_are_quiet_in_their_own_phase_only() {
        let registry = Registry::default();
        let waiting = open(&registry).await;
        let working = open(&registry).await;
        working.begin_request(Instant::now());
        tokio::time::advance(SLOW).await;
        assert!(waiting.is_quiet(Phase::Waiting, SLOW));
        assert!(!waiting.is_quiet(Phase::Waiting, 2 * SLOW));
        assert!(working.is_quiet(Phase::Working, SLOW));
        assert!(!working.is_quiet(Phase::Waiting, SLOW));
        registry.close(|connection| connection.is_quiet(Phase::Waiting, SLOW));
        assert!(is_closed(&waiting).await && !is_closed(&working).await);
    }
}
