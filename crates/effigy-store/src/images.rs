//! Rendered images, kept for one hour.

use std::fmt;
use std::time::{Duration, SystemTime};

use bytes::Bytes;

use crate::{BoxFuture, StoreError};

/// How long an image may be served after it was stored. Spec, "Limits".
pub const LIFETIME: Duration = Duration::from_secs(3600);

/// A rendered image as it is kept and served again.
#[derive(Clone, PartialEq, Eq)]
pub struct CachedImage {
    /// The encoded image.
    pub data: Bytes,
    /// The media type it is served with.
    pub content_type: String,
    /// When it was stored, kept to the millisecond.
    pub created_at: SystemTime,
}

impl CachedImage {
    /// What is left of the image's hour at `now`: zero once it has expired.
    ///
    /// An image from the future, written by a replica whose clock is ahead, has the whole hour.
    #[must_use]
    pub fn time_left(&self, now: SystemTime) -> Duration {
        LIFETIME.saturating_sub(self.age(now))
    }

    /// How long ago the image was stored at `now`: no time for one from the future.
    #[must_use]
    pub fn age(&self, now: SystemTime) -> Duration {
        now.duration_since(self.created_at).unwrap_or_default()
    }
}

impl fmt::Debug for CachedImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CachedImage")
            .field("data", &format_args!("{} bytes", self.data.len()))
            .field("content_type", &self.content_type)
            .field("created_at", &self.created_at)
            .finish()
    }
}

/// Rendered images by cache key.
///
/// A key may hold any text. Times are kept to the millisecond, rounded down.
pub trait ImageCache {
    /// The image under `key`, when it is younger than [`LIFETIME`] at `now`.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses.
    fn lookup<'a>(
        &'a self,
        key: &'a str,
        now: SystemTime,
    ) -> BoxFuture<'a, Result<Option<CachedImage>, StoreError>> {
        self.lookup_within(key, now, LIFETIME)
    }

    /// The image under `key`, when it is younger than `lifetime` at `now`: with a longer one than
    /// [`LIFETIME`], expired images too, as long as nobody deletes them.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses.
    fn lookup_within<'a>(
        &'a self,
        key: &'a str,
        now: SystemTime,
        lifetime: Duration,
    ) -> BoxFuture<'a, Result<Option<CachedImage>, StoreError>>;

    /// Stores `image` under `key`, in place of what was there.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses.
    fn put<'a>(
        &'a self,
        key: &'a str,
        image: &'a CachedImage,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Stores every image under its key, in place of what was there: all of them or none. Of several
    /// under one key the last is stored.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses.
    fn put_all<'a>(
        &'a self,
        images: &'a [(&'a str, &'a CachedImage)],
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Deletes the images that are as old as `lifetime` at `now`, or older, and says how many they
    /// were.
    ///
    /// Nothing else deletes them: until then, or until they are overwritten, they stay.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses; some images may be deleted by then.
    fn prune_images(
        &self,
        now: SystemTime,
        lifetime: Duration,
    ) -> BoxFuture<'_, Result<u64, StoreError>>;
}
