//! Rendered images, cached for one hour.

use std::fmt;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use bytes::Bytes;

use crate::StoreError;

/// Time for which an image may be served after it was stored. Spec, "Limits".
pub const LIFETIME: Duration = Duration::from_secs(3600);

/// A rendered image as it is stored and served again.
#[derive(Clone, PartialEq, Eq)]
pub struct CachedImage {
    /// The encoded image.
    pub data: Bytes,
    /// The media type of the image.
    pub content_type: String,
    /// The time at which the image was stored, in whole milliseconds.
    pub created_at: SystemTime,
}

impl CachedImage {
    /// Returns the rest of the image's [`LIFETIME`] at `now`, zero for an expired image.
    ///
    /// An image from the future counts as expired: its time is wrong, or the clock was set back.
    #[must_use]
    pub fn time_left(&self, now: SystemTime) -> Duration {
        let age = now.duration_since(self.created_at);
        age.map_or(Duration::ZERO, |age| LIFETIME.saturating_sub(age))
    }

    /// Returns the time since the image was stored, zero for an image from the future.
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
/// A key may be any text. Times are stored in whole milliseconds, rounded down.
#[async_trait]
pub trait ImageCache: Send + Sync {
    /// Returns the image under `key` if it is younger than [`LIFETIME`] at `now`.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn lookup(&self, key: &str, now: SystemTime) -> Result<Option<CachedImage>, StoreError> {
        self.lookup_within(key, now, LIFETIME).await
    }

    /// Returns the image under `key` if it is younger than `lifetime` at `now`, and not from the
    /// future.
    ///
    /// With a `lifetime` longer than [`LIFETIME`] this finds expired images that have not been
    /// pruned yet.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if the image is not as it was stored; any other if the database cannot
    /// be reached or refuses the statement.
    async fn lookup_within(
        &self,
        key: &str,
        now: SystemTime,
        lifetime: Duration,
    ) -> Result<Option<CachedImage>, StoreError>;

    /// Stores `image` under `key` and replaces an older image there.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn put(&self, key: &str, image: &CachedImage) -> Result<(), StoreError> {
        self.put_all(&[(key, image)]).await
    }

    /// Stores all images under their keys, or none of them if it fails, and replaces older images
    /// there. If a key occurs twice, its last image is stored.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses a statement.
    async fn put_all(&self, images: &[(&str, &CachedImage)]) -> Result<(), StoreError>;

    /// Deletes the oldest images if the store has a maximum size and exceeds it, and returns their
    /// number. It costs little while the store is smaller. One that is far too large takes several
    /// calls.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses a statement. Some images may be deleted then.
    async fn evict(&self) -> Result<u64, StoreError> {
        Ok(0)
    }

    /// Deletes the image under `key`.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn remove(&self, key: &str) -> Result<(), StoreError>;

    /// Deletes the images whose age at `now` is at least `lifetime`, and those that are further than
    /// that in the future, and returns their number.
    ///
    /// Until then expired images stay or are overwritten.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses a statement. Some images may be deleted then.
    async fn prune_images(&self, now: SystemTime, lifetime: Duration) -> Result<u64, StoreError>;
}
