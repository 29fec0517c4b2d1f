//! Large pictures, which are drawn while they are sent.

use std::{
    collections::HashSet,
    future::poll_fn,
    time::{Duration, Instant},
};

use crate::support::{Answer, Bench, Failing, texture, until};
use effigy_render::{Facing, ImageFormat, Layers, Model, PictureSpec, Size, Skin, View};
use effigy_service::{
    BrokenStream, Fingerprint, Image, LargePicture, Origin, PictureOutcome, PictureParams,
    PictureRequest, PictureStream, Preview, ServiceConfig, ServiceError, SizeParameter,
};
use effigy_store::LIFETIME;
use effigy_upstream::{SkinOrigin, TextureHash};
use tokio::task::JoinSet;

fn body(width: u32) -> PictureParams {
    PictureParams::avatar(SizeParameter::pixels(width), Facing::Left)
}

/// One of the smallest large pictures.
fn large() -> PictureParams {
    body(2_900)
}

/// A picture whose file is too long to be drawn ahead of a client that does not read. It is drawn in a
/// moment, since its rows repeat.
fn unread() -> PictureParams {
    PictureParams::head(SizeParameter::pixels(70_000), Layers::Base)
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

async fn cached(bench: &Bench, picture: PictureParams, input: &str) -> Image {
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
fn pictures_of_many_pixels_are_large() {
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
async fn a_large_picture_has_the_same_bytes_counts_once_and_is_cached() {
    let bench = Bench::new();
    let asked = to_draw(&bench, large(), "Notch").await;
    assert_eq!(asked.origin, Origin::Render);
    let fingerprint = asked.fingerprint;
    // A client that has it already may not need it.
    assert_eq!(bench.java_count().await, 0);
    let streamed = rest(asked.begin().await.unwrap()).await.unwrap();
    assert_eq!(bench.java_count().await, 1);
    let skin = Skin::decode(texture(), Model::Classic).unwrap();
    let drawn = large().draw(&skin).unwrap().unwrap();
    assert!(
        streamed == drawn,
        "{} and {} bytes",
        streamed.len(),
        drawn.len()
    );

    let again = cached(&bench, large(), "Notch").await;
    assert_eq!(again.origin, Origin::Cache);
    assert!(
        again.file.data == drawn,
        "the cached file is the one that was sent"
    );
    assert_eq!(bench.source.lookups(), 1);
    let other = to_draw(&bench, body(2_901), "Notch").await;
    assert_ne!(other.fingerprint, fingerprint);
}

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_requests_for_a_large_picture_share_one_drawing() {
    let bench = Bench::new();
    let in_flight = || bench.service.snapshot().large_pictures_in_flight;
    let open = async || to_draw(&bench, large(), "Notch").await.begin().await;
    let first = open().await.unwrap();
    // Far more than the limit of large pictures.
    let mut others = Vec::new();
    for _ in 0..50 {
        others.push(open().await.unwrap());
    }
    assert_eq!(in_flight(), 1);
    // The first client and most others leave.
    drop(first);
    others.truncate(2);
    let drawn = rest(others.pop().unwrap()).await.unwrap();
    // A client that reads later gets the same bytes.
    assert!(rest(others.pop().unwrap()).await.unwrap() == drawn);
    assert!(cached(&bench, large(), "Notch").await.file.data == drawn);
    assert_eq!(bench.java_count().await, 1);
    until(|| in_flight() == 0).await;
}

#[tokio::test]
async fn the_fingerprint_of_a_large_picture_depends_on_all_that_its_bytes_depend_on() {
    let bench = Bench::new();
    let hash = || TextureHash::parse(&"ab".repeat(32)).unwrap();
    let spec = PictureSpec::new(View::IsometricBody, Size::new(2_900).unwrap());
    let extension = |spec| PictureParams::extension(spec, ImageFormat::Png);
    let mut requests = vec![
        large().of_player("Notch"),
        body(2_901).of_player("Notch"),
        PictureParams::avatar(SizeParameter::pixels(2_900), Facing::Right).of_player("Notch"),
        extension(spec).of_player("Notch"),
        extension(spec.with_layers(Layers::Base)).of_player("Notch"),
        large().of_texture(hash(), Model::Classic),
        large().of_texture(hash(), Model::Slim),
    ];
    let mut fingerprints = HashSet::new();
    for request in requests.clone() {
        fingerprints.insert(fingerprint(&bench, request).await);
    }
    assert_eq!(fingerprints.len(), requests.len());
    // Equal requests have equal fingerprints until the texture changes.
    assert!(fingerprints.contains(&fingerprint(&bench, requests.remove(0)).await));
    bench.source.wear("uv_slim");
    for request in requests {
        assert!(!fingerprints.contains(&fingerprint(&bench, request).await));
    }
}

async fn fingerprint(bench: &Bench, request: PictureRequest) -> Fingerprint {
    match bench.service.picture(request).await.unwrap() {
        PictureOutcome::Large(picture) => picture.fingerprint,
        PictureOutcome::Image(image) => panic!("{image:?} is cached"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_abandoned_picture_is_not_cached_and_has_the_same_fingerprint_again() {
    let bench = Bench::new();
    let asked = to_draw(&bench, large(), "Notch").await;
    let fingerprint = asked.fingerprint;
    drop(asked.begin().await.unwrap());
    until(|| bench.service.snapshot().large_pictures_in_flight == 0).await;
    let again = to_draw(&bench, large(), "Notch").await;
    assert_eq!(again.fingerprint, fingerprint);
}

#[tokio::test(flavor = "multi_thread")]
async fn large_pictures_are_limited_and_end_with_their_client() {
    let bench = Bench::new();
    // Different players, since requests for one picture share it.
    let mut opening = JoinSet::new();
    for number in 0..20 {
        let request = to_draw(&bench, unread(), &format!("Player{number}")).await;
        opening.spawn(request.begin());
    }
    let opened = opening.join_all().await;
    let (streams, refused): (Vec<_>, Vec<_>) = opened.into_iter().partition(Result::is_ok);
    assert!(!streams.is_empty() && !refused.is_empty());
    let pool = "long pictures";
    for refused in refused {
        let error = refused.unwrap_err();
        assert!(
            matches!(*error, ServiceError::Overloaded { pool: found } if found == pool),
            "{error:?}"
        );
    }
    let in_flight = || bench.service.snapshot().large_pictures_in_flight;
    assert_eq!(in_flight(), streams.len());
    assert_eq!(bench.java_count().await, streams.len() as u64);
    // Other pictures are not affected.
    assert!(
        bench
            .service
            .image(body(64).of_player("Notch"))
            .await
            .is_ok()
    );

    drop(streams);
    until(|| in_flight() == 0).await;
    let asked = to_draw(&bench, unread(), "Notch").await;
    assert!(asked.begin().await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_delays_no_other() {
    let bench = Bench::new();
    let mut lazy = Vec::new();
    for player in ["Lazy", "Slow"] {
        let asked = to_draw(&bench, unread(), player).await;
        lazy.push(asked.begin().await.unwrap());
    }
    let asked = to_draw(&bench, large(), "Notch").await;
    assert!(rest(asked.begin().await.unwrap()).await.is_ok());
    assert!(bench.service.snapshot().large_pictures_in_flight >= lazy.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn in_an_outage_a_stale_large_picture_is_sent() {
    let config = ServiceConfig {
        stale_if_error: LIFETIME,
        ..ServiceConfig::default()
    };
    let bench = Bench::with_config(Failing::Nothing, config);
    let asked = to_draw(&bench, large(), "Notch").await;
    let drawn = rest(asked.begin().await.unwrap()).await.unwrap();
    bench.clock.advance(LIFETIME);
    bench.source.answer(Answer::Down);
    let stale = cached(&bench, large(), "Notch").await;
    assert_eq!(stale.origin, Origin::Stale);
    assert!(stale.file.data == drawn);
    bench.source.answer(Answer::Skin(SkinOrigin::Own));
    to_draw(&bench, large(), "Notch").await;
}

#[tokio::test]
async fn large_pictures_fail_like_others() {
    let bench = Bench::new();
    let fails = async |input| {
        bench
            .service
            .picture(large().of_player(input))
            .await
            .unwrap_err()
    };
    bench.source.answer(Answer::Down);
    let failed = fails("Notch").await;
    assert!(matches!(*failed, ServiceError::Upstream(_)), "{failed:?}");
    let failed = fails("").await;
    assert!(matches!(*failed, ServiceError::Input(_)), "{failed:?}");
    bench.source.answer(Answer::Skin(SkinOrigin::Outage));
    let stand_in = to_draw(&bench, large(), ".Bluejay").await;
    assert_eq!(stand_in.origin, Origin::OutageFallback);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_preview_is_drawn_while_it_is_sent_and_not_kept() {
    let bench = Bench::new();
    let preview = async |params| {
        let texture = texture().to_vec();
        bench.service.preview(params, texture, Model::Classic).await
    };
    let Ok(Preview::Large(picture)) = preview(large()).await else {
        panic!("it is large");
    };
    let streamed = rest(picture.begin().await.unwrap()).await.unwrap();
    let skin = Skin::decode(texture(), Model::Classic).unwrap();
    assert!(streamed == large().draw(&skin).unwrap().unwrap());
    assert_eq!(bench.java_count().await, 0);
    assert_eq!(bench.service.snapshot().memory_entries, 0);
    // One that nobody waits for stops.
    let Ok(Preview::Large(picture)) = preview(unread()).await else {
        panic!("it is large");
    };
    drop(picture.begin().await.unwrap());
    until(|| bench.service.snapshot().large_pictures_in_flight == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_gives_its_place_up_when_others_wait() {
    let bench = Bench::new();
    let mut unread_streams = Vec::new();
    let mut number = 0;
    let mut open = async || {
        number += 1;
        let request = to_draw(&bench, unread(), &format!("Player{number}")).await;
        request.begin().await
    };
    while let Ok(stream) = open().await {
        unread_streams.push(stream);
    }
    let patience = Instant::now() + Duration::from_secs(20);
    let opened = loop {
        // Nobody is slow before some seconds have passed.
        if let Ok(stream) = open().await {
            break stream;
        }
        assert!(Instant::now() < patience, "no place becomes free");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert!(rest(opened).await.is_ok());
    let mut broken = 0;
    for stream in unread_streams {
        broken += usize::from(rest(stream).await.is_err());
    }
    assert_eq!(broken, 1, "one had to leave");
}
