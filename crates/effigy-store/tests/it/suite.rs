//! One suite of checks that every store passes: SQLite in memory, in a file, and PostgreSQL.

mod counts;
mod health;
mod images;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use effigy_store::Store;

use crate::open;
use crate::support::{create_database, shared_server};

/// The time of the checks, in whole milliseconds.
fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(1_700_000_000_123)
}

/// Runs every check on a new store that `fresh` creates.
async fn run<St: Store>(mut fresh: impl AsyncFnMut(&str) -> St) {
    macro_rules! check {
        ($($module:ident::$check:ident)+) => {
            $($module::$check(&fresh(stringify!($check)).await).await;)+
        };
    }
    check! {
        images::an_image_comes_back_as_it_was_put
        images::an_image_is_served_while_it_is_young
        images::images_are_put_together
        images::keys_hold_any_text
        images::images_of_any_size_are_kept
        images::pruning_deletes_the_expired_only
        counts::counters_are_listed_by_edition_and_stop_at_the_highest_number
        counts::a_repeated_write_adds_what_is_new
        counts::simultaneous_increments_all_count
        health::entries_come_back_newest_first
        health::entries_keep_their_fields
        health::pruning_keeps_the_newest
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_in_memory() {
    run(async |_| open("sqlite::memory:").await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_in_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().display();
    run(async |name| open(&format!("sqlite:{folder}/{name}.db")).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres() {
    let Some(server) = shared_server() else {
        return;
    };
    run(async |name| open(&create_database(&server, name).await).await).await;
}
