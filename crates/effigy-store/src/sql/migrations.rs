//! Schema migrations. Several processes may migrate one database at once.

use std::time::Duration;

use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};
use sqlx::{Error, SqlSafeStr};

/// Number of attempts, because processes that migrate at once may fail each other's statements.
const ATTEMPTS: u32 = 8;

/// The migrations that depend on the kind of database.
#[derive(Debug, Clone, Copy)]
pub(super) struct Files {
    pub(super) initial: &'static str,
    pub(super) textures_and_players: &'static str,
}

/// A name and its statements.
type File = (&'static str, &'static str);

/// Applies the migrations that the database lacks. They are entered in three tables:
///
/// - `_sqlx_migrations`: version 0.2 refuses unknown entries here, and reads no other table. So it
///   still starts on a database with additions, and ignores them.
/// - `_effigy_additions`: development versions after 0.2 refuse unknown entries here.
/// - `_effigy_later_additions`: later additions are therefore entered here. Unknown entries belong
///   to newer versions and are ignored.
///
/// A released migration never changes, because databases hold its checksum. sqlx's macro would read
/// the folder, but it compiles the databases' drivers twice.
pub(super) async fn run(connection: &mut impl Migrate, files: Files) -> Result<(), Error> {
    let checksum = include_str!("migrations/0002_checksum.sql");
    let needed = [("initial", files.initial), ("checksum", checksum)];
    apply(connection, migrator("_sqlx_migrations", &needed)).await?;

    let totals = include_str!("migrations/additions_0001_totals.sql");
    let server = include_str!("migrations/additions_0002_server.sql");
    let additions = [("totals", totals), ("server", server)];
    apply(connection, migrator("_effigy_additions", &additions)).await?;

    let later = [("textures and players", files.textures_and_players)];
    let mut later_migrator = migrator("_effigy_later_additions", &later);
    later_migrator.set_ignore_missing(true);
    apply(connection, later_migrator).await
}

/// Returns a migrator of files that are entered in a table.
///
/// It takes no lock: some servers that speak PostgreSQL's protocol lack its advisory locks. Each
/// migration and its entry in the table of migrations are one transaction, and the table's primary
/// key lets one process win. The others roll back, try again, and find the migration applied.
fn migrator(table: &'static str, files: &[File]) -> Migrator {
    let mut migrations = Vec::new();
    for (version, &(name, sql)) in (1..).zip(files) {
        let kind = MigrationType::Simple;
        let sql = sql.into_sql_str();
        migrations.push(Migration::new(version, name.into(), kind, sql, false));
    }
    let mut migrator = Migrator::with_migrations(migrations);
    migrator.dangerous_set_table_name(table);
    migrator.set_locking(false);
    migrator
}

/// Applies the migrations that are not entered in their table.
async fn apply(connection: &mut impl Migrate, migrator: Migrator) -> Result<(), Error> {
    if is_applied(connection, &migrator).await {
        return Ok(());
    }
    let mut attempt = 1;
    loop {
        let error = match migrator.run_direct(None, connection, false).await {
            Err(MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) => error,
            Err(error) => return Err(error.into()),
            Ok(()) => return Ok(()),
        };
        if attempt == ATTEMPTS {
            return Err(error);
        }
        tokio::time::sleep(Duration::from_millis(10) * attempt).await;
        attempt += 1;
    }
}

/// Returns `true` if exactly these migrations are entered. Then nothing is written, so that a role
/// without the right to create tables can start, and a read-only database can be opened.
async fn is_applied(connection: &mut impl Migrate, migrator: &Migrator) -> bool {
    let listed = connection
        .list_applied_migrations(&migrator.table_name)
        .await;
    // The table may not exist yet.
    let Ok(applied) = listed else {
        return false;
    };
    let entered = applied.iter().map(|entry| (entry.version, &entry.checksum));
    let expected = migrator.iter().map(|file| (file.version, &file.checksum));
    entered.eq(expected)
}
