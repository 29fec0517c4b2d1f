//! The age up to which a value is reused.

use std::time::{Duration, SystemTime};

/// Returns `true` if less than `age` has passed between `since` and `now`. If `since` is later, the
/// clock was set back and the true age is not known, so it counts as old.
pub(crate) fn is_younger(since: SystemTime, age: Duration, now: SystemTime) -> bool {
    match now.duration_since(since) {
        Ok(own_age) => own_age < age,
        Err(_) => false,
    }
}
