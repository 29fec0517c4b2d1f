//! Opens SQLite: a file, or a database in memory.

mod low_priority;
mod watched;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, Sqlite, SqliteConnection, SqlitePool};

use watched::WatchedFile;

use super::connection_cache::ConnectionCache;
use super::connections::Connections;
use super::migrations::{self, History};
use crate::StoreError;

pub(super) const MIGRATIONS: History = &[
    ("initial", include_str!("migrations/0001_initial.sql")),
    ("checksum", include_str!("migrations/0002_checksum.sql")),
];

/// The bytes of the pages in use. Free pages are reused before the file grows.
pub(super) const SIZE: &str = "
    SELECT (page_count - freelist_count) * page_size
    FROM pragma_page_count, pragma_freelist_count, pragma_page_size";

/// Time for which a connection waits for the lock of another one, maybe of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Time limit of a call: the wait for this process's writer and for another process's.
const CALL_TIMEOUT: Duration = Duration::from_secs(8);
/// Number of connections that only read. With a write-ahead log no writer blocks them.
const READERS: u32 = 4;
/// Page size of a new file. Larger pages mean fewer system calls for an image of dozens of
/// kilobytes, but more bytes written for an image of a few hundred bytes.
const PAGE_SIZE_BYTES: u32 = 8 << 10;
/// Size to which the write-ahead log is cut after it was longer: twice that of a full one.
const MAX_LOG_BYTES: &str = "16777216";
/// `SQLITE_BUSY`: the low byte of the error codes for a lock that another connection holds.
const SQLITE_BUSY: i32 = 5;

/// An open database.
pub(super) enum SqliteDatabase {
    Memory(Arc<Connections<Sqlite>>),
    File(Box<WatchedFile>),
}

impl SqliteDatabase {
    pub(super) async fn connections(&self) -> Result<Arc<Connections<Sqlite>>, StoreError> {
        match self {
            Self::Memory(connections) => Ok(Arc::clone(connections)),
            Self::File(file) => file.connections().await,
        }
    }

    pub(super) async fn close(&self) {
        match self {
            Self::Memory(connections) => connections.close().await,
            Self::File(file) => file.close().await,
        }
    }
}

/// Opens the database that a URL beginning with `sqlite:` names. Unless `create` is set, its file must
/// exist.
pub(super) async fn open(url: &str, create: bool) -> Result<SqliteDatabase, StoreError> {
    let options: SqliteConnectOptions = url
        .parse()
        .map_err(|error| StoreError::malformed_url(url, error))?;
    let options = options.disable_statement_logging();
    let (file, parameters) = split(url);
    if is_in_memory(file, parameters) {
        let connections = open_memory(options, url).await?;
        return Ok(SqliteDatabase::Memory(Arc::new(connections)));
    }
    if file.is_empty() {
        return Err(StoreError::NoFile {
            url: url.to_owned(),
        });
    }
    let directory = options.get_filename().parent().unwrap_or(Path::new(""));
    if !directory.as_os_str().is_empty() && !directory.is_dir() {
        return Err(StoreError::MissingDirectory {
            directory: directory.to_owned(),
        });
    }
    if !create && !options.get_filename().exists() {
        return Err(StoreError::MissingFile {
            file: options.get_filename().to_owned(),
        });
    }
    WatchedFile::open(url, options)
        .await
        .map(|file| SqliteDatabase::File(Box::new(file)))
}

/// Splits a URL into the file and the parameters that it names.
fn split(url: &str) -> (&str, &str) {
    let location = url.strip_prefix("sqlite:").unwrap_or(url);
    let location = location.trim_start_matches("//");
    location.split_once('?').unwrap_or((location, ""))
}

fn is_in_memory(file: &str, parameters: &str) -> bool {
    file == ":memory:" || parameters.split('&').any(|pair| pair == "mode=memory")
}

