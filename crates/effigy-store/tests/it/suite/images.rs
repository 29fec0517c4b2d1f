//! Rendered images.

use std::time::Duration;

use bytes::Bytes;
use effigy_player::Edition::{Bedrock, Java};
use effigy_store::{CachedImage, LIFETIME, Store, WriteBatch};

use super::{ODD_TEXTS, now};
use crate::{StoreExt, ages, image_of, pictures, renders};

pub(super) async fn an_image_comes_back_as_it_was_put(store: &dyn Store) {
    let key = "head_Notch_64_hat";
    assert_eq!(store.find(key, now()).await, None);
    let old = now() - LIFETIME;
    store.put(key, &image_of("old", old)).await;
    assert_eq!(store.find(key, now()).await, None);
    // Expired is not gone: to a clock that is behind, the image is still there.
    assert!(store.find(key, old).await.is_some());
    // It is replaced by another one.
    let put = CachedImage {
        data: Bytes::from_static(b"\x89PNG\0'\xff"),
        content_type: "image/webp".to_owned(),
        created_at: now(),
    };
    store.put(key, &put).await;
    assert_eq!(store.find(key, now()).await, Some(put));
    assert_eq!(store.find("head_notch_64_hat", now()).await, None);
}

pub(super) async fn an_image_is_served_while_it_is_young(store: &dyn Store) {
    const HOUR: i64 = 3_600_000;
    // The age of the image in milliseconds, and the lifetime.
    let table = [
        (0, LIFETIME, true),
        (HOUR - 1, LIFETIME, true),
        (HOUR, LIFETIME, false),
        (100 * HOUR, LIFETIME, false),
        // From the future.
        (-1, LIFETIME, false),
        (HOUR, Duration::ZERO, false),
        (HOUR, LIFETIME + Duration::from_millis(1), true),
        (HOUR, LIFETIME * 24, true),
        (HOUR, Duration::MAX, true),
    ];
    for (age, lifetime, is_served) in table {
        let hours = Duration::from_millis((200 * HOUR - age).unsigned_abs());
        let image = image_of("x", now() - LIFETIME * 200 + hours);
        store.put("key", &image).await;
        let found = store.lookup("key", now(), lifetime).await.unwrap();
        let expected = is_served.then_some(image);
        assert_eq!(found, expected, "age {age} ms, {lifetime:?}");
    }
}

pub(super) async fn images_are_put_together(store: &dyn Store) {
    store.put("b", &image_of("old", now())).await;
    store.write(&WriteBatch::new(now())).await.unwrap();
    let mut images = vec![("b".to_owned(), image_of("new", now()))];
    for number in 0..150 {
        images.push((number.to_string(), image_of(vec![number; 100], now())));
    }
    let borrowed: Vec<_> = images.iter().map(|(key, image)| (&**key, image)).collect();
    store.write(&pictures(&borrowed)).await.unwrap();
    for (key, image) in &images {
        assert_eq!(store.find(key, now()).await.as_ref(), Some(image), "{key}");
    }
    // If a key occurs twice, its last image is stored.
    let first = image_of("first", now());
    let second = image_of("second", now());
    let twice = [("c", &first), ("b", &first), ("c", &second)];
    let counts = [renders(Java, 3), renders(Bedrock, 1), renders(Java, 4)];
    let batch = WriteBatch {
        pictures: &twice,
        counts: &counts,
        ..WriteBatch::new(now())
    };
    store.write(&batch).await.unwrap();
    assert_eq!(store.find("c", now()).await, Some(second));
    assert_eq!(store.counts().await.unwrap(), [(Java, 7), (Bedrock, 1)]);
}

pub(super) async fn keys_hold_any_text(store: &dyn Store) {
    let long = "0123456789".repeat(30);
    let longer = format!("{long}_");
    let keys = ODD_TEXTS.split('|').chain(["", &long, &longer]);
    let keys: Vec<&str> = keys.collect();
    for (number, key) in keys.iter().enumerate() {
        store.put(key, &image_of(number.to_string(), now())).await;
    }
    for (number, key) in keys.iter().enumerate() {
        let found = store.find(key, now()).await.expect(key);
        assert_eq!(found.data, number.to_string(), "key {key:?}");
    }
}

pub(super) async fn images_of_any_size_are_kept(store: &dyn Store) {
    for size in [0, 1, 255, 4096, 100_003, 6 << 20] {
        let bytes: Vec<u8> = (0..=250).cycle().take(size).collect();
        let put = image_of(bytes, now());
        store.put("key", &put).await;
        let found = store.find("key", now()).await;
        assert!(found == Some(put), "{size} bytes do not come back");
    }
}

pub(super) async fn pruning_deletes_the_expired_only(store: &dyn Store) {
    // More than any batch in which a store may delete.
    const EXPIRED: u64 = 1_203;
    let milli = Duration::from_millis(1);
    let mut expired = Vec::new();
    for number in 0..EXPIRED {
        let created_at = now() - LIFETIME - Duration::from_millis(number % 7);
        expired.push((format!("old {number}"), image_of("x", created_at)));
    }
    let borrowed: Vec<_> = expired.iter().map(|(key, image)| (&**key, image)).collect();
    store.write(&pictures(&borrowed)).await.unwrap();
    let far_ahead = now() + LIFETIME + milli * 5;
    store.put("far ahead", &image_of("x", far_ahead)).await;
    // The last one is of a replica whose clock is ahead.
    let fresh = [now() - LIFETIME + milli, now(), now() + LIFETIME];
    for (number, created_at) in fresh.into_iter().enumerate() {
        let image = image_of("x", created_at);
        store.put(&number.to_string(), &image).await;
    }
    let prune = async |lifetime| {
        let pruned = store.prune(now(), ages(lifetime)).await.unwrap();
        pruned.pictures
    };
    // A longer lifetime keeps them.
    assert_eq!(prune(LIFETIME + milli * 7).await, 0);
    assert_eq!(prune(LIFETIME).await, EXPIRED + 1);
    assert_eq!(prune(LIFETIME).await, 0);
    for (number, created_at) in fresh.into_iter().enumerate() {
        let found = store.find(&number.to_string(), created_at).await;
        assert!(found.is_some(), "{number}");
    }
    assert_eq!(store.find("far ahead", far_ahead).await, None);
    assert_eq!(store.find("old 0", now() - LIFETIME).await, None);
}
