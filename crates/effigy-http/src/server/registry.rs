//! The open connections, and which of them are closed.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
    time::Duration,
};

use tokio::{task::AbortHandle, time::Instant};

use crate::{
    metrics::Metrics,
    respond::exchange::{Exchanges, Timeouts},
};

/// The time without progress after which a connection may be closed for want of something.
const MIN_IDLE: Duration = Duration::from_secs(1);

/// The open connections.
#[derive(Debug)]
pub(super) struct Registry {
    open: Mutex<Open>,
    metrics: Arc<Metrics>,
}

#[derive(Debug, Default)]
struct Open {
    last: u64,
    connections: HashMap<u64, Entry>,
}

#[derive(Debug)]
struct Entry {
    exchanges: Arc<Exchanges>,
    /// The task of the connection, which is closed when its task ends.
    task: AbortHandle,
}

/// Removes a connection from the registry when its task ends, in whatever way.
pub(super) struct Registered {
    registry: Arc<Registry>,
    number: u64,
}

impl Registry {
    pub(super) fn new(metrics: Arc<Metrics>) -> Arc<Self> {
        Arc::new(Self {
            open: Mutex::default(),
            metrics,
        })
    }

    /// Adds a connection, whose task `spawn` starts. The task drops the guard last.
    pub(super) fn add(
        self: &Arc<Self>,
        exchanges: Arc<Exchanges>,
        spawn: impl FnOnce(Registered) -> AbortHandle,
    ) {
        let mut open = self.open();
        open.last += 1;
        let number = open.last;
        // If the task ends at once, it waits for the lock to remove its entry.
        let task = spawn(Registered {
            registry: Arc::clone(self),
            number,
        });
        open.connections.insert(number, Entry { exchanges, task });
        self.metrics.connections.fetch_add(1, Ordering::Relaxed);
    }

    /// Closes the connections that have timed out.
    pub(super) fn close_timed_out(&self, timeouts: Timeouts, now: Instant) {
        for entry in self.open().connections.values() {
            if entry.exchanges.has_timed_out(timeouts, now) {
                tracing::debug!("a connection ended early: it timed out");
                entry.task.abort();
            }
        }
    }

    /// Closes the connection that has been idle for the longest time, if any has been for a while.
    pub(super) fn close_longest_idle(&self, now: Instant) {
        let open = self.open();
        let idle = open.connections.values();
        let idle = idle.filter_map(|entry| Some((entry.exchanges.idle_since()?, entry)));
        if let Some((since, entry)) = idle.min_by_key(|(since, _)| *since)
            && now >= since + MIN_IDLE
        {
            tracing::debug!("an idle connection was closed for a new one");
            entry.task.abort();
        }
    }

    /// Closes the connections with responses of which nothing has left for nearly the longest time: at least
    /// half of it.
    pub(super) fn close_longest_stalled(&self, now: Instant) {
        let open = self.open();
        let stalled = open.connections.values().filter_map(|entry| {
            let since = entry.exchanges.stalled_since()?;
            Some((now.saturating_duration_since(since), entry))
        });
        let stalled: Vec<(Duration, &Entry)> = stalled.collect();
        let longest = stalled.iter().map(|(time, _)| *time).max();
        let least = MIN_IDLE.max(longest.unwrap_or_default() / 2);
        for (time, entry) in stalled {
            if time >= least {
                tracing::debug!("a stalled connection was closed for want of memory");
                entry.task.abort();
            }
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        // No method panics halfway, so a poisoned registry is consistent.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.registry.open().connections.remove(&self.number);
        let connections = &self.registry.metrics.connections;
        connections.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Adds a connection to the registry, which lasts until it is closed.
    fn open(registry: &Arc<Registry>) -> Arc<Exchanges> {
        let exchanges = Exchanges::new();
        registry.add(Arc::clone(&exchanges), |registered| {
            let task = tokio::spawn(async move {
                let _registered = registered;
                std::future::pending::<()>().await;
            });
            task.abort_handle()
        });
        exchanges
    }

    /// Returns which of the connections are open.
    async fn are_open<const N: usize>(connections: &[Arc<Exchanges>; N]) -> [bool; N] {
        tokio::task::yield_now().await;
        // The registry has the other handle.
        connections
            .each_ref()
            .map(|exchanges| Arc::strong_count(exchanges) > 1)
    }

    #[tokio::test(start_paused = true)]
    async fn those_that_stall_nearly_as_long_as_the_longest_are_closed() {
        let metrics = Metrics::new();
        let registry = Registry::new(Arc::clone(&metrics));
        let connections = [(); 4].map(|()| open(&registry));
        let [old, middle, young, answering] = &connections;
        let begin = |connection: &Arc<Exchanges>| connection.begin(Instant::now());
        let (oldest, asked) = (begin(old), begin(answering));
        oldest.record(Instant::now());
        tokio::time::advance(SECOND * 4).await;
        let halfway = begin(middle);
        halfway.record(Instant::now());
        tokio::time::advance(SECOND * 3).await;
        let youngest = begin(young);
        youngest.record(Instant::now());
        tokio::time::advance(SECOND).await;
        registry.close_longest_stalled(Instant::now());
        drop((oldest, halfway, youngest, asked));
        assert_eq!(are_open(&connections).await, [false, false, true, true]);
        assert_eq!(metrics.connections.load(Ordering::Relaxed), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn the_longest_idle_connection_is_closed_if_it_is_idle_for_a_while() {
        let registry = Registry::new(Metrics::new());
        let first = open(&registry);
        tokio::time::advance(SECOND / 2).await;
        let connections = [first, open(&registry)];
        registry.close_longest_idle(Instant::now());
        assert_eq!(are_open(&connections).await, [true, true]);
        tokio::time::advance(SECOND).await;
        registry.close_longest_idle(Instant::now());
        assert_eq!(are_open(&connections).await, [false, true]);
    }
}
