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
