//! Who writes to a file yields to those who answer.
#![cfg(target_os = "linux")]

use std::fs;
use std::time::UNIX_EPOCH;

use bytes::Bytes;
use effigy_store::{CachedImage, ImageCache, SqlStore};
use tempfile::TempDir;

/// The niceness of each thread of SQLite's connections.
fn nicenesses() -> Vec<i32> {
    let threads = fs::read_dir("/proc/self/task").expect("there are threads");
    let stats =
        threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("stat")).ok());
    let of_sqlite = stats.filter(|stat| stat.contains("(sqlx-sqlite"));
    of_sqlite
        .map(|stat| {
            // The 19th field; the second one ends with the last bracket.
            let (_, fields) = stat.rsplit_once(") ").expect("it has a name");
            let niceness = fields.split(' ').nth(16).expect("it has a niceness");
            niceness.parse().expect("it is a number")
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_thread_that_writes_is_less_important_and_those_that_read_are_not() {
    let directory = TempDir::new().expect("a temporary directory can be made");
    let url = format!("sqlite:{}", directory.path().join("effigy.db").display());
    let store = SqlStore::open(&url).await.expect("it opens");
    let image = CachedImage {
        data: Bytes::from_static(b"x"),
        content_type: "image/png".to_owned(),
        created_at: UNIX_EPOCH,
    };
    store.put("key", &image).await.expect("it is stored");
    let found = store.lookup("key", UNIX_EPOCH).await.expect("it answers");
    assert_eq!(found, Some(image));
    let mut found = nicenesses();
    found.sort_unstable();
    let ours = rustix::process::getpriority_process(None).expect("we have a priority");
    assert_eq!(found, [ours, (ours + 10).min(19)]);
}
