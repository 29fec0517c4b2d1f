//! Pictures that are drawn while they are sent.

use std::future::poll_fn;

use crate::support::{Answer, Bench, Failing, texture, until};
use effigy_render::{Facing, Layers, Model, Skin};
use effigy_service::{
    BrokenStream, Image, LargePicture, Origin, PictureOutcome, PictureParams, PictureStream,
    ServiceConfig, ServiceError, SizeParameter,
};
use effigy_store::LIFETIME;
use effigy_upstream::SkinOrigin;

fn body(width: u32) -> PictureParams {
    PictureParams::avatar(SizeParameter::pixels(width), Facing::Left)
}

/// About as short as long pictures are.
fn long() -> PictureParams {
    body(2_900)
}

/// One that takes longer than any test.
fn endless() -> PictureParams {
    body(20_000)
}

async fn to_draw(bench: &Bench, picture: PictureParams, input: &str) -> LargePicture {
    match bench
        .service
        .picture(picture.of_player(input))
        .await
        .unwrap()
    {
        PictureOutcome::Large(picture) => *picture,
        PictureOutcome::Image(image) => panic!("{image:?} is cached"),
    }
}

async fn kept(bench: &Bench, picture: PictureParams, input: &str) -> Image {
    match bench
        .service
        .picture(picture.of_player(input))
        .await
        .unwrap()
    {
        PictureOutcome::Image(image) => image,
        PictureOutcome::Large(picture) => panic!("{picture:?} is not cached"),
    }
}

async fn rest(mut stream: PictureStream) -> Result<Vec<u8>, BrokenStream> {
    let mut bytes = Vec::new();
    while let Some(chunk) = poll_fn(|context| stream.poll_next(context)).await {
        bytes.extend_from_slice(&chunk?);
    }
    Ok(bytes)
}

#[test]
fn pictures_of_many_pixels_are_long() {
    let size = |pixels| SizeParameter::pixels(pixels);
    let (layers, facing) = (Layers::WithOverlay, Facing::Right);
    let (face, figure) = (
        |pixels| PictureParams::head(size(pixels), layers),
        |pixels| PictureParams::player(size(pixels), layers),
    );
    let head = |pixels| PictureParams::ioshead(size(pixels), facing);
    let rows = [
        (body(2_800), false),
        (body(2_900), true),
        (head(4_000), false),
        (head(4_100), true),
        (face(65_536), false),
        (face(65_537), true),
        (figure(40_000), false),
        (figure(50_000), true),
        (PictureParams::SKIN, false),
    ];
    for (picture, expected) in rows {
        assert_eq!(picture.is_large(), expected, "{picture:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_picture_is_the_same_picture_counts_once_and_is_kept() {
    let bench = Bench::new();
    let asked = to_draw(&bench, long(), "Notch").await;
    assert_eq!(asked.origin, Origin::Render);
    let fingerprint = asked.fingerprint;
    // Who has it already needs none of it.
    assert_eq!(bench.java_count().await, 0);
    let streamed = rest(asked.begin().await.unwrap()).await.unwrap();
    assert_eq!(bench.java_count().await, 1);
    let skin = Skin::decode(texture(), Model::Classic).unwrap();
    let drawn = long().draw(&skin).unwrap().unwrap();
    assert!(
        streamed == drawn,
        "{} and {} bytes",
        streamed.len(),
        drawn.len()
    );

    let again = kept(&bench, long(), "Notch").await;
    assert_eq!(again.origin, Origin::Cache);
    assert!(again.file.data == drawn, "what is kept is what was sent");
    assert_eq!(bench.source.look_ups(), 1);
    let other = to_draw(&bench, body(2_901), "Notch").await;
    assert_ne!(other.fingerprint, fingerprint);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_client_left_is_not_kept_and_is_the_same_when_it_comes_again() {
    let bench = Bench::new();
    let asked = to_draw(&bench, long(), "Notch").await;
    let fingerprint = asked.fingerprint;
    drop(asked.begin().await.unwrap());
    until(|| bench.service.snapshot().large_pictures_in_flight == 0).await;
    let again = to_draw(&bench, long(), "Notch").await;
    assert_eq!(again.fingerprint, fingerprint);
}

#[tokio::test(flavor = "multi_thread")]
async fn long_pictures_are_few_at_once_and_end_with_their_client() {
    let bench = Bench::new();
    let mut streams = Vec::new();
    let refused = loop {
        assert!(streams.len() < 100, "the number is not limited");
        // Other players, since requests for one picture share it.
        let player = format!("Player{}", streams.len());
        let asked = to_draw(&bench, endless(), &player).await;
        match asked.begin().await {
            Ok(stream) => streams.push(stream),
            Err(refused) => break refused,
        }
    };
    let pool = "long pictures";
    assert!(
        matches!(*refused, ServiceError::Overloaded { pool: found } if found == pool),
        "{refused:?}"
    );
    let in_flight = || bench.service.snapshot().large_pictures_in_flight;
    assert_eq!(in_flight(), streams.len());
    assert_eq!(bench.java_count().await, streams.len() as u64);
    // Other pictures come all the same.
    assert!(
        bench
            .service
            .image(body(64).of_player("Notch"))
            .await
            .is_ok()
    );

    drop(streams);
    until(|| in_flight() == 0).await;
    let asked = to_draw(&bench, endless(), "Notch").await;
    assert!(asked.begin().await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_holds_up_nobody() {
    let bench = Bench::new();
    let mut lazy = Vec::new();
    for player in ["Lazy", "Slow"] {
        let asked = to_draw(&bench, endless(), player).await;
        lazy.push(asked.begin().await.unwrap());
    }
    let asked = to_draw(&bench, long(), "Notch").await;
    assert!(rest(asked.begin().await.unwrap()).await.is_ok());
    assert!(bench.service.snapshot().large_pictures_in_flight >= lazy.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn in_an_outage_the_last_one_is_sent() {
    let config = ServiceConfig {
        stale_if_error: LIFETIME,
        ..ServiceConfig::default()
    };
    let bench = Bench::with_config(Failing::Nothing, config);
    let asked = to_draw(&bench, long(), "Notch").await;
    let drawn = rest(asked.begin().await.unwrap()).await.unwrap();
    bench.clock.advance(LIFETIME);
    bench.source.answer(Answer::Down);
    let stale = kept(&bench, long(), "Notch").await;
    assert_eq!(stale.origin, Origin::Stale);
    assert!(stale.file.data == drawn);
    bench.source.answer(Answer::Skin(SkinOrigin::Own));
    to_draw(&bench, long(), "Notch").await;
}

#[tokio::test]
async fn failures_are_those_of_any_picture() {
    let bench = Bench::new();
    let fails = async |input| {
        bench
            .service
            .picture(long().of_player(input))
            .await
            .unwrap_err()
    };
    bench.source.answer(Answer::Down);
    let failed = fails("Notch").await;
    assert!(matches!(*failed, ServiceError::Upstream(_)), "{failed:?}");
    let failed = fails("").await;
    assert!(matches!(*failed, ServiceError::Input(_)), "{failed:?}");
    bench.source.answer(Answer::Skin(SkinOrigin::Outage));
    let stand_in = to_draw(&bench, long(), ".Bluejay").await;
    assert_eq!(stand_in.origin, Origin::OutageFallback);
}
