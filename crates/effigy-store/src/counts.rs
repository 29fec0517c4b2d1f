//! Counters of renders.

use std::fmt::Debug;

use async_trait::async_trait;
use effigy_player::Edition;

use crate::StoreError;

/// The renders of an edition that a writer has counted since it started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RenderCount {
    /// The edition.
    pub edition: Edition,
    /// A random number that identifies the writer among the writers of all processes.
    pub writer: i64,
    /// The number of renders, which only grows.
    pub total: u64,
}

/// One counter of renders per edition.
#[async_trait]
pub trait Counts: Debug + Send + Sync + 'static {
    /// Returns the counter of every edition, in the order of [`Edition::ALL`].
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn counts(&self) -> Result<Vec<(Edition, u64)>, StoreError>;
}
