//! The kinds of databases, and how a statement runs on the open one.

use sqlx::Postgres;

use super::StoreOptions;
use super::connections::Connections;
use super::redact::redact;
use super::sqlite::SqliteDatabase;
use super::{postgres, sqlite};
use crate::StoreError;

/// An open database.
pub(super) enum Database {
    Sqlite(SqliteDatabase),
    Postgres(Connections<Postgres>),
}

impl Database {
    /// Opens the database that the URL names and migrates its tables. Of the
    /// settings, those that concern opening are used.
    pub(super) async fn open(url: &str, options: StoreOptions) -> Result<Self, StoreError> {
        if url.starts_with("sqlite:") {
            sqlite::open(url, options.create).await.map(Self::Sqlite)
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let opened = postgres::open(url, options.connections.max(1)).await;
            opened.map(Self::Postgres)
        } else {
            Err(StoreError::UnknownDatabase { url: redact(url) })
        }
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "sqlite",
            Self::Postgres(_) => "postgres",
        }
    }

    pub(super) async fn close(&self) {
        match self {
            Self::Sqlite(database) => database.close().await,
            Self::Postgres(connections) => connections.close().await,
        }
    }
}

/// Runs a statement on the open database: the same code is compiled for each type of connection.
///
/// `run!(database, "do a thing", readers, connection => statement)` evaluates `statement` with a
/// connection of the `readers` (or `writers`). The text names the operation in a [`StoreError`].
macro_rules! run {
    ($database:expr, $operation:literal, $kind:ident, $connection:ident => $statement:expr) => {
        match &*$database {
            Database::Sqlite(database) => match database.connections().await {
                Ok(open) => run!(@open, $operation, $kind, $connection, $statement),
                Err(error) => Err(error),
            },
            Database::Postgres(open) => run!(@open, $operation, $kind, $connection, $statement),
        }
    };
    (@$open:ident, $operation:literal, $kind:ident, $connection:ident, $statement:expr) => {
        $open
            .within_timeout($operation, async {
                let mut lease = $open.$kind.checkout().await?;
                let $connection = lease.connection();
                let outcome = $statement.await;
                lease.give_back(outcome.is_ok());
                outcome
            })
            .await
    };
}

/// Executes a statement that writes, and returns the number of rows that it has changed.
macro_rules! execute {
    ($database:expr, $operation:literal, $sql:expr, $($value:expr),+) => {
        run!($database, $operation, writers, connection => async {
            let query = sqlx::query($sql)$(.bind($value))+;
            query.execute(connection).await.map(|done| done.rows_affected())
        })
    };
}
pub(super) use {execute, run};
