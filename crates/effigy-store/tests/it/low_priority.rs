//! The thread that writes to an SQLite file yields to the threads that read.

use std::process::Command;
use std::time::UNIX_EPOCH;
use std::{env, fs};

use effigy_store::ImageCache;
use tempfile::TempDir;

use crate::{image, open};

/// Set in the process that runs this test alone.
const ALONE: &str = "EFFIGY_TEST_ALONE";

/// Returns the niceness of each thread of SQLite's connections in this process.
fn nicenesses() -> Vec<i32> {
    let threads = fs::read_dir("/proc/self/task").expect("the process has threads");
    let stats =
        threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("stat")).ok());
    let of_sqlite = stats.filter(|stat| stat.contains("(sqlx-sqlite"));
    of_sqlite
        .map(|stat| {
            // Field 19; field 2 is the name and ends with the last bracket.
            let (_, fields) = stat.rsplit_once(") ").expect("a thread has a name");
            let niceness = fields.split(' ').nth(16).expect("a thread has a niceness");
            niceness.parse().expect("a niceness is a number")
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_thread_that_writes_is_less_important_and_those_that_read_are_not() {
    // Other tests of this executable have threads of the same name, so this one starts itself again.
    if env::var_os(ALONE).is_none() {
        let name =
            "low_priority::the_thread_that_writes_is_less_important_and_those_that_read_are_not";
        let mut alone = Command::new(env::current_exe().expect("this executable has a path"));
        let status = alone.args(["--exact", name]).env(ALONE, "1").status();
        assert!(status.expect("this executable runs").success());
        return;
    }
    let directory = TempDir::new().expect("a temporary directory can be made");
    let url = format!("sqlite:{}", directory.path().join("effigy.db").display());
    let store = open(&url).await;
    store.put("key", &image("x")).await.expect("put");
    let found = store.lookup("key", UNIX_EPOCH).await.expect("lookup");
    assert_eq!(found, Some(image("x")));
    let mut found = nicenesses();
    found.sort_unstable();
    let ours = rustix::process::getpriority_process(None).expect("the process has a priority");
    assert_eq!(found, [ours, (ours + 10).min(19)]);
}
