//! Rendered images, which age from the time at which they were drawn.

use std::fmt::Debug;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use bytes::Bytes;

use crate::StoreError;

/// Time for which an image of a compatibility path may be served after it was drawn. The operator
/// sets the lifetime of other images. Spec, "Limits".
pub const LIFETIME: Duration = Duration::from_secs(3600);

/// A rendered image as it is stored and served again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedImage {
    /// The encoded image.
    pub data: Bytes,
    /// The media type of the image.
    pub content_type: String,
    /// The time at which the image was drawn, in whole milliseconds.
    pub created_at: SystemTime,
}

impl CachedImage {
    /// Returns the rest of [`LIFETIME`] at `now`, for an image of a compatibility path, or zero if
    /// it has expired.
    ///
    /// An image from the future counts as expired. Its time is wrong, or the clock was set back.
    #[must_use]
    pub fn time_left(&self, now: SystemTime) -> Duration {
        let age = now.duration_since(self.created_at);
        age.map_or(Duration::ZERO, |age| LIFETIME.saturating_sub(age))
    }
}

/// Rendered images by key, which may be any text.
#[async_trait]
pub trait Pictures: Debug + Send + Sync + 'static {
    /// Returns the image under `key` if it is younger than `lifetime` at `now` and not from the
    /// future.
    ///
    /// An image that doesn't match its checksum is not found, and is logged.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn lookup(
        &self,
        key: &str,
        now: SystemTime,
        lifetime: Duration,
    ) -> Result<Option<CachedImage>, StoreError>;
}
