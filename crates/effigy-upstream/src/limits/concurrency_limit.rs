//! The maximum number of concurrent calls to an upstream.

use std::num::NonZeroU32;

use super::state::Priority;

/// The number of calls beyond the limit that are reserved for probes.
const RESERVED_FOR_PROBES: u32 = 8;

/// A limit on concurrent calls.
#[derive(Debug)]
pub(super) struct ConcurrencyLimit {
    max: u32,
    in_flight: u32,
}

impl ConcurrencyLimit {
    pub(super) const fn new(max: NonZeroU32) -> Self {
        Self {
            max: max.get(),
            in_flight: 0,
        }
    }

    pub(super) const fn is_reached(&self, priority: Priority) -> bool {
        let reserved = match priority {
            Priority::Normal => 0,
            Priority::Probe => RESERVED_FOR_PROBES,
        };
        self.in_flight >= self.max.saturating_add(reserved)
    }

    pub(super) const fn acquire(&mut self) {
        self.in_flight += 1;
    }

    pub(super) const fn release(&mut self) {
        self.in_flight = self.in_flight.saturating_sub(1);
    }

    pub(super) const fn max(&self) -> u32 {
        self.max
    }

    pub(super) const fn in_flight(&self) -> u32 {
        self.in_flight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_are_acquired_and_released() {
        let mut limit = ConcurrencyLimit::new(NonZeroU32::MIN);
        assert!(!limit.is_reached(Priority::Normal));
        limit.acquire();
        assert!(limit.is_reached(Priority::Normal));
        for _ in 0..RESERVED_FOR_PROBES {
            assert!(!limit.is_reached(Priority::Probe));
            limit.acquire();
        }
        assert!(limit.is_reached(Priority::Probe));
        for _ in 0..=RESERVED_FOR_PROBES {
            assert!(limit.is_reached(Priority::Normal));
            limit.release();
        }
        assert!(!limit.is_reached(Priority::Normal));
    }
}
