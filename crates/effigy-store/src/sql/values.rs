//! The forms of values in a database: times are whole milliseconds, and rows have checksums.

use std::hash::Hasher as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use twox_hash::XxHash3_64;

/// Approximate size of a texture or a player in addition to its data, with the indexes.
pub(super) const ROW_BYTES: usize = 250;

/// Returns the checksum of a time and other columns.
pub(super) fn checksum(time: i64, columns: &[&[u8]]) -> i64 {
    let mut hasher = XxHash3_64::new();
    hasher.write(&time.to_le_bytes());
    for column in columns {
        hasher.write(&(column.len() as u64).to_le_bytes());
        hasher.write(column);
    }
    hasher.finish().cast_signed()
}

/// Returns milliseconds since the Unix epoch, rounded down and at most [`i64::MAX`]. Earlier times
/// count as the epoch.
pub(super) fn to_unix_millis(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, to_millis)
}

/// Returns the time `millis` after the Unix epoch, or the epoch itself if `SystemTime` cannot hold
/// it.
pub(super) fn from_unix_millis(millis: i64) -> SystemTime {
    let since_epoch = Duration::from_millis(millis.max(0).unsigned_abs());
    UNIX_EPOCH.checked_add(since_epoch).unwrap_or(UNIX_EPOCH)
}

/// Returns the whole milliseconds of a duration, at most [`i64::MAX`].
pub(super) fn to_millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// Returns a number of bytes.
pub(super) fn to_integer(bytes: usize) -> i64 {
    i64::try_from(bytes).expect("no row has more bytes than an address space")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The checksum covers the lengths of the columns, not only their bytes in a row.
    #[test]
    fn columns_cannot_swap_bytes() {
        let expected = checksum(7, &[b"key", b"image/png", b"data"]);
        assert_ne!(checksum(7, &[b"keyi", b"mage/png", b"data"]), expected);
        assert_ne!(checksum(7, &[b"key", b"image/pngd", b"ata"]), expected);
    }

    #[test]
    fn a_checksum_never_changes() {
        // Databases hold it, so a new version must compute the same.
        let sum = checksum(
            1_700_000_000_123,
            &[b"head_Notch_64_hat", b"image/png", b"\x89PNG"],
        );
        assert_eq!(sum, 6_417_565_296_567_011_342);
    }

    #[test]
    fn times_are_whole_milliseconds_since_the_epoch() {
        for (nanos, millis) in [
            (0, 0),
            (999_999, 0),
            (1_000_000, 1),
            (1_700_000_000_123_456_789, 1_700_000_000_123),
        ] {
            let time = UNIX_EPOCH + Duration::from_nanos(nanos);
            assert_eq!(to_unix_millis(time), millis, "{nanos} ns");
            assert_eq!(to_unix_millis(from_unix_millis(millis)), millis);
        }
        assert_eq!(to_unix_millis(UNIX_EPOCH - Duration::from_secs(1)), 0);
        assert_eq!(from_unix_millis(i64::MIN), UNIX_EPOCH);
        assert_eq!(to_millis(Duration::MAX), i64::MAX);
    }
}
