//! The counters in SQL.

use effigy_player::Edition;

use super::SqlStore;
use super::database::{Database, run};
use crate::counts::descending;
use crate::{BoxFuture, Counters, StoreError};

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

impl Counters for SqlStore {
    fn increment(&self, edition: Edition, by: u64) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let by = i64::try_from(by).unwrap_or(i64::MAX);
            run!(self.database, "increment a counter", writers, connection => async {
                let query = sqlx::query(INCREMENT).bind(edition.as_str()).bind(by);
                query.execute(connection).await.map(drop)
            })
        })
    }

    fn count(&self, edition: Edition) -> BoxFuture<'_, Result<u64, StoreError>> {
        Box::pin(async move { Ok(count_in(&self.rows().await?, edition)) })
    }

    fn counts(&self) -> BoxFuture<'_, Result<Vec<(Edition, u64)>, StoreError>> {
        Box::pin(async move {
            let rows = self.rows().await?;
            Ok(descending(|edition| count_in(&rows, edition)))
        })
    }
}

impl SqlStore {
    /// Creates missing counters at 0.
    pub(super) async fn create_counters(&self) -> Result<(), StoreError> {
        let [java, bedrock] = Edition::ALL.map(Edition::as_str);
        run!(self.database, "create the counters", writers, connection => async {
            let query = sqlx::query(CREATE).bind(java).bind(bedrock);
            query.execute(connection).await.map(drop)
        })
    }

    async fn rows(&self) -> Result<Vec<(String, i64)>, StoreError> {
        run!(self.database, "read the counters", readers, connection => {
            sqlx::query_as(COUNTS).fetch_all(connection)
        })
    }
}

fn count_in(rows: &[(String, i64)], edition: Edition) -> u64 {
    let row = rows.iter().find(|(name, _)| name == edition.as_str());
    row.map_or(0, |&(_, count)| count.max(0).unsigned_abs())
}
