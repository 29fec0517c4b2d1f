//! The flow of a picture request: cache, counts, fallback skins.

use std::{sync::Arc, time::Duration};

use crate::support::{Answer, Bench, specified};
use bytes::Bytes;
use effigy_render::{ImageFormat, Layers, Motion, PictureSpec, Size, View};
use effigy_service::{Endpoint, Origin, PictureParams, ServiceError, ShelfLife};
use effigy_store::CachedImage;
use fixtures::Failing;

const HEAD: PictureParams = specified::head(None, Layers::Base);

/// The limits of the specification are tested over its paths.
#[tokio::test]
async fn a_moving_picture_that_is_too_large_reaches_no_upstream() {
    let bench = Bench::new();
    let figure = PictureSpec::new(View::Figure, Size::px(30_000));
    for format in [ImageFormat::Png, ImageFormat::Gif] {
        let picture = PictureParams::moving(figure, Motion::TURN, format);
        let failed = bench.get(picture.of_player("Notch")).await.unwrap_err();
        assert!(matches!(*failed, ServiceError::TooLarge), "{failed:?}");
    }
    assert_eq!(bench.source.lookups(), 0);
}

#[tokio::test]
async fn a_failing_database_fails_no_picture() {
    for failing in [Failing::Reads, Failing::Writes, Failing::Everything] {
        let bench = Bench::with(failing);
        for input in ["Notch", "Steve"] {
            let drawn = bench.served(HEAD.of_player(input)).await;
            assert_eq!(drawn.origin, Origin::Render, "{failing:?}");
            let again = bench.served(HEAD.of_player(input)).await;
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
    bench.store("head_notch_default_default", &file).await;
    let first = bench.served(HEAD.of_player("Notch")).await;
    assert_eq!((first.origin, &*first.file), (Origin::Cache, &file));
    let again = bench.served(HEAD.of_player("Notch")).await;
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
    let rules = async || {
        let head = bench.served(HEAD.of_player("Notch")).await;
        let profile = bench.profile("Notch").await.unwrap();
        let cape = bench.cape("Notch").await.unwrap();
        [head, profile, cape].map(|served| served.shelf_life)
    };
    for _ in 0..2 {
        assert_eq!(rules().await, [ShelfLife::Revalidate; 3]);
    }
    bench.service.flush().await;
    assert!(bench.stored("head_notch_default_default").await.is_none());
    assert_eq!(bench.store.players(), []);
    bench.source.answer(Answer::Own);
    let expected = [ShelfLife::RestOfHour, ShelfLife::Usual, ShelfLife::Usual];
    assert_eq!(rules().await, expected, "nothing was kept");
}

#[tokio::test]
async fn a_raw_skin_is_not_observed_as_a_render() {
    let bench = Bench::new();
    for params in [PictureParams::SKIN, HEAD, PictureParams::DOWNLOAD] {
        bench.served(params.of_player("Notch")).await;
    }
    for &endpoint in Endpoint::ALL {
        let expected = u64::from(endpoint == Endpoint::Head);
        let found = bench.metric("effigy_render_duration_seconds", endpoint.as_str());
        assert_eq!(found, expected, "{endpoint}");
    }
}
