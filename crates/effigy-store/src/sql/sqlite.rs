//! Opens SQLite: a file, or a database in memory.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, Sqlite, SqliteConnection, SqlitePool};

use super::database::{CALL_TIMEOUT, Connections};
use super::health;
use super::migrations::{self, Files};
use crate::error::{damage, is_down};
use crate::{HEALTH_LOG_LENGTH, StoreError};

const MIGRATIONS: Files = Files {
    initial: include_str!("sqlite/migrations/0001_initial.sql"),
    textures_and_players: include_str!("sqlite/migrations/later_0001_textures_and_players.sql"),
};

/// The bytes of the pages in use. Free pages are reused before the file grows.
pub(super) const SIZE: &str = "
    SELECT (page_count - freelist_count) * page_size
    FROM pragma_page_count, pragma_freelist_count, pragma_page_size";

/// Marks a file in which a write has met damage, for the next time that it is opened.
pub(super) const MARK_DAMAGED: &str = "PRAGMA user_version = 1";
/// Reads the mark, which is not 0 in a marked file.
const DAMAGE_MARK: &str = "PRAGMA user_version";

/// Time for which a connection waits for the lock of another connection, maybe of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Time after which a thread of SQLite lets other threads run. While old images are evicted on one
/// processor, another thread is late by 5 ms instead of 9 ms (99th percentile). See "Databases" in
/// `benches/README.md`.
const TIME_SLICE: Duration = Duration::from_micros(200);
/// Number of SQLite's instructions between two looks at the clock.
const INSTRUCTIONS_PER_CHECK: i32 = 20;
/// Number of connections that only read. With a write-ahead log no writer blocks them. Four read a
/// quarter more images per second than one.
const READERS: u32 = 4;
/// Page size of a new file. A batch of images of 20 kB takes 2.8 ms instead of 3.6 ms with
/// SQLite's default of 4 KiB. Reads and smaller images take as long as with other sizes.
const PAGE_SIZE_BYTES: u32 = 8 << 10;
/// Pages of a full write-ahead log, which is then synced. The slowest hundredth of batches takes
/// 24 ms instead of 41 ms with SQLite's default of 1,000 pages, because a sync writes less. The
/// median batch takes 5 ms instead of 1 ms, but nobody waits for batches.
const LOG_PAGES: &str = "64";
/// Size to which the write-ahead log is cut after a large transaction: twice the size of a full
/// log. Without it, the log stays as large as the largest transaction, for example 20 MB.
const MAX_LOG_BYTES: &str = "1048576";

/// Opens the database that a URL beginning with `sqlite:` names. With `must_exist`, its file must
/// exist.
///
/// SQLite has one writer at a time. The writers of this process queue for one connection, in order
/// and without polling; SQLite's own waiting is left for other processes.
pub(super) async fn open(url: &str, must_exist: bool) -> Result<Connections<Sqlite>, StoreError> {
    let parsed: SqliteConnectOptions = url.parse().map_err(StoreError::malformed)?;
    let file = parsed.get_filename().to_owned();
    let in_memory = url.contains(":memory:") || url.contains("mode=memory");
    if !in_memory {
        check_file(&file, must_exist)?;
    }
    let options = connect_options(parsed);
    let writers = writer_pool().connect_lazy_with(options.clone());
    if let Err(error) = prepare_tables(&writers).await {
        // The file may be renamed, which is not possible everywhere while it is open.
        writers.close().await;
        return Err(StoreError::open(&file.to_string_lossy(), error));
    }
    let readers = if in_memory {
        // The database lives in its only connection.
        writers.clone()
    } else {
        pool(READERS).connect_lazy_with(options)
    };
    Ok(Connections { readers, writers })
}

/// Checks that the file's folder exists, and the file too if it must.
fn check_file(file: &Path, must_exist: bool) -> Result<(), StoreError> {
    let folder = file.parent().ok_or_else(StoreError::unknown)?;
    // A file without a folder is in the current directory.
    if !Path::new(".").join(folder).is_dir() {
        let folder = folder.display();
        let problem = format!("the directory `{folder}` for the database file does not exist");
        return Err(StoreError::Url(problem));
    }
    if must_exist && !file.exists() {
        let problem = format!("there is no database file `{}`", file.display());
        return Err(StoreError::Url(problem));
    }
    Ok(())
}

/// Adds the settings of every connection to the settings of the URL.
fn connect_options(parsed: SqliteConnectOptions) -> SqliteConnectOptions {
    parsed
        .disable_statement_logging()
        .create_if_missing(true)
        .page_size(PAGE_SIZE_BYTES)
        .busy_timeout(BUSY_TIMEOUT)
        .journal_mode(SqliteJournalMode::Wal)
        .pragma("wal_autocheckpoint", LOG_PAGES)
        .pragma("journal_size_limit", MAX_LOG_BYTES)
        // Safe if the process crashes. If the machine crashes, the file stays intact and may miss
        // the last images, which can be rendered again.
        .synchronous(SqliteSynchronous::Normal)
}

