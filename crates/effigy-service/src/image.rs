//! Finished files, their origins, and the fingerprints of their bytes.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use effigy_store::{CachedImage, LIFETIME};
use twox_hash::XxHash3_128;

/// The first bytes of a gzip file.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// The time for which a file that lacks a player may be cached.
const LACKING_LIFETIME: Duration = Duration::from_secs(120);

/// A finished file. Clones share its bytes.
#[derive(Debug, Clone)]
pub struct Image {
    /// The bytes, the media type and the time of creation.
    pub file: Arc<CachedImage>,
    /// The hash of the bytes in hexadecimal digits, which is computed once.
    pub fingerprint: [u8; 32],
    /// The origin, which decides how long clients may cache it.
    pub origin: Origin,
    /// `true` if the player's skin may change at any time, so that clients have to ask whether it has.
    pub may_change: bool,
}

/// The origin of a file. That of several files together is the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A cache.
    Cache,
    /// Made for this request, and cached from now on.
    Render,
    /// Made for this request from a fallback skin, from that of a player who may be another one, or without the
    /// cape, because of an outage. It is not cached, because it may not show the player's own look.
    OutageFallback,
    /// A cache, after its lifetime: an outage prevents a newer one.
    Stale,
}

impl Origin {
    /// The origin of a new file that shows a player, who may be another one if that is not certain.
    #[must_use]
    pub const fn of(is_certain: bool) -> Self {
        if is_certain {
            Self::Render
        } else {
            Self::OutageFallback
        }
    }
}

impl Image {
    /// An image with the contents of `file`.
    #[must_use]
    pub fn new(file: CachedImage, origin: Origin) -> Self {
        Self {
            fingerprint: fingerprint(&file.data),
            file: Arc::new(file),
            origin,
            may_change: false,
        }
    }

    /// A new file.
    #[must_use]
    pub fn made(
        data: impl Into<Bytes>,
        content_type: &str,
        created_at: SystemTime,
        origin: Origin,
    ) -> Self {
        let file = CachedImage {
            data: data.into(),
            content_type: content_type.to_owned(),
            created_at,
        };
        Self::new(file, origin)
    }

    /// Returns `true` if the bytes are compressed with gzip, as those of SVGs are. The media type is that of
    /// the uncompressed file.
    #[must_use]
    pub fn is_gzip(&self) -> bool {
        self.file.data.starts_with(GZIP)
    }

    /// Returns the same file from another origin.
    #[must_use]
    pub fn with_origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// Returns the file with at most two minutes of its lifetime left at `now` if it lacks a player, who may soon be
    /// there.
    #[must_use]
    pub fn lacking_player(mut self, is_lacking: bool, now: SystemTime) -> Self {
        if is_lacking && self.file.time_left(now) > LACKING_LIFETIME {
            let file = Arc::make_mut(&mut self.file);
            file.created_at = now - (LIFETIME - LACKING_LIFETIME);
        }
        self
    }

    /// Returns `true` if the file may be served at `now` without an outage.
    pub(crate) fn is_fresh(&self, now: SystemTime) -> bool {
        !self.file.time_left(now).is_zero()
    }
}

/// Returns the XXH3 hash of a file with 128 bits, in hexadecimal digits.
///
/// Two files do not share it by chance. A deliberate collision would only keep clients that cached one
/// picture of a URL from seeing the other.
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
