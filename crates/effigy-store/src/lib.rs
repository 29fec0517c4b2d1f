#![doc = include_str!("../README.md")]

mod count;
mod error;
mod health;
mod image;
mod memory;
mod sql;
mod timestamp;

pub use count::Counters;
pub use error::{DatabaseError, StoreError};
pub use health::{HEALTH_LOG_LENGTH, HealthEntry, HealthLog, HealthStatus};
pub use image::{CachedImage, ImageCache, LIFETIME};
pub use memory::MemoryStore;
pub use sql::SqlStore;

/// All that the service keeps, in one place.
///
/// Every type that is an [`ImageCache`], [`Counters`] and a [`HealthLog`] and can be shared
/// between threads is one; there is nothing to implement.
pub trait Store: ImageCache + Counters + HealthLog + Send + Sync + 'static {}

impl<T: ImageCache + Counters + HealthLog + Send + Sync + 'static> Store for T {}
