//! New databases of both kinds, with connections that bypass the store.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sqlx::migrate::Migrator;
use sqlx::{AssertSqlSafe, PgPool, SqlitePool};
use tempfile::TempDir;

use super::{PostgresServer, create_database, shared_server};

pub(crate) struct Database {
    pub(crate) url: String,
    pool: Pool,
}

/// The connections, with the folder or the server of the database.
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
    let mut databases = vec![sqlite(folder).await];
    if let Some(database) = postgres(name).await {
        databases.push(database);
    }
    databases
}

/// Returns copies of the databases that a version has left: an SQLite file, and a database of
/// PostgreSQL if there is one.
pub(crate) async fn databases_of(version: &str) -> Vec<Database> {
    let mut databases = vec![copy_of(&format!("effigy-{version}.db")).await];
    let name = format!("version_{}", version.replace('.', "_"));
    if let Some(database) = postgres(&name).await {
        let file = fixture(&format!("effigy-{version}.sql"));
        let script = fs::read_to_string(file).unwrap();
        if let Pool::Postgres(pool, _) = &database.pool {
            let run = sqlx::raw_sql(AssertSqlSafe(script)).execute(pool).await;
            run.unwrap();
        }
        databases.push(database);
    }
    databases
}

/// Returns a copy of an SQLite file among the fixtures.
pub(crate) async fn copy_of(file_name: &str) -> Database {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("effigy.db");
    fs::copy(fixture(file_name), copy).unwrap();
    sqlite(folder).await
}

fn fixture(file_name: &str) -> PathBuf {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/databases");
    fixtures.join(file_name)
}

/// Returns the SQLite file in a folder, which may be missing.
async fn sqlite(folder: TempDir) -> Database {
    let url = format!("sqlite:{}", folder.path().join("effigy.db").display());
    let pool = SqlitePool::connect(&format!("{url}?mode=rwc")).await;
    let pool = Pool::Sqlite(pool.unwrap(), folder);
    Database { url, pool }
}

/// Returns an empty database of PostgreSQL if there is one.
async fn postgres(name: &str) -> Option<Database> {
    let server = shared_server()?;
    let url = create_database(&server, name).await;
    let pool = Pool::Postgres(PgPool::connect(&url).await.unwrap(), server);
    Some(Database { url, pool })
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
