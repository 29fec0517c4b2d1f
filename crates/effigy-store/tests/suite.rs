//! One suite of checks that every store passes: in memory, SQLite and PostgreSQL.

mod checks;
#[expect(dead_code, reason = "the suite neither stops nor restarts the server")]
#[path = "support/postgres.rs"]
mod postgres;

use effigy_store::{MemoryStore, SqlStore, Store};
use postgres::PostgresServer;

/// Runs every check on a store of its own, which `fresh` makes.
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
    checks::images::an_image_comes_back_as_it_was_put,
    checks::images::an_image_is_served_for_less_than_an_hour,
    checks::images::an_expired_image_is_found_by_who_keeps_longer,
    checks::images::putting_again_replaces_everything_and_renews,
    checks::images::images_are_put_together,
    checks::images::keys_hold_any_text,
    checks::images::images_of_any_size_are_kept,
    checks::images::pruning_deletes_the_expired_only,
    checks::counts::counters_begin_at_zero,
    checks::counts::counts_are_listed_descending,
    checks::counts::counters_stop_at_the_highest_number,
    checks::counts::simultaneous_increments_all_count,
    checks::health::entries_come_back_newest_first,
    checks::health::entries_keep_their_fields,
    checks::health::pruning_keeps_the_newest,
}

#[tokio::test(flavor = "multi_thread")]
async fn memory() {
    run(async |_| MemoryStore::new()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_in_memory() {
    run(async |_| {
        SqlStore::open("sqlite::memory:")
            .await
            .expect("memory can be had")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_in_a_file() {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    run(async |number| {
        let file = directory.path().join(format!("{number}.db"));
        SqlStore::open(&format!("sqlite:{}", file.display()))
            .await
            .expect("a file can be had")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let admin = sqlx::PgPool::connect(&server.url("postgres"))
        .await
        .expect("the server is up");
    run(async |number| {
        let name = format!("check_{number}");
        let create = sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"));
        sqlx::query(create)
            .execute(&admin)
            .await
            .expect("an own server lets us");
        SqlStore::open(&server.url(&name))
            .await
            .expect("the database is there")
    })
    .await;
}
