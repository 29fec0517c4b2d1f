//! A store in SQLite or PostgreSQL.
//!
//! Both databases understand the same SQL here: `$1` placeholders, `ON CONFLICT` upserts, 64-bit
//! integers and bytes. So each statement stands once, as a constant, and [`ask!`] runs it on
//! whichever database is open: it writes the same code for both types of connection and lets the
//! compiler check it for each. sqlx's own `Any` driver would choose at run time, but it hides what
//! the two need differently: SQLite's options and its one writer, PostgreSQL's lost connections.
//! Only the tables are made by two histories of migrations, because their column types differ.

mod background;
mod counts;
mod database;
mod health;
mod images;
mod lane;
mod migrations;
mod postgres;
mod sqlite;
mod url;

use std::fmt;
use std::sync::Arc;

use crate::{HealthLog, StoreError};
use database::Database;
#[cfg(doc)]
use database::ask;
use url::DatabaseUrl;

/// A store in SQLite or PostgreSQL. Its clones share their connections.
#[derive(Clone)]
pub struct SqlStore {
    database: Arc<Database>,
}

impl SqlStore {
    /// How many connections to a PostgreSQL server [`open`](Self::open) allows.
    pub const CONNECTIONS: u32 = postgres::CONNECTIONS;

    /// Opens the database that `url` names and makes it ready: its tables are created or brought
    /// up to date, both counters exist and the health log is pruned.
    ///
    /// `sqlite:effigy.db` and `sqlite:///var/lib/effigy.db` are files, created when missing;
    /// `sqlite::memory:` is a database that nobody else sees and that ends with the store;
    /// `postgres://user:password@host:port/name?sslmode=require` is PostgreSQL. Several processes
    /// may open the same database at the same time.
    ///
    /// # Errors
    /// When the URL is not of these forms, and when the database cannot be opened or made ready.
    /// No error holds the URL's password.
    ///
    /// # Panics
    /// When it is called outside a Tokio runtime with time and I/O enabled.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        Self::open_with(url, Self::CONNECTIONS).await
    }

    /// The same with at most so many connections to a PostgreSQL server; none is one.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    ///
    /// # Panics
    /// When it is called outside a Tokio runtime with time and I/O enabled.
    pub async fn open_with(url: &str, connections: u32) -> Result<Self, StoreError> {
        let url = DatabaseUrl::parse(url)?;
        let store = Self {
            database: Arc::new(Database::open(url, connections.max(1)).await?),
        };
        store.create_counters().await?;
        store.prune_health().await?;
        Ok(store)
    }

    /// Closes the connections; an SQLite file is left without its write-ahead log. Whatever is
    /// asked of the store or its clones afterwards fails.
    pub async fn close(&self) {
        self.database.close().await;
    }
}

impl fmt::Debug for SqlStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqlStore")
            .field("database", &self.database.name())
            .finish_non_exhaustive()
    }
}
