//! The cap of calls in flight to one upstream.

use std::time::Duration;

use super::{LimitReason, Limited};

/// The calls in flight, of which there is a maximum.
#[derive(Debug)]
pub(super) struct InFlight {
    calls: usize,
    pub(super) max_calls: usize,
}

impl InFlight {
    pub(super) const fn new(max_calls: usize) -> Self {
        Self {
            calls: 0,
            max_calls,
        }
    }

    /// Returns the number of calls in flight, with probes.
    pub(super) const fn count(&self) -> usize {
        self.calls
    }

    /// Checks that another call may begin. Probes need no check, so that calls that hang cannot
    /// keep them out.
    pub(super) const fn check(&self) -> Result<(), Limited> {
        if self.calls < self.max_calls {
            return Ok(());
        }
        Err(Limited {
            reason: LimitReason::Concurrency,
            retry_after: Duration::ZERO,
        })
    }

    /// Counts a call that begins.
    pub(super) const fn begin(&mut self) {
        self.calls += 1;
    }

    /// Counts a call that has ended.
    pub(super) const fn end(&mut self) {
        self.calls -= 1;
    }
}
