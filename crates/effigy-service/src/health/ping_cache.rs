//! The last ping of the identity service, reused for a while.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

use effigy_store::HealthStatus;

/// The response time above which the identity service is slow.
const SLOW_PING: Duration = Duration::from_millis(2000);

/// A ping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ping {
    pub(crate) outcome: PingOutcome,
    /// The time until it ended.
    pub(crate) response_time: Duration,
}

/// The outcome of a ping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PingOutcome {
    /// The service answered.
    Answered,
    /// The service was not called, because it is paused or its rate limit is used up.
    NotCalled,
    /// The service did not answer.
    Failed,
}

impl Ping {
    /// The status of the identity service.
    pub(crate) fn status(self) -> HealthStatus {
        match self.outcome {
            PingOutcome::Failed => HealthStatus::Red,
            PingOutcome::NotCalled => HealthStatus::Yellow,
            PingOutcome::Answered if self.response_time > SLOW_PING => HealthStatus::Yellow,
            PingOutcome::Answered => HealthStatus::Green,
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
        use PingOutcome::{Answered, Failed, NotCalled};
        let rows = [
            (Answered, 0, HealthStatus::Green),
            (Answered, 2000, HealthStatus::Green),
            (Answered, 2001, HealthStatus::Yellow),
            (Answered, 5000, HealthStatus::Yellow),
            (NotCalled, 0, HealthStatus::Yellow),
            (Failed, 0, HealthStatus::Red),
            (Failed, 5000, HealthStatus::Red),
        ];
        for (outcome, millis, status) in rows {
            let ping = Ping {
                outcome,
                response_time: Duration::from_millis(millis),
            };
            assert_eq!(ping.status(), status, "{ping:?}");
        }
    }

    #[test]
    fn a_ping_expires() {
        let (started, second) = (SystemTime::UNIX_EPOCH, Duration::from_secs(1));
        let ping = Ping {
            outcome: PingOutcome::Answered,
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
