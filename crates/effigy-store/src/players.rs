//! Records of players, which age from their last use.

use std::fmt::Debug;
use std::time::SystemTime;

use async_trait::async_trait;
use bytes::Bytes;

use crate::StoreError;

/// A record of a player as it is stored. Times are in whole milliseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerRow {
    /// The key, which may be any text.
    pub key: String,
    /// The record, as bytes that the store does not read.
    pub value: Bytes,
    /// The time at which the upstreams last confirmed the record.
    pub checked_at: SystemTime,
    /// The time at which somebody last needed the record.
    pub used_at: SystemTime,
}

/// Records of players by key.
#[async_trait]
pub trait Players: Debug + Send + Sync + 'static {
    /// Returns the row under `key` at any age. Its `checked_at` may be in the future.
    ///
    /// A row that doesn't match its checksum is not found, and is logged.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn player(&self, key: &str) -> Result<Option<PlayerRow>, StoreError>;
}

/// A change of the stored players.
///
/// Several processes may share a database, so a change never undoes a later check. If a stored row
/// was checked more than a minute after the time of the batch, its time is wrong, and the row is
/// replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerChange<'a> {
    /// Replaces the row, unless the stored one was checked later. The later `used_at` of both is
    /// kept.
    Put(&'a PlayerRow),
    /// Records a use of the row, if it is stored and was not used later.
    Used {
        /// The key of the row.
        key: &'a str,
        /// The time of the use.
        used_at: SystemTime,
    },
    /// Deletes the row, unless it was checked later: "no such player" is an answer.
    Delete {
        /// The key of the row.
        key: &'a str,
        /// The time at which the upstreams answered that there is no such player.
        checked_at: SystemTime,
    },
}

impl PlayerChange<'_> {
    /// Returns the key of the row that changes.
    #[must_use]
    pub fn key(&self) -> &str {
        match self {
            Self::Put(row) => &row.key,
            Self::Used { key, .. } | Self::Delete { key, .. } => key,
        }
    }
}
