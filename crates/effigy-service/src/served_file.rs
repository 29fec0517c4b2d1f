//! Finished files, their origins, and the fingerprints of their bytes.

use std::{sync::Arc, time::SystemTime};

use bytes::Bytes;
use effigy_player::word_enum;
use effigy_render::ImageFormat;
use effigy_store::CachedImage;
use twox_hash::XxHash3_128;

/// The media type of pictures and textures.
pub(crate) const PNG: &str = ImageFormat::Png.content_type();

/// The media type of profiles and positions.
pub(crate) const JSON: &str = "application/json";

/// The first bytes of a gzip file.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// A finished file. Clones share its bytes.
#[derive(Debug, Clone)]
pub struct ServedFile {
    /// The bytes, the media type and the time of creation.
    pub file: Arc<CachedImage>,
    /// The hash of the bytes in hexadecimal digits, which is computed once.
    pub fingerprint: [u8; 32],
    /// The origin of the file.
    pub origin: Origin,
    /// The rule by which clients may cache the file.
    pub shelf_life: ShelfLife,
    /// The player who is shown in place of the requested one, if that is not available. A request
    /// has to name the substitute, so this is nothing on the specified routes.
    pub substitution: Option<Substitution>,
}

word_enum! {
    /// The player who is shown in place of the requested one.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Substitution {
        /// The player whom the request or its family of URLs names for that.
        Default = "default",
        /// The built-in player, because an outage leaves no other one.
        Fallback = "fallback",
    }
}

/// The origin of a file. That of several files together is the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A cache.
    Cache,
    /// Made for this request.
    Render,
    /// The last known look of a player whose record is more than an hour old, because an outage
    /// prevents a newer one.
    Stale,
}

/// The rule by which clients may cache a file. That of several files together is the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShelfLife {
    /// The file belongs to a texture's hash, and never changes.
    Day,
    /// The rest of an hour since the file was made. Spec, "Limits".
    RestOfHour,
    /// As long as the operator wants.
    Usual,
    /// Two minutes at most: somebody is missing who may soon be there, or the record is old.
    Short,
    /// Some seconds: a check of the player was not waited for.
    Unchecked,
    /// Not without asking: the file may show the wrong player, or its player may change at any
    /// time.
    Revalidate,
}

impl ServedFile {
    /// A file with these contents, which is cached for the rest of its hour.
    #[must_use]
    pub fn new(file: CachedImage, origin: Origin) -> Self {
        Self {
            fingerprint: fingerprint(&file.data),
            file: Arc::new(file),
            origin,
            shelf_life: ShelfLife::RestOfHour,
            substitution: None,
        }
    }

    /// A new file.
    #[must_use]
    pub fn made(data: impl Into<Bytes>, content_type: &str, created_at: SystemTime) -> Self {
        let data = data.into();
        let fingerprint = fingerprint(&data);
        Self::made_with_fingerprint(data, content_type, created_at, fingerprint)
    }

    /// A new file with a fingerprint that ignores a part of its bytes.
    #[must_use]
    pub fn made_with_fingerprint(
        data: impl Into<Bytes>,
        content_type: &str,
        created_at: SystemTime,
        fingerprint: [u8; 32],
    ) -> Self {
        let file = CachedImage {
            data: data.into(),
            content_type: content_type.to_owned(),
            created_at,
        };
        Self {
            fingerprint,
            file: Arc::new(file),
            origin: Origin::Render,
            shelf_life: ShelfLife::RestOfHour,
            substitution: None,
        }
    }

    /// Returns `true` if the bytes are compressed with gzip, as those of SVGs are. The media type
    /// is that of the uncompressed file.
    #[must_use]
    pub fn is_gzip(&self) -> bool {
        self.file.data.starts_with(GZIP)
    }

    /// Returns the same file from another origin.
    #[must_use]
    pub fn with_origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// Returns the same file, from a stale record if `is_stale`.
    pub(crate) fn marked_stale(self, is_stale: bool) -> Self {
        if is_stale {
            self.with_origin(Origin::Stale)
        } else {
            self
        }
    }

    /// Returns the same file with another rule for clients.
    #[must_use]
    pub fn with_shelf_life(self, shelf_life: ShelfLife) -> Self {
        Self { shelf_life, ..self }
    }

    /// Returns the same file, which shows another player than the requested one.
    pub(crate) fn substituting(self, substitution: Substitution) -> Self {
        let substitution = Some(substitution);
        Self {
            substitution,
            ..self
        }
    }

    /// Returns the same file, which clients may cache no longer than this rule says.
    #[must_use]
    pub fn at_most(self, shelf_life: ShelfLife) -> Self {
        let shelf_life = self.shelf_life.max(shelf_life);
        Self { shelf_life, ..self }
    }
}

/// Returns the XXH3 hash of a file with 128 bits, in hexadecimal digits.
///
/// Two files do not share it by chance. A deliberate collision would only keep clients that cached
/// one picture of a URL from seeing the other.
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> [u8; 32] {
    let digits = format!("{:032x}", XxHash3_128::oneshot(bytes));
    *digits.as_bytes().first_chunk().expect("it has 32 digits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_the_xxh3_hash() {
        // Computed with the reference implementation's `xxhsum -H2`.
        let known = fingerprint(b"abc");
        assert_eq!(known, *b"06b05ab6733a618578af5f94892f3950");
        assert_ne!(known, fingerprint(b"abd"));
    }
}
