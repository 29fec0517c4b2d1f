//! One counter of rendered images per edition.

use std::cmp::Reverse;

use effigy_player::Edition;

use crate::{BoxFuture, StoreError};

/// One counter per edition. Counters start at 0.
///
/// A counter saturates at [`i64::MAX`], the largest integer of every supported database.
pub trait Counters: Send + Sync {
    /// Adds `by` to the counter of `edition`.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    fn increment(&self, edition: Edition, by: u64) -> BoxFuture<'_, Result<(), StoreError>>;

    /// Returns the counter of `edition`.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    fn count(&self, edition: Edition) -> BoxFuture<'_, Result<u64, StoreError>>;

    /// Returns both counters, the higher one first, and Java first if they are equal.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    fn counts(&self) -> BoxFuture<'_, Result<Vec<(Edition, u64)>, StoreError>>;
}

/// Lists every edition with its count in descending order.
pub(crate) fn descending(count: impl Fn(Edition) -> u64) -> Vec<(Edition, u64)> {
    let mut counts = Edition::ALL.map(|edition| (edition, count(edition)));
    counts.sort_by_key(|&(_, count)| Reverse(count));
    counts.to_vec()
}
