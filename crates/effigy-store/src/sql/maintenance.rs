//! Deletion of old rows, and of the oldest ones if there are too many.

use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;

use super::database::{Database, execute, run, within_timeout};
use super::values::{to_millis, to_unix_millis};
use super::{SqlStore, health, pictures, players, postgres, sqlite, textures};
use crate::{Ages, HEALTH_LOG_LENGTH, Maintenance, Pruned, StoreError};

/// Maximum of bytes that one statement deletes.
const EVICT_BATCH_BYTES: u64 = 64 << 20;

/// Parts of the maximum size. The sizes are measured each time that one part was written, because
/// PostgreSQL scans the table of images.
const PARTS: u64 = 64;

/// Parts of the maximum that are kept free for what is written between two measurements.
const FREE_PARTS: u64 = 2;

/// Parts for textures and for players. With the part that may be written before they are measured
/// again, they have a quarter of the maximum.
///
/// It is the sum of their rows, which take up to twice as much of a SQLite file, because its pages
/// are partly filled. They must stay under half of it: after a rollback, version 0.2 measures the
/// whole file, and would delete all images if the rest of it were too large.
const TEXTURE_PARTS: u64 = 11;
const PLAYER_PARTS: u64 = 4;

#[async_trait]
impl Maintenance for SqlStore {
    async fn prune(&self, now: SystemTime, ages: Ages) -> Result<Pruned, StoreError> {
        let now = to_unix_millis(now);
        let mut pruned = Pruned {
            pictures: self
                .delete_expired(pictures::PRUNE, now, ages.pictures)
                .await?,
            textures: self
                .delete_expired(textures::PRUNE, now, ages.textures)
                .await?,
            players: self
                .delete_expired(players::PRUNE, now, ages.players)
                .await?,
        };
        if let Some(max_bytes) = self.options.max_bytes {
            loop {
                let evicted = self.evict(max_bytes).await?;
                if evicted == Pruned::default() {
                    break;
                }
                pruned.pictures += evicted.pictures;
                pruned.textures += evicted.textures;
                pruned.players += evicted.players;
            }
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

    /// Deletes the rows of a table that have some age at `now` or are further than it in the
    /// future, and returns their number.
    async fn delete_expired(
        &self,
        statement: &'static str,
        now: i64,
        age: Duration,
    ) -> Result<u64, StoreError> {
        let database = self.database()?;
        let expired = now.saturating_sub(to_millis(age));
        let future = now.saturating_add(to_millis(age));
        let mut deleted = 0;
        loop {
            let batch = execute!(database, "delete expired rows", statement, expired, future)?;
            if batch == 0 {
                return Ok(deleted);
            }
            deleted += batch;
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

    /// Deletes a batch of the oldest rows of what is too large, and returns their numbers.
    async fn evict(&self, max_bytes: u64) -> Result<Pruned, StoreError> {
        let part = max_bytes / PARTS;
        let textures = self
            .evict_beyond(part * TEXTURE_PARTS, textures::SIZE, textures::EVICT)
            .await?;
        let players = self
            .evict_beyond(part * PLAYER_PARTS, players::SIZE, players::EVICT)
            .await?;
        let mut evicted = Pruned {
            pictures: 0,
            textures,
            players,
        };
        // Images give way only to what the others may keep.
        if evicted == Pruned::default() {
            let size = match self.database()? {
                Database::Sqlite(_) => sqlite::SIZE,
                Database::Postgres(_) => postgres::SIZE,
            };
            let enough = max_bytes - part * FREE_PARTS;
            evicted.pictures = self.evict_beyond(enough, size, pictures::EVICT).await?;
        }
        if evicted == Pruned::default() {
            self.written.store(0, Ordering::Relaxed);
        }
        Ok(evicted)
    }

    /// Deletes a batch of rows if the measured size is beyond `enough`, and returns their number.
    async fn evict_beyond(
        &self,
        enough: u64,
        measure: &'static str,
        evict: &'static str,
    ) -> Result<u64, StoreError> {
        let database = self.database()?;
        let size: i64 = run!(database, "measure its size", open => {
            sqlx::query_scalar(measure).fetch_one(&open.readers)
        })?;
        let excess = size.max(0).unsigned_abs().saturating_sub(enough);
        if excess == 0 {
            return Ok(0);
        }
        let bytes = i64::try_from(excess.min(EVICT_BATCH_BYTES)).unwrap_or(i64::MAX);
        execute!(database, "delete the oldest rows", evict, bytes)
    }
}
