//! Schema migrations, also for several processes that migrate one database at once.

use std::time::Duration;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};

use crate::StoreError;

/// Number of times that migrations are tried.
const ATTEMPTS: u32 = 8;

/// The tables of migrations: of those without which no version works, and of those that older versions do without, and
/// that they do not see, so that they still start on the database.
const TABLES: [&str; 2] = ["_sqlx_migrations", "_effigy_additions"];

/// A migration: its name, and its statements.
type File = (&'static str, &'static str);

/// Applies the migrations that the database lacks.
///
/// The first one depends on the kind of database. A released one never changes, because databases hold its
/// checksum. sqlx's macro would read the folder, but it compiles the databases' drivers twice.
pub(super) async fn run(
    connection: &mut impl Migrate,
    initial: &'static str,
    database: &str,
) -> Result<(), StoreError> {
    let checksum = include_str!("migrations/0002_checksum.sql");
    let totals = include_str!("migrations/additions_0001_totals.sql");
    let server = include_str!("migrations/additions_0002_server.sql");
    let files: [&[File]; 2] = [
        &[("initial", initial), ("checksum", checksum)],
        &[("totals", totals), ("server", server)],
    ];
    for (table, files) in TABLES.into_iter().zip(files) {
        apply(connection, table, files, database).await?;
    }
    Ok(())
}

/// Applies the migrations of one table.
///
/// It takes no lock: some servers that speak PostgreSQL's protocol lack its advisory locks. Each
/// migration and its entry in the table of migrations are one transaction, and the table's primary
/// key lets one process win. The others roll back, try again, and find the migration applied.
async fn apply(
    connection: &mut impl Migrate,
    table: &'static str,
    files: &[File],
    database: &str,
) -> Result<(), StoreError> {
    let migrations = (1..).zip(files).map(|(version, &(name, sql))| {
        let kind = MigrationType::Simple;
        Migration::new(version, name.into(), kind, sql.into_sql_str(), false)
    });
    let mut migrator = Migrator::with_migrations(migrations.collect());
    migrator.dangerous_set_table_name(table);
    migrator.set_locking(false);
    let mut attempt = 0;
    loop {
        attempt += 1;
        match migrator.run_direct(None, connection, false).await {
            Err(MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) => {
                if attempt == ATTEMPTS {
                    return Err(StoreError::open(database, error));
                }
                tokio::time::sleep(Duration::from_millis(10) * attempt).await;
            }
            Err(MigrateError::VersionMissing(migration)) => {
                let database = database.to_owned();
                return Err(StoreError::Newer {
                    database,
                    migration,
                });
            }
            outcome => return outcome.map_err(|error| StoreError::open(database, error.into())),
        }
    }
}
