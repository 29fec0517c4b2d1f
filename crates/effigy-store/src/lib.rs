#![doc = include_str!("../README.md")]

mod checksum;
mod error;
mod health;
mod images;
mod sql;
mod store;
mod timestamp;

/// The attribute that an implementation of [`Store`] needs.
pub use async_trait::async_trait;
pub use error::{DatabaseError, StoreError};
pub use health::{HEALTH_LOG_LENGTH, HealthEntry, HealthStatus, RecentChecks};
pub use images::{CachedImage, LIFETIME};
pub use sql::{SqlStore, StoreOptions};
pub use store::{RenderCount, Store};
