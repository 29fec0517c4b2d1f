//! Profiles that the session service has served lately.

use std::time::{Duration, Instant};

use quick_cache::sync::Cache;
use url::Url;

use crate::Step;
use crate::call::Call;

/// The time in which the session service may serve a profile only once. A rejection in this time is
/// about the profile alone.
const ONE_PROFILE: Duration = Duration::from_secs(60);

/// The number of profiles that are remembered.
const MAX_SERVED: usize = 5_000;

/// The profiles that were served, each with the time.
pub(super) struct ServedProfiles(Cache<Url, Instant>);

impl ServedProfiles {
    pub(super) fn new() -> Self {
        Self(Cache::new(MAX_SERVED))
    }

    /// Records that the profile of a call was served.
    pub(super) fn insert(&self, call: &Call, now: Instant) {
        if call.step == Step::Session {
            self.0.insert(profile_of(call), now);
        }
    }

    /// Returns `true` if a call is for a profile that was served within the last minute.
    pub(super) fn contains(&self, call: &Call, now: Instant) -> bool {
        let Some(served) = self.0.get(&profile_of(call)) else {
            return false;
        };
        now < served + ONE_PROFILE
    }
}

/// Returns the URL of a call's profile. The query only asks for a signature.
fn profile_of(call: &Call) -> Url {
    let mut url = call.url.clone();
    url.set_query(None);
    url
}
