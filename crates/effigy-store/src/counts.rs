//! How many renders were made for players of each edition.

use std::cmp::Reverse;

use effigy_player::Edition;

use crate::{BoxFuture, StoreError};

/// One counter per edition, beginning at 0.
///
/// A counter stops at [`i64::MAX`], the most that every database can hold.
pub trait Counters {
    /// Adds `by` to the counter of `edition`.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses.
    fn increment(&self, edition: Edition, by: u64) -> BoxFuture<'_, Result<(), StoreError>>;

    /// The counter of `edition`.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses.
    fn count(&self, edition: Edition) -> BoxFuture<'_, Result<u64, StoreError>>;

    /// Both counters, the higher one first; Java first when they are equal.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses.
    fn counts(&self) -> BoxFuture<'_, Result<Vec<(Edition, u64)>, StoreError>>;
}

/// Lists every edition with its count, the higher one first.
pub(crate) fn descending(count: impl Fn(Edition) -> u64) -> Vec<(Edition, u64)> {
    let mut counts = Edition::ALL
        .map(|edition| (edition, count(edition)))
        .to_vec();
    counts.sort_by_key(|&(_, count)| Reverse(count));
    counts
}
