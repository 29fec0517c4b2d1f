//! Pictures that are drawn while they are sent.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::future::poll_fn;

use effigy_render::{Facing, Layers, Model, Skin};
use effigy_service::{
    Broken, Image, Long, LongPicture, Origin, Picture, PictureStream, ServiceConfig, ServiceError,
    SizeParameter,
};
use effigy_store::LIFETIME;
use effigy_upstream::SkinOrigin;
use support::{Answer, Bench, Failing, FakeSource, FlakyStore, texture, until};

type ToDraw = LongPicture<FlakyStore, FakeSource>;

fn body(width: u32) -> Picture {
    Picture::Avatar {
        facing: Facing::Left,
        size: SizeParameter::pixels(width),
    }
}

/// About as short as long pictures are.
fn long() -> Picture {
    body(2_900)
}

/// One that takes longer than any test.
fn endless() -> Picture {
    body(20_000)
}

async fn to_draw(bench: &Bench, picture: Picture, input: &str) -> ToDraw {
    match bench.service.long_picture(picture, input).await.unwrap() {
        Long::ToDraw(picture) => *picture,
        Long::Kept(image) => panic!("{image:?} is kept"),
    }
}

async fn kept(bench: &Bench, picture: Picture, input: &str) -> Image {
    match bench.service.long_picture(picture, input).await.unwrap() {
        Long::Kept(image) => image,
        Long::ToDraw(picture) => panic!("{picture:?} is not kept"),
    }
}

async fn rest(mut stream: PictureStream) -> Result<Vec<u8>, Broken> {
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
        |pixels| Picture::Head {
            layers,
            size: size(pixels),
        },
        |pixels| Picture::Player {
            layers,
            size: size(pixels),
        },
    );
    let head = |pixels| Picture::Ioshead {
        facing,
        size: size(pixels),
    };
    let rows = [
        (body(2_800), false),
        (body(2_900), true),
        (head(4_000), false),
        (head(4_100), true),
        (face(65_536), false),
        (face(65_537), true),
        (figure(40_000), false),
        (figure(50_000), true),
        (Picture::Skin, false),
    ];
    for (picture, expected) in rows {
        assert_eq!(picture.is_long(), expected, "{picture:?}");
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
    until(|| bench.service.figures().long_pictures_in_flight == 0).await;
    let again = to_draw(&bench, long(), "Notch").await;
    assert_eq!(again.fingerprint, fingerprint);
}

#[tokio::test(flavor = "multi_thread")]
async fn long_pictures_are_few_at_once_and_end_with_their_client() {
    let bench = Bench::new();
    let mut streams = Vec::new();
    let refused = loop {
        assert!(streams.len() < 100, "they have no end");
        let asked = to_draw(&bench, endless(), "Notch").await;
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
    let in_flight = || bench.service.figures().long_pictures_in_flight;
    assert_eq!(in_flight(), streams.len());
    assert_eq!(bench.java_count().await, streams.len() as u64);
    // Other pictures come all the same.
    assert!(bench.service.image(body(64), "Notch").await.is_ok());

    drop(streams);
    until(|| in_flight() == 0).await;
    let asked = to_draw(&bench, endless(), "Notch").await;
    assert!(asked.begin().await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_holds_up_nobody() {
    let bench = Bench::new();
    let mut lazy = Vec::new();
    for _ in 0..2 {
        let asked = to_draw(&bench, endless(), "Notch").await;
        lazy.push(asked.begin().await.unwrap());
    }
    let asked = to_draw(&bench, long(), "Notch").await;
    assert!(rest(asked.begin().await.unwrap()).await.is_ok());
    assert!(bench.service.figures().long_pictures_in_flight >= lazy.len());
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
    let fails = async |input| bench.service.long_picture(long(), input).await.unwrap_err();
    bench.source.answer(Answer::Down);
    let failed = fails("Notch").await;
    assert!(matches!(*failed, ServiceError::Upstream(_)), "{failed:?}");
    let failed = fails("").await;
    assert!(matches!(*failed, ServiceError::Input(_)), "{failed:?}");
    bench.source.answer(Answer::Skin(SkinOrigin::Outage));
    let stand_in = to_draw(&bench, long(), ".Bluejay").await;
    assert_eq!(stand_in.origin, Origin::OutageStandIn);
}
