//! Look-ups: their time limits, the calls that they may make, and the calls that they have made.

use std::collections::BTreeMap;
use std::time::Instant;

use effigy_player::PlayerId;
use parking_lot::Mutex;

use crate::{Rate, TextureHash, TextureUrl};

/// One look-up: the time at which its calls must be over, and the calls made for it so far.
#[derive(Debug)]
pub struct LookUp {
    deadline: Instant,
    calls: Mutex<BTreeMap<UpstreamId, u32>>,
}

impl LookUp {
    /// A look-up whose calls must be over at `deadline`.
    #[must_use]
    pub fn until(deadline: Instant) -> Self {
        Self {
            deadline,
            calls: Mutex::default(),
        }
    }

    /// Returns the time at which the calls must be over.
    #[must_use]
    pub const fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Returns the number of calls made to an upstream for this look-up. A call that a limit
    /// refused was not made.
    ///
    /// A call that only tells whether the upstream has recovered is not counted, because all
    /// look-ups need it.
    #[must_use]
    pub fn calls_made(&self, upstream: UpstreamId) -> u32 {
        self.calls.lock().get(&upstream).copied().unwrap_or(0)
    }

    /// Counts a call that is made to an upstream. A [`SkinSource`](crate::SkinSource) does this
    /// before each call.
    pub fn count_call(&self, upstream: UpstreamId) {
        let mut calls = self.calls.lock();
        let made = calls.entry(upstream).or_default();
        *made = made.saturating_add(1);
    }
}

/// The position of an upstream in [`SkinSource::upstreams`](crate::SkinSource::upstreams).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UpstreamId(pub usize);

/// The fixed limits of one upstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UpstreamCapacity {
    /// The maximum rate of calls, or `None` if there is no limit.
    pub budget: Option<Rate>,
    /// The maximum number of calls at the same time.
    pub max_in_flight: usize,
}

/// The object of a look-up.
#[derive(Debug, Clone, Copy)]
pub enum Target<'a> {
    /// The profile of a player.
    Player(&'a PlayerId),
    /// A texture that a profile names.
    Texture(&'a TextureUrl),
    /// A texture by its hash.
    Hash(&'a TextureHash),
}

/// Calls that a look-up may make to one upstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedCalls {
    /// The upstream.
    pub upstream: UpstreamId,
    /// The maximum number of calls.
    pub calls: u32,
}
