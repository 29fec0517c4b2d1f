//! The last ping of the identity service, reused for a while.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

/// The outcome of a ping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ping {
    /// `true` if the service answered.
    pub(crate) answered: bool,
    /// The time until it answered or failed.
    pub(crate) response_time: Duration,
}

/// Holds the last ping until it is too old.
#[derive(Debug)]
pub(crate) struct PingCache {
    lifetime: Duration,
    last: Mutex<Option<(SystemTime, Ping)>>,
}

impl PingCache {
    /// An empty cache; with a lifetime of zero it stays empty.
    pub(crate) fn new(lifetime: Duration) -> Self {
        Self {
            lifetime,
            last: Mutex::default(),
        }
    }

    /// The last ping, unless it is too old at `now`.
    pub(crate) fn get(&self, now: SystemTime) -> Option<Ping> {
        let (started, ping) = (*self.lock())?;
        // After the clock was set back the age is unknown.
        let age = now.duration_since(started).ok()?;
        (age < self.lifetime).then_some(ping)
    }

    /// Stores the outcome of a ping that started at `started`.
    pub(crate) fn put(&self, started: SystemTime, ping: Ping) {
        *self.lock() = Some((started, ping));
    }

    fn lock(&self) -> MutexGuard<'_, Option<(SystemTime, Ping)>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ping_expires() {
        let (started, second) = (SystemTime::UNIX_EPOCH, Duration::from_secs(1));
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
        for (seconds, millis, expected) in rows {
            let cache = PingCache::new(second * seconds);
            let now = started + Duration::from_millis(millis);
            assert_eq!(cache.get(now), None, "empty");
            cache.put(started, ping);
            assert_eq!(cache.get(now), expected, "{seconds} s, {millis} ms");
            assert_eq!(cache.get(started - second), None, "clock set back");
        }
    }
}
