//! Tables whose rows age: the statements that measure them and delete from them.

use sqlx::AssertSqlSafe;

/// A statement that is put together from constants.
pub(super) type Statement = AssertSqlSafe<String>;

/// A table whose rows are deleted once they are too old, or the oldest ones to make room.
#[derive(Debug, Clone, Copy)]
pub(super) struct AgingTable {
    pub(super) name: &'static str,
    /// The column of the primary key.
    pub(super) key: &'static str,
    /// The column of the time from which a row ages.
    pub(super) time: &'static str,
    /// The approximate size of a row, as an expression.
    pub(super) bytes: &'static str,
}

impl AgingTable {
    /// A statement that deletes a batch of the rows whose time is at most `$1` or after `$2`.
    ///
    /// A batch is small enough for the statement timeout, and lets other writers in between. The
    /// outer condition spares a row that was renewed after the inner query.
    pub(super) fn delete_expired(self) -> Statement {
        let Self {
            name, key, time, ..
        } = self;
        AssertSqlSafe(format!(
            "DELETE FROM {name}
            WHERE ({time} <= $1 OR {time} > $2)
            AND {key} IN (SELECT {key} FROM {name} WHERE {time} <= $1 OR {time} > $2 LIMIT 1000)"
        ))
    }

    /// A query of the approximate size of all rows.
    pub(super) fn total_bytes(self) -> Statement {
        let Self { name, bytes, .. } = self;
        AssertSqlSafe(format!(
            "SELECT CAST(COALESCE(sum({bytes}), 0) AS BIGINT) FROM {name}"
        ))
    }

    /// A statement that deletes the oldest rows that have `$1` bytes together, at most 50,000 rows.
    pub(super) fn delete_oldest(self) -> Statement {
        let Self {
            name,
            key,
            time,
            bytes,
        } = self;
        AssertSqlSafe(format!(
            "DELETE FROM {name} WHERE {key} IN (
                SELECT {key} FROM (
                    SELECT {key}, sum(bytes) OVER (ORDER BY {time}, {key}) - bytes AS older_bytes
                    FROM (
                        SELECT {key}, {time}, {bytes} AS bytes
                        FROM {name} ORDER BY {time} LIMIT 50000
                    ) AS oldest
                ) AS summed
                WHERE older_bytes < $1)"
        ))
    }
}
