//! The log of health checks.

use std::time::Duration;

use async_trait::async_trait;

use super::SqlStore;
use super::database::run;
use super::values::{from_unix_millis, to_millis, to_unix_millis};
use crate::{HealthEntry, HealthLog, StoreError};

const RECORD: &str = "
    INSERT INTO health_log (recorded_at, status, message, response_time, server)
    VALUES ($1, $2, $3, $4, $5)";

const RECENT: &str = "
    SELECT recorded_at, status, message, response_time FROM health_log
    WHERE COALESCE(server, '') = $2
    ORDER BY recorded_at DESC, id DESC LIMIT $1";

/// Deletes a batch of the entries beyond the log's length.
pub(super) const PRUNE: &str = "
    DELETE FROM health_log WHERE id IN (
        SELECT id FROM health_log
        ORDER BY recorded_at DESC, id DESC LIMIT 5000 OFFSET $1)";

#[async_trait]
impl HealthLog for SqlStore {
    async fn record(&self, entry: &HealthEntry) -> Result<(), StoreError> {
        let recorded_at = to_unix_millis(entry.timestamp);
        // PostgreSQL refuses NUL characters, which the message of an upstream's error might
        // contain.
        let message = entry.message.replace('\0', "\u{fffd}");
        let response_time = to_millis(entry.response_time);
        run!(self.database()?, "record a health check", open => async {
            let record = sqlx::query(RECORD).bind(recorded_at).bind(entry.status.as_str());
            let record = record.bind(message).bind(response_time).bind(&*self.options.server);
            record.execute(&open.writers).await.map(drop)
        })
    }

    async fn recent(&self, limit: u32) -> Result<Vec<HealthEntry>, StoreError> {
        run!(self.database()?, "read the health log", open => async {
            let recent = sqlx::query_as(RECENT).bind(i64::from(limit)).bind(&*self.options.server);
            recent.fetch_all(&open.readers).await?.into_iter().map(health_entry).collect()
        })
    }
}

/// Returns the health check of a row: its time, status, message and response time.
fn health_entry(row: (i64, String, String, i64)) -> Result<HealthEntry, sqlx::Error> {
    let (recorded_at, status, message, response_time) = row;
    let unknown = |_| sqlx::Error::Decode(format!("the status `{status}` is unknown").into());
    Ok(HealthEntry {
        status: status.parse().map_err(unknown)?,
        message,
        response_time: Duration::from_millis(response_time.max(0).unsigned_abs()),
        timestamp: from_unix_millis(recorded_at),
    })
}