/// Opens a file with one connection for writing and some for reading.
///
/// SQLite has one writer at a time. The writers of this process queue for one connection, in order
/// and without polling; SQLite's own waiting is left for other processes.
async fn open_file(
    options: SqliteConnectOptions,
    url: &str,
) -> Result<Connections<Sqlite>, StoreError> {
    let options = options
        .create_if_missing(true)
        .page_size(PAGE_SIZE_BYTES)
        .busy_timeout(BUSY_TIMEOUT)
        // After a large transaction the log gets back to the size that it has otherwise.
        .pragma("journal_size_limit", MAX_LOG_BYTES)
        // Safe if the process crashes. If the machine crashes, the file stays intact and may miss
        // the last images, which can be rendered again.
        .synchronous(SqliteSynchronous::Normal);
    let cannot_open = |error| StoreError::open(url, error);
    let mut setup = connect_with_write_ahead_log(&options)
        .await
        .map_err(cannot_open)?;
    migrate(&mut setup, url).await?;
    let readers = pool(READERS).connect_lazy_with(options.clone());
    let writers = pool(1).connect_lazy_with(options);
    setup.close().await.map_err(cannot_open)?;
    low_priority::connect_first(&writers).await;
    Ok(Connections {
        readers: cache(readers),
        writers: cache(writers),
        timeout: CALL_TIMEOUT,
    })
}

/// Opens a database in memory, which lives in its only connection.
async fn open_memory(
    options: SqliteConnectOptions,
    url: &str,
) -> Result<Connections<Sqlite>, StoreError> {
    let cannot_open = |error| StoreError::open(url, error);
    let pool = pool(1).min_connections(1).connect_with(options);
    let pool = pool.await.map_err(cannot_open)?;
    let mut connection = pool.acquire().await.map_err(cannot_open)?;
    migrate(&mut connection, url).await?;
    drop(connection);
    let connections = cache(pool);
    Ok(Connections {
        readers: Arc::clone(&connections),
        writers: connections,
        timeout: CALL_TIMEOUT,
    })
}

/// A pool that keeps its connections, because a file never hangs up.
fn pool(size: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(size)
        .acquire_timeout(CALL_TIMEOUT)
        .acquire_slow_threshold(CALL_TIMEOUT)
        .max_lifetime(None)
        .idle_timeout(None)
        .test_before_acquire(false)
}

fn cache(pool: SqlitePool) -> Arc<ConnectionCache<Sqlite>> {
    // The thread of an interrupted connection finishes the statement; then it is usable again.
    Arc::new(ConnectionCache::new(pool, drop))
}

/// Connects and switches the file to a write-ahead log, which is a permanent property of the file.
///
/// The switch needs an exclusive lock, for which SQLite's busy timeout does not wait. If several
/// processes open a new file at once, this function has to wait.
async fn connect_with_write_ahead_log(
    options: &SqliteConnectOptions,
) -> Result<SqliteConnection, sqlx::Error> {
    let options = options.clone().journal_mode(SqliteJournalMode::Wal);
    let deadline = Instant::now() + BUSY_TIMEOUT;
    loop {
        match options.connect().await {
            Err(error) if is_busy(&error) && Instant::now() < deadline => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            outcome => return outcome,
        }
    }
}

fn is_busy(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.and_then(|code| code.parse::<i32>().ok())
        .is_some_and(|code| code & 0xff == SQLITE_BUSY)
}

async fn migrate(connection: &mut SqliteConnection, url: &str) -> Result<(), StoreError> {
    let migrated = migrations::run(connection, MIGRATIONS).await;
    migrated.map_err(|error| StoreError::migrate(url, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_of_url_names_its_location() {
        let location = |url: &str| {
            let (file, parameters) = split(url);
            if is_in_memory(file, parameters) {
                return "memory".to_owned();
            }
            let options: SqliteConnectOptions = url.parse().expect("the URL is valid");
            format!("file {}", options.get_filename().display())
        };
        let table = [
            ("sqlite:effigy.db", "file effigy.db"),
            ("sqlite://effigy.db", "file effigy.db"),
            ("sqlite:///effigy.db", "file /effigy.db"),
            ("sqlite:/effigy.db", "file /effigy.db"),
            ("sqlite:effigy.db?mode=rwc", "file effigy.db"),
            ("sqlite:what%3f.db", "file what?.db"),
            ("sqlite::memory:", "memory"),
            ("sqlite://:memory:", "memory"),
            ("sqlite:name?mode=memory", "memory"),
        ];
        for (url, expected) in table {
            assert_eq!(location(url), expected, "{url}");
        }
    }
}
