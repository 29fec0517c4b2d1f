//! A store with a maximum size.

use std::fs;
use std::ops::Range;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use effigy_store::{
    LIFETIME, Maintenance as _, PlayerChange, Players as _, Pruned, SqlStore, StoreOptions,
    TextureChange, TextureId, Textures as _, Writes as _,
};

use crate::sqlite::new_file;
use crate::support::{create_database, databases, shared_server};
use crate::{StoreExt, ages, image_of, pictures, player};

const MAX_BYTES: u64 = 1 << 20;

/// Returns a key. The order of keys differs from the order of the images' ages.
fn key(number: u64) -> String {
    format!("{:x} {number}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Returns the time of an image. Images with higher numbers are newer.
fn created_at(number: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(number)
}

async fn open_limited(url: &str) -> SqlStore {
    let options = StoreOptions {
        max_bytes: Some(MAX_BYTES),
        ..StoreOptions::default()
    };
    let store = SqlStore::open_with(url, options).await;
    store.unwrap()
}

/// Stores images of some length, in batches, as the service does.
async fn fill(store: &SqlStore, numbers: Range<u64>, length: usize) {
    let mut images = Vec::new();
    for number in numbers {
        let image = image_of(vec![7; length], created_at(number));
        images.push((key(number), image));
    }
    for batch in images.chunks(16) {
        let borrowed: Vec<_> = batch.iter().map(|(key, image)| (&**key, image)).collect();
        store.write(&pictures(&borrowed)).await.unwrap();
    }
}

/// Deletes the oldest images beyond the maximum. No image has expired.
async fn prune(store: &SqlStore) -> u64 {
    let pruned = store.prune(created_at(1_000), ages(LIFETIME)).await;
    pruned.unwrap().pictures
}

/// Returns the numbers of the images that are stored.
async fn stored(store: &SqlStore, numbers: Range<u64>) -> Vec<u64> {
    let mut stored = Vec::new();
    for number in numbers {
        let found = store.find(&key(number), created_at(number)).await;
        if found.is_some() {
            stored.push(number);
        }
    }
    stored
}

/// Writes several times the maximum, and checks that the newest images stay.
async fn check(store: &SqlStore, length: usize, number: u64) {
    fill(store, 0..number, length).await;
    let left = stored(store, 0..number).await;
    let bytes = left.len() as u64 * length as u64;
    assert!(bytes <= MAX_BYTES, "{length}: {bytes}");
    assert!(bytes > MAX_BYTES / 4, "{length}: {bytes}");
    let newest: Vec<_> = (number - left.len() as u64..number).collect();
    assert_eq!(left, newest, "{length}: the newest ones");
}

#[tokio::test]
async fn a_file_stays_small_for_images_of_any_length() {
    for (length, number) in [(300, 6_000), (30_000, 100), (1 << 18, 30)] {
        let (folder, url) = new_file();
        let store = open_limited(&url).await;
        check(&store, length, number).await;
        store.close().await;
        // A file never shrinks, so this is the largest size that it has had: the maximum and a
        // batch.
        let batch = 16 * length as u64;
        let size = fs::metadata(folder.path().join("effigy.db")).unwrap().len();
        assert!(size < MAX_BYTES + batch + (256 << 10), "{length}: {size}");
    }
}

#[tokio::test]
async fn replaced_images_do_not_count_twice() {
    let store = open_limited("sqlite::memory:").await;
    for _ in 0..10 {
        fill(&store, 0..25, 30_000).await;
    }
    assert_eq!(stored(&store, 0..25).await.len(), 25);
}

/// Fills a file without a maximum.
async fn fill_unlimited(url: &str, numbers: Range<u64>, length: usize) {
    let store = crate::open(url).await;
    fill(&store, numbers, length).await;
    store.close().await;
}

#[tokio::test]
async fn pruning_applies_a_smaller_maximum() {
    let (_folder, url) = new_file();
    fill_unlimited(&url, 0..200, 30_000).await;
    let store = open_limited(&url).await;
    assert_eq!(stored(&store, 0..200).await.len(), 200);
    assert!(prune(&store).await > 100);
    assert_eq!(prune(&store).await, 0);
    assert!(stored(&store, 0..200).await.contains(&199));
}

/// A write deletes only a part of the excess, so that it does not take too long.
#[tokio::test]
async fn a_write_applies_a_smaller_maximum_step_by_step() {
    let (_folder, url) = new_file();
    fill_unlimited(&url, 400..500, 1 << 20).await;
    let store = open_limited(&url).await;
    fill(&store, 500..501, 1).await;
    let after_write = stored(&store, 400..501).await;
    let count = after_write.len();
    assert!((10..90).contains(&count), "{count}");

    assert!(prune(&store).await > 5);
    let after_prune = stored(&store, 400..501).await;
    assert!((1..=5).contains(&after_prune.len()), "{after_prune:?}");
    assert!(after_prune.contains(&500), "{after_prune:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_can_have_a_maximum_too() {
    let Some(server) = shared_server() else {
        return;
    };
    let url = create_database(&server, "max_size").await;
    check(&open_limited(&url).await, 3_000, 1_000).await;
}

#[test]
fn the_default_maximum_depends_on_the_database() {
    const GIB: u64 = 1 << 30;
    let urls = [
        ("sqlite:effigy.db", 2 * GIB),
        ("postgres://host/db", 10 * GIB),
        ("postgresql://host/db", 10 * GIB),
    ];
    for (url, expected) in urls {
        assert_eq!(SqlStore::default_max_bytes(url), expected, "{url}");
    }
}

/// Stores textures, the first of which stays in use, and returns the numbers of those that are
/// left.
async fn textures_left(store: &SqlStore, total: u64, length: usize) -> Vec<u64> {
    let files = (0..total).map(|number| Bytes::from(format!("{number:0length$}")));
    let files: Vec<Bytes> = files.collect();
    let ids: Vec<TextureId> = files.iter().map(|file| TextureId::of(file)).collect();
    for ((number, id), file) in (0..total).zip(&ids).zip(&files) {
        let put = TextureChange::Put { id, file };
        let used = TextureChange::Used(&ids[0]);
        let now = created_at(number);
        store.change_textures(&[put, used], now).await;
    }
    let mut left = Vec::new();
    for (number, id) in (0..total).zip(&ids) {
        if store.texture(id).await.unwrap().is_some() {
            left.push(number);
        }
    }
    left
}

/// Stores players, the first of whom stays in use, and returns the numbers of those who are left.
async fn players_left(store: &SqlStore, total: u64, length: usize) -> Vec<u64> {
    for number in 0..total {
        let now = created_at(number);
        let row = player(&number.to_string(), &"x".repeat(length), now);
        let put = PlayerChange::Put(&row);
        let used = PlayerChange::Used {
            key: "0",
            used_at: now,
        };
        store.change_players(&[put, used], now).await;
    }
    let mut left = Vec::new();
    for number in 0..total {
        let found = store.player(&number.to_string()).await.unwrap();
        if found.is_some() {
            left.push(number);
        }
    }
    left
}

/// Asserts that the first row, which stays in use, and the newest ones are left.
#[track_caller]
fn assert_newest(left: &[u64], total: u64) {
    let newest = total - (left.len() as u64 - 1)..total;
    let expected: Vec<u64> = [0].into_iter().chain(newest).collect();
    assert_eq!(left, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn textures_and_players_have_a_quarter_of_the_maximum() {
    const LENGTH: usize = 2_000;
    const TOTAL: u64 = 400;
    for database in databases("shares").await {
        let store = open_limited(&database.url).await;
        fill(&store, 0..20, 10_000).await;
        let textures = textures_left(&store, TOTAL, LENGTH).await;
        assert_newest(&textures, TOTAL);
        let players = players_left(&store, TOTAL, LENGTH).await;
        assert_newest(&players, TOTAL);
        let texture_bytes = (textures.len() * LENGTH) as u64;
        let player_bytes = (players.len() * LENGTH) as u64;
        assert!(texture_bytes + player_bytes < MAX_BYTES / 4);
        assert!(texture_bytes > MAX_BYTES / 8, "{texture_bytes}");
        assert!(player_bytes > MAX_BYTES / 32, "{player_bytes}");
        // No image was deleted for them.
        assert_eq!(stored(&store, 0..20).await.len(), 20);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn images_have_the_rest_of_the_maximum() {
    const LENGTH: usize = 2_000;
    const IMAGE: usize = 10_000;
    for database in databases("remainder").await {
        let store = open_limited(&database.url).await;
        let textures = textures_left(&store, 100, LENGTH).await.len();
        let players = players_left(&store, 100, LENGTH).await.len();
        let others = (textures + players) * LENGTH;
        fill(&store, 0..200, IMAGE).await;
        let images = stored(&store, 0..200).await.len() * IMAGE;
        assert!((others + images) as u64 <= MAX_BYTES, "{others} + {images}");
        assert!(images as u64 > MAX_BYTES / 4, "{images}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pruning_deletes_textures_and_players_beyond_the_maximum() {
    for database in databases("smaller").await {
        let unlimited = crate::open(&database.url).await;
        assert_eq!(textures_left(&unlimited, 200, 3_000).await.len(), 200);
        assert_eq!(players_left(&unlimited, 200, 3_000).await.len(), 200);
        fill(&unlimited, 0..20, 10_000).await;
        unlimited.close().await;
        let store = open_limited(&database.url).await;
        let first = store.prune(created_at(1_000), ages(LIFETIME)).await;
        let pruned = first.unwrap();
        assert!(pruned.textures > 100, "{pruned:?}");
        assert!(pruned.players > 100, "{pruned:?}");
        assert_eq!(pruned.pictures, 0);
        let again = store.prune(created_at(1_000), ages(LIFETIME)).await;
        assert_eq!(again.unwrap(), Pruned::default());
    }
}
