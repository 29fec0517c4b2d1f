//! Rendered images.

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use effigy_player::Edition;
use effigy_store::{CachedImage, LIFETIME, Store};

use super::now;
use crate::StoreExt;

fn image(data: impl Into<Bytes>, created_at: SystemTime) -> CachedImage {
    CachedImage {
        data: data.into(),
        content_type: "image/png".to_owned(),
        created_at,
    }
}

pub(super) async fn an_image_comes_back_as_it_was_put(store: &dyn Store) {
    assert_eq!(
        store
            .find("head_Notch_64_hat", now())
            .await
            .expect("lookup"),
        None
    );
    let put = CachedImage {
        data: Bytes::from_static(b"\x89PNG\0'\xff"),
        content_type: "image/webp".to_owned(),
        created_at: now(),
    };
    store.put("head_Notch_64_hat", &put).await.expect("put");
    assert_eq!(
        store
            .find("head_Notch_64_hat", now())
            .await
            .expect("lookup"),
        Some(put)
    );
    assert_eq!(
        store
            .find("head_notch_64_hat", now())
            .await
            .expect("lookup"),
        None
    );
}

pub(super) async fn an_image_is_served_for_less_than_an_hour(store: &dyn Store) {
    const HOUR: i64 = 3_600_000;
    let table = [
        (0, true),
        (1, true),
        (HOUR - 1, true),
        (HOUR, false),
        (HOUR + 1, false),
        (100 * HOUR, false),
        // From the future.
        (-1, false),
        (-600_000, false),
        (-100 * HOUR, false),
    ];
    for (age, served) in table {
        let distance = Duration::from_millis(age.unsigned_abs());
        let created_at = if age < 0 {
            now() + distance
        } else {
            now() - distance
        };
        let key = format!("{age}");
        store.put(&key, &image("x", created_at)).await.expect("put");
        let found = store.find(&key, now()).await.expect("lookup");
        assert_eq!(found.is_some(), served, "age {age} ms");
        assert!(
            found.is_none_or(|image| image.created_at == created_at),
            "age {age} ms"
        );
    }
}

pub(super) async fn an_expired_image_is_found_by_who_keeps_longer(store: &dyn Store) {
    let created_at = now() - LIFETIME;
    store
        .put("key", &image("x", created_at))
        .await
        .expect("put");
    let milli = Duration::from_millis(1);
    let table = [
        (Duration::ZERO, false),
        (LIFETIME, false),
        (LIFETIME + milli, true),
        (LIFETIME * 24, true),
        (Duration::MAX, true),
    ];
    for (lifetime, served) in table {
        let found = store.lookup("key", now(), lifetime).await;
        let expected = served.then(|| image("x", created_at));
        assert_eq!(found.expect("lookup"), expected, "{lifetime:?}");
        let nobodys = store.lookup("other", now(), lifetime).await;
        assert_eq!(nobodys.expect("lookup"), None);
    }
}

pub(super) async fn putting_again_replaces_everything_and_renews(store: &dyn Store) {
    let old = now() - LIFETIME;
    store.put("key", &image("old", old)).await.expect("put");
    assert_eq!(store.find("key", now()).await.expect("lookup"), None);
    // Expired is not gone: to a clock that is behind, the image is still there.
    assert!(store.find("key", old).await.expect("lookup").is_some());

    let new = CachedImage {
        data: Bytes::from_static(b"new and longer"),
        content_type: "text/plain".to_owned(),
        created_at: now(),
    };
    store.put("key", &new).await.expect("put");
    assert_eq!(store.find("key", now()).await.expect("lookup"), Some(new));
}

