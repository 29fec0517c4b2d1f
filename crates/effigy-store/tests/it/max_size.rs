//! A store with a maximum size.

use std::fs;
use std::ops::Range;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use effigy_store::{LIFETIME, SqlStore, Store, StoreOptions};

use crate::sqlite::new_file;
use crate::support::{create_database, shared_server};
use crate::{StoreExt, image_of};

const MAX_BYTES: u64 = 1 << 20;

/// Keys in another order than the ages of their images.
fn key(number: u64) -> String {
    format!("{:x} {number}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Images of different ages: the one with the highest number is the newest.
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
    let images = numbers.map(|number| {
        let image = image_of(vec![7; length], created_at(number));
        (key(number), image)
    });
    let images: Vec<_> = images.collect();
    for batch in images.chunks(16) {
        let batch: Vec<_> = batch.iter().map(|(key, image)| (&**key, image)).collect();
        store.write(&batch, &[]).await.unwrap();
    }
}

/// Deletes the oldest images beyond the maximum; none has expired.
async fn prune(store: &SqlStore) -> u64 {
    store.prune(created_at(1_000), LIFETIME).await.unwrap()
}

/// Returns the numbers of the images that are stored.
async fn stored(store: &SqlStore, numbers: Range<u64>) -> Vec<u64> {
    let mut stored = Vec::new();
    for number in numbers {
        let found = store.find(&key(number), created_at(number)).await;
        stored.extend(found.map(|_| number));
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
async fn a_file_stays_small_whatever_is_written() {
    for (length, number) in [(300, 6_000), (30_000, 100), (1 << 18, 30)] {
        let (folder, url) = new_file();
        let store = open_limited(&url).await;
        check(&store, length, number).await;
        store.close().await;
        // Its highest size: the maximum and a batch.
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

/// Pruned images make room, and a database that is too large at first is made smaller.
#[tokio::test]
async fn a_smaller_maximum_applies_to_what_is_stored() {
    let (_folder, url) = new_file();
    let unlimited = crate::open(&url).await;
    fill(&unlimited, 0..200, 30_000).await;
    assert_eq!(stored(&unlimited, 0..200).await.len(), 200);
    unlimited.close().await;
    let store = open_limited(&url).await;
    assert!(prune(&store).await > 100);
    assert_eq!(prune(&store).await, 0);
    assert!(stored(&store, 0..200).await.contains(&199));
    store.close().await;

    // Of one that is far too large, a write deletes a part, so that it does not take too long.
    let unlimited = crate::open(&url).await;
    fill(&unlimited, 400..500, 1 << 20).await;
    unlimited.close().await;
    let store = open_limited(&url).await;
    fill(&store, 500..501, 1).await;
    let left = stored(&store, 400..501).await;
    assert!((10..90).contains(&left.len()), "{}", left.len());
    assert!(prune(&store).await > 5);
    let left = stored(&store, 400..501).await;
    assert!((1..=5).contains(&left.len()), "{}", left.len());
    assert!(left.contains(&500), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_can_have_a_maximum_too() {
    let Some(server) = shared_server() else {
        return;
    };
    let url = create_database(&server, "max_size").await;
    check(&open_limited(&url).await, 3_000, 1_000).await;
}
