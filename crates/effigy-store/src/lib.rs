#![doc = include_str!("../README.md")]

mod checksum;
mod counts;
mod error;
mod health;
mod images;
mod memory;
mod sql;
mod timestamp;

/// The attribute that an implementation of the traits needs.
pub use async_trait::async_trait;
pub use counts::Counters;
pub use error::{DatabaseError, StoreError};
pub use health::{HEALTH_LOG_LENGTH, HealthEntry, HealthLog, HealthStatus};
pub use images::{CachedImage, ImageCache, LIFETIME};
pub use memory::MemoryStore;
pub use sql::{SqlStore, StoreOptions};

/// All three parts of a store in one trait, for use as `Arc<dyn Store>`.
///
/// Every `'static` type that is an [`ImageCache`], [`Counters`] and a [`HealthLog`] implements it.
pub trait Store: ImageCache + Counters + HealthLog + 'static {}

impl<T: ImageCache + Counters + HealthLog + 'static> Store for T {}
