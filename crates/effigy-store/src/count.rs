//! How many renders were made for players of each edition.

use std::cmp::Reverse;
use std::future::Future;

use effigy_player::Edition;

use crate::StoreError;

/// One counter per edition, beginning at 0.
///
/// A counter stops at [`i64::MAX`], the most that every database can hold.
pub trait Counters {
    /// Adds `by` to the counter of `edition`.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses.
    fn increment(
        &self,
        edition: Edition,
        by: u64,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// The counter of `edition`.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses.
    fn count(&self, edition: Edition) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Both counters, the higher one first; Java first when they are equal.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses.
    fn counts(&self) -> impl Future<Output = Result<Vec<(Edition, u64)>, StoreError>> + Send;
}

/// Lists every edition with its count, the higher one first.
pub(crate) fn descending(count: impl Fn(Edition) -> u64) -> Vec<(Edition, u64)> {
    let mut counts = Edition::ALL
        .map(|edition| (edition, count(edition)))
        .to_vec();
    counts.sort_by_key(|&(_, count)| Reverse(count));
    counts
}
