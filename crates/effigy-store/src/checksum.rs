//! The checksums by which stored images prove that they are as they were stored.

use std::hash::Hasher as _;

use twox_hash::XxHash3_64;

/// Returns the checksum of the columns of an image.
pub(crate) fn checksum(key: &[u8], created_at: i64, content_type: &str, data: &[u8]) -> i64 {
    let mut hasher = XxHash3_64::new();
    hasher.write(&created_at.to_le_bytes());
    for column in [key, content_type.as_bytes(), data] {
        hasher.write(&(column.len() as u64).to_le_bytes());
        hasher.write(column);
    }
    hasher.finish().cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_and_its_length_count() {
        let rows: [(&[u8], i64, &str, &[u8]); 7] = [
            (b"key", 7, "image/png", b"data"),
            (b"kez", 7, "image/png", b"data"),
            (b"key", 8, "image/png", b"data"),
            (b"key", 7, "image/pnh", b"data"),
            (b"key", 7, "image/png", b"datb"),
            (b"keyi", 7, "mage/png", b"data"),
            (b"key", 7, "image/pngd", b"ata"),
        ];
        let sums = rows.map(|(key, at, content_type, data)| checksum(key, at, content_type, data));
        for (index, sum) in sums.iter().enumerate() {
            assert!(!sums[..index].contains(sum), "{index}");
        }
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
}
