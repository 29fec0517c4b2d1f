//! The signed profiles that are remembered.

use std::time::{Duration, SystemTime};

use effigy_player::Uuid;
use quick_cache::sync::Cache;

use crate::reuse::{age::is_younger, single_flight::SingleFlight};

/// The number of signed profiles that are remembered.
const MAX_PROFILES: usize = 1_000;

/// The signed profiles that are remembered, and those that are being looked up.
pub(crate) struct SignedProfiles {
    profiles: Cache<Uuid, SignedProfile>,
    pub(crate) look_ups: SingleFlight<Uuid, SignedProfile>,
}

/// A profile in JSON, as the session service has signed it.
#[derive(Debug, Clone)]
pub(crate) struct SignedProfile {
    pub(crate) json: String,
    pub(crate) looked_up_at: SystemTime,
}

impl SignedProfiles {
    pub(crate) fn new() -> Self {
        Self {
            profiles: Cache::new(MAX_PROFILES),
            look_ups: SingleFlight::new(),
        }
    }

    /// Returns the profile of a player, unless it was looked up longer than `fresh` ago.
    pub(crate) fn get(
        &self,
        uuid: Uuid,
        fresh: Duration,
        now: SystemTime,
    ) -> Option<SignedProfile> {
        let known = self.profiles.get(&uuid)?;
        if is_younger(known.looked_up_at, fresh, now) {
            Some(known)
        } else {
            None
        }
    }

    /// Remembers the profile of a player.
    pub(crate) fn insert(&self, uuid: Uuid, profile: SignedProfile) {
        self.profiles.insert(uuid, profile);
    }
}
