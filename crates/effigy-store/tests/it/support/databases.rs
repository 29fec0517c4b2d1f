//! New databases of both kinds, and a way into them that is not the store's.

use std::sync::Arc;

use sqlx::migrate::Migrator;
use sqlx::{AssertSqlSafe, PgPool, SqlitePool};
use tempfile::TempDir;

use super::{PostgresServer, create_database, shared_server};

pub(crate) struct Database {
    pub(crate) url: String,
    pool: Pool,
}

/// The connections, with what the database lives in.
enum Pool {
    Sqlite(
        SqlitePool,
        #[expect(dead_code, reason = "deletes it")] TempDir,
    ),
    Postgres(
        PgPool,
        #[expect(dead_code, reason = "ends it")] Arc<PostgresServer>,
    ),
}

/// Returns an empty SQLite file, and an empty database of PostgreSQL if there is one.
pub(crate) async fn databases(name: &str) -> Vec<Database> {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("effigy.db").display());
    let sqlite = SqlitePool::connect(&format!("{url}?mode=rwc"))
        .await
        .unwrap();
    let pool = Pool::Sqlite(sqlite, folder);
    let mut databases = vec![Database { url, pool }];
    if let Some(server) = shared_server() {
        let url = create_database(&server, name).await;
        let pool = Pool::Postgres(PgPool::connect(&url).await.unwrap(), server);
        databases.push(Database { url, pool });
    }
    databases
}

impl Database {
    /// Executes a statement; `BYTES` in it is this database's type of bytes.
    pub(crate) async fn execute(&self, statement: &str) {
        let query = |bytes| AssertSqlSafe(statement.replace("BYTES", bytes));
        let executed = match &self.pool {
            Pool::Sqlite(pool, _) => sqlx::query(query("BLOB")).execute(pool).await.err(),
            Pool::Postgres(pool, _) => sqlx::query(query("BYTEA")).execute(pool).await.err(),
        };
        assert!(executed.is_none(), "{statement}: {executed:?}");
    }

    /// Runs the migrations for this kind of database.
    pub(crate) async fn migrate(&self, sqlite: Migrator, postgres: Migrator) {
        match &self.pool {
            Pool::Sqlite(pool, _) => sqlite.run(pool).await.unwrap(),
            Pool::Postgres(pool, _) => postgres.run(pool).await.unwrap(),
        }
    }
}
