//! The trait of a store, and what it has.

use std::fmt::Debug;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use bytes::Bytes;
use effigy_player::Edition;

use crate::{HealthEntry, StoreError};

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
}

/// The renders of an edition that a writer has counted since it started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RenderCount {
    /// The edition.
    pub edition: Edition,
    /// A number that no other writer has, also of other processes: a random one.
    pub writer: i64,
    /// The number of renders, which only grows.
    pub total: u64,
}

/// Rendered images by key, one counter of renders per edition, and the log of health checks.
///
/// A key may be any text. Times are stored in whole milliseconds, rounded down.
#[async_trait]
pub trait Store: Debug + Send + Sync + 'static {
    /// Returns the image under `key` if it is younger than `lifetime` at `now` and not from the future.
    ///
    /// An image that is not as it was stored is not returned; the log gets a line about it.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn lookup(
        &self,
        key: &str,
        now: SystemTime,
        lifetime: Duration,
    ) -> Result<Option<CachedImage>, StoreError>;

    /// Stores `images` under their keys and adds to the counters what the totals in `counts` have grown by:
    /// everything, or nothing.
    ///
    /// After an error it may be either, because a database may commit and not be heard. A caller that repeats
    /// the write, with these totals or later ones, counts each render once.
    ///
    /// Older images are replaced. If a key occurs twice, its last image is stored. A counter saturates
    /// at [`i64::MAX`]. Of a store that exceeds its maximum size, the oldest images are deleted then.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses a statement.
    async fn write(
        &self,
        images: &[(&str, &CachedImage)],
        counts: &[RenderCount],
    ) -> Result<(), StoreError>;

    /// Returns the counter of every edition, in the order of [`Edition::ALL`].
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn counts(&self) -> Result<Vec<(Edition, u64)>, StoreError>;

    /// Adds an entry to the log of health checks.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn record(&self, entry: &HealthEntry) -> Result<(), StoreError>;

    /// Returns at most `limit` entries that this server has added to the log of health checks, the newest first. Of entries with
    /// the same time, the one recorded last comes first.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn recent(&self, limit: u32) -> Result<Vec<HealthEntry>, StoreError>;

    /// Deletes the images whose age at `now` is at least `lifetime` or that are further than that in
    /// the future, the oldest images beyond the maximum size, and all but the newest
    /// [`HEALTH_LOG_LENGTH`](crate::HEALTH_LOG_LENGTH) health checks. Returns the number of deleted
    /// images.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses a statement. Some of it may be deleted then.
    async fn prune(&self, now: SystemTime, lifetime: Duration) -> Result<u64, StoreError>;
}
