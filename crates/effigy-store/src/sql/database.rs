//! The kinds of databases, and how a statement runs on the open one.

use std::time::Duration;

use sqlx::{Pool, Postgres, Sqlite};

use crate::{DatabaseError, StoreError};

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
    /// Time limit of a call, including the wait for a connection.
    pub(super) timeout: Duration,
}

impl<DB: sqlx::Database> Connections<DB> {
    /// Runs `work` and names the operation in its error.
    pub(super) async fn within_timeout<T>(
        &self,
        operation: &'static str,
        work: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, StoreError> {
        match tokio::time::timeout(self.timeout, work).await {
            Ok(outcome) => outcome.map_err(|error| StoreError::Database {
                operation,
                source: DatabaseError(error),
            }),
            Err(_) => Err(StoreError::TimedOut {
                operation,
                limit: self.timeout,
            }),
        }
    }
}

/// Runs a statement on the open database: the same code is compiled for each type of connection.
///
/// `run!(database, "do a thing", readers, pool => statement)` evaluates `statement` with the pool of
/// the `readers` (or `writers`). The text names the operation in a [`StoreError`].
macro_rules! run {
    ($database:expr, $operation:literal, $kind:ident, $pool:ident => $statement:expr) => {
        match $database {
            Database::Sqlite(open) => run!(@open, $operation, $kind, $pool, $statement),
            Database::Postgres(open) => run!(@open, $operation, $kind, $pool, $statement),
        }
    };
    (@$open:ident, $operation:literal, $kind:ident, $pool:ident, $statement:expr) => {{
        let $pool = &$open.$kind;
        $open.within_timeout($operation, $statement).await
    }};
}

/// Executes a statement that writes, and returns the number of rows that it has changed.
macro_rules! execute {
    ($database:expr, $operation:literal, $sql:expr, $($value:expr),+) => {
        run!($database, $operation, writers, pool => async {
            let query = sqlx::query($sql)$(.bind($value))+;
            query.execute(pool).await.map(|done| done.rows_affected())
        })
    };
}

pub(super) use {execute, run};
