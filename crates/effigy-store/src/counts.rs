//! One counter of rendered images per edition.

use std::cmp::Reverse;

use async_trait::async_trait;
use effigy_player::Edition;

use crate::StoreError;

/// One counter per edition. Counters start at 0.
///
/// A counter saturates at [`i64::MAX`], the largest integer of every supported database.
#[async_trait]
pub trait Counters: Send + Sync {
    /// Adds `by` to the counter of `edition`.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn increment(&self, edition: Edition, by: u64) -> Result<(), StoreError>;

    /// Returns both counters, the higher one first, and Java first if they are equal.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn counts(&self) -> Result<Vec<(Edition, u64)>, StoreError>;

    /// Returns the counter of `edition`.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn count(&self, edition: Edition) -> Result<u64, StoreError> {
        let mut counts = self.counts().await?.into_iter();
        let found = counts.find(|(counted, _)| *counted == edition);
        Ok(found.map_or(0, |(_, count)| count))
    }
}

/// Lists every edition with its count in descending order.
pub(crate) fn descending(count: impl Fn(Edition) -> u64) -> Vec<(Edition, u64)> {
    let mut counts = Edition::ALL.map(|edition| (edition, count(edition)));
    counts.sort_by_key(|&(_, count)| Reverse(count));
    counts.to_vec()
}
