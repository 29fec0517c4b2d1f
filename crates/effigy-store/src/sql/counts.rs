//! The counters in SQL.

use effigy_player::Edition;

use super::SqlStore;
use super::database::{Database, ask};
use crate::counts::descending;
use crate::{BoxFuture, Counters, StoreError};

const CREATE: &str = "
    INSERT INTO counts (edition, count) VALUES ($1, 0), ($2, 0)
    ON CONFLICT (edition) DO NOTHING";

/// Stops at the highest number instead of failing, or in SQLite becoming a fraction.
const INCREMENT: &str = "
    INSERT INTO counts (edition, count) VALUES ($1, $2)
    ON CONFLICT (edition) DO UPDATE SET count = CASE
        WHEN counts.count > 9223372036854775807 - excluded.count THEN 9223372036854775807
        ELSE counts.count + excluded.count
    END";

const COUNTS: &str = "SELECT edition, count FROM counts";

impl SqlStore {
    /// Creates the counters that are missing, at 0.
    pub(super) async fn create_counters(&self) -> Result<(), StoreError> {
        let [java, bedrock] = Edition::ALL.map(Edition::as_str);
        ask!(self.database, "create the counters", writers, connection => async {
            sqlx::query(CREATE).bind(java).bind(bedrock).execute(connection).await.map(drop)
        })
    }

    /// The counter of any edition.
    async fn read_counts(&self) -> Result<impl Fn(Edition) -> u64 + use<>, StoreError> {
        let rows: Vec<(String, i64)> = ask!(self.database, "read the counters", readers, connection => {
            sqlx::query_as(COUNTS).fetch_all(connection)
        })?;
        Ok(move |edition: Edition| {
            let row = rows.iter().find(|(name, _)| name == edition.as_str());
            row.map_or(0, |&(_, count)| u64::try_from(count).unwrap_or(0))
        })
    }
}

impl Counters for SqlStore {
    fn increment(&self, edition: Edition, by: u64) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let by = i64::try_from(by).unwrap_or(i64::MAX);
            ask!(self.database, "increment a counter", writers, connection => async {
                sqlx::query(INCREMENT)
                    .bind(edition.as_str())
                    .bind(by)
                    .execute(connection)
                    .await
                    .map(drop)
            })
        })
    }

    fn count(&self, edition: Edition) -> BoxFuture<'_, Result<u64, StoreError>> {
        Box::pin(async move { Ok(self.read_counts().await?(edition)) })
    }

    fn counts(&self) -> BoxFuture<'_, Result<Vec<(Edition, u64)>, StoreError>> {
        Box::pin(async move { Ok(descending(self.read_counts().await?)) })
    }
}
