//! Tests of SQLite alone: files that are missing, shared, read-only, or not databases.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use effigy_player::Edition;
use effigy_store::{
    Counts as _, HealthLog as _, HealthStatus, SqlStore, StoreError, StoreOptions, Writes as _,
};
use sqlx::SqlitePool;
use tempfile::{TempDir, tempdir};

use crate::{StoreExt, assert_says, chain, health_check, image, open, pictures};

/// A folder, and the URL of a file in it that is not there.
pub(crate) fn new_file() -> (TempDir, String) {
    let folder = tempdir().unwrap();
    let url = url(&folder.path().join("effigy.db"));
    (folder, url)
}

fn url(file: &Path) -> String {
    format!("sqlite:{}", file.display())
}

/// Returns the names of the files in a folder.
fn names(folder: &TempDir) -> Vec<String> {
    let files = fs::read_dir(folder.path()).unwrap().flatten();
    let names = files.map(|file| file.file_name().into_string().unwrap());
    names.collect()
}

#[tokio::test]
async fn a_missing_file_is_created_and_keeps_its_data() {
    let folder = tempdir().unwrap();
    let url = url(&folder.path().join("sk ins.db"));
    let entry = health_check(HealthStatus::Yellow);
    let store = open(&url).await;
    store.put("key", &image("kept")).await;
    store.increment(Edition::Bedrock, 7).await;
    store.record(&entry).await.unwrap();
    store.close().await;
    store.counts().await.expect_err("it is closed");
    assert_eq!(names(&folder), ["sk ins.db"]);

    let reopened = open(&url).await;
    assert_eq!(reopened.find("key", UNIX_EPOCH).await, Some(image("kept")));
    assert_eq!(reopened.count(Edition::Bedrock).await, 7);
    assert_eq!(reopened.recent(9).await.unwrap(), [entry]);
}

#[tokio::test]
async fn a_file_has_a_write_ahead_log() {
    let (folder, url) = new_file();
    let store = open(&url).await;
    store.increment(Edition::Java, 1).await;
    assert!(folder.path().join("effigy.db-wal").exists());
}

#[tokio::test]
async fn a_file_that_is_in_use_is_opened_later() {
    // A new file is switched to its write-ahead log, for which SQLite never waits by itself.
    let (_folder, url) = new_file();
    let other = SqlitePool::connect(&format!("{url}?mode=rwc")).await;
    let other = other.unwrap();
    let create = sqlx::query("CREATE TABLE t (x INTEGER)").execute(&other);
    create.await.unwrap();
    let lock = other.begin_with("BEGIN IMMEDIATE").await.unwrap();
    let store = open(&url).await;
    let early = store.counts().await;
    assert!(matches!(early, Err(StoreError::NotOpen)), "{early:?}");
    lock.rollback().await.unwrap();
    store.opens().await;
    store.increment(Edition::Java, 1).await;
}

#[tokio::test]
async fn a_locked_file_that_proves_damaged_is_moved_aside() {
    let (folder, url) = new_file();
    let other = SqlitePool::connect(&format!("{url}?mode=rwc")).await;
    let other = other.unwrap();
    let mut lock = other.begin_with("BEGIN IMMEDIATE").await.unwrap();
    // As after a write that has met damage.
    let mark = sqlx::query("PRAGMA user_version = 1").execute(&mut *lock);
    mark.await.unwrap();
    let store = open(&url).await;
    let early = store.counts().await;
    assert!(matches!(early, Err(StoreError::NotOpen)), "{early:?}");
    lock.commit().await.unwrap();
    other.close().await;
    store.opens().await;
    let files = names(&folder);
    let is_aside = |name: &String| name.starts_with("effigy.db.damaged-");
    assert!(files.iter().any(is_aside), "{files:?}");
}

/// Only the pruning of the health log has to wait for the lock, and it can be done later.
#[tokio::test]
async fn a_file_that_another_process_goes_on_writing_is_opened() {
    let (_folder, url) = new_file();
    open(&url).await.close().await;
    let other = SqlitePool::connect(&url).await.unwrap();
    let writing = other.begin_with("BEGIN IMMEDIATE").await.unwrap();
    let store = open(&url).await;
    assert_eq!(store.count(Edition::Java).await, 0);
    writing.rollback().await.unwrap();
}

#[tokio::test]
async fn each_database_in_memory_is_its_own() {
    let first = open("sqlite::memory:").await;
    let second = open("sqlite::memory:").await;
    first.increment(Edition::Java, 1).await;
    assert_eq!(first.clone().count(Edition::Java).await, 1);
    assert_eq!(second.count(Edition::Java).await, 0);
    assert!(!Path::new(":memory:").exists());
}

