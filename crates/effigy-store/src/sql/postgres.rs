//! Opens PostgreSQL, or a server that speaks its protocol.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, Executor, PgConnection, Postgres};

use super::database::Pools;
use super::lane::Lane;
use super::migrations;
use crate::{DatabaseError, StoreError};

/// How long connecting may take, and how long anybody waits for a free connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// How long an answer may take altogether. A picture waits for it.
const PATIENCE: Duration = Duration::from_secs(4);
/// Ends a statement on the server too, a little before we stop waiting for it.
const STATEMENT_TIMEOUT: &str = "SET statement_timeout = '3s'";
/// How long bringing the tables up to date may take.
const MIGRATION_TIMEOUT: Duration = Duration::from_secs(60);
/// Keeps `relation "_sqlx_migrations" already exists, skipping` out of the logs.
const NO_NOTICES: &str = "SET client_min_messages = warning";
/// A server has about a hundred for all replicas.
pub(crate) const CONNECTIONS: u32 = 10;

/// Opens the database: one connection brings its tables up to date, then a pool takes over.
pub(crate) async fn open(
    options: PgConnectOptions,
    shown: String,
    connections: u32,
) -> Result<Pools<Postgres>, StoreError> {
    let options = options.disable_statement_logging();
    let mut setup = connect(&options, &shown).await?;
    migrate(&mut setup, shown).await?;
    // The work is done, so it does not matter how the connection ends.
    let _ = tokio::time::timeout(CONNECT_TIMEOUT, setup.close()).await;
    let pool = pool(connections).connect_lazy_with(options);
    let lane = Arc::new(Lane::new(pool));
    Ok(Pools {
        readers: Arc::clone(&lane),
        writers: lane,
        patience: PATIENCE,
    })
}

/// Connects without a pool, which would try again and not say why it failed.
async fn connect(options: &PgConnectOptions, shown: &str) -> Result<PgConnection, StoreError> {
    let refused = |error: sqlx::Error| StoreError::Open {
        url: shown.to_owned(),
        source: error.into(),
    };
    tokio::time::timeout(CONNECT_TIMEOUT, options.connect())
        .await
        .map_err(|_| refused(timed_out()))?
        .map_err(refused)
}

async fn migrate(connection: &mut PgConnection, shown: String) -> Result<(), StoreError> {
    let work = async {
        connection.execute(NO_NOTICES).await?;
        migrations::run(connection, migrations::POSTGRES)
            .await
            .map_err(DatabaseError::from)
    };
    tokio::time::timeout(MIGRATION_TIMEOUT, work)
        .await
        .unwrap_or_else(|_| Err(timed_out().into()))
        .map_err(|source| StoreError::Migrate { url: shown, source })
}

fn pool(connections: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(CONNECT_TIMEOUT)
        .acquire_slow_threshold(CONNECT_TIMEOUT)
        .after_connect(|connection, _| {
            Box::pin(async move { connection.execute(STATEMENT_TIMEOUT).await.map(drop) })
        })
        // The pool itself tests what comes back, but waits for the answer without end.
        .after_release(|connection, _| {
            Box::pin(async move {
                let ping = tokio::time::timeout(CONNECT_TIMEOUT, connection.ping()).await;
                ping.unwrap_or_else(|_| Err(timed_out())).map(|()| true)
            })
        })
}

fn timed_out() -> sqlx::Error {
    sqlx::Error::Io(io::ErrorKind::TimedOut.into())
}
