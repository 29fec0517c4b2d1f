//! Requests beyond the specification: profiles, capes, textures by hash, previews.

use std::{io::Read as _, time::Duration};

use crate::support::{Answer, Bench, specified, texture};
use effigy_player::Model;
use effigy_render::{Facing, ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::{Client, Fault, FileRequest, Image, Origin, PictureParams, ServiceError};
use effigy_upstream::TextureHash;
use flate2::read::GzDecoder;

const HOUR: Duration = Duration::from_secs(3600);

fn face() -> PictureParams {
    specified::head(Some(16), Layers::Base)
}

fn by_hash(picture: PictureParams, model: Model) -> FileRequest {
    let hash = TextureHash::parse(&"ab".repeat(32)).unwrap();
    picture.of_texture(hash, model)
}

#[tokio::test]
async fn a_profile_is_a_document_that_is_cached_for_an_hour() {
    let bench = Bench::new();
    let first = bench.profile("Notch").await.unwrap();
    assert_eq!(first.file.content_type, "application/json");
    let document: serde_json::Value = serde_json::from_slice(&first.file.data).unwrap();
    let expected = serde_json::json!({
        "edition": "java",
        "name": "Notch",
        "uuid": "00000000000000000000000000000007",
        "xuid": null,
        "model": "classic",
        "texture_url": "http://localhost/texture/skin",
        "default_skin": false,
        "cape_url": "http://localhost/texture/cape",
        "provider": "fake",
    });
    assert_eq!(document, expected);
    assert_eq!(first.origin, Origin::Render);
    let again = bench.profile("Notch").await.unwrap();
    assert_eq!(again.origin, Origin::Cache);
    assert_eq!(bench.source.lookups(), 1);

    bench.clock.advance(HOUR);
    bench.profile("Notch").await.unwrap();
    assert_eq!(bench.source.lookups(), 2);
    assert_eq!(bench.java_count().await, 0, "a profile is not a render");
}

#[tokio::test]
async fn a_cape_is_found_by_the_profile() {
    let bench = Bench::new();
    let cape = bench.cape("Notch").await.unwrap();
    assert_eq!(cape.file.data, fixtures::cape());
    assert_eq!(cape.file.content_type, "image/png");
    let again = bench.cape("Notch").await.unwrap();
    assert_eq!(again.origin, Origin::Cache);
    // One for the player and one for the file.
    assert_eq!(bench.source.lookups(), 2);
    bench.profile("Notch").await.unwrap();
    assert_eq!(bench.source.lookups(), 2, "the player is reused");

    for _ in 0..2 {
        let none = bench.cape("Capeless").await.unwrap_err();
        assert_eq!(none.fault(), Fault::NotFound);
    }
    assert_eq!(bench.source.lookups(), 3);
}

#[tokio::test]
async fn failures_have_the_party_at_fault() {
    let long = "x".repeat(257);
    let rows = [
        (Answer::Missing, "Notch", Fault::NotFound),
        (Answer::Down, "Notch", Fault::Upstream),
        (Answer::Panic, "Notch", Fault::Internal),
        (Answer::Own, "", Fault::Request),
        (Answer::Own, &long, Fault::Request),
    ];
    for (answer, input, fault) in rows {
        let bench = Bench::new();
        bench.source.answer(answer);
        let profile = bench.profile(input).await.unwrap_err();
        let cape = bench.cape(input).await.unwrap_err();
        assert_eq!((profile.fault(), cape.fault()), (fault, fault), "{input}");
    }
}

#[tokio::test]
async fn pictures_of_a_texture_are_cached_by_its_hash_and_model() {
    let bench = Bench::new();
    let rows = [
        (Model::Classic, Origin::Render),
        (Model::Classic, Origin::Cache),
        (Model::Slim, Origin::Render),
    ];
    for (model, expected) in rows {
        let origin = bench.origin(by_hash(face(), model)).await;
        assert_eq!(origin, expected, "{model:?}");
    }
    assert_eq!(bench.java_count().await, 0, "a texture has no edition");

    let raw = bench.image(by_hash(PictureParams::SKIN, Model::Slim));
    assert_eq!(raw.await.file.data, texture());
}

#[tokio::test]
async fn stale_files_are_served_in_an_outage() {
    let bench = Bench::with_config(|config| config.stale_if_error = HOUR);
    let texture = by_hash(face(), Model::Slim);
    let origins = async || {
        let outcomes = [
            bench.profile("Notch").await,
            bench.cape("Notch").await,
            bench.get(texture.clone()).await,
        ];
        let origin = |image: Image| image.origin;
        outcomes.map(|outcome| outcome.map(origin).map_err(|error| error.fault()))
    };
    assert_eq!(origins().await, [Ok(Origin::Render); 3]);
    bench.clock.advance(HOUR);
    bench.source.answer(Answer::Down);
    assert_eq!(origins().await, [Ok(Origin::Stale); 3]);
    bench.clock.advance(HOUR);
    assert_eq!(origins().await, [Err(Fault::Upstream); 3]);
}

#[tokio::test]
async fn views_can_be_svg() {
    let bench = Bench::new();
    for view in [View::Bust, View::IsometricHead] {
        let spec = PictureSpec::new(view, Size::px(16));
        let request = PictureParams::extension(spec, ImageFormat::Svg).of_player("Notch");
        let drawn = bench.image(request.clone()).await;
        let (mut svg, mut gzip) = (String::new(), GzDecoder::new(&*drawn.file.data));
        gzip.read_to_string(&mut svg).unwrap();
        assert!(drawn.is_gzip() && svg.starts_with("<svg "));
        bench.service.flush().await;
        let kept = bench.stored(&request).await.unwrap();
        for file in [&*drawn.file, &kept] {
            assert_eq!(file.content_type, "image/svg+xml");
        }
    }
}

#[tokio::test]
async fn a_preview_is_drawn_and_not_stored() {
    let bench = Bench::new();
    let figure = specified::avatar(Some(32), Facing::Left);
    let draw = |texture: &[u8], model| {
        let service = &bench.service;
        service.preview(Client::SERVICE, figure, texture.to_vec(), model)
    };
    let classic = draw(texture(), Model::Classic).await.unwrap().file;
    let slim = draw(texture(), Model::Slim).await.unwrap().file;
    assert!(classic.data.starts_with(b"\x89PNG") && classic.data != slim.data);
    assert_eq!(bench.source.lookups(), 0);
    assert_eq!(bench.java_count().await, 0);
    assert_eq!(bench.metric("effigy_memory_cache_entries", ""), 0);

    let no_skin = draw(b"hello", Model::Slim).await;
    assert!(matches!(*no_skin.unwrap_err(), ServiceError::NotASkin(_)));
}
