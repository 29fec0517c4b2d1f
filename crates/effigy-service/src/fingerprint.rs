//! What tells two pictures apart without their bytes.

use std::fmt;

use sha2::{Digest, Sha256};

/// So many hexadecimal digits of the hash are kept: nobody's two pictures share them by chance.
const KEPT: usize = 32;

/// A hash of a picture's bytes: equal for the same bytes, and different for others.
///
/// It is made once, when the picture is drawn or read from the database, and stays with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    /// As text, for that is what it is asked for.
    digits: [u8; KEPT],
}

impl Fingerprint {
    /// The fingerprint of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut digits = [0; KEPT];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(Sha256::digest(bytes)) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
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
        // SHA-256 of "abc", FIPS 180-2, appendix B.1.
        let known = Fingerprint::of(b"abc");
        assert_eq!(known.to_string(), "ba7816bf8f01cfea414140de5dae2223");
        assert_ne!(known, Fingerprint::of(b"abd"));
        // A leading zero is shown.
        let found = (0..100_u8).map(|byte| Fingerprint::of(&[byte]).to_string());
        assert!(found.into_iter().all(|text| text.len() == KEPT));
    }
}
