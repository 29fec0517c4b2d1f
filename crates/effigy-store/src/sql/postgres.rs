//! Opens PostgreSQL, or another server that speaks its protocol.

use std::{fs, io, num::NonZeroU32, time::Duration};

use sqlx::postgres::{PgConnectOptions, PgPoolOptions, PgSslMode};
use sqlx::{ConnectOptions, Connection, Executor, PgConnection, Postgres};
use tokio::time::timeout;
use url::Url;

use super::database::Connections;
use super::migrations::{self, Files};
use crate::StoreError;

const MIGRATIONS: Files = Files {
    initial: include_str!("postgres/migrations/0001_initial.sql"),
    textures_and_players: include_str!("postgres/migrations/later_0001_textures_and_players.sql"),
};

/// Default number of connections. A server allows about a hundred for all its clients.
const CONNECTIONS: u32 = 10;
/// Time limit for connecting, and for the wait for a free connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Ends a statement on the server, before the time limit of the call.
const STATEMENT_TIMEOUT: &str = "SET statement_timeout = '3s'";
/// Time limit for all migrations.
const MIGRATION_TIMEOUT: Duration = Duration::from_secs(60);
/// Keeps `relation "_sqlx_migrations" already exists, skipping` out of the logs.
const NO_NOTICES: &str = "SET client_min_messages = warning";
/// Time after which an idle connection is tested before its next statement. A test before each
/// statement would make a look-up a seventh slower.
const TEST_AFTER: Duration = Duration::from_secs(1);
/// Time limit of such a test.
const TEST_TIMEOUT: Duration = Duration::from_secs(1);

/// Opens the database: one connection migrates its tables, then a pool takes over.
pub(super) async fn open(
    url: &str,
    connections: Option<NonZeroU32>,
) -> Result<Connections<Postgres>, StoreError> {
    let options = connect_options(url)?;
    let migrated = migrate(&options).await;
    // The error has the host only. In a URL whose password is not encoded, a part of the password
    // may be taken for the port or the database.
    migrated.map_err(|error| StoreError::open(options.get_host(), error))?;
    let count = connections.map_or(CONNECTIONS, NonZeroU32::get);
    let pool = pool(count).connect_lazy_with(options);
    Ok(Connections {
        readers: pool.clone(),
        writers: pool,
    })
}

/// Returns the settings of a URL, and checks that the files that it names can be read.
fn connect_options(url: &str) -> Result<PgConnectOptions, StoreError> {
    let mut options: PgConnectOptions = url.parse().map_err(StoreError::malformed)?;
    let parsed = Url::parse(url).map_err(|_| StoreError::unknown())?;
    for (name, file) in parsed.query_pairs() {
        let is_root = ["sslrootcert", "ssl-root-cert", "ssl-ca"].contains(&&*name);
        if is_root || ["sslcert", "ssl-cert", "sslkey", "ssl-key"].contains(&&*name) {
            fs::read(&*file).map_err(|error| {
                StoreError::Url(format!("the {name} `{file}` cannot be read: {error}"))
            })?;
        }
        // As in libpq, an authority that is named must have signed the certificate of the server.
        if is_root && matches!(options.get_ssl_mode(), PgSslMode::Require) {
            options = options.ssl_mode(PgSslMode::VerifyCa);
        }
    }
    if options.get_application_name().is_none() {
        options = options.application_name("effigy");
    }
    // PgBouncer refuses parameters that it does not know, and no statement returns a float.
    Ok(options.disable_statement_logging().extra_float_digits(None))
}

/// Migrates the tables over a connection of its own.
async fn migrate(options: &PgConnectOptions) -> Result<(), sqlx::Error> {
    // Without a pool, which would retry and hide the reason of a failure.
    let connected = timeout(CONNECT_TIMEOUT, options.connect()).await;
    let mut connection = connected.map_err(io::Error::from)??;
    let migrate = async {
        connection.execute(NO_NOTICES).await?;
        let migrated = migrations::run(&mut connection, MIGRATIONS).await;
        // The migrations are committed, so an error here does not matter.
        let _ = connection.close().await;
        migrated
    };
    let migrated = timeout(MIGRATION_TIMEOUT, migrate).await;
    migrated.map_err(io::Error::from)?
}

/// A pool whose tests have a time limit, unlike sqlx's own.
///
/// Before use, it tests only connections that were idle, so that most statements don't wait for a
/// second trip to the server. On release, when nobody waits, it tests every connection: sqlx then
/// pings it once more without a time limit, and logs a failure, so that ping has to meet a live
/// connection.
fn pool(connections: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(CONNECT_TIMEOUT)
        .acquire_slow_threshold(CONNECT_TIMEOUT)
        .test_before_acquire(false)
        .before_acquire(|connection, state| {
            Box::pin(async move { Ok(state.idle_for < TEST_AFTER || is_alive(connection).await?) })
        })
        .after_release(|connection, _| Box::pin(is_alive(connection)))
        .after_connect(|connection, _| {
            Box::pin(async move {
                // The pool would log a failure as an error. The statement after it fails too.
                let _ = connection.execute(STATEMENT_TIMEOUT).await;
                Ok(())
            })
        })
}

/// Tests a connection. The pool closes it after `false`, and drops it after an error: a server that
/// does not answer would not answer a farewell either.
async fn is_alive(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let ping = timeout(TEST_TIMEOUT, connection.ping()).await;
    Ok(ping.map_err(io::Error::from)?.is_ok())
}
