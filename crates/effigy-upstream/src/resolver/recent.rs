//! A value that is reused for a while.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Holds the last value until it is too old.
#[derive(Debug)]
pub(super) struct Recent<T> {
    ttl: Duration,
    last: Mutex<Option<(Instant, T)>>,
}

impl<T: Clone> Recent<T> {
    /// Creates an empty holder. With a `ttl` of zero it never returns a value.
    pub(super) fn new(ttl: Duration) -> Self {
        Self {
            ttl,
            last: Mutex::default(),
        }
    }

    pub(super) fn get(&self, now: Instant) -> Option<T> {
        let last = self.last();
        let (at, value) = last.as_ref()?;
        (now.saturating_duration_since(*at) < self.ttl).then(|| value.clone())
    }

    pub(super) fn put(&self, now: Instant, value: T) {
        *self.last() = Some((now, value));
    }

    fn last(&self) -> MutexGuard<'_, Option<(Instant, T)>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
