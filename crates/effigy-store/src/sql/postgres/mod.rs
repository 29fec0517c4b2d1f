//! Opens PostgreSQL, or another server that speaks its protocol.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, Executor, Postgres};

use super::connection_cache::ConnectionCache;
use super::connections::Connections;
use super::migrations::{self, History};
use super::redact::redact;
use crate::StoreError;

/// Default maximum of connections. A server allows about a hundred for all its clients.
pub(super) const CONNECTIONS: u32 = 10;

pub(super) const MIGRATIONS: History = &[
    ("initial", include_str!("migrations/0001_initial.sql")),
    ("checksum", include_str!("migrations/0002_checksum.sql")),
];

/// The bytes of the images. The size of the table would include those of deleted rows.
pub(super) const SIZE: &str = "
    SELECT CAST(COALESCE(sum(length(key) + length(data) + 100), 0) AS BIGINT) FROM images";

/// Time limit for connecting, and for the wait for a free connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Time limit of a call. A client may be waiting for its picture.
const CALL_TIMEOUT: Duration = Duration::from_secs(4);
/// Ends a statement on the server too, a little before [`CALL_TIMEOUT`].
const STATEMENT_TIMEOUT: &str = "SET statement_timeout = '3s'";
/// Time limit for all migrations.
const MIGRATION_TIMEOUT: Duration = Duration::from_secs(60);
/// Keeps `relation "_sqlx_migrations" already exists, skipping` out of the logs.
const NO_NOTICES: &str = "SET client_min_messages = warning";

/// Opens the database: one connection migrates its tables, then a pool takes over.
pub(super) async fn open(url: &str, connections: u32) -> Result<Connections<Postgres>, StoreError> {
    let redacted = &redact(url);
    let options: PgConnectOptions = url
        .parse()
        .map_err(|error| StoreError::malformed_url(redacted, error))?;
    let options = options.disable_statement_logging();
    // Without a pool, which would retry and hide the reason of a failure.
    let mut setup = within(CONNECT_TIMEOUT, options.connect())
        .await
        .map_err(|error| StoreError::open(redacted, error))?;
    let migrated = within(MIGRATION_TIMEOUT, async {
        setup.execute(NO_NOTICES).await?;
        migrations::run(&mut setup, MIGRATIONS).await
    });
    migrated
        .await
        .map_err(|error| StoreError::migrate(redacted, error))?;
    // The migrations are committed, so an error here does not matter.
    let _ = within(CONNECT_TIMEOUT, setup.close()).await;
    let pool = pool(connections).connect_lazy_with(options);
    // The server of an interrupted statement may be unreachable. The pool would wait for it as long
    // as TCP retries, and keep the connection's permit from statements that could connect again.
    let cache = Arc::new(ConnectionCache::new(pool, |interrupted| {
        drop(interrupted.detach());
    }));
    Ok(Connections {
        readers: Arc::clone(&cache),
        writers: cache,
        timeout: CALL_TIMEOUT,
    })
}

fn pool(connections: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(CONNECT_TIMEOUT)
        .acquire_slow_threshold(CONNECT_TIMEOUT)
        .after_connect(|connection, _| {
            Box::pin(async move { connection.execute(STATEMENT_TIMEOUT).await.map(drop) })
        })
        // The pool's own ping of a returned connection has no time limit.
        .after_release(|connection, _| {
            Box::pin(async move {
                let ping = within(CONNECT_TIMEOUT, connection.ping()).await;
                ping.map(|()| true)
            })
        })
}

/// Waits for `work` for a limited time.
async fn within<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    let timed_out = |_| Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into()));
    tokio::time::timeout(limit, work)
        .await
        .unwrap_or_else(timed_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_host_and_port() {
        let table = [
            (
                "postgres://u:p@localhost:5433/db?sslmode=require",
                ("localhost", 5433),
            ),
            ("postgresql://localhost/db", ("localhost", 5432)),
        ];
        for (url, expected) in table {
            let options: PgConnectOptions = url.parse().expect(url);
            assert_eq!((options.get_host(), options.get_port()), expected, "{url}");
        }
    }
}
