//! Deletion of old rows.

use std::fmt::Debug;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;

use crate::StoreError;

/// The ages at which rows may be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ages {
    /// The age of images, since they were drawn.
    pub pictures: Duration,
    /// The age of textures, since their last use.
    pub textures: Duration,
    /// The age of players, since their last use.
    pub players: Duration,
}

/// The numbers of deleted rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pruned {
    /// The number of images.
    pub pictures: u64,
    /// The number of textures.
    pub textures: u64,
    /// The number of players.
    pub players: u64,
}

/// The work that keeps a store small.
#[async_trait]
pub trait Maintenance: Debug + Send + Sync + 'static {
    /// Deletes old rows:
    ///
    /// - rows that have reached their age in `ages`, or are further than it in the future,
    /// - the oldest rows beyond the maximum size, and
    /// - all but the newest [`HEALTH_LOG_LENGTH`](crate::HEALTH_LOG_LENGTH) health checks.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses a statement. Some rows may be deleted then.
    async fn prune(&self, now: SystemTime, ages: Ages) -> Result<Pruned, StoreError>;
}
