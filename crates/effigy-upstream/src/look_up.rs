//! Look-ups: their time limits, the calls that they may make, and the calls that they have made.

use std::collections::BTreeMap;
use std::time::Instant;

use effigy_player::PlayerId;
use parking_lot::Mutex;

use crate::{Profile, Rate, TextureHash, TextureUrl};

/// One look-up: the time at which its calls must be over, and the calls made for it so far.
#[derive(Debug)]
pub struct LookUp {
    deadline: Instant,
    asks_anew: bool,
    follows_recent_check: bool,
    calls: Mutex<BTreeMap<UpstreamId, u32>>,
}

impl LookUp {
    /// A look-up whose calls must be over at `deadline`.
    #[must_use]
    pub fn until(deadline: Instant) -> Self {
        Self {
            deadline,
            asks_anew: false,
            follows_recent_check: false,
            calls: Mutex::default(),
        }
    }

    /// Asks the provider even if it has answered a moment ago that there is no such player, or has
    /// failed. The new answer is remembered as usual.
    #[must_use]
    pub const fn asking_anew(mut self) -> Self {
        self.asks_anew = true;
        self
    }

    /// Declares that the profile was checked less than a
    /// [profile interval](crate::Profiles::profile_interval) ago. If a session service rejects the
    /// call for the profile (429), it means this profile alone, and other calls go on.
    #[must_use]
    pub const fn after_recent_check(mut self) -> Self {
        self.follows_recent_check = true;
        self
    }

    /// Returns `true` if a remembered answer about the player must not be used.
    pub(crate) const fn asks_anew(&self) -> bool {
        self.asks_anew
    }

    /// Returns `true` if the profile was checked less than a profile interval ago.
    pub(crate) const fn follows_recent_check(&self) -> bool {
        self.follows_recent_check
    }

    /// Returns the time at which the calls must be over.
    #[must_use]
    pub const fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Returns the number of calls made to an upstream for this look-up. A call that a limit
    /// refused was not made.
    ///
    /// Probes, which find out if the upstream has recovered, are not counted, because all look-ups
    /// need them.
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

/// The position of an upstream in [`Status::upstreams`](crate::Status::upstreams).
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
    /// The profile of a known player, for [`Profiles::renewed`](crate::Profiles::renewed).
    Known {
        /// The profile that is known.
        profile: &'a Profile,
        /// The player that the client asked for.
        player: &'a PlayerId,
    },
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
