//! The open connections.

use std::{cmp::Reverse, sync::Weak};

use effigy_service::Client;
use parking_lot::Mutex;
use tokio::{task::AbortHandle, time::Instant};

use super::activity::Activity;

/// The open connections. Those that have ended stay until the next search.
#[derive(Debug, Default)]
pub(super) struct Registry(Mutex<Vec<Connection>>);

/// An open connection.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) peer: Client,
    /// It ends with the connection.
    pub(super) activity: Weak<Activity>,
    /// The task of the connection, which is closed when its task ends.
    pub(super) task: AbortHandle,
}

impl Registry {
    /// Adds a connection.
    pub(super) fn add(&self, connection: Connection) {
        self.0.lock().push(connection);
    }

    /// Closes the connections that are over.
    pub(super) fn close(&self, is_over: impl Fn(&Activity) -> bool) {
        for (_, connection) in self.search(|_, activity| is_over(activity).then_some(())) {
            tracing::debug!("a connection ended early: it timed out");
            connection.abort();
        }
    }

    /// Closes the connection with the most of something: of several, the one that has made no progress for the longest
    /// time. Returns `false` if none has anything.
    pub(super) fn close_largest<T: Ord>(
        &self,
        amount: impl Fn(&Connection, &Activity) -> Option<T>,
    ) -> bool {
        let found = self.search(amount).into_iter();
        let largest = found.max_by(|(one, _), (other, _)| one.cmp(other));
        largest
            .inspect(|(_, connection)| connection.abort())
            .is_some()
    }

    /// Returns what is found of the open connections, each with the time of its last progress.
    fn search<T>(
        &self,
        find: impl Fn(&Connection, &Activity) -> Option<T>,
    ) -> Vec<((T, Reverse<Instant>), AbortHandle)> {
        let mut found = Vec::new();
        self.0.lock().retain(|connection| {
            let activity = connection.activity.upgrade();
            let value = activity.as_ref().and_then(|activity| {
                let value = find(connection, activity)?;
                Some((value, Reverse(activity.phase().1)))
            });
            found.extend(value.map(|value| (value, connection.task.clone())));
            activity.is_some()
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use std::{net::Ipv4Addr, sync::Arc, time::Duration};

    use effigy_service::{ClientLimits, Gate, ServiceMetrics};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;
    use crate::server::activity::Phase;

    const SECOND: Duration = Duration::from_secs(1);

    /// Adds a connection to the registry, which lasts until it is closed.
    async fn open(registry: &Registry, peer: &Client) -> Arc<Activity> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).await;
        let activity = Activity::new(stream.unwrap(), Instant::now());
        let kept = Arc::clone(&activity);
        let task = tokio::spawn(async move {
            let _kept = kept;
            std::future::pending::<()>().await
        });
        registry.add(Connection {
            peer: peer.clone(),
            activity: Arc::downgrade(&activity),
            task: task.abort_handle(),
        });
        activity
    }

    #[tokio::test(start_paused = true)]
    async fn the_largest_goes_first_and_of_several_the_one_that_has_been_quiet_for_the_longest_time()
     {
        let gate = Gate::new(ClientLimits::default(), ServiceMetrics::default().refused).unwrap();
        let client = gate.client(Ipv4Addr::LOCALHOST.into(), true);
        let registry = Registry::default();
        let mut connections = Vec::new();
        for _ in 0..4 {
            connections.push(open(&registry, &client).await);
        }
        let [young, oldest, working, waiting] = &*connections else {
            unreachable!("there are four")
        };
        working.begin(Instant::now());
        for activity in [oldest, young] {
            activity.enter(Phase::Sending, Instant::now());
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
            let amount = |activity: &Activity| {
                let mut pairs = connections.iter().zip(sizes);
                let (known, size) = pairs.find(|(known, _)| std::ptr::eq(&***known, activity))?;
                // Those that have been closed are kept by this test, and the search.
                (Arc::strong_count(known) > 2).then_some(size)
            };
            assert!(registry.close_largest(|_, activity| amount(activity)));
            tokio::task::yield_now().await;
            assert_eq!(Arc::strong_count(&connections[expected]), 1, "{expected}");
        }
        assert_eq!(Arc::strong_count(waiting), 2);
        registry.close(|activity| activity.is_quiet(Phase::Waiting, SECOND));
        tokio::task::yield_now().await;
        assert_eq!(Arc::strong_count(waiting), 1);
        drop(connections);
        assert!(!registry.close_largest(|_, _| Some(1)));
    }
}
