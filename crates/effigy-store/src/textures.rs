//! Files of skins and capes, which never change and age from their last use.

use std::fmt::{self, Debug, Display, Formatter};

use async_trait::async_trait;
use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::StoreError;

/// The SHA-256 of a texture's file. Its text is 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextureId([u8; 32]);

impl TextureId {
    /// Computes the hash of a file.
    #[must_use]
    pub fn of(file: &[u8]) -> Self {
        Self(Sha256::digest(file).into())
    }

    /// Reads 64 hexadecimal digits of any letter case.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        let text = text.as_bytes();
        if text.len() != 64 {
            return None;
        }
        let mut hash = [0; 32];
        for (byte, digits) in hash.iter_mut().zip(text.chunks_exact(2)) {
            let high = char::from(digits[0]).to_digit(16)?;
            let low = char::from(digits[1]).to_digit(16)?;
            *byte = u8::try_from(high * 16 + low).expect("two digits are one byte");
        }
        Some(Self(hash))
    }

    /// Returns the bytes of the hash.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<[u8; 32]> for TextureId {
    fn from(hash: [u8; 32]) -> Self {
        Self(hash)
    }
}

impl Display for TextureId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for byte in self.0 {
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl Debug for TextureId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "TextureId({self})")
    }
}

/// Files of textures by their hash.
#[async_trait]
pub trait Textures: Debug + Send + Sync + 'static {
    /// Returns the file with this hash. A damaged file is not found, and is logged.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn texture(&self, id: &TextureId) -> Result<Option<Bytes>, StoreError>;
}

/// A change of the stored textures. The later time of the stored use and the new one is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextureChange<'a> {
    /// Stores a file, also in place of a damaged one, and records that it is in use.
    Put {
        /// The hash of the file. Under another hash, the file would never be found.
        id: &'a TextureId,
        /// The file.
        file: &'a Bytes,
    },
    /// Records that a file is in use, if it is stored.
    Used(&'a TextureId),
}

impl TextureChange<'_> {
    /// Returns the texture that changes.
    #[must_use]
    pub const fn id(&self) -> &TextureId {
        match self {
            Self::Put { id, .. } | Self::Used(id) => id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_sha_256_of_the_file() {
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let id = TextureId::of(b"abc");
        assert_eq!(id.to_string(), text);
        assert_eq!(format!("{id:?}"), format!("TextureId({text})"));
    }

    #[test]
    fn an_id_is_read_from_its_text() {
        let id = TextureId::of(b"abc");
        let text = id.to_string();
        assert_eq!(TextureId::from_hex(&text), Some(id));
        assert_eq!(TextureId::from_hex(&text.to_uppercase()), Some(id));
        assert_eq!(TextureId::from(*id.as_bytes()), id);
        for malformed in ["", &text[1..], &format!("{text}0"), &text.replace('b', "g")] {
            assert_eq!(TextureId::from_hex(malformed), None, "{malformed}");
        }
        // 64 bytes, but not 64 digits.
        assert_eq!(TextureId::from_hex(&"é".repeat(32)), None);
    }
}
