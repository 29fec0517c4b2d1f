//! `stale_if_error`: stale pictures during an outage.

use std::time::Duration;

use crate::support::{Answer, Bench, specified, texture};
use effigy_render::Layers;
use effigy_service::{Origin, PictureParams};
use effigy_store::LIFETIME;
use fixtures::Failing;

const HEAD: PictureParams = specified::head(None, Layers::Base);

const DAY: Duration = Duration::from_secs(86_400);

const MILLI: Duration = Duration::from_millis(1);

/// Sizes of the memory cache: with one in front of the store, and without.
const MEMORIES: [u64; 2] = [64 << 20, 0];

fn bench(memory_cache_bytes: u64, stale_if_error: Duration) -> Bench {
    Bench::with_config(|config| {
        config.memory_cache_bytes = memory_cache_bytes;
        config.stale_if_error = stale_if_error;
    })
}

/// Draws and stores a picture of the player and advances the clock to this age.
async fn draw_and_wait(bench: &Bench, input: &str, age: Duration) {
    let drawn = bench.image(HEAD.of_player(input)).await;
    assert_eq!(drawn.origin, Origin::Render);
    bench.service.flush().await;
    bench.clock.advance(age);
}

#[tokio::test]
async fn in_an_outage_a_stale_picture_is_served_for_the_configured_time() {
    let (hour, none) = (LIFETIME, Duration::ZERO);
    let rows = [
        (none, hour, None),
        (DAY, hour - MILLI, Some(Origin::Cache)),
        (DAY, hour, Some(Origin::Stale)),
        (DAY, hour + DAY - MILLI, Some(Origin::Stale)),
        (DAY, hour + DAY, None),
        (Duration::MAX, DAY * 400, Some(Origin::Stale)),
    ];
    for memory in MEMORIES {
        for (stale_if_error, age, expected) in rows {
            let bench = bench(memory, stale_if_error);
            draw_and_wait(&bench, "Notch", age).await;
            bench.source.answer(Answer::Down);
            let served = bench.get(HEAD.of_player("Notch")).await.ok();
            let origin = served.as_ref().map(|image| image.origin);
            assert_eq!(origin, expected, "{stale_if_error:?} {age:?}");
            let drawn = served.map(|image| image.file.created_at + age);
            assert!(drawn.is_none_or(|then| then == bench.clock.now()));
        }
    }
}

#[tokio::test]
async fn a_stale_picture_is_served_only_in_an_outage() {
    let (stale, render) = (Some(Origin::Stale), Some(Origin::Render));
    let rows = [
        (Answer::Down, "Notch", stale),
        (Answer::Down, ".Bluejay", stale),
        // The fault is the service's own.
        (Answer::Panic, "Notch", None),
        // These answers are about the player.
        (Answer::Missing, "Notch", None),
        (Answer::Missing, ".Bluejay", render),
        (Answer::Default, "Notch", render),
        (Answer::Own, "Notch", render),
    ];
    for memory in MEMORIES {
        for (answer, input, expected) in rows {
            let bench = bench(memory, DAY);
            draw_and_wait(&bench, input, LIFETIME).await;
            bench.source.answers(answer, Answer::Own);
            let served = bench.get(HEAD.of_player(input)).await;
            let origin = served.ok().map(|image| image.origin);
            assert_eq!(origin, expected, "{answer:?}");
        }
    }
}

#[tokio::test]
async fn a_stale_picture_is_not_counted_or_renewed_and_ends_with_the_outage() {
    for memory in MEMORIES {
        let bench = bench(memory, DAY);
        draw_and_wait(&bench, ".Bluejay", LIFETIME).await;
        for steve in [Answer::Down, Answer::Own] {
            bench.source.answers(Answer::Down, steve);
            for _ in 0..3 {
                let request = HEAD.of_player(".Bluejay");
                assert!(bench.service.cached(&request).is_err());
                assert_eq!(bench.origin(request).await, Origin::Stale);
            }
        }
        assert_eq!(bench.bedrock_count().await, 1);
        // Each request looks the player up.
        assert_eq!(bench.source.lookups(), 7);

        bench.source.answer(Answer::Own);
        let own = bench.image(HEAD.of_player(".Bluejay")).await;
        assert_eq!(own.origin, Origin::Render);
        assert_eq!(own.file.created_at, bench.clock.now());
        bench.service.flush().await;
        let hit = bench.origin(HEAD.of_player(".Bluejay")).await;
        assert_eq!(hit, Origin::Cache);
    }
}

#[tokio::test]
async fn memory_serves_stale_pictures_without_the_database() {
    let bench = bench(MEMORIES[0], DAY);
    draw_and_wait(&bench, "Notch", LIFETIME).await;
    bench.store.fail(Failing::Everything);
    bench.source.answer(Answer::Down);
    let never_drawn = PictureParams::SKIN.of_player("Notch");
    assert!(bench.get(never_drawn).await.is_err());
    let stale = bench.origin(HEAD.of_player("Notch")).await;
    assert_eq!(stale, Origin::Stale);
}

#[tokio::test]
async fn a_newer_picture_of_another_replica_takes_precedence() {
    let bench = bench(MEMORIES[0], DAY);
    draw_and_wait(&bench, "Notch", LIFETIME).await;
    bench.source.answer(Answer::Down);
    let stale = bench.image(HEAD.of_player("Notch")).await;
    assert_eq!(stale.origin, Origin::Stale);

    let newer = effigy_store::CachedImage {
        data: texture().into(),
        created_at: bench.clock.now() - MILLI,
        ..(*stale.file).clone()
    };
    bench.store(&HEAD.of_player("Notch"), &newer).await;
    let hit = bench.image(HEAD.of_player("Notch")).await;
    assert_eq!((hit.origin, &*hit.file), (Origin::Cache, &newer));
}
