//! Requests beyond the specification: profiles, capes, textures by hash, previews.

use std::io::Read as _;

use crate::support::{Answer, Bench, CAPE_URL, SKIN, specified, texture, texture_url};
use effigy_player::Model;
use effigy_render::{Facing, ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::{Client, Fault, FileRequest, Origin, PictureParams, ServiceError, ShelfLife};
use effigy_upstream::TextureHash;
use flate2::read::GzDecoder;

fn face() -> PictureParams {
    specified::head(Some(16), Layers::Base)
}

fn by_hash(picture: PictureParams, model: Model) -> FileRequest {
    let hash = TextureHash::parse(&"ab".repeat(32)).unwrap();
    picture.of_texture(hash, model)
}

#[tokio::test]
async fn a_profile_is_a_document() {
    let bench = Bench::new();
    let first = bench.profile("Notch").await.unwrap();
    assert_eq!(first.file.content_type, "application/json");
    let document: serde_json::Value = serde_json::from_slice(&first.file.data).unwrap();
    let expected = serde_json::json!({
        "edition": "java",
        "name": "Notch",
        "uuid": "069a79f444e94726a5befca90e38aaf5",
        "xuid": null,
        "model": "classic",
        "texture_url": texture_url(SKIN),
        "default_skin": false,
        "cape_url": CAPE_URL,
        "legacy": false,
        "profile_actions": [],
        "provider": "fake",
        "checked_at": "2027-01-15T08:00:00.000Z",
    });
    assert_eq!(document, expected);
}

#[tokio::test]
async fn a_profile_is_remembered() {
    let bench = Bench::new();
    let first = bench.profile("Notch").await.unwrap();
    assert_eq!(first.origin, Origin::Render);
    let again = bench.profile("Notch").await.unwrap();
    assert_eq!(again.origin, Origin::Cache);
    assert_eq!(again.file.data, first.file.data);
    assert_eq!(bench.source.lookups(), 1);
}

#[tokio::test]
async fn a_profile_counts_as_no_render() {
    let bench = Bench::new();
    bench.profile("Notch").await.unwrap();
    assert_eq!(bench.java_count().await, 0);
}

#[tokio::test]
async fn a_cape_is_found_by_the_profile() {
    let bench = Bench::new();
    let cape = bench.cape("Notch").await.unwrap();
    assert_eq!(cape.file.data, fixtures::cape());
    assert_eq!(cape.file.content_type, "image/png");
}

#[tokio::test]
async fn a_cape_and_its_player_are_remembered() {
    let bench = Bench::new();
    let cape = bench.cape("Notch").await.unwrap();
    let again = bench.cape("Notch").await.unwrap();
    assert_eq!(again.file.data, cape.file.data);
    bench.profile("Notch").await.unwrap();
    // One look-up for the player and one for the file.
    assert_eq!(bench.source.lookups(), 2);
}

#[tokio::test]
async fn the_cape_of_a_player_without_one_is_not_found() {
    let bench = Bench::new();
    for _ in 0..2 {
        let none = bench.cape("Capeless").await.unwrap_err();
        assert_eq!(none.fault(), Fault::NotFound);
    }
    assert_eq!(bench.source.lookups(), 1);
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
        let served = bench.served(by_hash(face(), model)).await;
        assert_eq!(served.origin, expected, "{model:?}");
        assert_eq!(served.shelf_life, ShelfLife::Day);
    }
    assert_eq!(bench.java_count().await, 0, "a texture has no edition");

    let raw = bench.served(by_hash(PictureParams::SKIN, Model::Slim));
    assert_eq!(raw.await.file.data, texture());
}

#[tokio::test]
async fn views_can_be_svg() {
    let bench = Bench::new();
    for view in [View::Bust, View::IsometricHead] {
        let spec = PictureSpec::new(view, Size::px(16));
        let request =
            PictureParams::beyond_specification(spec, ImageFormat::Svg).of_player("Notch");
        let drawn = bench.served(request.clone()).await;
        let mut svg = String::new();
        let mut gzip = GzDecoder::new(&*drawn.file.data);
        gzip.read_to_string(&mut svg).unwrap();
        assert!(drawn.is_gzip() && svg.starts_with("<svg "));
        assert_eq!(drawn.file.content_type, "image/svg+xml");
        let restarted = bench.restarted().await;
        let kept = restarted.served(request).await;
        assert_eq!(kept.origin, Origin::Cache);
        assert_eq!(kept.file.content_type, "image/svg+xml");
        assert!(kept.is_gzip());
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
