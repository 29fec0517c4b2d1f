//! Whether the store answers, so that one failure is logged once and does not cost every request
//! its wait.

use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use effigy_store::StoreError;

use crate::error::chain;

/// What is known of one side of the store: its reads, or its writes.
#[derive(Debug)]
pub(crate) struct StoreState {
    /// What the database does when all is well, for the log: "the database …".
    does: &'static str,
    pause: Duration,
    /// What the lock would say, for those who only look.
    down: AtomicBool,
    outage: Mutex<Option<Outage>>,
}

#[derive(Debug, Clone, Copy)]
struct Outage {
    since: Instant,
    retry: Instant,
    failures: u64,
}

impl StoreState {
    /// A side that is taken for well; after a failure it is tried once in `pause`.
    pub(crate) fn new(does: &'static str, pause: Duration) -> Self {
        Self {
            does,
            pause,
            down: AtomicBool::new(false),
            outage: Mutex::new(None),
        }
    }

    /// Whether the last call failed.
    pub(crate) fn is_down(&self) -> bool {
        self.down.load(Ordering::Relaxed)
    }

    /// Whether to call: always while all is well, and now and then, for one caller, to find out
    /// whether it is again.
    pub(crate) fn may_try(&self, now: Instant) -> bool {
        if !self.is_down() {
            return true;
        }
        match &mut *self.lock() {
            None => true,
            Some(outage) if now < outage.retry => false,
            Some(outage) => {
                outage.retry = now + self.pause;
                true
            }
        }
    }

    /// A call failed. Only the first one in a row is logged.
    pub(crate) fn failed(&self, error: &StoreError, now: Instant) {
        let mut outage = self.lock();
        let retry = now + self.pause;
        match &mut *outage {
            Some(outage) => {
                outage.failures += 1;
                outage.retry = retry;
            }
            None => {
                let (since, failures) = (now, 1);
                *outage = Some(Outage {
                    since,
                    retry,
                    failures,
                });
                self.down.store(true, Ordering::Relaxed);
                tracing::warn!(
                    "the database no longer {}, pictures are served without it: {}",
                    self.does,
                    chain(error)
                );
            }
        }
    }

    /// A call succeeded. Only the first one after failures is logged.
    pub(crate) fn succeeded(&self, now: Instant) {
        if !self.is_down() {
            return;
        }
        if let Some(outage) = self.lock().take() {
            self.down.store(false, Ordering::Relaxed);
            let seconds = now.duration_since(outage.since).as_secs();
            tracing::info!(
                failures = outage.failures,
                "the database {} again after {seconds} s",
                self.does
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
    fn a_store_that_failed_is_tried_once_in_a_while() {
        let (state, start) = (StoreState::new("answers", PAUSE), Instant::now());
        assert!(state.may_try(start) && !state.is_down());
        state.failed(&failure(), start);
        assert!(state.is_down());
        let rows = [
            (0, false),
            (999, false),
            // One caller goes, the others do not wait with it.
            (1_000, true),
            (1_000, false),
            (1_999, false),
            (2_000, true),
        ];
        for (millis, expected) in rows {
            let now = start + Duration::from_millis(millis);
            assert_eq!(state.may_try(now), expected, "{millis} ms");
        }
    }

    #[test]
    fn a_store_that_is_back_is_used_at_once() {
        let (state, start) = (StoreState::new("answers", PAUSE), Instant::now());
        for _ in 0..3 {
            state.failed(&failure(), start);
        }
        state.succeeded(start);
        assert!(!state.is_down());
        assert!(state.may_try(start) && state.may_try(start));
    }
}
