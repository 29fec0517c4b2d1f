#![doc = include_str!("../README.md")]

mod error;
mod health;
mod sql;
mod store;

/// The attribute that an implementation of [`Store`] needs.
pub use async_trait::async_trait;
pub use error::{DatabaseError, StoreError};
pub use health::{HEALTH_LOG_LENGTH, HealthEntry, HealthStatus, RecentChecks};
pub use sql::{SqlStore, StoreOptions};
pub use store::{CachedImage, LIFETIME, RenderCount, Store};
