//! The health log in SQL.

use std::time::Duration;

use super::SqlStore;
use super::database::{Database, run};
use crate::timestamp::{from_unix_millis, to_millis, to_unix_millis};
use crate::{BoxFuture, HEALTH_LOG_LENGTH, HealthEntry, HealthLog, HealthStatus, StoreError};

const RECORD: &str = "
    INSERT INTO health_log (recorded_at, status, message, response_time)
    VALUES ($1, $2, $3, $4)";

const RECENT: &str = "
    SELECT recorded_at, status, message, response_time FROM health_log
    ORDER BY recorded_at DESC, id DESC LIMIT $1";

/// Selects the newest entry beyond the log's length.
const FIRST_EXCESS: &str = "
    SELECT recorded_at, id FROM health_log
    ORDER BY recorded_at DESC, id DESC LIMIT 1 OFFSET $1";

/// Deletes a batch of that entry and all older ones, the oldest first.
const PRUNE: &str = "
    DELETE FROM health_log WHERE id IN (
        SELECT id FROM health_log
        WHERE recorded_at < $1 OR (recorded_at = $1 AND id <= $2)
        ORDER BY recorded_at, id LIMIT $3)";

/// Small enough for the statement timeout, and to let other writers in between.
const PRUNE_BATCH: i64 = 5_000;

type Row = (i64, String, String, i64);

impl HealthLog for SqlStore {
    fn record<'a>(&'a self, entry: &'a HealthEntry) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let message = entry.message_without_nul();
            run!(self.database, "record a health check", writers, connection => async {
                sqlx::query(RECORD)
                    .bind(to_unix_millis(entry.timestamp))
                    .bind(entry.status.as_str())
                    .bind(&*message)
                    .bind(to_millis(entry.response_time))
                    .execute(connection)
                    .await
                    .map(drop)
            })
        })
    }

    fn recent(&self, limit: u32) -> BoxFuture<'_, Result<Vec<HealthEntry>, StoreError>> {
        Box::pin(async move {
            let rows: Vec<Row> = run!(self.database, "read the health log", readers, connection => {
                sqlx::query_as(RECENT).bind(i64::from(limit)).fetch_all(connection)
            })?;
            rows.into_iter().map(entry).collect()
        })
    }

    fn prune_health(&self) -> BoxFuture<'_, Result<u64, StoreError>> {
        Box::pin(async move {
            let length = i64::from(HEALTH_LOG_LENGTH);
            let first: Option<(i64, i64)> = run!(self.database, "measure the health log", readers, connection => {
                sqlx::query_as(FIRST_EXCESS).bind(length).fetch_optional(connection)
            })?;
            let Some((recorded_at, id)) = first else {
                return Ok(0);
            };
            let mut pruned = 0;
            loop {
                let batch = run!(self.database, "prune the health log", writers, connection => async {
                    let query = sqlx::query(PRUNE).bind(recorded_at).bind(id).bind(PRUNE_BATCH);
                    query.execute(connection).await.map(|done| done.rows_affected())
                })?;
                if batch == 0 {
                    return Ok(pruned);
                }
                pruned += batch;
            }
        })
    }
}

fn entry((recorded_at, status, message, response_time): Row) -> Result<HealthEntry, StoreError> {
    let mut known = HealthStatus::ALL.into_iter();
    let Some(status) = known.find(|known| known.as_str() == status) else {
        return Err(StoreError::UnknownStatus { status });
    };
    Ok(HealthEntry {
        status,
        message,
        response_time: Duration::from_millis(response_time.max(0).unsigned_abs()),
        timestamp: from_unix_millis(recorded_at),
    })
}
