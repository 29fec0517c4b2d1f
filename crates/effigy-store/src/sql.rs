//! A store in an SQL database.
//!
//! SQLite and PostgreSQL accept the same statements here: `$1` placeholders, `ON CONFLICT` upserts,
//! 64-bit integers and bytes. Each statement is therefore one constant, and [`run!`] compiles it
//! for every kind of database. sqlx's `Any` driver would dispatch at run time, but it hides the
//! options in which the databases differ: SQLite's single writer, PostgreSQL's lost connections.
//!
//! Everything about one kind of database is in a folder of its own: how its URL is parsed, how its
//! connections are opened, and the migrations that create its tables. To add another kind, add a
//! folder and a variant of [`Database`].

mod connection_cache;
mod connections;
mod counts;
mod database;
mod health;
mod images;
mod migrations;
mod postgres;
mod redact;
mod size_limit;
mod sqlite;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::{HealthLog, StoreError};
use database::Database;
#[cfg(doc)]
use database::run;
use size_limit::SizeLimit;

/// A store in SQLite or PostgreSQL. Clones share their connections.
#[derive(Clone)]
pub struct SqlStore {
    database: Arc<Database>,
    limit: Option<Arc<SizeLimit>>,
    /// The number of health checks recorded since the store was opened.
    recorded: Arc<AtomicU64>,
}

/// The settings of a [`SqlStore`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreOptions {
    /// Maximum number of connections to a PostgreSQL server; 0 counts as 1.
    pub connections: u32,
    /// Maximum number of bytes. If it is exceeded, [`ImageCache::evict`](crate::ImageCache::evict)
    /// deletes the oldest images. In SQLite it is about the whole file, in PostgreSQL about the images,
    /// approximately.
    pub max_bytes: Option<u64>,
    /// Creates a missing SQLite file.
    pub create: bool,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self {
            connections: SqlStore::CONNECTIONS,
            max_bytes: None,
            create: true,
        }
    }
}

impl SqlStore {
    /// Default maximum number of connections to a PostgreSQL server.
    pub const CONNECTIONS: u32 = postgres::CONNECTIONS;

    /// Opens a database, migrates its tables, creates missing counters and prunes the health log.
    ///
    /// `sqlite:effigy.db` and `sqlite:///var/lib/effigy.db` are files, created if missing.
    /// `sqlite::memory:` is a private database in memory, which ends with the store.
    /// `postgres://user:password@host:port/name?sslmode=require` is PostgreSQL. Several processes
    /// may open the same database at the same time.
    ///
    /// # Errors
    /// If the URL has none of these forms, or the database cannot be opened or migrated. No error
    /// contains the URL's password.
    ///
    /// # Panics
    /// If it is called outside a Tokio runtime with time and I/O enabled.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        Self::open_with(url, StoreOptions::default()).await
    }

    /// Opens a database as [`open`](Self::open) does, with other settings.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    ///
    /// # Panics
    /// If it is called outside a Tokio runtime with time and I/O enabled.
    pub async fn open_with(url: &str, options: StoreOptions) -> Result<Self, StoreError> {
        let database = Database::open(url, options).await?;
        let limit = options.max_bytes.map(SizeLimit::new);
        let store = Self {
            database: Arc::new(database),
            limit: limit.map(Arc::new),
            recorded: Arc::default(),
        };
        store.create_counters().await?;
        store.prune_health().await?;
        Ok(store)
    }

    /// Closes the connections of the store and its clones; later calls fail. An SQLite file is left
    /// without a write-ahead log.
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
