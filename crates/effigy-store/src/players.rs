//! Records of players: who somebody is and what they wear. They age from their last use.

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
    /// The record, which means nothing to the store.
    pub value: Bytes,
    /// The time at which the upstreams last confirmed the record.
    pub checked_at: SystemTime,
    /// The time at which somebody last needed the record.
    pub used_at: SystemTime,
}

/// Records of players by key.
#[async_trait]
pub trait Players: Debug + Send + Sync + 'static {
    /// Returns the row under `key`, however old it is. Its `checked_at` may be in the future.
    ///
    /// A row that is not as it was stored is not returned; the log gets a line about it.
    ///
    /// # Errors
    /// If the database cannot be reached or refuses the statement.
    async fn player(&self, key: &str) -> Result<Option<PlayerRow>, StoreError>;
}

/// A change of the stored players.
///
/// Several processes may share a database, so a change never undoes a later check. A stored row
/// that was checked more than a minute after the batch is written has a wrong time, and gives way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerChange<'a> {
    /// Replaces the row, unless the stored one was checked later. Of the last use of both, the
    /// later counts.
    Put(&'a PlayerRow),
    /// Records that the row is in use, if it is stored and was not used later.
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
