//! A circuit breaker for the store.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use effigy_store::StoreError;
use effigy_upstream::LogThrottle;

use crate::error::chain;

/// Spares requests the wait for a store that has just failed, and logs each outage once, but outages in quick succession less often.
///
/// After a failure the circuit is open. One caller per `pause` is let through to probe the store,
/// and the first success closes the circuit.
#[derive(Debug)]
pub(crate) struct CircuitBreaker {
    /// The verb phrase of the log: "the database …".
    operation: &'static str,
    pause: Duration,
    outage: Mutex<Option<Outage>>,
    log: LogThrottle,
}

#[derive(Debug, Clone, Copy)]
struct Outage {
    since: Instant,
    next_probe: Instant,
    failures: u64,
    is_logged: bool,
}

impl CircuitBreaker {
    /// A closed circuit.
    pub(crate) fn new(operation: &'static str, pause: Duration) -> Self {
        Self {
            operation,
            pause,
            outage: Mutex::new(None),
            log: LogThrottle::new(),
        }
    }

    /// Returns `true` if the last call failed.
    pub(crate) fn is_open(&self) -> bool {
        self.lock().is_some()
    }

    /// Returns `true` if the caller may call the store. While the circuit is open, that is a probe.
    pub(crate) fn allows(&self, now: Instant) -> bool {
        match &mut *self.lock() {
            None => true,
            Some(outage) if now < outage.next_probe => false,
            Some(outage) => {
                outage.next_probe = now + self.pause;
                true
            }
        }
    }

    /// Opens the circuit. Only the first failure of an outage is logged.
    pub(crate) fn record_failure(&self, error: &StoreError, now: Instant) {
        let mut outage = self.lock();
        let next_probe = now + self.pause;
        if let Some(outage) = &mut *outage {
            outage.failures += 1;
            outage.next_probe = next_probe;
            return;
        }
        let suppressed = self.log.admit(now);
        *outage = Some(Outage {
            since: now,
            next_probe,
            failures: 1,
            is_logged: suppressed.is_some(),
        });
        if let Some(suppressed) = suppressed {
            tracing::warn!(
                suppressed,
                "the database no longer {}, pictures are served without it: {}",
                self.operation,
                chain(error)
            );
        }
    }

    /// Closes the circuit. Only the first success after an outage is logged.
    pub(crate) fn record_success(&self, now: Instant) {
        if let Some(outage) = self.lock().take().filter(|outage| outage.is_logged) {
            let seconds = now.duration_since(outage.since).as_secs();
            tracing::info!(
                failures = outage.failures,
                "the database {} again after {seconds} s",
                self.operation
            );
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Outage>> {
        self.outage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_secs(1);

    fn failure() -> StoreError {
        StoreError::TimedOut {
            operation: "answer",
            limit: PAUSE,
        }
    }

    #[test]
    fn an_open_circuit_lets_one_caller_through_per_pause() {
        let (circuit, start) = (CircuitBreaker::new("answers", PAUSE), Instant::now());
        assert!(circuit.allows(start) && !circuit.is_open());
        circuit.record_failure(&failure(), start);
        assert!(circuit.is_open());
        let rows = [
            (0, false),
            (999, false),
            // One caller probes, the others do not wait with it.
            (1_000, true),
            (1_000, false),
            (1_999, false),
            (2_000, true),
        ];
        for (millis, expected) in rows {
            let now = start + Duration::from_millis(millis);
            assert_eq!(circuit.allows(now), expected, "{millis} ms");
        }
    }

    #[test]
    fn a_success_closes_the_circuit() {
        let (circuit, start) = (CircuitBreaker::new("answers", PAUSE), Instant::now());
        for _ in 0..3 {
            circuit.record_failure(&failure(), start);
        }
        circuit.record_success(start);
        assert!(!circuit.is_open());
        assert!(circuit.allows(start) && circuit.allows(start));
    }
}
