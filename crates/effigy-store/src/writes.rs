//! Batches of writes.

use std::fmt::Debug;
use std::time::SystemTime;

use async_trait::async_trait;

use crate::{CachedImage, PlayerChange, RenderCount, StoreError, TextureChange};

/// Writes that succeed or fail together.
#[derive(Debug, Clone, Copy)]
pub struct WriteBatch<'a> {
    /// Images with their keys. Older ones are replaced; if a key occurs twice, its last image is
    /// stored.
    pub pictures: &'a [(&'a str, &'a CachedImage)],
    /// Changes of textures. Several changes of one texture apply in this order.
    pub textures: &'a [TextureChange<'a>],
    /// Changes of players. Several changes of one player apply in this order.
    pub players: &'a [PlayerChange<'a>],
    /// Totals, whose growth is added to the counters. A counter saturates at [`i64::MAX`].
    pub counts: &'a [RenderCount],
    /// The time of the batch, at which its textures are in use.
    pub now: SystemTime,
}

impl WriteBatch<'_> {
    /// Returns an empty batch.
    #[must_use]
    pub const fn new(now: SystemTime) -> Self {
        Self {
            pictures: &[],
            textures: &[],
            players: &[],
            counts: &[],
            now,
        }
    }
}

/// Writes to all tables except for the health log.
#[async_trait]
pub trait Writes: Debug + Send + Sync + 'static {
    /// Writes a batch in one transaction: everything, or nothing.
    ///
    /// After an error, the batch may be written or not, because the database may commit and its
    /// answer may be lost. If the caller repeats the batch, with the same totals or later ones,
    /// each render still counts once.
    ///
    /// If the store exceeds its maximum size afterwards, its oldest rows are deleted.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses a statement.
    async fn write(&self, batch: &WriteBatch<'_>) -> Result<(), StoreError>;
}
