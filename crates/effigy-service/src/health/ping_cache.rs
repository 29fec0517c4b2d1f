//! The last ping of the identity service, reused for a while.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

use effigy_store::HealthStatus;

/// The response time above which the identity service is slow.
const SLOW_PING: Duration = Duration::from_millis(2000);

/// The outcome of a ping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ping {
    /// `true` if the service answered.
    pub(crate) answered: bool,
    /// The time until it answered or failed.
    pub(crate) response_time: Duration,
}

impl Ping {
    /// The status of the identity service.
    pub(crate) fn status(self) -> HealthStatus {
        if !self.answered {
            HealthStatus::Red
        } else if self.response_time > SLOW_PING {
            HealthStatus::Yellow
        } else {
            HealthStatus::Green
        }
    }
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
    fn a_ping_is_slow_above_two_seconds() {
        let rows = [
            (true, 0, HealthStatus::Green),
            (true, 2000, HealthStatus::Green),
            (true, 2001, HealthStatus::Yellow),
            (true, 5000, HealthStatus::Yellow),
            (false, 0, HealthStatus::Red),
            (false, 5000, HealthStatus::Red),
        ];
        for (answered, millis, status) in rows {
            let ping = Ping {
                answered,
                response_time: Duration::from_millis(millis),
            };
            assert_eq!(ping.status(), status, "{ping:?}");
        }
    }

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
