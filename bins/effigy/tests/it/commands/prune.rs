//! `effigy prune`.

use std::path::Path;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use effigy_store::{CachedImage, SqlStore, WriteBatch, Writes};
use tempfile::TempDir;

use crate::support::{assert_refused, effigy, run, text};

const MINUTE: Duration = Duration::from_secs(60);

/// A folder with a database, in which `effigy prune` runs.
struct DatabaseFolder {
    folder: TempDir,
}

impl DatabaseFolder {
    /// Creates a database with pictures of these ages and this length.
    async fn with_pictures(ages: &[Duration], length: usize) -> Self {
        let folder = TempDir::new().unwrap();
        // The default database is in the current folder.
        put_pictures(&folder.path().join("effigy.db"), ages, length).await;
        Self { folder }
    }

    /// Runs `effigy prune` with a variable, and returns the number of deleted pictures.
    fn prune(&self, variable: &str, value: &str) -> u32 {
        let mut command = effigy();
        command.current_dir(&self.folder).arg("prune");
        let output = command.env(variable, value).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let deleted = text(&output.stdout);
        let pictures = deleted.strip_prefix("Deleted ").unwrap();
        let (count, rest) = pictures.split_once(" picture").unwrap();
        let rest = rest.trim_start_matches('s');
        assert_eq!(rest, ", 0 textures and 0 players\n");
        count.parse().unwrap()
    }
}

async fn put_pictures(database: &Path, ages: &[Duration], length: usize) {
    let url = format!("sqlite:{}", database.display());
    let store = SqlStore::open(&url).await.unwrap();
    for age in ages {
        let image = CachedImage {
            data: Bytes::from(vec![7; length]),
            content_type: "image/png".to_owned(),
            created_at: SystemTime::now() - *age,
        };
        let key = format!("{age:?}");
        let batch = WriteBatch {
            pictures: &[(&key, &image)],
            ..WriteBatch::new(SystemTime::now())
        };
        store.write(&batch).await.unwrap();
    }
    store.close().await;
}

#[tokio::test]
async fn old_pictures_are_deleted() {
    let ages = [59 * MINUTE, 61 * MINUTE, 26 * 60 * MINUTE];
    let folder = DatabaseFolder::with_pictures(&ages, 3).await;
    // By default, a day is old.
    assert_eq!(folder.prune("EFFIGY_PICTURE_AGE", ""), 1);
    assert_eq!(folder.prune("EFFIGY_PICTURE_AGE", "1d"), 0);
    assert_eq!(folder.prune("EFFIGY_PICTURE_AGE", "1h"), 1);
    assert_eq!(folder.prune("EFFIGY_PICTURE_AGE", "1h"), 0);
}

#[tokio::test]
async fn pictures_beyond_the_maximum_size_are_deleted() {
    let ages = [1, 2, 3].map(Duration::from_secs);
    let folder = DatabaseFolder::with_pictures(&ages, 7 << 20).await;
    assert_eq!(folder.prune("EFFIGY_DATABASE_MAX_SIZE", "1GiB"), 0);
    // Zero means no limit.
    assert_eq!(folder.prune("EFFIGY_DATABASE_MAX_SIZE", "0"), 0);
    assert_eq!(folder.prune("EFFIGY_DATABASE_MAX_SIZE", "16MiB"), 1);
    assert_eq!(folder.prune("EFFIGY_DATABASE_MAX_SIZE", "16MiB"), 0);
}

#[test]
fn missing_databases_are_not_created() {
    let folder = TempDir::new().unwrap();
    let pruned = effigy().current_dir(&folder).arg("prune").output();
    let message = "there is no database file `effigy.db`";
    assert_refused(&pruned.unwrap(), 2, &[message]);
    assert!(folder.path().read_dir().unwrap().next().is_none());
    // A database in memory always exists.
    let in_memory = run(&["prune", "--database-url=sqlite::memory:"]);
    assert_eq!(in_memory.status.code(), Some(0), "{in_memory:?}");
}
