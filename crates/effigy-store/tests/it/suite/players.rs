//! Records of players.

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use effigy_store::{PlayerChange, PlayerRow, Store};

use super::{ODD_TEXTS, now};
use crate::{StoreExt, ages, player};

const MILLI: Duration = Duration::from_millis(1);
const HOUR: Duration = Duration::from_secs(3600);
const WEEK: Duration = Duration::from_secs(7 * 24 * 3600);

/// Puts a row, while the clock shows [`now`].
async fn put(store: &dyn Store, row: &PlayerRow) {
    let put = PlayerChange::Put(row);
    store.change_players(&[put], now()).await;
}

async fn delete(store: &dyn Store, key: &str, checked_at: SystemTime) {
    let delete = PlayerChange::Delete { key, checked_at };
    store.change_players(&[delete], now()).await;
}

async fn renew(store: &dyn Store, key: &str, used_at: SystemTime) {
    let used = PlayerChange::Used { key, used_at };
    store.change_players(&[used], now()).await;
}

async fn find(store: &dyn Store, key: &str) -> Option<PlayerRow> {
    store.player(key).await.unwrap()
}

/// Returns the value that is stored under the key "zed".
async fn value(store: &dyn Store) -> Option<Bytes> {
    find(store, "zed").await.map(|row| row.value)
}

pub(super) async fn a_row_comes_back_as_it_was_put(store: &dyn Store) {
    assert_eq!(find(store, "zed").await, None);
    let row = PlayerRow {
        key: "zed".to_owned(),
        value: Bytes::from_static(b"1 \0 \xff"),
        checked_at: now() - HOUR,
        used_at: now(),
    };
    put(store, &row).await;
    assert_eq!(find(store, "zed").await, Some(row));
    assert_eq!(find(store, "Zed").await, None);
    // A check in the future is returned too, and the caller decides whether to use it.
    let ahead = player("ahead", "value", now() + WEEK);
    put(store, &ahead).await;
    assert_eq!(find(store, "ahead").await, Some(ahead));
}

pub(super) async fn keys_of_players_hold_any_text(store: &dyn Store) {
    let keys = || ODD_TEXTS.split('|').chain([""]);
    for key in keys() {
        put(store, &player(key, key, now())).await;
    }
    for key in keys() {
        assert_eq!(find(store, key).await, Some(player(key, key, now())));
    }
}

pub(super) async fn an_earlier_check_replaces_nothing(store: &dyn Store) {
    put(store, &player("zed", "now", now())).await;
    put(store, &player("zed", "before", now() - MILLI)).await;
    assert_eq!(value(store).await.unwrap(), "now");
    put(store, &player("zed", "again", now())).await;
    assert_eq!(value(store).await.unwrap(), "again");
    put(store, &player("zed", "after", now() + MILLI)).await;
    assert_eq!(value(store).await.unwrap(), "after");
}

pub(super) async fn an_earlier_check_deletes_nothing(store: &dyn Store) {
    put(store, &player("zed", "now", now())).await;
    delete(store, "zed", now() - MILLI).await;
    delete(store, "another", now()).await;
    assert_eq!(value(store).await.unwrap(), "now");
    delete(store, "zed", now()).await;
    assert_eq!(value(store).await, None);
}

/// The clocks of replicas differ a little.
pub(super) async fn a_check_from_the_next_minute_counts(store: &dyn Store) {
    let next_minute = now() + Duration::from_secs(60);
    put(store, &player("zed", "next minute", next_minute)).await;
    put(store, &player("zed", "now", now())).await;
    delete(store, "zed", now()).await;
    assert_eq!(value(store).await.unwrap(), "next minute");
}

/// A clock that was wrong once must not keep later checks away until its time has come.
pub(super) async fn a_check_from_the_future_gives_way(store: &dyn Store) {
    let time = now() + Duration::from_secs(60) + MILLI;
    let ahead = player("zed", "ahead", time);
    put(store, &ahead).await;
    put(store, &player("zed", "now", now())).await;
    assert_eq!(value(store).await.unwrap(), "now");
    put(store, &ahead).await;
    delete(store, "zed", now()).await;
    assert_eq!(value(store).await, None);
}

pub(super) async fn a_use_changes_nothing_else(store: &dyn Store) {
    let mut row = player("zed", "value", now() - HOUR);
    put(store, &row).await;
    row.used_at = now();
    renew(store, "zed", now()).await;
    assert_eq!(find(store, "zed").await, Some(row.clone()));
    renew(store, "zed", now() - MILLI).await;
    assert_eq!(find(store, "zed").await, Some(row));
    renew(store, "unknown", now()).await;
    assert_eq!(find(store, "unknown").await, None);
}

/// Another process may have used the row meanwhile.
pub(super) async fn a_later_use_survives_a_put(store: &dyn Store) {
    put(store, &player("zed", "first", now() - HOUR)).await;
    renew(store, "zed", now()).await;
    let second = PlayerRow {
        used_at: now() - HOUR,
        ..player("zed", "second", now() - MILLI)
    };
    put(store, &second).await;
    let expected = PlayerRow {
        used_at: now(),
        ..second
    };
    assert_eq!(find(store, "zed").await, Some(expected));
}

pub(super) async fn changes_of_one_player_apply_in_their_order(store: &dyn Store) {
    let first = player("zed", "first", now());
    let second = player("zed", "second", now());
    let delete = PlayerChange::Delete {
        key: "zed",
        checked_at: now(),
    };
    let put_first = PlayerChange::Put(&first);
    let put_second = PlayerChange::Put(&second);
    store.change_players(&[put_first, delete], now()).await;
    assert_eq!(value(store).await, None);
    let changes = [put_first, delete, put_second];
    store.change_players(&changes, now()).await;
    assert_eq!(value(store).await.unwrap(), "second");
    store.change_players(&[put_second, put_first], now()).await;
    assert_eq!(value(store).await.unwrap(), "first");
}

pub(super) async fn players_are_pruned_by_their_last_use(store: &dyn Store) {
    // More than any batch in which a store may delete.
    const FORGOTTEN: u64 = 1_203;
    let rows = (0..FORGOTTEN).map(|number| player(&number.to_string(), "value", now()));
    let rows: Vec<PlayerRow> = rows.collect();
    let puts: Vec<_> = rows.iter().map(PlayerChange::Put).collect();
    store.change_players(&puts, now()).await;
    put(store, &player("zed", "value", now())).await;
    let prune = async |time| store.prune(time, ages(WEEK)).await.unwrap().players;

    assert_eq!(prune(now() + WEEK - MILLI).await, 0);
    renew(store, "zed", now() + MILLI).await;
    assert_eq!(prune(now() + WEEK).await, FORGOTTEN);
    assert_eq!(find(store, "0").await, None);
    assert!(find(store, "zed").await.is_some());
    assert_eq!(prune(now() + WEEK + MILLI).await, 1);
}

/// A clock that is wrong stores players who would not be old for years.
pub(super) async fn players_from_the_far_future_are_pruned(store: &dyn Store) {
    put(store, &player("near", "value", now() + WEEK)).await;
    put(store, &player("far", "value", now() + WEEK + MILLI)).await;
    let pruned = store.prune(now(), ages(WEEK)).await.unwrap();
    assert_eq!(pruned.players, 1);
    assert!(find(store, "near").await.is_some());
    assert_eq!(find(store, "far").await, None);
}
