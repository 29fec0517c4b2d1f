//! The flow of a picture request: cache, counts, fallback skins.

use std::{sync::Arc, time::Duration};

use crate::support::{Answer, Bench, specified, texture};
use bytes::Bytes;
use effigy_render::{Facing, ImageFormat, Layers, Motion, PictureSpec, Size, View};
use effigy_service::{Endpoint, Origin, PictureParams, ServiceError};
use effigy_store::CachedImage;
use fixtures::Failing;

const HEAD: PictureParams = specified::head(None, Layers::Base);

#[tokio::test]
async fn every_picture_is_drawn_once_and_then_served_from_the_cache() {
    let body = specified::avatar(None, Facing::Left);
    for (picture, is_texture) in [
        (HEAD, false),
        (body, false),
        (PictureParams::SKIN, true),
        (PictureParams::DOWNLOAD, true),
    ] {
        let bench = Bench::new();
        let drawn = bench.image(picture.of_player("Notch")).await;
        assert_eq!(drawn.origin, Origin::Render);
        assert_eq!(drawn.file.content_type, "image/png");
        assert_eq!(drawn.file.created_at, bench.clock.now());
        assert_eq!(drawn.file.data == texture(), is_texture, "{picture:?}");

        bench.source.answer(Answer::Down);
        let again = bench.image(picture.of_player("Notch")).await;
        assert_eq!(again.origin, Origin::Cache, "{picture:?}");
        assert_eq!(again.file, drawn.file);
        assert_eq!(bench.source.lookups(), 1);
    }
}

#[tokio::test]
async fn each_resolved_render_counts_once_for_its_edition() {
    let bench = Bench::new();
    for input in ["Notch", "069a79f444e94726a5befca90e38aaf5"] {
        bench.image(HEAD.of_player(input)).await;
    }
    for input in ["00002535468413142004", ".Bluejay"] {
        bench.image(PictureParams::SKIN.of_player(input)).await;
    }
    assert_eq!(bench.java_count().await, 2);
    assert_eq!(bench.bedrock_count().await, 2);

    // A hit is not a render.
    bench.image(HEAD.of_player("Notch")).await;
    assert_eq!(bench.java_count().await, 2);
}

#[tokio::test]
async fn a_player_that_is_not_resolved_does_not_count() {
    let bench = Bench::new();
    for answer in [Answer::Missing, Answer::Down, Answer::Panic] {
        bench.source.answer(answer);
        let failed = bench.get(HEAD.of_player("Notch")).await;
        let expected = match answer {
            Answer::Panic => matches!(*failed.unwrap_err(), ServiceError::Interrupted),
            _ => matches!(*failed.unwrap_err(), ServiceError::Upstream(_)),
        };
        assert!(expected, "{answer:?}");
    }
    assert_eq!(bench.java_count().await, 0);

    // A failure is not cached.
    bench.source.answer(Answer::Own);
    assert!(bench.get(HEAD.of_player("Notch")).await.is_ok());
    assert_eq!(bench.java_count().await, 1);
}

#[tokio::test]
async fn only_a_fallback_because_of_an_outage_is_not_stored() {
    for (answer, is_kept) in [
        (Answer::Own, true),
        (Answer::NoSkin, true),
        (Answer::Missing, true),
        (Answer::Down, false),
    ] {
        let bench = Bench::new();
        bench.source.answers(answer, Answer::Own);
        let (first, second) = match is_kept {
            true => (Origin::Render, Origin::Cache),
            false => (Origin::OutageFallback, Origin::OutageFallback),
        };
        for expected in [first, second] {
            let origin = bench.origin(HEAD.of_player(".Bluejay")).await;
            assert_eq!(origin, expected, "{answer:?}");
        }
        bench.service.flush().await;
        let stored = bench.stored(&HEAD.of_player(".Bluejay")).await;
        assert_eq!(stored.is_some(), is_kept, "{answer:?}");
    }
}

