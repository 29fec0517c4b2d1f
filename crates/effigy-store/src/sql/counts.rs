//! The counters in SQL.

use async_trait::async_trait;
use effigy_player::Edition;

use super::SqlStore;
use super::database::{Database, execute, run};
use crate::counts::descending;
use crate::{Counters, StoreError};

const CREATE: &str = "
    INSERT INTO counts (edition, count) VALUES ($1, 0), ($2, 0)
    ON CONFLICT (edition) DO NOTHING";

/// Saturates at the largest integer. Without it PostgreSQL would fail and SQLite would switch to
/// floating point.
const INCREMENT: &str = "
    INSERT INTO counts (edition, count) VALUES ($1, $2)
    ON CONFLICT (edition) DO UPDATE SET count = CASE
        WHEN counts.count > 9223372036854775807 - excluded.count THEN 9223372036854775807
        ELSE counts.count + excluded.count
    END";

const COUNTS: &str = "SELECT edition, count FROM counts";

#[async_trait]
impl Counters for SqlStore {
    async fn increment(&self, edition: Edition, by: u64) -> Result<(), StoreError> {
        let by = i64::try_from(by).unwrap_or(i64::MAX);
        execute!(
            self.database,
            "increment a counter",
            INCREMENT,
            edition.as_str(),
            by
        )?;
        Ok(())
    }

    async fn counts(&self) -> Result<Vec<(Edition, u64)>, StoreError> {
        let rows: Vec<(String, i64)> = run!(self.database, "read the counters", readers, connection => {
            sqlx::query_as(COUNTS).fetch_all(connection)
        })?;
        Ok(descending(|edition| {
            let row = rows.iter().find(|(name, _)| name == edition.as_str());
            row.map_or(0, |&(_, count)| count.max(0).unsigned_abs())
        }))
    }
}

impl SqlStore {
    /// Creates missing counters at 0.
    pub(super) async fn create_counters(&self) -> Result<(), StoreError> {
        let [java, bedrock] = Edition::ALL.map(Edition::as_str);
        execute!(self.database, "create the counters", CREATE, java, bedrock)?;
        Ok(())
    }
}
