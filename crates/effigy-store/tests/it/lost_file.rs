//! A database file that is deleted or replaced while it is open.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use effigy_player::Edition;
use effigy_store::{Counters, ImageCache, SqlStore, StoreError};

use crate::{image, open};

/// A little more than the interval of the checks.
const NOTICED: Duration = Duration::from_millis(1_100);

fn url(file: &Path) -> String {
    format!("sqlite:{}", file.display())
}

fn log_of(file: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", file.display()))
}

async fn is_stored(store: &SqlStore, key: &str) -> bool {
    let found = store.lookup(key, UNIX_EPOCH).await.expect("lookup");
    found.is_some()
}

#[tokio::test]
async fn a_deleted_file_is_made_anew() {
    for suffixes in [&[""][..], &["", "-wal"], &["", "-wal", "-shm"]] {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let file = directory.path().join("effigy.db");
        let store = open(&url(&file)).await;
        store.put("old", &image("x")).await.expect("put");
        tokio::time::sleep(NOTICED).await;
        assert!(is_stored(&store, "old").await);

        for suffix in suffixes {
            fs::remove_file(log_of(&file, suffix)).expect("it is there");
        }
        tokio::time::sleep(NOTICED).await;
        assert!(!is_stored(&store, "old").await, "{suffixes:?}");
        store.put("new", &image("y")).await.expect("put");
        store.increment(Edition::Java, 3).await.expect("increment");
        store.close().await;

        let store = open(&url(&file)).await;
        assert!(is_stored(&store, "new").await, "{suffixes:?}");
        assert_eq!(store.count(Edition::Java).await.expect("count"), 3);
    }
}

#[tokio::test]
async fn a_replaced_file_is_opened() {
    for with_log in [false, true] {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let (file, other) = (
            directory.path().join("effigy.db"),
            directory.path().join("b.db"),
        );
        let store = open(&url(&file)).await;
        store.put("old", &image("x")).await.expect("put");
        tokio::time::sleep(NOTICED).await;
        assert!(is_stored(&store, "old").await);

        let backup = open(&url(&other)).await;
        backup.put("other", &image("z")).await.expect("put");
        if with_log {
            // As if another program had the file open when it was moved.
            fs::rename(log_of(&other, "-wal"), log_of(&file, "-wal")).expect("rename");
        } else {
            backup.close().await;
        }
        fs::rename(&other, &file).expect("rename");
        tokio::time::sleep(NOTICED).await;
        assert!(is_stored(&store, "other").await, "{with_log}");
        assert!(!is_stored(&store, "old").await, "{with_log}");
        store.put("new", &image("y")).await.expect("put");
        let again = open(&url(&file)).await;
        assert!(is_stored(&again, "new").await && is_stored(&again, "other").await);
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_opened_again_is_an_error_until_it_can() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let folder = directory.path().join("data");
    fs::create_dir(&folder).expect("create");
    let file = folder.join("effigy.db");
    let store = open(&url(&file)).await;
    store.put("old", &image("x")).await.expect("put");
    fs::remove_dir_all(&folder).expect("remove");
    tokio::time::sleep(NOTICED).await;
    let error = store
        .lookup("old", UNIX_EPOCH)
        .await
        .expect_err("it is gone");
    assert!(matches!(error, StoreError::Open { .. }), "{error:?}");
    let error = store
        .lookup("old", UNIX_EPOCH)
        .await
        .expect_err("it is gone");
    assert!(matches!(error, StoreError::FileLost { .. }), "{error:?}");
    fs::create_dir(&folder).expect("create");
    tokio::time::sleep(NOTICED).await;
    assert!(!is_stored(&store, "old").await);
    store.put("new", &image("y")).await.expect("put");
    assert!(file.exists());
}
