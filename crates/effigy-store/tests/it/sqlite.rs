//! Tests of SQLite alone: files that are missing, shared, read-only, or not databases.

use std::fs;
use std::path::Path;
use std::pin::pin;
use std::time::{Duration, UNIX_EPOCH};

use effigy_player::Edition;
use effigy_store::{HEALTH_LOG_LENGTH, HealthEntry, HealthStatus, SqlStore, Store, StoreError};
use sqlx::SqlitePool;
use tempfile::TempDir;

use crate::{StoreExt, chain, image};

fn temporary() -> TempDir {
    tempfile::tempdir().expect("a temporary directory can be made")
}

fn url(file: &Path) -> String {
    format!("sqlite:{}", file.display())
}

async fn open(file: &Path) -> SqlStore {
    crate::open(&url(file)).await
}

/// Opens a database for changes that no store makes.
async fn connect(file: &Path) -> SqlitePool {
    SqlitePool::connect(&url(file)).await.expect("connect")
}

/// A new database, its store and a way beside the store.
async fn new_database() -> (TempDir, SqlStore, SqlitePool) {
    let directory = temporary();
    let file = directory.path().join("effigy.db");
    let store = open(&file).await;
    let pool = connect(&file).await;
    (directory, store, pool)
}

#[tokio::test]
async fn a_missing_file_is_created_and_keeps_its_data() {
    let directory = temporary();
    let file = directory.path().join("sk ins.db");
    assert!(!file.exists());
    let entry = HealthEntry {
        status: HealthStatus::Yellow,
        message: "slow".to_owned(),
        response_time: Duration::from_secs(3),
        timestamp: UNIX_EPOCH,
    };

    let store = open(&file).await;
    assert!(file.exists());
    store.put("key", &image("kept")).await.expect("put");
    store
        .increment(Edition::Bedrock, 7)
        .await
        .expect("increment");
    store.record(&entry).await.expect("record");
    store.close().await;
    store
        .count(Edition::Bedrock)
        .await
        .expect_err("it is closed");
    let names = fs::read_dir(directory.path())
        .expect("it is there")
        .flatten();
    assert_eq!(
        names.map(|file| file.file_name()).collect::<Vec<_>>(),
        ["sk ins.db"]
    );

    let store = open(&file).await;
    let found = store.find("key", UNIX_EPOCH).await.expect("lookup");
    assert_eq!(found, Some(image("kept")));
    assert_eq!(store.count(Edition::Bedrock).await.expect("count"), 7);
    assert_eq!(store.recent(9).await.expect("recent"), [entry]);
}

#[tokio::test]
async fn a_file_has_a_write_ahead_log() {
    let directory = temporary();
    let file = directory.path().join("effigy.db");
    let store = open(&file).await;
    store.increment(Edition::Java, 1).await.expect("increment");
    assert!(directory.path().join("effigy.db-wal").exists());
    let other = connect(&file).await;
    let mode: String = sqlx::query_scalar("PRAGMA journal_mode")
        .fetch_one(&other)
        .await
        .expect("pragma");
    assert_eq!(mode, "wal");
}

#[tokio::test(flavor = "multi_thread")]
async fn several_processes_open_and_share_one_file() {
    let directory = temporary();
    let file = directory.path().join("effigy.db");
    let openings: Vec<_> = (0..8)
        .map(|_| {
            let url = url(&file);
            tokio::spawn(async move { SqlStore::open(&url).await })
        })
        .collect();
    let mut stores = Vec::new();
    for opening in openings {
        stores.push(
            opening
                .await
                .expect("no panic")
                .expect("each of them opens"),
        );
    }

    let increments: Vec<_> = stores
        .iter()
        .cycle()
        .take(200)
        .map(|store| {
            let store = store.clone();
            tokio::spawn(async move { store.increment(Edition::Java, 1).await })
        })
        .collect();
    for increment in increments {
        increment
            .await
            .expect("no panic")
            .expect("each of them counts");
    }
    stores[0].put("key", &image("shared")).await.expect("put");
    for store in &stores {
        assert_eq!(store.count(Edition::Java).await.expect("count"), 200);
        let found = store.find("key", UNIX_EPOCH).await.expect("lookup");
        assert_eq!(found, Some(image("shared")));
    }
}

