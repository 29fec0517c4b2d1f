//! The connections to a database: how many there are, and how long anybody waits for them.

use std::future::Future;
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::{Pool, Postgres, Sqlite};

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
    pub(crate) readers: Pool<DB>,
    /// For statements that write.
    pub(crate) writers: Pool<DB>,
    /// How long an answer may take altogether, the wait for a connection included.
    pub(crate) patience: Duration,
}

impl<DB: Abandon> Pools<DB> {
    pub(crate) async fn reader(&self) -> Result<Lease<DB>, sqlx::Error> {
        Ok(Lease {
            connection: Some(self.readers.acquire().await?),
        })
    }

    pub(crate) async fn writer(&self) -> Result<Lease<DB>, sqlx::Error> {
        Ok(Lease {
            connection: Some(self.writers.acquire().await?),
        })
    }

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

/// A kind of database whose connections know what to do when nobody waits for them any longer.
pub(crate) trait Abandon: sqlx::Database {
    /// Gives up a connection that was left in the middle of a statement.
    fn abandon(connection: PoolConnection<Self>);
}

impl Abandon for Sqlite {
    fn abandon(connection: PoolConnection<Self>) {
        // Its thread finishes the statement, and then the connection is as good as before.
        drop(connection);
    }
}

impl Abandon for Postgres {
    fn abandon(connection: PoolConnection<Self>) {
        // The server may be unreachable. Back in the pool the connection would wait for it, and
        // keep its place from those that could connect again, for as long as TCP hopes.
        drop(connection.detach());
    }
}

/// A connection on loan: it goes back to its pool once its statement has been answered, and is
/// abandoned when the wait for the answer ends before that.
pub(crate) struct Lease<DB: Abandon> {
    connection: Option<PoolConnection<DB>>,
}

impl<DB: Abandon> Lease<DB> {
    pub(crate) fn connection(&mut self) -> Result<&mut DB::Connection, sqlx::Error> {
        self.connection
            .as_deref_mut()
            .ok_or(sqlx::Error::PoolClosed)
    }

    pub(crate) fn give_back(mut self) {
        self.connection = None;
    }
}

impl<DB: Abandon> Drop for Lease<DB> {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            DB::abandon(connection);
        }
    }
}

/// Asks whichever database is open: the same code, once for each type of connection.
///
/// `ask!(database, "do a thing", reader, connection => statement)` runs the statement on a
/// connection of the readers (or `writer`) and turns its failure into a [`StoreError`].
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
                let mut lease = $pools.$kind().await?;
                let $connection = lease.connection()?;
                let answer = $statement.await;
                lease.give_back();
                answer
            })
            .await
    };
}
pub(crate) use ask;
