#![doc = include_str!("../README.md")]

mod counts;
mod error;
mod health;
mod maintenance;
mod pictures;
mod players;
mod sql;
mod store;
mod textures;
mod writes;

/// The attribute that an implementation of the traits needs.
pub use async_trait::async_trait;
pub use counts::{Counts, RenderCount};
pub use error::{DatabaseError, StoreError};
pub use health::{HEALTH_LOG_LENGTH, HealthEntry, HealthLog, HealthStatus, RecentChecks};
pub use maintenance::{Ages, Maintenance, Pruned};
pub use pictures::{CachedImage, LIFETIME, Pictures};
pub use players::{PlayerChange, PlayerRow, Players};
pub use sql::{SqlStore, StoreOptions};
pub use store::Store;
pub use textures::{TextureChange, TextureId, Textures};
pub use writes::{WriteBatch, Writes};