/// A new file is switched to its write-ahead log, for which SQLite never waits by itself.
#[tokio::test]
async fn opening_waits_for_a_file_that_is_in_use() {
    let directory = temporary();
    let file = directory.path().join("effigy.db");
    let creating = format!("{}?mode=rwc", url(&file));
    let other = sqlx::SqlitePool::connect(&creating).await.expect("connect");
    sqlx::query("CREATE TABLE t (x INTEGER)")
        .execute(&other)
        .await
        .expect("create");
    let writing = other.begin_with("BEGIN IMMEDIATE").await.expect("begin");

    let url = url(&file);
    let mut opening = pin!(SqlStore::open(&url));
    let early = tokio::time::timeout(Duration::from_millis(300), &mut opening).await;
    assert!(early.is_err(), "it must wait, not fail: {early:?}");
    writing.rollback().await.expect("rollback");
    opening.await.expect("nobody is in its way");
}

#[tokio::test]
async fn each_database_in_memory_is_its_own() {
    let first = SqlStore::open("sqlite::memory:").await.expect("open");
    let second = SqlStore::open("sqlite::memory:").await.expect("open");
    first.increment(Edition::Java, 1).await.expect("increment");
    assert_eq!(first.clone().count(Edition::Java).await.expect("count"), 1);
    assert_eq!(second.count(Edition::Java).await.expect("count"), 0);
    assert!(!Path::new(":memory:").exists());
}

#[tokio::test]
async fn a_database_that_cannot_be_used_is_an_error() {
    let directory = temporary();
    let path = |name: &str| directory.path().join(name);
    fs::write(path("text.db"), "This is no database.".repeat(1000)).expect("write");
    open(&path("torn.db")).await.close().await;
    let bytes = fs::read(path("torn.db")).expect("read");
    let torn: Vec<u8> = bytes
        .iter()
        .take(100)
        .copied()
        .chain([0xa5; 8192])
        .collect();
    fs::write(path("torn.db"), torn).expect("write");
    open(&path("good.db")).await.close().await;

    let table = [
        (url(&path("text.db")), "file is not a database"),
        (url(&path("torn.db")), "malformed"),
        (format!("{}?mode=ro", url(&path("good.db"))), "readonly"),
        (
            format!("{}?mode=ro", url(&path("new.db"))),
            "unable to open",
        ),
        (
            format!("{}?mode=odd", url(&path("good.db"))),
            "unknown value \"odd\"",
        ),
        (url(directory.path()), "unable to open"),
        (
            url(&path("missing/effigy.db")),
            "missing` for the database file does not exist",
        ),
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
async fn a_write_that_fails_leaves_nothing() {
    let (_directory, store, pool) = new_database().await;
    let rename = async |statement: &'static str| {
        sqlx::query(statement).execute(&pool).await.expect("rename");
    };
    rename("ALTER TABLE counts RENAME TO others").await;
    let image = image("x");
    let images = [("key", &image)];
    let written = store.write(&images, &[(Edition::Java, 1)]);
    written.await.expect_err("a table is missing");
    rename("ALTER TABLE others RENAME TO counts").await;
    let found = store.find("key", UNIX_EPOCH).await.expect("lookup");
    assert_eq!(found, None);
    store.increment(Edition::Java, 1).await.expect("increment");
    assert_eq!(store.count(Edition::Java).await.expect("count"), 1);
}

#[tokio::test]
async fn a_newer_database_is_refused() {
    let directory = temporary();
    let file = directory.path().join("effigy.db");
    open(&file).await.close().await;
    let pool = connect(&file).await;
    let future = "INSERT INTO _sqlx_migrations
        (version, description, success, checksum, execution_time) VALUES (999, 'x', TRUE, x'', 0)";
    sqlx::query(future).execute(&pool).await.expect("insert");

    let error = SqlStore::open(&url(&file)).await.expect_err("it is newer");
    assert!(
        matches!(error, StoreError::Newer { migration: 999, .. }),
        "{error:?}"
    );
}

#[tokio::test]
async fn opening_prunes_a_log_of_any_length() {
    let (directory, store, pool) = new_database().await;
    let fill = "WITH RECURSIVE numbers (n) AS
        (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 33000)
        INSERT INTO health_log (recorded_at, status, message, response_time)
        SELECT n, 'green', n, 1 FROM numbers";
    sqlx::query(fill).execute(&pool).await.expect("insert");

    open(&directory.path().join("effigy.db")).await;
    let kept = store.recent(u32::MAX).await.expect("recent");
    assert_eq!(u32::try_from(kept.len()), Ok(HEALTH_LOG_LENGTH));
    assert_eq!(kept[kept.len() - 1].message, "23001");
}
