//! The URL of a texture, or its file.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::TextureHash;

/// The beginnings of the URLs whose last segment is the hash of the file. The second one is
/// upgraded to the first one before it is called.
const BY_HASH: [&str; 2] = [
    "https://textures.minecraft.net/texture/",
    "http://textures.minecraft.net/texture/",
];

/// The URL of a texture that a [`Profile`](crate::Profile) names, and the provider that named it.
/// It is passed back to the source that created it. Clones share the text and the file.
///
/// It is stored without the file. The host of a stored URL is checked again before it is called.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TextureUrl {
    pub(crate) url: Arc<str>,
    /// The provider by its name, or `None` for the game's own texture service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) provider: Option<Arc<str>>,
    /// The file, if the provider has sent it with the profile.
    #[serde(skip)]
    file: Option<FileAtHand>,
}

impl TextureUrl {
    /// Creates the URL of a texture of one's own [`Textures`](crate::Textures).
    #[must_use]
    pub fn new(url: impl Into<Arc<str>>) -> Self {
        Self {
            url: url.into(),
            provider: None,
            file: None,
        }
    }

    /// Creates the URL of a texture whose file is at hand.
    pub(crate) fn with_file(url: impl Into<Arc<str>>, file: FileAtHand) -> Self {
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

    /// Returns `true` if the file under this URL never changes: the game's texture service has
    /// files by their hashes.
    #[must_use]
    pub fn is_immutable(&self) -> bool {
        let mut beginnings = BY_HASH.iter();
        let hash = beginnings.find_map(|beginning| self.url.strip_prefix(beginning));
        hash.is_some_and(is_hash)
    }

    /// Returns the file, if it is at hand.
    #[must_use]
    pub fn file(&self) -> Option<&[u8]> {
        self.file.as_ref().map(|file| &*file.bytes)
    }

    /// Returns the SHA-256 of the file, if the file is at hand. It was computed when the file was
    /// read.
    #[must_use]
    pub fn file_sha256(&self) -> Option<[u8; 32]> {
        self.file.as_ref().map(FileAtHand::sha256)
    }
}

impl fmt::Debug for TextureUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TextureUrl").field(&self.url).finish()
    }
}

/// Returns `true` if a text is a hash in the form in which the texture service knows it.
fn is_hash(text: &str) -> bool {
    TextureHash::parse(text).is_some_and(|hash| hash.as_str() == text)
}

/// A file that a provider has sent with a profile, and its SHA-256.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct FileAtHand {
    bytes: Arc<[u8]>,
    sha256: [u8; 32],
}

impl FileAtHand {
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        let sha256 = Sha256::digest(&bytes).into();
        Self {
            bytes: bytes.into(),
            sha256,
        }
    }

    pub(crate) const fn sha256(&self) -> [u8; 32] {
        self.sha256
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_textures_of_the_game_by_hash_are_immutable() {
        let hash = "a".repeat(64);
        let upper = hash.to_uppercase();
        let game = "textures.minecraft.net/texture";
        for (url, expected) in [
            (format!("https://{game}/{hash}"), true),
            (format!("http://{game}/{hash}"), true),
            (format!("https://{game}/{}", &hash[..59]), true),
            (format!("https://{game}/{upper}"), false),
            (format!("https://{game}/{hash}?x"), false),
            (format!("https://{game}/{hash}#x"), false),
            (format!("https://{game}/{hash}/x"), false),
            (format!("https://{game}/x"), false),
            (format!("https://{game}/"), false),
            (format!("https://skins.minecraft.net/texture/{hash}"), false),
            (format!("https://textures.minecraft.net/{hash}"), false),
            (format!("https://evil.example/texture/{hash}"), false),
            (format!("/v1/texture/{hash}"), false),
            (hash, false),
        ] {
            let texture = TextureUrl::new(url.as_str());
            assert_eq!(texture.is_immutable(), expected, "{url}");
        }
    }

    #[test]
    fn a_file_at_hand_has_its_hash() {
        let texture = TextureUrl::with_file("x", FileAtHand::new(b"abc".to_vec()));
        assert_eq!(texture.file(), Some(&b"abc"[..]));
        let sha256 = texture.file_sha256().expect("a file");
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(TextureHash::of_sha256(sha256).as_str(), hash);
        let url = TextureUrl::new("x");
        assert_eq!(url.file_sha256(), None);
        assert_ne!(url, texture);
    }
}
