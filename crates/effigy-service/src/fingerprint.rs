//! What tells two pictures apart without their bytes.

use std::fmt;

use sha2::{Digest, Sha256};

/// So many bytes of the hash are kept: nobody's two pictures share them by chance.
const KEPT: usize = 16;

/// A hash of a picture's bytes: equal for the same bytes, and different for others.
///
/// It is made once, when the picture is drawn or read from the database, and stays with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; KEPT]);

impl Fingerprint {
    /// The fingerprint of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let mut kept = [0; KEPT];
        kept.copy_from_slice(&Sha256::digest(bytes)[..KEPT]);
        Self(kept)
    }
}

/// In lower-case hexadecimal digits.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
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
        assert!(found.into_iter().all(|text| text.len() == 2 * KEPT));
    }
}
