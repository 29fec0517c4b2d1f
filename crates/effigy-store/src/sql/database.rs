//! An open database of either kind, and the statements and transactions on it.

use std::time::Duration;

use sqlx::query::Query;
use sqlx::{Encode, Pool, Postgres, QueryBuilder, Row, Sqlite, Type};

use crate::{DatabaseError, StoreError};

/// Time limit of a call, including the wait for a connection: longer than SQLite's wait for the
/// lock of another process.
pub(super) const CALL_TIMEOUT: Duration = Duration::from_secs(6);

/// An open database.
#[derive(Debug)]
pub(super) enum Database {
    Sqlite(Connections<Sqlite>),
    Postgres(Connections<Postgres>),
}

/// The connections to an open database.
#[derive(Debug)]
pub(super) struct Connections<DB: sqlx::Database> {
    /// Connections for statements that only read.
    pub(super) readers: Pool<DB>,
    /// Connections for statements that write.
    pub(super) writers: Pool<DB>,
}

/// Runs `work` within the time limit, and names the operation in its error.
pub(super) async fn within_timeout<T>(
    operation: &'static str,
    work: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, StoreError> {
    let outcome = tokio::time::timeout(CALL_TIMEOUT, work).await;
    let outcome = outcome.map_err(|_| StoreError::TimedOut(CALL_TIMEOUT))?;
    outcome.map_err(|error| StoreError::Database {
        problem: format!("could not {operation}"),
        source: DatabaseError(error),
    })
}

/// Runs a statement on the open database.
///
/// `run!(database, "do a thing", open => statement)` evaluates `statement` with the [`Connections`]
/// `open`. The code is compiled for each type of connection. The text names the operation in a
/// [`StoreError`].
///
/// The paths are absolute, so that callers import only the macro.
macro_rules! run {
    ($database:expr, $operation:expr, $open:ident => $statement:expr) => {{
        let database = $database;
        let statement = async {
            match database {
                $crate::sql::database::Database::Sqlite($open) => $statement.await,
                $crate::sql::database::Database::Postgres($open) => $statement.await,
            }
        };
        $crate::sql::database::within_timeout($operation, statement).await
    }};
}

/// Executes a statement that writes, and returns the number of rows that it has changed.
macro_rules! execute {
    ($database:expr, $operation:expr, $sql:expr, $($value:expr),+) => {
        $crate::sql::database::run!($database, $operation, open => async {
            let query = sqlx::query($sql)$(.bind($value))+;
            query.execute(&open.writers).await.map(|done| done.rows_affected())
        })
    };
}

pub(super) use {execute, run};

/// A value of a statement in a transaction.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value<'a> {
    Integer(i64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

/// A transaction on either kind of database. It rolls back unless it is committed.
#[derive(Debug)]
pub(super) enum Transaction {
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    Postgres(sqlx::Transaction<'static, Postgres>),
}

impl Transaction {
    pub(super) async fn begin(database: &Database) -> Result<Self, sqlx::Error> {
        Ok(match database {
            Database::Sqlite(open) => Self::Sqlite(open.writers.begin().await?),
            Database::Postgres(open) => Self::Postgres(open.writers.begin().await?),
        })
    }

    /// Executes a statement.
    pub(super) async fn execute(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(open) => query(sql, values).execute(&mut **open).await.map(drop),
            Self::Postgres(open) => query(sql, values).execute(&mut **open).await.map(drop),
        }
    }

    /// Executes a statement, and returns the integer of its row if it has one.
    pub(super) async fn fetch_integer(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<Option<i64>, sqlx::Error> {
        match self {
            Self::Sqlite(open) => {
                let row = query(sql, values).fetch_optional(&mut **open).await?;
                row.map(|row| row.try_get(0)).transpose()
            }
            Self::Postgres(open) => {
                let row = query(sql, values).fetch_optional(&mut **open).await?;
                row.map(|row| row.try_get(0)).transpose()
            }
        }
    }

    /// Inserts rows by one statement, which `insert` begins and `on_conflict` ends.
    pub(super) async fn insert<const COLUMNS: usize>(
        &mut self,
        insert: &'static str,
        rows: &[[Value<'_>; COLUMNS]],
        on_conflict: &'static str,
    ) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(open) => {
                let mut statement = insertion(insert, rows, on_conflict);
                statement.build().execute(&mut **open).await.map(drop)
            }
            Self::Postgres(open) => {
                let mut statement = insertion(insert, rows, on_conflict);
                statement.build().execute(&mut **open).await.map(drop)
            }
        }
    }

    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(open) => open.commit().await,
            Self::Postgres(open) => open.commit().await,
        }
    }
}

/// Returns a statement with its values.
fn query<'q, DB>(sql: &'static str, values: &[Value<'_>]) -> Query<'q, DB, DB::Arguments>
where
    DB: sqlx::Database,
    for<'v> i64: Encode<'v, DB> + Type<DB>,
    for<'v> &'v str: Encode<'v, DB> + Type<DB>,
    for<'v> &'v [u8]: Encode<'v, DB> + Type<DB>,
{
    let mut query = sqlx::query(sql);
    for value in values {
        query = match *value {
            Value::Integer(integer) => query.bind(integer),
            Value::Text(text) => query.bind(text),
            Value::Bytes(bytes) => query.bind(bytes),
        };
    }
    query
}

/// Returns a statement that inserts rows.
fn insertion<DB, const COLUMNS: usize>(
    insert: &'static str,
    rows: &[[Value<'_>; COLUMNS]],
    on_conflict: &'static str,
) -> QueryBuilder<DB>
where
    DB: sqlx::Database,
    for<'v> i64: Encode<'v, DB> + Type<DB>,
    for<'v> &'v str: Encode<'v, DB> + Type<DB>,
    for<'v> &'v [u8]: Encode<'v, DB> + Type<DB>,
{
    let mut statement = QueryBuilder::new(insert);
    statement.push_values(rows, |mut row, values| {
        for value in values {
            match *value {
                Value::Integer(integer) => row.push_bind(integer),
                Value::Text(text) => row.push_bind(text),
                Value::Bytes(bytes) => row.push_bind(bytes),
            };
        }
    });
    statement.push(on_conflict);
    statement
}
