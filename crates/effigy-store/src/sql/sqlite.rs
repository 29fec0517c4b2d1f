//! Opens SQLite: a file, or a database in memory.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, Sqlite, SqliteConnection};

use super::database::Pools;
use super::lane::Lane;
use super::{background, migrations};
use crate::StoreError;

/// How long a connection to a file waits for another one, maybe of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How long an answer may take: the wait for our own writer and that for another process's.
const PATIENCE: Duration = Duration::from_secs(8);
/// Connections that only read. With a write-ahead log no writer blocks them.
const READERS: u32 = 4;
/// The page size of a new file, in bytes. The larger it is, the fewer pages an image of dozens of
/// kilobytes fills, each of which costs a few calls of the system; and the more is written for an
/// image of some hundred bytes.
const PAGE: u32 = 8 << 10;
/// `SQLITE_BUSY`, the low byte of the codes that say that somebody else holds the lock.
const SQLITE_BUSY: i32 = 5;

/// Opens a file with one connection for writing and some for reading.
///
/// SQLite has one writer at a time. Ours queue for the one connection, in order and without
/// polling; SQLite's own waiting is left for other processes.
pub(crate) async fn open_file(
    options: SqliteConnectOptions,
    shown: String,
) -> Result<Pools<Sqlite>, StoreError> {
    let options = options
        .create_if_missing(true)
        .page_size(PAGE)
        .busy_timeout(BUSY_TIMEOUT)
        // Durable against a crash of the process; a crash of the machine may cost the last
        // pictures, which can be rendered again, but never the file.
        .synchronous(SqliteSynchronous::Normal)
        .disable_statement_logging();
    let mut setup = match connect_with_write_ahead_log(&options).await {
        Ok(connection) => connection,
        Err(error) => {
            return Err(StoreError::Open {
                url: shown,
                source: error.into(),
            });
        }
    };
    migrate(&mut setup, shown.clone()).await?;
    let readers = pool(READERS).connect_lazy_with(options.clone());
    let writers = pool(1).connect_lazy_with(options);
    if let Err(error) = setup.close().await {
        return Err(StoreError::Open {
            url: shown,
            source: error.into(),
        });
    }
    background::connect_first(&writers).await;
    Ok(Pools {
        readers: Arc::new(Lane::new(readers)),
        writers: Arc::new(Lane::new(writers)),
        patience: PATIENCE,
    })
}

/// Opens a database in memory: it lives in its only connection.
pub(crate) async fn open_memory(
    options: SqliteConnectOptions,
    shown: String,
) -> Result<Pools<Sqlite>, StoreError> {
    let options = options.disable_statement_logging();
    let pool = match pool(1).min_connections(1).connect_with(options).await {
        Ok(pool) => pool,
        Err(error) => {
            return Err(StoreError::Open {
                url: shown,
                source: error.into(),
            });
        }
    };
    match pool.acquire().await {
        Ok(mut connection) => migrate(&mut connection, shown).await?,
        Err(error) => {
            return Err(StoreError::Open {
                url: shown,
                source: error.into(),
            });
        }
    }
    let lane = Arc::new(Lane::new(pool));
    Ok(Pools {
        readers: Arc::clone(&lane),
        writers: lane,
        patience: PATIENCE,
    })
}

/// A pool whose connections stay: a file does not hang up.
fn pool(size: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(size)
        .acquire_timeout(PATIENCE)
        .acquire_slow_threshold(PATIENCE)
        .max_lifetime(None)
        .idle_timeout(None)
        .test_before_acquire(false)
}

/// Connects and switches the file to a write-ahead log, which it then keeps.
///
/// The switch needs the file for itself, and SQLite's busy timeout does not wait for that: when
/// several processes open a new file at once, we have to.
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

async fn migrate(connection: &mut SqliteConnection, shown: String) -> Result<(), StoreError> {
    migrations::run(connection, migrations::SQLITE)
        .await
        .map_err(|error| StoreError::Migrate {
            url: shown,
            source: error.into(),
        })
}
