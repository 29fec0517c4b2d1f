//! The last ping of the identity service, for those who ask for the health more often than it
//! should be pinged.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

/// What a ping found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ping {
    /// Whether the service answered.
    pub(crate) answered: bool,
    /// How long that took.
    pub(crate) response_time: Duration,
}

/// Remembers a ping until it is time for the next one.
#[derive(Debug)]
pub(crate) struct LastPing {
    every: Duration,
    last: Mutex<Option<(SystemTime, Ping)>>,
}

impl LastPing {
    /// A memory of so long; of no time, nothing is remembered.
    pub(crate) fn new(every: Duration) -> Self {
        Self {
            every,
            last: Mutex::default(),
        }
    }

    /// The last ping, where it is too early for another at `now`.
    pub(crate) fn recall(&self, now: SystemTime) -> Option<Ping> {
        let (begun, ping) = (*self.lock())?;
        // A clock that was set back says nothing about how long ago it was.
        let age = now.duration_since(begun).ok()?;
        (age < self.every).then_some(ping)
    }

    /// Keeps what a ping found that was begun then.
    pub(crate) fn keep(&self, begun: SystemTime, ping: Ping) {
        *self.lock() = Some((begun, ping));
    }

    fn lock(&self) -> MutexGuard<'_, Option<(SystemTime, Ping)>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ping_is_remembered_for_so_long() {
        let (begun, second) = (SystemTime::UNIX_EPOCH, Duration::from_secs(1));
        let ping = Ping {
            answered: true,
            response_time: second,
        };
        let rows = [
            (0, 0, None),
            (10, 0, Some(ping)),
            (10, 9_999, Some(ping)),
            (10, 10_000, None),
        ];
        for (every, millis, expected) in rows {
            let last = LastPing::new(second * every);
            let now = begun + Duration::from_millis(millis);
            assert_eq!(last.recall(now), None, "nothing to recall");
            last.keep(begun, ping);
            assert_eq!(last.recall(now), expected, "{every} s, {millis} ms");
            assert_eq!(last.recall(begun - second), None, "set back");
        }
    }
}
