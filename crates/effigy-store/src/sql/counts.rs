//! The counters of renders.

use std::collections::BTreeSet;

use async_trait::async_trait;
use effigy_player::Edition;

use super::SqlStore;
use super::database::{Transaction, Value, run};
use crate::{Counts, RenderCount, StoreError};

/// Records the total of a writer, and returns its growth. If a write is repeated because its commit
/// was not acknowledged, it waits for that commit here and finds the total recorded.
const RECORD_TOTAL: &str = "
    INSERT INTO render_totals (writer, edition, total, added) VALUES ($1, $2, $3, $3)
    ON CONFLICT (writer, edition) DO UPDATE
        SET total = excluded.total, added = excluded.total - render_totals.total
        WHERE render_totals.total < excluded.total
    RETURNING added";

/// Adds to a counter, up to the largest integer. A larger sum would fail in PostgreSQL, and become
/// a floating-point number in SQLite.
const COUNT: &str = "
    INSERT INTO counts (edition, count) VALUES ($1, $2)
    ON CONFLICT (edition) DO UPDATE SET count = CASE
        WHEN counts.count > 9223372036854775807 - excluded.count THEN 9223372036854775807
        ELSE counts.count + excluded.count
    END";

const COUNTS: &str = "SELECT edition, count FROM counts";

#[async_trait]
impl Counts for SqlStore {
    async fn counts(&self) -> Result<Vec<(Edition, u64)>, StoreError> {
        let rows: Vec<(String, i64)> = run!(self.database()?, "read the counters", open => {
            sqlx::query_as(COUNTS).fetch_all(&open.readers)
        })?;
        let mut counts = Vec::new();
        for &edition in Edition::ALL {
            let row = rows.iter().find(|(name, _)| name == edition.as_str());
            counts.push((edition, row.map_or(0, |(_, count)| count.unsigned_abs())));
        }
        Ok(counts)
    }
}

/// Adds the growth of the totals to the counters, in the same order in all processes.
pub(super) async fn write(
    transaction: &mut Transaction,
    counts: &[RenderCount],
) -> Result<(), sqlx::Error> {
    let sorted: BTreeSet<&RenderCount> = counts.iter().collect();
    for count in sorted {
        let edition = Value::Text(count.edition.as_str());
        let writer = Value::Integer(count.writer);
        let total = Value::Integer(i64::try_from(count.total).unwrap_or(i64::MAX));
        let record = [writer, edition, total];
        let added = transaction.fetch_integer(RECORD_TOTAL, &record).await?;
        if let Some(added) = added {
            let growth = [edition, Value::Integer(added)];
            transaction.execute(COUNT, &growth).await?;
        }
    }
    Ok(())
}
