//! The open connections, and which of them are closed.

use std::{sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::{task::AbortHandle, time::Instant};

use crate::respond::body::{Exchanges, Timeouts};

/// The time after which an idle connection may be closed for a new one. A client that is honest asks for
/// something at once, and others wait for that place.
const MIN_IDLE: Duration = Duration::from_millis(50);

/// The time without progress after which a response may be closed for want of memory.
const MIN_STALL: Duration = Duration::from_secs(1);

/// The open connections. Those that have ended stay until the next search for timeouts.
#[derive(Debug, Default)]
pub(super) struct Registry(Mutex<Vec<Connection>>);

/// An open connection.
#[derive(Debug, Clone)]
pub(super) struct Connection {
    pub(super) exchanges: Arc<Exchanges>,
    /// The task of the connection, which is closed when its task ends.
    pub(super) task: AbortHandle,
}

impl Registry {
    /// Adds a connection with its task.
    pub(super) fn add(&self, exchanges: Arc<Exchanges>, task: AbortHandle) {
        self.0.lock().push(Connection { exchanges, task });
    }

    /// Returns the connections that have timed out.
    pub(super) fn timed_out(&self, timeouts: Timeouts, now: Instant) -> Vec<Connection> {
        let mut open = self.0.lock();
        open.retain(|connection| !connection.task.is_finished());
        let timed_out = |open: &&Connection| open.exchanges.has_timed_out(timeouts, now);
        open.iter().filter(timed_out).cloned().collect()
    }

    /// Closes the connection that has been idle for the longest time, if any has been for a while.
    pub(super) fn close_longest_idle(&self, now: Instant) {
        let open = self.0.lock();
        let idle = open.iter().filter(|entry| !entry.task.is_finished());
        let idle = idle.filter_map(|entry| Some((entry.exchanges.idle_since()?, entry)));
        if let Some((since, entry)) = idle.min_by_key(|(since, _)| *since)
            && now >= since + MIN_IDLE
        {
            tracing::debug!("an idle connection was closed for a new one");
            entry.task.abort();
        }
    }

    /// Returns the connections with responses of which nothing has left for a while, those that have stalled longest
    /// first.
    pub(super) fn stalled(&self, now: Instant) -> Vec<Connection> {
        let open = self.0.lock();
        let stalled = open.iter().filter_map(|connection| {
            let since = connection.exchanges.stalled_since()?;
            (now >= since + MIN_STALL).then_some((since, connection))
        });
        let mut stalled: Vec<(Instant, &Connection)> = stalled.collect();
        stalled.sort_by_key(|(since, _)| *since);
        let stalled = stalled.into_iter();
        stalled.map(|(_, connection)| connection.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Adds a connection to the registry, which lasts until it is closed.
    fn open(registry: &Registry) -> (Arc<Exchanges>, AbortHandle) {
        let exchanges = Exchanges::new();
        let task = tokio::spawn(std::future::pending::<()>()).abort_handle();
        registry.add(Arc::clone(&exchanges), task.clone());
        (exchanges, task)
    }

    /// Returns which of the connections are open.
    async fn are_open<const N: usize>(
        connections: &[(Arc<Exchanges>, AbortHandle); N],
    ) -> [bool; N] {
        tokio::task::yield_now().await;
        connections.each_ref().map(|(_, task)| !task.is_finished())
    }

    #[tokio::test(start_paused = true)]
    async fn those_that_have_stalled_longest_come_first() {
        let registry = Registry::default();
        let connections = [(); 4].map(|()| open(&registry));
        let [middle, old, young, answering] =
            connections.each_ref().map(|(exchanges, _)| exchanges);
        let begin = |connection: &Arc<Exchanges>| connection.begin(Instant::now());
        let (oldest, asked) = (begin(old), begin(answering));
        oldest.record(Instant::now());
        tokio::time::advance(MIN_STALL).await;
        let later = begin(middle);
        later.record(Instant::now());
        tokio::time::advance(MIN_STALL).await;
        let youngest = begin(young);
        youngest.record(Instant::now());
        let mut stalled = registry.stalled(Instant::now()).into_iter();
        for expected in [[true, false, true, true], [false, false, true, true]] {
            stalled.next().unwrap().task.abort();
            assert_eq!(are_open(&connections).await, expected);
        }
        assert!(stalled.next().is_none());
        drop((oldest, later, youngest, asked));
        let timeouts = Timeouts {
            idle: SECOND * 100,
            response: SECOND * 100,
        };
        assert!(registry.timed_out(timeouts, Instant::now()).is_empty());
        assert_eq!(registry.0.lock().len(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn the_longest_idle_connection_is_closed_if_it_is_idle_for_a_while() {
        let registry = Registry::default();
        let first = open(&registry);
        tokio::time::advance(MIN_IDLE / 2).await;
        let connections = [first, open(&registry)];
        registry.close_longest_idle(Instant::now());
        assert_eq!(are_open(&connections).await, [true, true]);
        tokio::time::advance(MIN_IDLE).await;
        registry.close_longest_idle(Instant::now());
        assert_eq!(are_open(&connections).await, [false, true]);
    }
}
