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
    /// The player who is shown instead of the requested one, if that one is not available. A
    /// request has to name its substitute, so this is `None` on the specified routes.
    pub substitution: Option<Substitution>,
}

word_enum! {
    /// The player who is shown instead of the requested one. A picture of several players has the
    /// greatest of their substitutions.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Substitution {
        /// The substitute that the request names, or its family of URLs.
        Default = "default",
        /// The built-in player, because no other player is available in an outage.
        Fallback = "fallback",
    }
}

/// The origin of a file. Several files together have the greatest of their origins.
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

/// The rule by which clients may cache a file. A greater rule is a stricter one, and several files
/// together have the strictest of their rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShelfLife {
    /// A day: the file shows textures by their hashes, so it never changes.
    Day,
    /// The rest of an hour since the file was made, for specified pictures and signed profiles.
    /// Spec, "Limits". These are never a part of another file, so only
    /// [`Revalidate`](Self::Revalidate) is compared with it.
    RestOfHour,
    /// As long as the operator has set.
    Usual,
    /// Two minutes at most: a player is missing who may exist soon, or the record is old.
    Short,
    /// A few seconds: the check of the player still goes on.
    Unchecked,
    /// Clients must ask each time: the file may show the wrong player, or its player may change at
    /// any time.
    Revalidate,
}

impl ShelfLife {
    /// Returns the stricter one of two rules: the one with which clients cache for a shorter time.
    #[must_use]
    pub fn stricter(self, other: Self) -> Self {
        self.max(other)
    }
}

impl ServedFile {
    /// A file with these contents. Its bytes don't change, so clients may cache it for a day,
    /// unless a stricter rule is set.
    #[must_use]
    pub fn new(file: CachedImage, origin: Origin) -> Self {
        Self {
            fingerprint: fingerprint(&file.data),
            file: Arc::new(file),
            origin,
            shelf_life: ShelfLife::Day,
            substitution: None,
        }
    }

    /// A file that was made just now. Clients may cache it for a day, unless a stricter rule is
    /// set.
    #[must_use]
    pub fn made(data: impl Into<Bytes>, content_type: &str, created_at: SystemTime) -> Self {
        let data = data.into();
        let fingerprint = fingerprint(&data);
        Self::made_with_fingerprint(data, content_type, created_at, fingerprint)
    }

    /// A file that was made just now, as [`made`](Self::made) makes it, with a fingerprint that
    /// ignores a part of its bytes.
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
            shelf_life: ShelfLife::Day,
            substitution: None,
        }
    }

    /// Returns `true` if the bytes are compressed with gzip, as in SVGs. The media type names the
    /// format of the uncompressed bytes.
    #[must_use]
    pub fn is_gzip(&self) -> bool {
        self.file.data.starts_with(GZIP)
    }

    /// Returns the file with another origin.
    #[must_use]
    pub fn with_origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// Returns the file, which shows a stale record if `is_stale`.
    pub(crate) fn marked_stale(self, is_stale: bool) -> Self {
        if is_stale {
            self.with_origin(Origin::Stale)
        } else {
            self
        }
    }

    /// Returns the file with another rule for clients.
    #[must_use]
    pub fn with_shelf_life(self, shelf_life: ShelfLife) -> Self {
        Self { shelf_life, ..self }
    }

    /// Returns the file, which may show another player than the requested one.
    pub(crate) fn with_substitution(self, substitution: Option<Substitution>) -> Self {
        Self {
            substitution,
            ..self
        }
    }

    /// Returns the file, which clients may cache no longer than this rule says.
    #[must_use]
    pub fn at_most(self, shelf_life: ShelfLife) -> Self {
        let stricter = self.shelf_life.stricter(shelf_life);
        self.with_shelf_life(stricter)
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
