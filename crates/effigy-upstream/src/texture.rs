//! The names of textures: a hash, or a URL.

use std::{fmt, sync::Arc};

use sha2::{Digest, Sha256};

/// The number of digits: 64 without the leading zeros. A hash with more than 8 leading zeros is too
/// improbable to exist.
const LENGTHS: std::ops::RangeInclusive<usize> = 56..=64;

/// The hash that identifies a texture: 56 to 64 hexadecimal digits, in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
        let is_hash =
            LENGTHS.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hash.then(|| Self(text.to_ascii_lowercase()))
    }

    /// Computes the hash of a file, as the public services do: the SHA-256.
    pub(crate) fn of_file(file: &[u8]) -> Self {
        let digest = Sha256::digest(file);
        Self(digest.iter().map(|byte| format!("{byte:02x}")).collect())
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

/// The URL of a texture that a [`Profile`](crate::Profile) names, and the provider that named it. It is passed
/// back to the source that created it. Clones share the text and the file.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TextureUrl {
    pub(crate) url: Arc<str>,
    /// The provider by its name, or `None` for the game's own texture service.
    pub(crate) provider: Option<Arc<str>>,
    /// The file, if the provider has sent it with the profile.
    pub(crate) file: Option<Arc<[u8]>>,
}

impl TextureUrl {
    /// Creates the URL of a texture of one's own [`SkinSource`](crate::SkinSource).
    #[must_use]
    pub fn new(url: impl Into<Arc<str>>) -> Self {
        Self {
            url: url.into(),
            provider: None,
            file: None,
        }
    }

    /// Creates the URL of a texture whose file is at hand.
    pub(crate) fn with_file(url: impl Into<Arc<str>>, file: Arc<[u8]>) -> Self {
        Self {
            file: Some(file),
            ..Self::new(url)
        }
    }

    /// Returns the text of the URL.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.url
    }

    /// Returns the file, if it is at hand.
    #[must_use]
    pub fn file(&self) -> Option<&[u8]> {
        self.file.as_deref()
    }
}

impl fmt::Debug for TextureUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TextureUrl").field(&self.url).finish()
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
            (digits(32), None),
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
}
