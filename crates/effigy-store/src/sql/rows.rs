//! The rows of the tables: checksums by which images prove that they are as they were stored, and times in whole milliseconds.

use std::hash::Hasher as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use twox_hash::XxHash3_64;

use crate::{CachedImage, HealthEntry};

/// The time, content type, data and checksum of an image. One of version 0.1.0 has no checksum.
pub(super) type ImageRow = (i64, String, Vec<u8>, Option<i64>);

/// Returns the image of a row that is as it was stored.
pub(super) fn verified(key: &str, row: ImageRow) -> Option<CachedImage> {
    let (created_at, content_type, data, expected) = row;
    let found = checksum(key.as_bytes(), created_at, &content_type, &data);
    (expected.unwrap_or(found) == found).then(|| CachedImage {
        data: data.into(),
        content_type,
        created_at: from_unix_millis(created_at),
    })
}

/// The time, status, message and response time of a health check.
pub(super) type HealthRow = (i64, String, String, i64);

/// Returns the health check of a row.
pub(super) fn health_entry(row: HealthRow) -> Result<HealthEntry, sqlx::Error> {
    let (recorded_at, status, message, response_time) = row;
    let unknown = |_| sqlx::Error::Decode(format!("the status `{status}` is unknown").into());
    Ok(HealthEntry {
        status: status.parse().map_err(unknown)?,
        message,
        response_time: Duration::from_millis(response_time.max(0).unsigned_abs()),
        timestamp: from_unix_millis(recorded_at),
    })
}

/// Returns the checksum of the columns of an image.
pub(super) fn checksum(key: &[u8], created_at: i64, content_type: &str, data: &[u8]) -> i64 {
    let mut hasher = XxHash3_64::new();
    hasher.write(&created_at.to_le_bytes());
    for column in [key, content_type.as_bytes(), data] {
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

/// Returns the time `millis` after the Unix epoch, or the epoch itself if `SystemTime` cannot hold it.
pub(super) fn from_unix_millis(millis: i64) -> SystemTime {
    let since_epoch = Duration::from_millis(millis.max(0).unsigned_abs());
    UNIX_EPOCH.checked_add(since_epoch).unwrap_or(UNIX_EPOCH)
}

/// Returns the whole milliseconds of a duration, at most [`i64::MAX`].
pub(super) fn to_millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// That each column counts is held by the rows that the tests of the store change.
    #[test]
    fn the_lengths_of_the_columns_count() {
        let sum = |key: &[u8], content_type, data: &[u8]| checksum(key, 7, content_type, data);
        let expected = sum(b"key", "image/png", b"data");
        assert_ne!(sum(b"keyi", "mage/png", b"data"), expected);
        assert_ne!(sum(b"key", "image/pngd", b"ata"), expected);
    }

    #[test]
    fn a_checksum_never_changes() {
        // Databases hold it, so a new version must compute the same.
        let sum = checksum(
            b"head_Notch_64_hat",
            1_700_000_000_123,
            "image/png",
            b"\x89PNG",
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
