//! The open connections.

use std::{sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::{task::AbortHandle, time::Instant};

use super::activity::{Activity, Phase};

/// The open connections. Those that have ended stay until the next search.
#[derive(Debug, Default)]
pub(super) struct Registry(Mutex<Vec<Connection>>);

/// An open connection.
#[derive(Debug)]
struct Connection {
    activity: Arc<Activity>,
    /// The task of the connection, which is closed when its task ends.
    task: AbortHandle,
}

impl Registry {
    /// Adds a connection with its task.
    pub(super) fn add(&self, activity: Arc<Activity>, task: AbortHandle) {
        self.0.lock().push(Connection { activity, task });
    }

    /// Returns the connections that have been in a phase without progress for `pause`, those first that have been
    /// for the longest time.
    pub(super) fn quiet(&self, phase: Phase, pause: Duration) -> Vec<AbortHandle> {
        let (mut open, now) = (self.0.lock(), Instant::now());
        open.retain(|connection| !connection.task.is_finished());
        let quiet = open.iter().filter_map(|connection| {
            let (found, since) = connection.activity.phase();
            (found == phase && now >= since + pause).then_some((since, &connection.task))
        });
        let mut quiet: Vec<(Instant, &AbortHandle)> = quiet.collect();
        quiet.sort_by_key(|(since, _)| *since);
        quiet.into_iter().map(|(_, task)| task.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Adds a connection to the registry, which lasts until it is closed.
    fn open(registry: &Registry) -> Arc<Activity> {
        let activity = Activity::new(Instant::now());
        let task = tokio::spawn(std::future::pending::<()>()).abort_handle();
        registry.add(Arc::clone(&activity), task);
        activity
    }

    #[tokio::test(start_paused = true)]
    async fn those_that_have_been_quiet_for_the_longest_time_come_first() {
        let registry = Registry::default();
        let connections = [(); 4].map(|()| open(&registry));
        let [young, oldest, working, waiting] = connections.each_ref();
        let number = || registry.0.lock().len();
        working.begin(Instant::now());
        for (activity, expected) in [(oldest, 1), (young, 2)] {
            activity.send(Instant::now(), None);
            tokio::time::advance(SECOND).await;
            let stalled = registry.quiet(Phase::Sending, SECOND);
            assert_eq!(stalled.len(), expected);
        }
        assert!(registry.quiet(Phase::Waiting, SECOND * 3).is_empty());
        for (phase, activity) in [(Phase::Waiting, waiting), (Phase::Working, working)] {
            assert_eq!(activity.phase().0, phase);
            assert_eq!(registry.quiet(phase, SECOND * 2).len(), 1);
        }
        registry.quiet(Phase::Sending, SECOND)[0].abort();
        tokio::task::yield_now().await;
        assert_eq!(registry.quiet(Phase::Sending, SECOND * 2).len(), 0);
        assert_eq!(number(), 3);
    }
}
