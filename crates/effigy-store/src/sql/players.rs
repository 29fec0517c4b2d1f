//! The table of players' records.

use std::time::{Duration, SystemTime};

use async_trait::async_trait;

use super::SqlStore;
use super::aging_table::AgingTable;
use super::database::{Transaction, Value, run};
use super::values::{ROW_BYTES, checksum, from_unix_millis, to_integer, to_millis, to_unix_millis};
use crate::error::is_damage;
use crate::{PlayerChange, PlayerRow, Players, StoreError};

const LOOKUP: &str = "SELECT checked_at, used_at, value, checksum FROM players WHERE key = $1";

/// Replaces a row, unless it was checked later. A check that is too far in the future (`$7`)
/// doesn't count.
const PUT: &str = "
    INSERT INTO players (key, checked_at, used_at, bytes, value, checksum)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (key) DO UPDATE SET checked_at = excluded.checked_at, bytes = excluded.bytes,
        value = excluded.value, checksum = excluded.checksum,
        used_at = CASE WHEN players.used_at > excluded.used_at
            THEN players.used_at ELSE excluded.used_at END
    WHERE players.checked_at <= excluded.checked_at OR players.checked_at > $7";

const USED: &str = "UPDATE players SET used_at = $2 WHERE key = $1 AND used_at < $2";

const DELETE: &str = "
    DELETE FROM players WHERE key = $1 AND (checked_at <= $2 OR checked_at > $3)";

/// The table, whose rows age from their last use.
pub(super) const TABLE: AgingTable = AgingTable {
    name: "players",
    key: "key",
    time: "used_at",
    bytes: "bytes",
};

/// The maximum difference of the clocks of processes that share a database. A check that is further
/// in the future has a wrong time, and must not keep later checks away.
const CLOCK_SKEW: Duration = Duration::from_secs(60);

#[async_trait]
impl Players for SqlStore {
    async fn player(&self, key: &str) -> Result<Option<PlayerRow>, StoreError> {
        let row: Result<Option<Columns>, _> = run!(self.database()?, "look a player up", open => {
            let query = sqlx::query_as(LOOKUP).bind(key.as_bytes());
            query.fetch_optional(&open.readers)
        });
        let player = match row {
            Ok(None) => return Ok(None),
            Ok(Some(row)) => verified(key, row),
            Err(error) if error.is(is_damage) => None,
            Err(error) => return Err(error),
        };
        if player.is_none() {
            tracing::warn!(key, "a stored player is damaged, so it is looked up again");
        }
        Ok(player)
    }
}

/// The times of the check and of the last use, the value and the checksum.
type Columns = (i64, i64, Vec<u8>, i64);

/// Returns the player of a row that matches its checksum. The checksum doesn't cover the time of
/// the last use, which changes alone, and only decides when the row is deleted.
fn verified(key: &str, row: Columns) -> Option<PlayerRow> {
    let (checked_at, used_at, value, expected) = row;
    if checksum(checked_at, &[key.as_bytes(), &value]) != expected {
        return None;
    }
    Some(PlayerRow {
        key: key.to_owned(),
        value: value.into(),
        checked_at: from_unix_millis(checked_at),
        used_at: from_unix_millis(used_at),
    })
}

/// Applies changes.
///
/// They are sorted by key, so that two processes that change the same players cannot deadlock. The
/// sort is stable, so changes of one player keep their order.
pub(super) async fn write(
    transaction: &mut Transaction,
    changes: &[PlayerChange<'_>],
    now: SystemTime,
) -> Result<(), sqlx::Error> {
    let latest = to_unix_millis(now).saturating_add(to_millis(CLOCK_SKEW));
    let latest = Value::Integer(latest);
    let mut sorted = changes.to_vec();
    sorted.sort_by(|a, b| a.key().cmp(b.key()));
    for change in sorted {
        let key = Value::Bytes(change.key().as_bytes());
        match change {
            PlayerChange::Put(row) => put(transaction, row, latest).await?,
            PlayerChange::Used { used_at, .. } => {
                let used_at = Value::Integer(to_unix_millis(used_at));
                transaction.execute(USED, &[key, used_at]).await?;
            }
            PlayerChange::Delete { checked_at, .. } => {
                let checked_at = Value::Integer(to_unix_millis(checked_at));
                transaction
                    .execute(DELETE, &[key, checked_at, latest])
                    .await?;
            }
        }
    }
    Ok(())
}

async fn put(
    transaction: &mut Transaction,
    row: &PlayerRow,
    latest: Value<'_>,
) -> Result<(), sqlx::Error> {
    let key = row.key.as_bytes();
    let checked_at = to_unix_millis(row.checked_at);
    let values = [
        Value::Bytes(key),
        Value::Integer(checked_at),
        Value::Integer(to_unix_millis(row.used_at)),
        Value::Integer(to_integer(row_size(row))),
        Value::Bytes(&row.value),
        Value::Integer(checksum(checked_at, &[key, &row.value])),
        latest,
    ];
    transaction.execute(PUT, &values).await
}

/// Returns the approximate size of new rows in the database.
pub(super) fn size(changes: &[PlayerChange<'_>]) -> usize {
    let mut size = 0;
    for change in changes {
        if let PlayerChange::Put(row) = change {
            size += row_size(row);
        }
    }
    size
}

fn row_size(row: &PlayerRow) -> usize {
    // The key is in an index too.
    row.key.len() * 2 + row.value.len() + ROW_BYTES
}
