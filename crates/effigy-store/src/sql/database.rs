//! The connections to a database: how many there are, and how long anybody waits for them.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use sqlx::{Postgres, Sqlite};

use super::lane::{Abandon, Lane};
use super::url::{DatabaseUrl, Target};
use super::{postgres, sqlite};
use crate::StoreError;

/// An open database.
pub(crate) enum Database {
    Sqlite(Pools<Sqlite>),
    Postgres(Pools<Postgres>),
}

impl Database {
    /// Opens the database and brings its tables up to date; a server gets so many connections.
    pub(crate) async fn open(url: DatabaseUrl, connections: u32) -> Result<Self, StoreError> {
        Ok(match url.target {
            Target::SqliteFile(options) => {
                Self::Sqlite(sqlite::open_file(options, url.shown).await?)
            }
            Target::SqliteMemory(options) => {
                Self::Sqlite(sqlite::open_memory(options, url.shown).await?)
            }
            Target::Postgres(options) => {
                Self::Postgres(postgres::open(options, url.shown, connections).await?)
            }
        })
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "sqlite",
            Self::Postgres(_) => "postgres",
        }
    }

    pub(crate) async fn close(&self) {
        match self {
            Self::Sqlite(pools) => pools.close().await,
            Self::Postgres(pools) => pools.close().await,
        }
    }
}

/// The connections of one database.
pub(crate) struct Pools<DB: Abandon> {
    /// For statements that only read.
    pub(crate) readers: Arc<Lane<DB>>,
    /// For statements that write.
    pub(crate) writers: Arc<Lane<DB>>,
    /// How long an answer may take altogether, the wait for a connection included.
    pub(crate) patience: Duration,
}

impl<DB: Abandon> Pools<DB> {
    /// Waits for an answer as long as patience lasts.
    pub(crate) async fn answer<T>(
        &self,
        operation: &'static str,
        work: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, StoreError> {
        match tokio::time::timeout(self.patience, work).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => Err(StoreError::Database {
                operation,
                source: error.into(),
            }),
            Err(_) => Err(StoreError::TimedOut {
                operation,
                limit: self.patience,
            }),
        }
    }

    async fn close(&self) {
        let all = async {
            self.readers.close().await;
            self.writers.close().await;
        };
        // A server that is gone does not say goodbye; the connections end with us anyway.
        let _ = tokio::time::timeout(self.patience, all).await;
    }
}

/// Asks whichever database is open: the same code, once for each type of connection.
///
/// `ask!(database, "do a thing", readers, connection => statement)` runs the statement on a
/// connection of the readers (or `writers`) and turns its failure into a [`StoreError`].
macro_rules! ask {
    ($database:expr, $operation:literal, $kind:ident, $connection:ident => $statement:expr) => {
        match &*$database {
            Database::Sqlite(pools) => ask!(@pools, $operation, $kind, $connection, $statement),
            Database::Postgres(pools) => ask!(@pools, $operation, $kind, $connection, $statement),
        }
    };
    (@$pools:ident, $operation:literal, $kind:ident, $connection:ident, $statement:expr) => {
        $pools
            .answer($operation, async {
                let mut lease = $pools.$kind.lease().await?;
                let $connection = lease.connection()?;
                let answer = $statement.await;
                lease.give_back(answer.is_ok());
                answer
            })
            .await
    };
}
pub(crate) use ask;
