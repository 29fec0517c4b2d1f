#![doc = include_str!("../README.md")]

mod counts;
mod error;
mod health;
mod images;
mod memory;
mod sql;
mod timestamp;

use std::pin::Pin;

pub use counts::Counters;
pub use error::{DatabaseError, StoreError};
pub use health::{HEALTH_LOG_LENGTH, HealthEntry, HealthLog, HealthStatus};
pub use images::{CachedImage, ImageCache, LIFETIME};
pub use memory::MemoryStore;
pub use sql::SqlStore;

/// A boxed future: the traits of this crate are object safe, so a service can hold a `dyn Store`.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// All that the service keeps, in one place.
///
/// Every type that is an [`ImageCache`], [`Counters`] and a [`HealthLog`] and can be shared
/// between threads is one; there is nothing to implement.
pub trait Store: ImageCache + Counters + HealthLog + Send + Sync + 'static {}

impl<T: ImageCache + Counters + HealthLog + Send + Sync + 'static> Store for T {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_can_be_a_trait_object() {
        let store: std::sync::Arc<dyn Store> = std::sync::Arc::new(MemoryStore::new());
        drop(store);
    }
}
