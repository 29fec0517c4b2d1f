//! Conversion of times and durations to the databases' whole milliseconds in 64 bits.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Returns milliseconds since the Unix epoch, rounded down and at most [`i64::MAX`]. Earlier times
/// count as the epoch.
pub(crate) fn to_unix_millis(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, to_millis)
}

/// Returns the time `millis` after the Unix epoch, or the epoch itself if `SystemTime` cannot hold it.
pub(crate) fn from_unix_millis(millis: i64) -> SystemTime {
    let since_epoch = Duration::from_millis(millis.max(0).unsigned_abs());
    UNIX_EPOCH.checked_add(since_epoch).unwrap_or(UNIX_EPOCH)
}

/// Returns the whole milliseconds of a duration, at most [`i64::MAX`].
pub(crate) fn to_millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded_down_to_milliseconds() {
        let table = [
            (0, 0),
            (999_999, 0),
            (1_000_000, 1),
            (1_700_000_000_123_456_789, 1_700_000_000_123),
        ];
        for (nanos, millis) in table {
            let time = UNIX_EPOCH + Duration::from_nanos(nanos);
            assert_eq!(to_unix_millis(time), millis, "{nanos} ns");
        }
        assert_eq!(to_unix_millis(UNIX_EPOCH - Duration::from_secs(1)), 0);
    }

    #[test]
    fn whole_milliseconds_survive_the_round_trip() {
        for millis in [0, 1, 1_700_000_000_123] {
            assert_eq!(to_unix_millis(from_unix_millis(millis)), millis);
        }
        assert_eq!(from_unix_millis(i64::MIN), UNIX_EPOCH);
    }

    #[test]
    fn durations_beyond_the_range_are_the_longest() {
        assert_eq!(to_millis(Duration::MAX), i64::MAX);
    }
}
