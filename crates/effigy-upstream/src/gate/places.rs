//! How many calls to one upstream may be under way at once.

use std::num::NonZeroU32;

use super::Urgency;

/// Places that only probes may take, when all others are taken.
const FOR_PROBES: u32 = 8;

/// The places of one upstream.
#[derive(Debug)]
pub(super) struct Places {
    limit: u32,
    taken: u32,
}

impl Places {
    pub(super) const fn new(limit: NonZeroU32) -> Self {
        Self {
            limit: limit.get(),
            taken: 0,
        }
    }

    pub(super) const fn are_full(&self, urgency: Urgency) -> bool {
        let more = match urgency {
            Urgency::Ordinary => 0,
            Urgency::Probe => FOR_PROBES,
        };
        self.taken >= self.limit.saturating_add(more)
    }

    pub(super) const fn take(&mut self) {
        self.taken += 1;
    }

    pub(super) const fn give_back(&mut self) {
        self.taken = self.taken.saturating_sub(1);
    }

    pub(super) const fn limit(&self) -> u32 {
        self.limit
    }

    pub(super) const fn taken(&self) -> u32 {
        self.taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_taken_and_given_back() {
        let mut places = Places::new(NonZeroU32::MIN);
        assert!(!places.are_full(Urgency::Ordinary));
        places.take();
        assert!(places.are_full(Urgency::Ordinary));
        for _ in 0..FOR_PROBES {
            assert!(!places.are_full(Urgency::Probe));
            places.take();
        }
        assert!(places.are_full(Urgency::Probe));
        for _ in 0..=FOR_PROBES {
            assert!(places.are_full(Urgency::Ordinary));
            places.give_back();
        }
        assert!(!places.are_full(Urgency::Ordinary));
    }
}
