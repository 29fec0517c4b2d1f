//! One suite of checks that every store passes: SQLite in memory, in a file, and PostgreSQL.

mod counts;
mod health;
mod images;
mod players;
mod textures;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use effigy_player::Edition::Java;
use effigy_store::{Counts as _, SqlStore};

use crate::support::databases;
use crate::{StoreExt, image, open};

/// Keys that a store might confuse or refuse, between bars.
const ODD_TEXTS: &str = "a\0b|a\0c|a|A|\0|'; DROP TABLE images; --|\
    \"q\" `q` \\x00 $1 ? %|é|e\u{301}|🦊\u{fffd}| a |\r\n";

/// The time of the checks, in whole milliseconds.
fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(1_700_000_000_123)
}

/// A test for each check, on an empty store of each kind.
macro_rules! suite {
    ($($module:ident::$check:ident)+) => {$(
        #[tokio::test(flavor = "multi_thread")]
        async fn $check() {
            let in_memory: SqlStore = open("sqlite::memory:").await;
            $module::$check(&in_memory).await;
            for database in databases(stringify!($check)).await {
                $module::$check(&open(&database.url).await).await;
            }
        }
    )+};
}

suite! {
    images::an_image_comes_back_as_it_was_put
    images::an_image_is_served_while_it_is_young
    images::images_are_put_together
    images::keys_hold_any_text
    images::images_of_any_size_are_kept
    images::pruning_deletes_the_expired_only
    textures::a_file_is_found_by_its_hash
    textures::files_of_any_size_are_kept
    textures::textures_are_pruned_by_their_last_use
    textures::textures_from_the_far_future_are_pruned
    textures::an_earlier_use_shortens_nothing
    textures::the_use_of_an_unknown_texture_stores_nothing
    players::a_row_comes_back_as_it_was_put
    players::keys_of_players_hold_any_text
    players::an_earlier_check_replaces_nothing
    players::an_earlier_check_deletes_nothing
    players::a_check_from_the_next_minute_counts
    players::a_check_from_the_future_gives_way
    players::a_use_changes_nothing_else
    players::a_later_use_survives_a_put
    players::changes_of_one_player_apply_in_their_order
    players::players_are_pruned_by_their_last_use
    players::players_from_the_far_future_are_pruned
    counts::totals_of_writers_are_added_up_by_edition
    counts::simultaneous_increments_all_count
    health::entries_come_back_newest_first
    health::entries_keep_their_fields
}

#[tokio::test(flavor = "multi_thread")]
async fn several_processes_open_share_and_close_one_database() {
    for database in databases("several").await {
        let openings = (0..8).map(|_| {
            let url = database.url.clone();
            tokio::spawn(async move { open(&url).await })
        });
        let mut stores = Vec::new();
        for opening in openings.collect::<Vec<_>>() {
            stores.push(opening.await.unwrap());
        }
        let writers = stores.iter().cloned().map(|store| {
            tokio::spawn(async move {
                for _ in 0..25 {
                    store.increment(Java, 1).await;
                }
            })
        });
        for writer in writers.collect::<Vec<_>>() {
            writer.await.unwrap();
        }
        stores[0].put("key", &image("shared")).await;
        for store in &stores {
            assert_eq!(store.count(Java).await, 200);
            assert_eq!(store.find("key", UNIX_EPOCH).await, Some(image("shared")));
        }
        stores[0].close().await;
        stores[0].counts().await.expect_err("it is closed");
        assert_eq!(stores[1].count(Java).await, 200);
    }
}