/// A pool of the one connection that writes.
///
/// If a commit fails because the disk is full, SQLite rolls back, but sqlx believes that the
/// transaction is still open. Later ones would be nested in it, and never be committed. So a
/// connection that is still in a transaction is closed.
fn writer_pool() -> SqlitePoolOptions {
    pool(1).after_release(|connection, _| {
        Box::pin(async move {
            connection.ping().await?;
            Ok(!connection.is_in_transaction())
        })
    })
}

/// Prepares the tables over the first connection, or fails if the file is damaged or cannot be
/// written.
///
/// This connection also switches a new file to a write-ahead log for good. The switch needs an
/// exclusive lock, for which SQLite's busy timeout does not wait. So if several processes open a
/// new file at once, some of them retry later.
async fn prepare_tables(writers: &SqlitePool) -> Result<(), sqlx::Error> {
    let mut connection = writers.acquire().await?;
    check_damage_mark(&mut connection).await?;
    migrations::run(&mut *connection, MIGRATIONS).await?;
    check_committed(&connection)?;
    probe_by_pruning(&mut connection).await
}

/// Fails if an earlier write has marked the file as damaged.
async fn check_damage_mark(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let mark = sqlx::query_scalar(DAMAGE_MARK).fetch_one(connection).await;
    // A file whose mark cannot be read is no database, or is locked. The migration says which.
    let is_marked = mark.is_ok_and(|mark: i64| mark != 0);
    if is_marked {
        return Err(damage("a write has met damage"));
    }
    Ok(())
}

/// Fails if a commit of the migrations has failed, and a later attempt seemed to succeed.
///
/// sqlx then runs the later attempt inside the transaction that it believes to be open, as
/// [`writer_pool`] describes. So nothing is committed, and no attempt returns an error.
fn check_committed(connection: &SqliteConnection) -> Result<(), sqlx::Error> {
    if connection.is_in_transaction() {
        let problem = "the tables cannot be written";
        return Err(sqlx::Error::Protocol(problem.into()));
    }
    Ok(())
}

/// Prunes the log of health checks, mainly to read and write a table before the file is used.
///
/// Nothing else writes to a file whose tables are up to date. So this finds a file that is
/// read-only, and damage of the log, for which a damaged file is moved aside at once.
async fn probe_by_pruning(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let prune = sqlx::query(health::PRUNE).bind(HEALTH_LOG_LENGTH);
    match prune.execute(connection).await {
        Ok(_) => Ok(()),
        // Another process holds the lock, so the file is in use. The log is pruned later.
        Err(error) if is_down(&error) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Renames the file of a damaged database, with its write-ahead log.
pub(super) fn move_aside(url: &str) -> Result<(), StoreError> {
    let options: SqliteConnectOptions = url.parse().map_err(StoreError::malformed)?;
    let file = options.get_filename().to_string_lossy();
    let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    let aside = format!("{file}.damaged-{}", since.as_millis());
    let rename = |end: &str| fs::rename(format!("{file}{end}"), format!("{aside}{end}"));
    // The file comes first. A connection that is closed later finds it renamed, and does not delete
    // the log of the new file.
    rename("").map_err(|error| StoreError::open(&file, error.into()))?;
    // These files may not exist.
    let _ = rename("-wal");
    let _ = rename("-shm");
    tracing::warn!("the database is damaged: it is now `{aside}`, and a new one begins");
    Ok(())
}

/// A pool that keeps its connections, because a file never closes them. Each has a thread.
fn pool(size: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(size)
        .acquire_timeout(CALL_TIMEOUT)
        .acquire_slow_threshold(CALL_TIMEOUT)
        .max_lifetime(None)
        .idle_timeout(None)
        .test_before_acquire(false)
        .after_connect(|connection, _| Box::pin(yield_between_slices(connection)))
}

/// Lets the thread of a connection yield after each [`TIME_SLICE`] of a long statement.
async fn yield_between_slices(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let mut slice_began = Instant::now();
    let on_progress = move || {
        if slice_began.elapsed() >= TIME_SLICE {
            thread::yield_now();
            slice_began = Instant::now();
        }
        // `false` would cancel the statement.
        true
    };
    let mut handle = connection.lock_handle().await?;
    handle.set_progress_handler(INSTRUCTIONS_PER_CHECK, on_progress);
    Ok(())
}