pub(super) async fn images_are_put_together(store: &dyn Store) {
    store.put("b", &image("old", now())).await.expect("put");
    store.write(&[], &[]).await.expect("nothing is put");
    let images: Vec<(String, CachedImage)> = (0..150)
        .map(|number| (number.to_string(), image(vec![number; 100], now())))
        .chain([("b".to_owned(), image("new", now()))])
        .collect();
    let borrowed: Vec<(&str, &CachedImage)> = images
        .iter()
        .map(|(key, image)| (key.as_str(), image))
        .collect();
    store.write(&borrowed, &[]).await.expect("put");
    for (key, image) in &images {
        let found = store.find(key, now()).await.expect("lookup");
        assert_eq!(found.as_ref(), Some(image), "{key}");
    }
    // Of two under one key the later counts.
    let (first, second) = (image("first", now()), image("second", now()));
    let twice = [("c", &first), ("b", &first), ("c", &second)];
    let counts = [
        (Edition::Java, 3),
        (Edition::Bedrock, 1),
        (Edition::Java, 4),
    ];
    store.write(&twice, &counts).await.expect("put");
    let found = store.find("c", now()).await.expect("lookup");
    assert_eq!(found, Some(second));
    let expected = [(Edition::Java, 7), (Edition::Bedrock, 1)];
    assert_eq!(store.counts().await.expect("counts"), expected);
}

pub(super) async fn keys_hold_any_text(store: &dyn Store) {
    let long = "0123456789".repeat(30);
    let longer = format!("{long}_");
    let keys = [
        "",
        "a\0b",
        "a\0c",
        "a",
        "A",
        "\0",
        "'; DROP TABLE images; --",
        "\"quoted\" `too` \\x00 $1 ? %",
        "é",
        "e\u{301}",
        "🦊🧱\u{fffd}",
        " leading and trailing ",
        "new\r\nline",
        &long,
        &longer,
    ];
    for (number, key) in keys.iter().enumerate() {
        store
            .put(key, &image(format!("image {number}"), now()))
            .await
            .expect(key);
    }
    for (number, key) in keys.iter().enumerate() {
        let found = store.find(key, now()).await.expect(key).expect(key);
        assert_eq!(found.data, format!("image {number}"), "key {key:?}");
    }
}

pub(super) async fn images_of_any_size_are_kept(store: &dyn Store) {
    for size in [0, 1, 255, 4096, 100_003, 6 << 20] {
        let bytes: Vec<u8> = (0..size)
            .map(|place: u32| (place % 251).to_le_bytes()[0])
            .collect();
        let put = image(bytes, now());
        store.put("key", &put).await.expect("put");
        let found = store.find("key", now()).await.expect("lookup");
        assert!(found == Some(put), "{size} bytes do not come back");
    }
}

pub(super) async fn pruning_deletes_the_expired_only(store: &dyn Store) {
    // More than any batch in which a store may delete.
    const EXPIRED: u64 = 1_203;
    let expired = (0..EXPIRED).map(|number| {
        let created_at = now() - LIFETIME - Duration::from_millis(number % 7);
        (format!("old {number}"), image("x", created_at))
    });
    let expired: Vec<_> = expired.collect();
    let expired: Vec<_> = expired.iter().map(|(key, image)| (&**key, image)).collect();
    store.write(&expired, &[]).await.expect("write");
    let youngest = now() - LIFETIME + Duration::from_millis(1);
    let fresh = [
        ("young", youngest),
        ("new", now()),
        // Of a replica whose clock is ahead.
        ("ahead", now() + LIFETIME),
    ];
    let far_ahead = now() + LIFETIME + Duration::from_millis(5);
    let impossible = image("x", far_ahead);
    store.put("far ahead", &impossible).await.expect("put");
    for (key, created_at) in fresh {
        store.put(key, &image("x", created_at)).await.expect("put");
    }

    let longer = LIFETIME + Duration::from_millis(7);
    let prune = async |lifetime| store.prune(now(), lifetime).await.expect("prune");
    assert_eq!(prune(longer).await, 0, "still wanted by who keeps longer");
    assert_eq!(prune(LIFETIME).await, EXPIRED + 1);
    assert_eq!(prune(LIFETIME).await, 0);
    let found = store.find("far ahead", far_ahead).await.expect("lookup");
    assert_eq!(found, None);
    for (key, created_at) in fresh {
        assert!(
            store.find(key, created_at).await.expect("lookup").is_some(),
            "{key}"
        );
    }
    let back_then = now() - LIFETIME;
    assert_eq!(store.find("old 0", back_then).await.expect("lookup"), None);
}
