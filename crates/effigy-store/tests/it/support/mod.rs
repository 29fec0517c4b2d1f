//! PostgreSQL for the tests: servers, databases on a shared server, and an unreliable network.

mod databases;
mod postgres;
mod proxy;

use std::sync::{Arc, Mutex, PoisonError, Weak};

use sqlx::{AssertSqlSafe, PgPool};

pub(crate) use databases::{Database, copy_of, databases, databases_of};
pub(crate) use postgres::PostgresServer;
pub(crate) use proxy::Proxy;

/// A server that concurrent tests share. It ends with the last of them.
static SHARED: Mutex<Weak<PostgresServer>> = Mutex::new(Weak::new());

/// Returns the shared server, or `None` if this machine has no PostgreSQL.
pub(crate) fn shared_server() -> Option<Arc<PostgresServer>> {
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(running) = shared.upgrade() {
        return Some(running);
    }
    let started = Arc::new(PostgresServer::start()?);
    *shared = Arc::downgrade(&started);
    Some(started)
}

/// Creates an empty database on the server and returns its URL.
pub(crate) async fn create_database(server: &PostgresServer, name: &str) -> String {
    let admin = PgPool::connect(&server.url("postgres")).await.unwrap();
    let create = sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name}")));
    create.execute(&admin).await.unwrap();
    server.url(name)
}
