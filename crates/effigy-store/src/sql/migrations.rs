//! Schema migrations, also for several processes that migrate one database at once.

use std::time::Duration;

use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};
use sqlx::{Error, SqlSafeStr};

/// Number of times that migrations are tried.
const ATTEMPTS: u32 = 8;

/// Applies the migrations that the database lacks: those without which no version works, and those that older versions do
/// without, and that they do not see, so that they still start on the database.
///
/// The first one depends on the kind of database. A released one never changes, because databases hold its
/// checksum. sqlx's macro would read the folder, but it compiles the databases' drivers twice.
pub(super) async fn run(connection: &mut impl Migrate, initial: &'static str) -> Result<(), Error> {
    let checksum = include_str!("migrations/0002_checksum.sql");
    let needed = [("initial", initial), ("checksum", checksum)];
    apply(connection, "_sqlx_migrations", needed).await?;
    let totals = include_str!("migrations/additions_0001_totals.sql");
    let server = include_str!("migrations/additions_0002_server.sql");
    let additions = [("totals", totals), ("server", server)];
    apply(connection, "_effigy_additions", additions).await
}

/// Applies migrations, each a name and its statements, that are entered in one table.
///
/// It takes no lock: some servers that speak PostgreSQL's protocol lack its advisory locks. Each
/// migration and its entry in the table of migrations are one transaction, and the table's primary
/// key lets one process win. The others roll back, try again, and find the migration applied.
async fn apply(
    connection: &mut impl Migrate,
    table: &'static str,
    files: [(&'static str, &'static str); 2],
) -> Result<(), Error> {
    let migrations = (1..).zip(files).map(|(version, (name, sql))| {
        let kind = MigrationType::Simple;
        Migration::new(version, name.into(), kind, sql.into_sql_str(), false)
    });
    let mut migrator = Migrator::with_migrations(migrations.collect());
    migrator.dangerous_set_table_name(table);
    migrator.set_locking(false);
    // Who may not create tables, or has a copy that is only read, starts on a database that lacks nothing.
    let applied = connection.list_applied_migrations(table).await;
    let applied = applied.unwrap_or_default();
    let applied = applied.iter().map(|entry| (entry.version, &entry.checksum));
    if applied.eq(migrator.iter().map(|file| (file.version, &file.checksum))) {
        return Ok(());
    }
    let mut retries = 1..ATTEMPTS;
    loop {
        let error = match migrator.run_direct(None, connection, false).await {
            Err(MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) => error,
            outcome => return Ok(outcome?),
        };
        let retry = retries.next().ok_or(error)?;
        tokio::time::sleep(Duration::from_millis(10) * retry).await;
    }
}
