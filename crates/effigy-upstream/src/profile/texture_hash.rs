//! The hash of a texture.

use std::{fmt, ops::RangeInclusive};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The number of digits of a hash: 64 without the leading zeros. A hash with more than 8 leading
/// zeros is too improbable to exist.
const HASH_LENGTHS: RangeInclusive<usize> = 56..=64;

/// The hash that identifies a texture: 56 to 64 hexadecimal digits, in lower case. It is stored as
/// this text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TextureHash(String);

impl TextureHash {
    /// Parses a hash in upper or lower case. Returns `None` for any other text.
    ///
    /// ```
    /// use effigy_upstream::TextureHash;
    ///
    /// let steve = "31f477eb1a7beee631c2ca64d06f8f68fa93a3386d04452ab27f43acdf1b60cb";
    /// assert_eq!(TextureHash::parse(steve).unwrap().as_str(), steve);
    /// assert_eq!(TextureHash::parse("Notch"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_hexadecimal = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hexadecimal || !HASH_LENGTHS.contains(&text.len()) {
            return None;
        }
        Some(Self(text.to_ascii_lowercase()))
    }

    /// Computes the hash of a file, as the public services do: the SHA-256.
    pub(crate) fn of_file(file: &[u8]) -> Self {
        Self::of_sha256(Sha256::digest(file).into())
    }

    /// Returns the hash of the file with this SHA-256.
    pub(crate) fn of_sha256(sha256: [u8; 32]) -> Self {
        Self(sha256.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Returns the digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TextureHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl TryFrom<String> for TextureHash {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("the hash of a texture has 56 to 64 hexadecimal digits")
    }
}

impl From<TextureHash> for String {
    fn from(hash: TextureHash) -> Self {
        hash.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_have_56_to_64_digits() {
        let digits = |number| "0123456789abcdef".repeat(5)[..number].to_owned();
        for (text, expected) in [
            (digits(64), Some(digits(64))),
            (digits(56), Some(digits(56))),
            (digits(64).to_uppercase(), Some(digits(64))),
            (digits(55), None),
            (digits(65), None),
            (format!("{}/", digits(63)), None),
            (format!("{}g", digits(63)), None),
            (format!("+{}", digits(63)), None),
            ("é".repeat(32), None),
            (String::new(), None),
        ] {
            let hash = TextureHash::parse(&text).map(|hash| hash.to_string());
            assert_eq!(hash, expected, "{text}");
        }
    }

    #[test]
    fn hashes_are_stored_as_text() {
        let hash = TextureHash::of_file(b"");
        let json = r#""e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855""#;
        assert_eq!(serde_json::to_string(&hash).expect("a text"), json);
        let read = serde_json::from_str::<TextureHash>(json);
        assert_eq!(read.ok(), Some(hash));
        let malformed = serde_json::from_str::<TextureHash>(r#""../x""#);
        assert!(malformed.is_err());
    }
}