#[tokio::test]
async fn a_database_that_cannot_be_used_is_an_error() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let url_of = |name: &str| url(&path(name));
    fs::write(path("text.db"), "This is no database.".repeat(1000)).unwrap();
    open(&url_of("good.db")).await.close().await;
    let future = "INSERT INTO _sqlx_migrations
        (version, description, success, checksum, execution_time) VALUES (999, 'x', TRUE, x'', 0)";
    open(&url_of("newer.db")).await.close().await;
    let newer = SqlitePool::connect(&url_of("newer.db")).await.unwrap();
    sqlx::query(future).execute(&newer).await.unwrap();

    let table = [
        (url_of("text.db"), "file is not a database"),
        (
            url_of("newer.db"),
            "migration 999 was previously applied but is missing in the resolved migrations; \
             a newer version or another",
        ),
        (url_of("good.db?mode=ro"), "readonly"),
        (url_of("new.db?mode=ro"), "unable to open"),
        (url_of("good.db?mode=odd"), "unknown value \"odd\""),
        (url(folder.path()), "file and its folder must be writable"),
        (url_of("missing/x.db"), "the database file does not exist"),
        ("sqlite:".to_owned(), "is neither"),
        ("sqlite://".to_owned(), "is neither"),
        ("effigy.db".to_owned(), "is neither `sqlite:FILE`"),
        (String::new(), "the database url is neither"),
    ];
    for (url, reason) in table {
        let error = SqlStore::open(&url).await.expect_err(&url);
        let text = chain(&error);
        assert!(text.contains(reason), "{url}: {text}");
    }
}

#[tokio::test]
async fn servers_that_share_a_database_read_their_own_checks() {
    let folder = tempdir().unwrap();
    let url = url(&folder.path().join("shared.db"));
    for (server, status) in [("a:1", HealthStatus::Red), ("b:1", HealthStatus::Green)] {
        let options = StoreOptions {
            server: server.into(),
            ..StoreOptions::default()
        };
        let store = SqlStore::open_with(&url, options).await.unwrap();
        let entry = health_check(status);
        store.record(&entry).await.unwrap();
        assert_eq!(store.recent(9).await.unwrap(), [entry], "{server}");
    }
    assert!(open(&url).await.recent(9).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_damaged_file_is_moved_aside() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let torn_url = url(&path("torn.db"));
    open(&url(&path("good.db"))).await.close().await;
    let mut torn = fs::read(path("good.db")).unwrap();
    torn.truncate(100);
    torn.extend([0xa5; 8192]);
    fs::write(path("torn.db"), torn).unwrap();
    let options = StoreOptions {
        must_exist: true,
        ..StoreOptions::default()
    };
    let error = SqlStore::open_with(&torn_url, options).await.unwrap_err();
    assert_says(&error, "malformed");
    let damaged = fs::read(path("torn.db")).unwrap();

    let store = open(&torn_url).await;
    store.increment(Edition::Java, 1).await;
    store.close().await;
    assert_eq!(open(&torn_url).await.count(Edition::Java).await, 1);
    // There is also its write-ahead log.
    let is_aside = |name: &&String| {
        name.starts_with("torn.db.damaged-") && !name.contains("-wal") && !name.contains("-shm")
    };
    let names = names(&folder);
    let aside = names.iter().find(is_aside).unwrap();
    assert_eq!(fs::read(path(aside)).unwrap(), damaged);
}

/// Creates a database with an image, and overwrites the first page of a table or an index.
async fn damage(folder: &TempDir, url: &str, name: &str) {
    let store = open(url).await;
    store.put("key", &image("kept")).await;
    store.close().await;
    let pool = SqlitePool::connect(url).await.unwrap();
    let page = sqlx::query_scalar("SELECT rootpage FROM sqlite_schema WHERE name = $1");
    let page: i64 = page.bind(name).fetch_one(&pool).await.unwrap();
    pool.close().await;
    let path = folder.path().join("effigy.db");
    let mut file = fs::read(&path).unwrap();
    let start = usize::try_from(page - 1).unwrap() * 8192;
    file[start..start + 8192].fill(0xa5);
    fs::write(&path, file).unwrap();
}

fn has_damaged_file(folder: &TempDir) -> bool {
    let mut names = names(folder).into_iter();
    names.any(|name| name.starts_with("effigy.db.damaged-"))
}

#[tokio::test]
async fn damage_that_a_write_meets_is_moved_aside_the_next_time() {
    let (folder, url) = new_file();
    damage(&folder, &url, "images").await;
    let store = open(&url).await;
    assert_eq!(store.find("key", UNIX_EPOCH).await, None);
    let image = image("new");
    let error = store
        .write(&pictures(&[("new", &image)]))
        .await
        .unwrap_err();
    assert_says(&error, "malformed");
    store.close().await;
    let reopened = open(&url).await;
    reopened.put("new", &image).await;
    assert!(reopened.find("new", UNIX_EPOCH).await.is_some());
    assert!(has_damaged_file(&folder));
}

#[tokio::test]
async fn damage_of_the_health_log_is_moved_aside_at_once() {
    let (folder, url) = new_file();
    damage(&folder, &url, "health_log_newest").await;
    let store = open(&url).await;
    assert_eq!(store.find("key", UNIX_EPOCH).await, None);
    assert!(has_damaged_file(&folder));
    // It was closed before it was renamed, which ends its write-ahead log.
    let mut names = names(&folder).into_iter();
    assert!(!names.any(|name| name.contains(".damaged-") && name.ends_with("-wal")));
}
