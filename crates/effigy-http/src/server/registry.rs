//! The open connections, and which of them are closed.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{task::AbortHandle, time::Instant};

use super::activity::{Activity, Timeouts};

/// The idle time after which a connection may be closed for a new one.
const MIN_IDLE: Duration = Duration::from_secs(1);

/// The open connections.
#[derive(Debug, Default)]
pub(super) struct Registry(Mutex<Open>);

#[derive(Debug, Default)]
struct Open {
    last: u64,
    connections: HashMap<u64, Entry>,
}

#[derive(Debug)]
struct Entry {
    activity: Arc<Activity>,
    /// The task of the connection, which is closed when its task ends.
    task: AbortHandle,
}

/// Removes a connection from the registry when its task ends, in whatever way.
pub(super) struct Registered {
    registry: Arc<Registry>,
    number: u64,
}

impl Registry {
    /// Adds a connection, whose task `spawn` starts. The task drops the guard last.
    pub(super) fn add(
        self: &Arc<Self>,
        activity: Arc<Activity>,
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
        open.connections.insert(number, Entry { activity, task });
    }

    /// Closes the connections that have timed out.
    pub(super) fn close_timed_out(&self, timeouts: Timeouts, now: Instant) {
        for entry in self.open().connections.values() {
            if entry.activity.has_timed_out(timeouts, now) {
                tracing::debug!("a connection ended early: it timed out");
                entry.task.abort();
            }
        }
    }

    /// Closes the connection that has been idle for the longest time, if any has been for a while.
    pub(super) fn close_longest_idle(&self, now: Instant) {
        let open = self.open();
        let idle = open.connections.values();
        let idle = idle.filter_map(|entry| Some((entry.activity.idle_since()?, entry)));
        if let Some((since, entry)) = idle.min_by_key(|(since, _)| *since)
            && now >= since + MIN_IDLE
        {
            tracing::debug!("an idle connection was closed for a new one");
            entry.task.abort();
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        // No method panics halfway, so a poisoned registry is consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.registry.open().connections.remove(&self.number);
    }
}
