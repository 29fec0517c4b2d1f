//! Rendered images.

use std::time::{Duration, SystemTime};

use bytes::Bytes;

/// Time for which an image may be served after it was stored. Spec, "Limits".
pub const LIFETIME: Duration = Duration::from_secs(3600);

/// A rendered image as it is stored and served again.
#[derive(Debug, Clone, PartialEq, Eq)]
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
