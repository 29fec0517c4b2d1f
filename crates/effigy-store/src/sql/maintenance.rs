//! Deletion of old rows, and of the oldest ones if there are too many.

use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use sqlx::SqlSafeStr;

use super::aging_table::AgingTable;
use super::database::{Database, execute, run};
use super::values::{to_millis, to_unix_millis};
use super::{SqlStore, health, pictures, players, sqlite, textures};
use crate::{Ages, HEALTH_LOG_LENGTH, Maintenance, Pruned, StoreError};

/// Maximum of bytes that one statement deletes.
const EVICT_BATCH_BYTES: u64 = 64 << 20;

/// Number of parts into which the maximum size is divided. The sizes are measured whenever one part
/// was written, and not more often, because PostgreSQL scans the table of images.
const PARTS: u64 = 64;

/// Parts of the maximum that are kept free for rows that are written between two measurements. They
/// are two, because the estimated size of what was written may be too low.
const FREE_PARTS: u64 = 2;

/// Parts for the rows of textures and of players. Another part may be written before they are
/// measured again, so together they have at most (11 + 4 + 1) / 64, a quarter of the maximum.
///
/// In a SQLite file, whose pages are partly filled, these rows take up to half of the maximum. They
/// must not take more: after a rollback, version 0.2 measures the whole file but deletes only
/// images, and would delete all of them if textures and players took most of it.
const TEXTURE_PARTS: u64 = 11;
const PLAYER_PARTS: u64 = 4;

#[async_trait]
impl Maintenance for SqlStore {
    async fn prune(&self, now: SystemTime, ages: Ages) -> Result<Pruned, StoreError> {
        let now = to_unix_millis(now);
        let mut pruned = Pruned {
            pictures: self
                .delete_expired(pictures::TABLE, now, ages.pictures)
                .await?,
            textures: self
                .delete_expired(textures::TABLE, now, ages.textures)
                .await?,
            players: self
                .delete_expired(players::TABLE, now, ages.players)
                .await?,
        };
        if let Some(max_bytes) = self.options.max_bytes {
            self.evict_all(max_bytes, &mut pruned).await?;
        }
        self.prune_health().await?;
        Ok(pruned)
    }
}

impl SqlStore {
    /// Deletes a batch of the oldest rows after `bytes` were written, if that made the store too
    /// large.
    pub(super) async fn make_room(&self, bytes: u64) {
        let Some(max_bytes) = self.options.max_bytes else {
            return;
        };
        let written = bytes + self.written.fetch_add(bytes, Ordering::Relaxed);
        if written > max_bytes / PARTS {
            // Everything was written. The next call tries again, and `prune` reports a failure.
            let _ = self.evict(max_bytes).await;
        }
    }

    /// Deletes the rows whose age at `now` is at least `age`, or that are further than `age` in the
    /// future, and returns their number.
    async fn delete_expired(
        &self,
        table: AgingTable,
        now: i64,
        age: Duration,
    ) -> Result<u64, StoreError> {
        let expired = now.saturating_sub(to_millis(age));
        let future = now.saturating_add(to_millis(age));
        let database = self.database()?;
        let mut deleted = 0;
        loop {
            let statement = table.delete_expired();
            let batch = execute!(database, "delete expired rows", statement, expired, future)?;
            if batch == 0 {
                return Ok(deleted);
            }
            deleted += batch;
        }
    }

    /// Deletes the oldest rows until the store is small enough, and adds their numbers to `pruned`.
    async fn evict_all(&self, max_bytes: u64, pruned: &mut Pruned) -> Result<(), StoreError> {
        loop {
            let evicted = self.evict(max_bytes).await?;
            if evicted == Pruned::default() {
                return Ok(());
            }
            pruned.pictures += evicted.pictures;
            pruned.textures += evicted.textures;
            pruned.players += evicted.players;
        }
    }

    async fn prune_health(&self) -> Result<(), StoreError> {
        let database = self.database()?;
        let length = i64::from(HEALTH_LOG_LENGTH);
        loop {
            let batch = execute!(database, "prune the health log", health::PRUNE, length)?;
            if batch == 0 {
                return Ok(());
            }
        }
    }

    /// Deletes a batch of the oldest rows of the tables that are too large, and returns their
    /// numbers. If there are none, counts written bytes from 0 again.
    async fn evict(&self, max_bytes: u64) -> Result<Pruned, StoreError> {
        let part = max_bytes / PARTS;
        let texture_bytes = self.measure(textures::TABLE.total_bytes()).await?;
        let texture_excess = texture_bytes.saturating_sub(part * TEXTURE_PARTS);
        let textures = self.delete_oldest(textures::TABLE, texture_excess).await?;
        let player_bytes = self.measure(players::TABLE.total_bytes()).await?;
        let player_excess = player_bytes.saturating_sub(part * PLAYER_PARTS);
        let players = self.delete_oldest(players::TABLE, player_excess).await?;
        // Pictures are deleted only when the other tables have no more than their parts. Otherwise,
        // they would make room for rows that are deleted next.
        let pictures = if textures == 0 && players == 0 {
            let size = self.size(texture_bytes + player_bytes).await?;
            let excess = size.saturating_sub(max_bytes - part * FREE_PARTS);
            self.delete_oldest(pictures::TABLE, excess).await?
        } else {
            0
        };
        let evicted = Pruned {
            pictures,
            textures,
            players,
        };
        if evicted == Pruned::default() {
            // The store is small enough until another part is written.
            self.written.store(0, Ordering::Relaxed);
        }
        Ok(evicted)
    }

    /// Deletes a batch of the oldest rows, up to one row more than `excess` bytes, and returns
    /// their number.
    async fn delete_oldest(&self, table: AgingTable, excess: u64) -> Result<u64, StoreError> {
        if excess == 0 {
            return Ok(0);
        }
        let database = self.database()?;
        let bytes = i64::try_from(excess.min(EVICT_BATCH_BYTES)).unwrap_or(i64::MAX);
        let statement = table.delete_oldest();
        execute!(database, "delete the oldest rows", statement, bytes)
    }

    /// Returns the size that is compared with the maximum. `other_bytes` is the size of textures and
    /// players, which is not measured again, because PostgreSQL scans the tables.
    async fn size(&self, other_bytes: u64) -> Result<u64, StoreError> {
        if let Database::Sqlite(_) = self.database()? {
            return self.measure(sqlite::SIZE).await;
        }
        // The sizes of PostgreSQL's tables would include deleted rows.
        let picture_bytes = self.measure(pictures::TABLE.total_bytes()).await?;
        Ok(picture_bytes + other_bytes)
    }

    /// Returns the number of bytes that a query measures.
    async fn measure(&self, query: impl SqlSafeStr) -> Result<u64, StoreError> {
        let bytes: i64 = run!(self.database()?, "measure its size", open => {
            sqlx::query_scalar(query).fetch_one(&open.readers)
        })?;
        Ok(bytes.max(0).unsigned_abs())
    }
}
