//! Brings a database's tables up to date, also when several processes do so at once.

use std::ops::RangeInclusive;
use std::time::Duration;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};

/// The history of one kind of database: each migration's description and SQL, oldest first.
///
/// A migration that has been released is never changed: databases remember its checksum.
pub(crate) type History = &'static [(&'static str, &'static str)];

pub(crate) const SQLITE: History = &[(
    "initial",
    include_str!("../../migrations/sqlite/0001_initial.sql"),
)];

pub(crate) const POSTGRES: History = &[(
    "initial",
    include_str!("../../migrations/postgres/0001_initial.sql"),
)];

const ATTEMPTS: RangeInclusive<u32> = 1..=8;

/// Applies what is missing of `history`.
///
/// Nothing is locked meanwhile, since not every server that speaks PostgreSQL's protocol knows
/// its advisory locks, and a lock outlives a failed migration. Each migration is one transaction
/// with its entry in the database's own list, whose primary key lets one process win; the others
/// roll back, look again, and find it done.
pub(crate) async fn run<C: Migrate>(
    connection: &mut C,
    history: History,
) -> Result<(), MigrateError> {
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
    outcome
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

    #[test]
    fn each_history_is_its_whole_folder() {
        for (folder, history) in [("sqlite", SQLITE), ("postgres", POSTGRES)] {
            let folder = format!("{}/migrations/{folder}", env!("CARGO_MANIFEST_DIR"));
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
