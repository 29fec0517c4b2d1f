//! Pictures of the specified routes, which are the answer of an hour.

use std::time::Duration;

use effigy_render::{Facing, Layers};
use effigy_service::{FileRequest, Origin, PictureParams, ShelfLife};
use effigy_store::LIFETIME;

use crate::support::{Answer, Bench, specified};

const MILLI: Duration = Duration::from_millis(1);

fn head(size: Option<u32>, layers: Layers) -> FileRequest {
    specified::head(size, layers).of_player("Notch")
}

#[tokio::test]
async fn pictures_have_the_keys_of_the_specification() {
    let left = Facing::Left;
    let right = Facing::Right;
    let player = |layers, size| specified::player(size, layers).of_player("Notch");
    let rows = [
        (head(Some(64), Layers::WithOverlay), "head_notch_64_hat"),
        (head(None, Layers::Base), "head_notch_default_default"),
        // The default and its number have different keys: only one of them follows a change.
        (head(Some(128), Layers::Base), "head_notch_128_default"),
        (player(Layers::Base, None), "player_notch_default_default"),
        (player(Layers::WithOverlay, Some(64)), "player_notch_64_hat"),
        (
            specified::avatar(Some(64), left).of_player("Notch"),
            "avatar_notch_left_64",
        ),
        (
            specified::ioshead(None, right).of_player("Notch"),
            "ioshead_notch_right_default",
        ),
        (
            specified::iosbody(None, left).of_player("Notch"),
            "iosbody_notch_left_default",
        ),
        (
            PictureParams::SKIN.of_player("Notch"),
            "skin_notch_default_default",
        ),
        (
            PictureParams::DOWNLOAD.of_player("Notch"),
            "download_notch_default_default",
        ),
    ];
    for (request, key) in rows {
        let bench = Bench::new();
        let drawn = bench.served(request).await;
        bench.service.flush().await;
        let stored = bench.stored(key).await.unwrap();
        assert_eq!(stored.data, drawn.file.data, "{key}");
    }
}

#[tokio::test]
async fn a_picture_is_the_answer_for_an_hour() {
    let rows = [
        (LIFETIME - MILLI, Origin::Cache),
        (LIFETIME, Origin::Render),
    ];
    for (age, expected) in rows {
        for memory in [64 << 20, 0] {
            let bench = Bench::with_config(|config| config.memory_cache_bytes = memory);
            bench.served(head(None, Layers::Base)).await;
            bench.service.flush().await;
            bench.clock.advance(age);
            let later = bench.served(head(None, Layers::Base)).await;
            assert_eq!(later.origin, expected, "{age:?} {memory}");
        }
    }
}

#[tokio::test]
async fn every_uncached_picture_begins_with_a_fresh_look_up() {
    let bench = Bench::new();
    for size in 1..=3 {
        bench.served(head(Some(size), Layers::Base)).await;
    }
    assert_eq!(bench.source.lookups(), 3);
}

#[tokio::test]
async fn a_picture_is_counted_once_for_an_hour() {
    let bench = Bench::new();
    for _ in 0..3 {
        bench.served(head(None, Layers::Base)).await;
    }
    assert_eq!(bench.java_count().await, 1);
    bench.clock.advance(LIFETIME);
    bench.served(head(None, Layers::Base)).await;
    assert_eq!(bench.java_count().await, 2);
}

#[tokio::test]
async fn a_fallback_in_an_outage_is_counted_and_not_stored() {
    let bench = Bench::new();
    bench.source.answers(Answer::Down, Answer::Own);
    let request = specified::head(None, Layers::Base).of_player(".Tag");
    for count in 1..=2 {
        let shown = bench.served(request.clone()).await;
        assert_eq!(shown.shelf_life, ShelfLife::Revalidate);
        assert_eq!(bench.bedrock_count().await, count);
    }
    bench.service.flush().await;
    assert!(bench.stored("head_.tag_default_default").await.is_none());
}

/// Only the look-up decides, however young the record is.
#[tokio::test]
async fn in_an_outage_a_java_player_fails() {
    let bench = Bench::new();
    bench.served(head(Some(8), Layers::Base)).await;
    bench.source.answer(Answer::Down);
    let failed = bench.get(head(Some(9), Layers::Base)).await;
    assert!(failed.unwrap_err().is_outage());
    // A hit needs no look-up.
    let hit = bench.served(head(Some(8), Layers::Base)).await;
    assert_eq!(hit.origin, Origin::Cache);
}
