//! Conversion of times and durations to the databases' whole milliseconds in 64 bits.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Returns milliseconds since the Unix epoch, rounded down and clamped to 64 bits.
pub(crate) fn to_unix_millis(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => to_millis(after),
        Err(error) => {
            let before = error.duration();
            let rounded_up = before.saturating_add(Duration::from_nanos(999_999));
            -to_millis(rounded_up)
        }
    }
}

/// Returns the time `millis` after the Unix epoch, or the epoch itself if `SystemTime` cannot hold it.
pub(crate) fn from_unix_millis(millis: i64) -> SystemTime {
    let distance = Duration::from_millis(millis.unsigned_abs());
    let time = if millis < 0 {
        UNIX_EPOCH.checked_sub(distance)
    } else {
        UNIX_EPOCH.checked_add(distance)
    };
    time.unwrap_or(UNIX_EPOCH)
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
        let at = |nanos: i64| {
            let distance = Duration::from_nanos(nanos.unsigned_abs());
            if nanos < 0 {
                UNIX_EPOCH - distance
            } else {
                UNIX_EPOCH + distance
            }
        };
        let table = [
            (0, 0),
            (999_999, 0),
            (1_000_000, 1),
            (1_700_000_000_123_456_789, 1_700_000_000_123),
            (-1, -1),
            (-1_000_000, -1),
            (-1_000_001, -2),
        ];
        for (nanos, millis) in table {
            assert_eq!(to_unix_millis(at(nanos)), millis, "{nanos} ns");
        }
    }

    #[test]
    fn whole_milliseconds_survive_the_round_trip() {
        for millis in [0, 1, -1, 1_700_000_000_123, -62_135_596_800_000] {
            assert_eq!(to_unix_millis(from_unix_millis(millis)), millis);
        }
    }

    #[test]
    fn durations_beyond_the_range_are_the_longest() {
        assert_eq!(to_millis(Duration::MAX), i64::MAX);
    }
}
