//! A store in an SQL database.
//!
//! SQLite and PostgreSQL accept the same statements here: `$1` placeholders, `ON CONFLICT` upserts,
//! 64-bit integers and bytes. So each statement is one constant, and [`database::run!`] compiles it
//! for both. sqlx's `Any` driver would choose at run time, but it hides the options in which the
//! databases differ, for SQLite's single writer and PostgreSQL's lost connections.
//!
//! To add another kind of database, add a file that opens it, its migrations and variants of
//! [`Database`] and [`database::Transaction`].

mod aging_table;
mod counts;
mod database;
mod health;
mod maintenance;
mod migrations;
mod pictures;
mod players;
mod postgres;
mod sqlite;
mod textures;
mod values;
mod writes;

use std::num::NonZeroU32;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::StoreError;
use crate::error::{is_damage, is_down};
use database::{Database, run};

/// Time between two attempts to open a database whose server was down, or whose file was locked.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// A store in SQLite or PostgreSQL. Clones share the connections.
#[derive(Debug, Clone)]
pub struct SqlStore {
    /// Empty until the database is open, which may be later if its server is down or its file is
    /// locked at first.
    database: Arc<OnceLock<Database>>,
    options: StoreOptions,
    /// Bytes that were written since the store was last found to be small enough.
    written: Arc<AtomicU64>,
}

/// The settings of a [`SqlStore`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoreOptions {
    /// The name of the server, for example its host and port. If several servers share a database,
    /// each reads its own health checks.
    pub server: Arc<str>,
    /// Approximate maximum size in bytes, beyond which the oldest rows are deleted: of a SQLite
    /// file, or of the images, textures and players in PostgreSQL. Textures and players together
    /// have at most a quarter of it. In a SQLite file, whose pages are partly empty, they take at
    /// most half.
    ///
    /// [`SqlStore::default_max_bytes`] suits most services. Without a maximum, rows are only
    /// deleted by [`prune`](crate::Maintenance::prune).
    pub max_bytes: Option<u64>,
    /// Maximum number of connections to PostgreSQL, by default 10.
    pub connections: Option<NonZeroU32>,
    /// Makes it an error if a SQLite file is missing, locked or damaged, or a PostgreSQL server is
    /// down. Otherwise, a missing file is created, a damaged one is renamed, and a server that is
    /// down or a locked file is opened as soon as possible. Until then, all calls fail.
    pub must_exist: bool,
}

impl SqlStore {
    /// Returns a maximum size that suits a database: 2 GiB for SQLite, 10 GiB for PostgreSQL.
    #[must_use]
    pub fn default_max_bytes(url: &str) -> u64 {
        if url.starts_with("sqlite:") {
            return 2 << 30;
        }
        10 << 30
    }

    /// Opens a database with the default settings.
    ///
    /// # Errors
    /// As for [`open_with`](Self::open_with).
    ///
    /// # Panics
    /// If it is called outside a Tokio runtime with time and I/O enabled.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        Self::open_with(url, StoreOptions::default()).await
    }

    /// Opens a database and migrates its tables. A damaged SQLite file is renamed, and a new one
    /// created, unless it must exist.
    ///
    /// If the server is down or the file is locked, the store is returned nevertheless, unless the
    /// database must exist. The store then tries to open the database every second and logs each
    /// error, even one that will not go away by itself. Until it succeeds, all calls fail.
    ///
    /// `sqlite:effigy.db` and `sqlite:///var/lib/effigy.db` are files, created if missing.
    /// `sqlite::memory:` is a private database in memory, which ends with the store.
    /// `postgres://user:password@host:port/name?sslmode=require` is PostgreSQL. Several processes
    /// may open the same database at the same time.
    ///
    /// # Errors
    /// If the URL has none of these forms, or the database answers but cannot be opened or
    /// migrated. With [`StoreOptions::must_exist`], also if the server is down, or the file is
    /// missing, locked or damaged. No error contains the URL's password.
    ///
    /// # Panics
    /// If it is called outside a Tokio runtime with time and I/O enabled.
    pub async fn open_with(url: &str, options: StoreOptions) -> Result<Self, StoreError> {
        let store = Self {
            database: Arc::default(),
            options,
            // More than any part of a maximum, so that the first write measures the size. Half of
            // the range, so that adding the bytes of writes can't overflow.
            written: Arc::new(AtomicU64::new(u64::MAX / 2)),
        };
        match store.connect(url).await {
            Ok(()) => {}
            Err(error) if store.options.must_exist => return Err(error),
            Err(error) if is_damaged_file(url, &error) => store.replace_file(url).await?,
            Err(error) if error.is(is_down) => {
                tokio::spawn(store.clone().connect_later(url.to_owned(), error));
            }
            Err(error) => return Err(error),
        }
        Ok(store)
    }

    /// Opens the database of a URL and migrates its tables.
    async fn connect(&self, url: &str) -> Result<(), StoreError> {
        let database = if url.starts_with("sqlite:") {
            Database::Sqlite(sqlite::open(url, self.options.must_exist).await?)
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            Database::Postgres(postgres::open(url, self.options.connections).await?)
        } else {
            return Err(StoreError::unknown());
        };
        self.database
            .set(database)
            .expect("it is opened once, after all attempts that failed");
        Ok(())
    }

    /// Renames a damaged SQLite file, and opens a new one.
    async fn replace_file(&self, url: &str) -> Result<(), StoreError> {
        sqlite::move_aside(url)?;
        self.connect(url).await
    }

    /// Tries to connect until that succeeds, or the store is dropped. Every error is retried,
    /// because nobody waits for it any more; the log has it.
    async fn connect_later(self, url: String, mut error: StoreError) {
        while Arc::strong_count(&self.database) > 1 {
            warn_about_missing(&error);
            tokio::time::sleep(RETRY_INTERVAL).await;
            match self.connect_again(&url).await {
                Ok(()) => {
                    tracing::info!("the database is open");
                    return;
                }
                Err(again) => error = again,
            }
        }
    }

    /// Connects to a database that was down or locked. A locked file may prove to be damaged.
    async fn connect_again(&self, url: &str) -> Result<(), StoreError> {
        match self.connect(url).await {
            Ok(()) => Ok(()),
            Err(error) if is_damaged_file(url, &error) => self.replace_file(url).await,
            Err(error) => Err(error),
        }
    }

    /// Returns the database, if it is open.
    fn database(&self) -> Result<&Database, StoreError> {
        self.database.get().ok_or(StoreError::NotOpen)
    }

    /// Closes the connections of the store and its clones; later calls fail. An SQLite file is left
    /// without a write-ahead log.
    pub async fn close(&self) {
        if let Some(database) = self.database.get() {
            // An unreachable server never confirms. Its connections end with the process.
            let _ = run!(database, "close", open => async {
                open.readers.close().await;
                open.writers.close().await;
                Ok(())
            });
        }
    }
}

/// Returns `true` if the file of a SQLite database is damaged.
fn is_damaged_file(url: &str, error: &StoreError) -> bool {
    url.starts_with("sqlite:") && error.is(is_damage)
}

/// Logs the reason why the database cannot be reached.
fn warn_about_missing(error: &StoreError) {
    let reason = error.with_cause();
    tracing::warn!("nothing is stored until the database is there: {reason}");
}
