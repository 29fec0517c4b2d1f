//! The maximum number of calls in flight to one upstream.

use std::time::Duration;

use super::{LimitReason, Limited};

/// Counts the calls in flight, and refuses further ones at a maximum.
#[derive(Debug)]
pub(super) struct Semaphore {
    in_flight: usize,
    pub(super) max_in_flight: usize,
}

impl Semaphore {
    pub(super) const fn new(max_in_flight: usize) -> Self {
        Self {
            in_flight: 0,
            max_in_flight,
        }
    }

    /// Returns the number of calls in flight, with probes.
    pub(super) const fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Checks that another call may begin. Probes need no check, so that calls that hang cannot
    /// keep them out.
    pub(super) const fn check(&self) -> Result<(), Limited> {
        if self.in_flight < self.max_in_flight {
            return Ok(());
        }
        Err(Limited {
            reason: LimitReason::Concurrency,
            retry_after: Duration::ZERO,
        })
    }

    /// Counts a call that begins.
    pub(super) const fn acquire(&mut self) {
        self.in_flight += 1;
    }

    /// Counts a call that has ended.
    pub(super) const fn release(&mut self) {
        self.in_flight -= 1;
    }
}
