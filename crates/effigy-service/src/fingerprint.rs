//! What tells two pictures apart without their bytes.

use std::fmt;

use twox_hash::XxHash3_128;

/// The hexadecimal digits of 128 bits.
const DIGITS: usize = 32;

/// A hash of a picture's bytes: equal for the same bytes, and different for others.
///
/// It is made once, when the picture is drawn or read from the database, and stays with it. It is XXH3
/// of 128 bits: no two pictures share it by chance. Somebody could make two that do, and would only
/// keep those who saw the one under a URL from seeing the other there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    /// As text, for that is what it is asked for.
    digits: [u8; DIGITS],
}

impl Fingerprint {
    /// The fingerprint of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        const DIGIT: &[u8; 16] = b"0123456789abcdef";
        let mut digits = [0; DIGITS];
        let hash = XxHash3_128::oneshot(bytes).to_be_bytes();
        for (pair, byte) in digits.chunks_exact_mut(2).zip(hash) {
            pair[0] = DIGIT[usize::from(byte >> 4)];
            pair[1] = DIGIT[usize::from(byte & 15)];
        }
        Self { digits }
    }

    /// Its lower-case hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // They are ASCII.
        std::str::from_utf8(&self.digits).unwrap_or_default()
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_of_the_bytes() {
        // As the reference implementation's `xxhsum -H2` says.
        let known = Fingerprint::of(b"abc");
        assert_eq!(known.to_string(), "06b05ab6733a618578af5f94892f3950");
        assert_ne!(known, Fingerprint::of(b"abd"));
        // A leading zero is shown.
        let found = (0..100_u8).map(|byte| Fingerprint::of(&[byte]).to_string());
        assert!(found.into_iter().all(|text| text.len() == DIGITS));
    }
}
