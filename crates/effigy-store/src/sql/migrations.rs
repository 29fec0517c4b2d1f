//! Schema migrations, also for several processes that migrate one database at once.

use std::ops::RangeInclusive;
use std::time::Duration;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};

/// The migrations of one kind of database, oldest first: the description and the SQL of each.
///
/// A released migration never changes, because databases remember its checksum.
pub(super) type History = &'static [(&'static str, &'static str)];

const ATTEMPTS: RangeInclusive<u32> = 1..=8;

/// Applies the missing migrations of `history`.
///
/// It takes no lock: some servers that speak PostgreSQL's protocol lack its advisory locks, and a
/// lock outlives a failed migration. Each migration and its entry in the table of migrations are
/// one transaction, and the table's primary key lets one process win. The others roll back, try
/// again, and find the migration applied.
pub(super) async fn run<C: Migrate>(
    connection: &mut C,
    history: History,
) -> Result<(), sqlx::Error> {
    let mut migrator = Migrator::with_migrations(migrations(history));
    migrator.set_locking(false);
    let mut outcome = Ok(());
    for attempt in ATTEMPTS {
        outcome = migrator.run_direct(None, connection, false).await;
        if !matches!(
            outcome,
            Err(MigrateError::Execute(_) | MigrateError::ExecuteMigration(..))
        ) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10) * attempt).await;
    }
    Ok(outcome?)
}

fn migrations(history: History) -> Vec<Migration> {
    (1..)
        .zip(history)
        .map(|(version, &(description, sql))| {
            let kind = MigrationType::Simple;
            Migration::new(version, description.into(), kind, sql.into_sql_str(), false)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::sql::{postgres, sqlite};

    #[test]
    fn each_history_is_its_whole_folder() {
        let table = [
            ("sqlite", sqlite::MIGRATIONS),
            ("postgres", postgres::MIGRATIONS),
        ];
        for (database, history) in table {
            let folder = format!(
                "{}/src/sql/{database}/migrations",
                env!("CARGO_MANIFEST_DIR")
            );
            let files = fs::read_dir(&folder).unwrap().count();
            assert_eq!(files, history.len(), "{folder}");
            for migration in migrations(history) {
                let name = format!("{:04}_{}.sql", migration.version, migration.description);
                let text = fs::read_to_string(format!("{folder}/{name}")).unwrap();
                assert_eq!(migration.sql.as_str(), text, "{name}");
            }
        }
    }
}
