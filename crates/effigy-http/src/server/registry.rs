//! The open connections.

use std::{sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::{task::AbortHandle, time::Instant};

use crate::respond::body::Exchanges;

/// The open connections. Those that have ended stay until the next search.
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

    /// Returns the connections that have been quiet for `pause`, those first that have been for the longest time.
    /// `since` tells since when one is.
    pub(super) fn quiet(
        &self,
        since: fn(&Exchanges) -> Option<Instant>,
        pause: Duration,
    ) -> Vec<Connection> {
        let (mut open, now) = (self.0.lock(), Instant::now());
        open.retain(|connection| !connection.task.is_finished());
        let quiet = open.iter().filter_map(|connection| {
            let since = since(&connection.exchanges)?;
            (now >= since + pause).then_some((since, connection))
        });
        let mut quiet: Vec<(Instant, &Connection)> = quiet.collect();
        quiet.sort_by_key(|(since, _)| *since);
        let quiet = quiet.into_iter();
        quiet.map(|(_, connection)| connection.clone()).collect()
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
        tokio::time::advance(SECOND).await;
        let later = begin(middle);
        later.record(Instant::now());
        tokio::time::advance(SECOND).await;
        let youngest = begin(young);
        youngest.record(Instant::now());
        let stalled = registry.quiet(Exchanges::stalled_since, SECOND);
        let mut stalled = stalled.into_iter();
        for expected in [[true, false, true, true], [false, false, true, true]] {
            stalled.next().unwrap().task.abort();
            assert_eq!(are_open(&connections).await, expected);
        }
        assert!(stalled.next().is_none());
        drop((oldest, later, youngest, asked));
        let timed_out = registry.quiet(Exchanges::idle_since, SECOND * 100);
        assert!(timed_out.is_empty());
        assert_eq!(registry.0.lock().len(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_is_quiet_after_a_while() {
        let registry = Registry::default();
        let first = open(&registry);
        tokio::time::advance(SECOND / 2).await;
        let connections = [first, open(&registry)];
        let idle = || registry.quiet(Exchanges::idle_since, SECOND);
        assert!(idle().is_empty());
        tokio::time::advance(SECOND).await;
        assert_eq!(idle().len(), 2);
        idle()[0].task.abort();
        assert_eq!(are_open(&connections).await, [false, true]);
    }
}
