//! The health log in SQL.

use std::sync::atomic::Ordering;
use std::time::Duration;

use async_trait::async_trait;

use super::SqlStore;
use super::database::{Database, execute, run};
use crate::timestamp::{from_unix_millis, to_millis, to_unix_millis};
use crate::{HEALTH_LOG_LENGTH, HealthEntry, HealthLog, StoreError};

const RECORD: &str = "
    INSERT INTO health_log (recorded_at, status, message, response_time)
    VALUES ($1, $2, $3, $4)";

const RECENT: &str = "
    SELECT recorded_at, status, message, response_time FROM health_log
    ORDER BY recorded_at DESC, id DESC LIMIT $1";

/// Deletes a batch of the entries beyond the log's length.
const PRUNE: &str = "
    DELETE FROM health_log WHERE id IN (
        SELECT id FROM health_log
        ORDER BY recorded_at DESC, id DESC LIMIT $1 OFFSET $2)";

/// Small enough for the statement timeout, and to let other writers in between.
const PRUNE_BATCH: i64 = 5_000;

/// Number of entries after which the log is pruned. Anybody may ask for a health check, so it must not
/// grow until the next start.
const PRUNE_INTERVAL: u64 = 1_000;

type Row = (i64, String, String, i64);

#[async_trait]
impl HealthLog for SqlStore {
    async fn record(&self, entry: &HealthEntry) -> Result<(), StoreError> {
        execute!(
            self.database,
            "record a health check",
            RECORD,
            to_unix_millis(entry.timestamp),
            entry.status.as_str(),
            entry.message_without_nul(),
            to_millis(entry.response_time)
        )?;
        let recorded = self.recorded.fetch_add(1, Ordering::Relaxed);
        if recorded % PRUNE_INTERVAL == PRUNE_INTERVAL - 1 {
            self.prune_health().await?;
        }
        Ok(())
    }

    async fn recent(&self, limit: u32) -> Result<Vec<HealthEntry>, StoreError> {
        let rows: Vec<Row> = run!(self.database, "read the health log", readers, connection => {
            sqlx::query_as(RECENT).bind(i64::from(limit)).fetch_all(connection)
        })?;
        rows.into_iter().map(entry).collect()
    }

    async fn prune_health(&self) -> Result<u64, StoreError> {
        let length = i64::from(HEALTH_LOG_LENGTH);
        let mut pruned = 0;
        loop {
            match execute!(
                self.database,
                "prune the health log",
                PRUNE,
                PRUNE_BATCH,
                length
            )? {
                0 => return Ok(pruned),
                batch => pruned += batch,
            }
        }
    }
}

fn entry((recorded_at, status, message, response_time): Row) -> Result<HealthEntry, StoreError> {
    Ok(HealthEntry {
        status: status
            .parse()
            .map_err(|_| StoreError::UnknownStatus { status })?,
        message,
        response_time: Duration::from_millis(response_time.max(0).unsigned_abs()),
        timestamp: from_unix_millis(recorded_at),
    })
}
