//! Says at most once in a while what would otherwise be said with every request.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Lets one through in each span of time, and counts the others.
#[derive(Debug)]
pub(crate) struct Seldom {
    every: Duration,
    last: Mutex<Last>,
}

#[derive(Debug, Default)]
struct Last {
    time: Option<Instant>,
    kept_back: u64,
}

impl Seldom {
    pub(crate) fn new(every: Duration) -> Self {
        Self {
            every,
            last: Mutex::default(),
        }
    }

    /// Whether it is time again; then, how many were kept back since the last time.
    pub(crate) fn due(&self, now: Instant) -> Option<u64> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.time.is_some_and(|time| now < time + self.every) {
            last.kept_back += 1;
            return None;
        }
        last.time = Some(now);
        Some(std::mem::take(&mut last.kept_back))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_goes_through_in_each_span() {
        let (seldom, start) = (Seldom::new(Duration::from_secs(10)), Instant::now());
        let rows = [
            (0, Some(0)),
            (1, None),
            (9, None),
            (10, Some(2)),
            (30, Some(0)),
        ];
        for (second, expected) in rows {
            let due = seldom.due(start + Duration::from_secs(second));
            assert_eq!(due, expected, "{second} s");
        }
    }
}