#[tokio::test]
async fn a_request_that_cannot_succeed_reaches_no_upstream() {
    let bench = Bench::new();
    let too_long = "x".repeat(257);
    let size = Some(u32::MAX);
    let impossible = specified::head(size, Layers::Base);
    // The width is possible, the height is not.
    let too_high = specified::player(Some(i32::MAX.unsigned_abs()), Layers::Base);
    // There is no memory to draw these.
    let figure = PictureSpec::new(View::Figure, Size::px(30_000));
    let turning = Motion {
        turns: true,
        ..Motion::default()
    };
    let moving = |format| PictureParams::moving(figure, turning, format);
    let rows = [
        (moving(ImageFormat::Png), "Notch"),
        (moving(ImageFormat::Gif), "Notch"),
        (specified::head(Some(u32::MAX / 2), Layers::Base), "Notch"),
        (HEAD, too_long.as_str()),
        (HEAD, ""),
        (impossible, "Notch"),
        (too_high, "Notch"),
    ];
    for (picture, input) in rows {
        let failed = bench.get(picture.of_player(input)).await;
        let failed = failed.unwrap_err();
        let expected = matches!(*failed, ServiceError::Input(_) | ServiceError::TooLarge);
        assert!(expected, "{picture:?} {input:?}: {failed:?}");
    }
    assert_eq!(bench.source.lookups(), 0);
    let longest = "x".repeat(256);
    assert!(bench.get(HEAD.of_player(&longest)).await.is_ok());
}

#[tokio::test]
async fn a_failing_database_fails_no_picture_and_one_in_memory_needs_none() {
    for failing in [Failing::Reads, Failing::Writes, Failing::Everything] {
        let bench = Bench::with(failing);
        for input in ["Notch", "Steve"] {
            let drawn = bench.image(HEAD.of_player(input)).await;
            assert_eq!(drawn.origin, Origin::Render, "{failing:?}");
            let again = bench.image(HEAD.of_player(input)).await;
            assert_eq!(again.origin, Origin::Cache, "{failing:?}");
            // The bytes are shared.
            assert!(Arc::ptr_eq(&again.file, &drawn.file));
        }
        // Counts wait for the database.
        let counted = bench.counts().await;
        match failing {
            Failing::Writes => assert_eq!(counted.unwrap()[0].1, 2),
            _ => assert!(matches!(*counted.unwrap_err(), ServiceError::Store(_))),
        }
    }
}

#[tokio::test]
async fn a_picture_of_another_replica_is_a_hit_and_then_in_memory() {
    let bench = Bench::new();
    let file = CachedImage {
        data: Bytes::from_static(b"stored"),
        content_type: "image/png".to_owned(),
        created_at: bench.clock.now() - Duration::from_secs(3_000),
    };
    bench.store(&HEAD.of_player("Notch"), &file).await;
    let first = bench.image(HEAD.of_player("Notch")).await;
    assert_eq!((first.origin, &*first.file), (Origin::Cache, &file));
    let again = bench.image(HEAD.of_player("Notch")).await;
    assert!(Arc::ptr_eq(&again.file, &first.file));

    // Its lifetime counts from its creation, not from its arrival.
    bench.clock.advance(Duration::from_secs(600));
    let renewed = bench.origin(HEAD.of_player("Notch")).await;
    assert_eq!(renewed, Origin::Render);
    assert_eq!(bench.source.lookups(), 1);
}

/// A provider has failed, and a later one knows a player of the same name.
#[tokio::test]
async fn the_picture_of_a_player_who_may_be_another_one_is_not_stored() {
    let bench = Bench::new();
    bench.source.answer(Answer::Uncertain);
    let origins = async || {
        let head = bench.image(HEAD.of_player("Notch")).await;
        let profile = bench.profile("Notch").await.unwrap();
        let cape = bench.cape("Notch").await.unwrap();
        [head, profile, cape].map(|image| image.origin)
    };
    for _ in 0..2 {
        assert_eq!(origins().await, [Origin::OutageFallback; 3]);
    }
    bench.service.flush().await;
    bench.source.answer(Answer::Own);
    // The player is remembered for a second.
    bench.clock.advance(Duration::from_secs(1));
    assert_eq!(origins().await, [Origin::Render; 3], "nothing was kept");
}

#[tokio::test]
async fn a_raw_skin_is_not_observed_as_a_render() {
    let bench = Bench::new();
    for params in [PictureParams::SKIN, HEAD, PictureParams::DOWNLOAD] {
        bench.image(params.of_player("Notch")).await;
    }
    for &endpoint in Endpoint::ALL {
        let expected = u64::from(endpoint == Endpoint::Head);
        let found = bench.metric("effigy_render_duration_seconds", endpoint.as_str());
        assert_eq!(found, expected, "{endpoint}");
    }
}
