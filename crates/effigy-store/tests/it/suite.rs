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
macro_rules! suite {
    ($($check:path,)+) => {
        async fn run<St: Store>(mut fresh: impl AsyncFnMut(usize) -> St) {
            let mut number = 0;
            $(
                number += 1;
                $check(&fresh(number).await).await;
            )+
            assert!(number > 0);
        }
    };
}

suite! {
    images::an_image_comes_back_as_it_was_put,
    images::an_image_is_served_for_less_than_an_hour,
    images::an_expired_image_is_found_by_who_keeps_longer,
    images::putting_again_replaces_everything_and_renews,
    images::images_are_put_together,
    images::keys_hold_any_text,
    images::images_of_any_size_are_kept,
    images::pruning_deletes_the_expired_only,
    counts::counters_begin_at_zero,
    counts::counts_are_listed_by_edition,
    counts::counters_stop_at_the_highest_number,
    counts::simultaneous_increments_all_count,
    health::entries_come_back_newest_first,
    health::entries_keep_their_fields,
    health::pruning_keeps_the_newest,
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_in_memory() {
    run(async |_| open("sqlite::memory:").await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_in_a_file() {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    run(async |number| {
        let file = directory.path().join(format!("{number}.db"));
        open(&format!("sqlite:{}", file.display())).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres() {
    let Some(server) = shared_server() else {
        return;
    };
    run(async |number| open(&create_database(&server, &format!("check_{number}")).await).await)
        .await;
}
