//! Textures and pictures, which belong to nobody.

use effigy_player::Model;
use effigy_render::{ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::{FileRequest, FileSpec, Origin, PictureParams, ShelfLife};
use effigy_store::TextureId;
use effigy_upstream::TextureHash;

use crate::support::{
    Answer, Bench, Call, MINUTE, SKIN, drawn_face, face, group, specified, texture,
};

fn figure(input: &str) -> FileRequest {
    let spec = PictureSpec::new(View::Figure, Size::px(32));
    PictureParams::beyond_specification(spec, ImageFormat::Png).of_player(input)
}

#[tokio::test]
async fn a_texture_of_two_players_is_drawn_once() {
    let bench = Bench::new();
    assert_eq!(bench.origin(face(8, "Notch")).await, Origin::Render);
    assert_eq!(bench.origin(face(8, "jeb_")).await, Origin::Cache);
    assert_eq!(bench.metric("effigy_render_duration_seconds", "head"), 1);
    assert_eq!(bench.java_count().await, 1);
}

#[tokio::test]
async fn a_picture_is_in_the_store_for_other_players() {
    let bench = Bench::new();
    bench.served(face(8, "Notch")).await;
    let restarted = bench.restarted().await;
    assert_eq!(restarted.origin(face(8, "jeb_")).await, Origin::Cache);
}

#[tokio::test]
async fn a_name_that_changes_the_look_has_a_picture_of_its_own() {
    let bench = Bench::new();
    let plain = bench.served(figure("Notch")).await;
    let ears = bench.served(figure("deadmau5")).await;
    assert_eq!(ears.origin, Origin::Render);
    assert_ne!(ears.file.data, plain.file.data);
}

#[tokio::test]
async fn a_lost_texture_is_fetched_again() {
    let bench = Bench::new();
    bench.served(face(8, "Notch")).await;
    let restarted = bench.restarted().await;
    bench.store.lose_textures();
    assert_eq!(restarted.seen_on(face(9, "Notch")).await, SKIN);
    assert_eq!(bench.source.calls_of(Call::Skin), 2);
    assert_eq!(bench.source.calls_of(Call::Profile), 1);
}

/// The hash in the record is that of the first file.
#[tokio::test]
async fn a_lost_file_that_has_changed_gets_no_other_key() {
    let bench = Bench::new();
    bench.source.state().has_fixed_urls = true;
    bench.served(face(8, "Notch")).await;
    let restarted = bench.restarted().await;
    bench.store.lose_textures();
    bench.store.lose_pictures();
    bench.source.wear("Notch", "knight");
    let shown = restarted.served(face(8, "Notch")).await;
    assert_eq!(*shown.file.data, drawn_face("knight", 8));
    assert_eq!(shown.shelf_life, ShelfLife::Revalidate);
    assert_eq!(restarted.seen("jeb_").await, SKIN);
}

#[tokio::test]
async fn a_lost_cape_does_not_fail_the_picture() {
    let bench = Bench::new();
    let whole = bench.served(figure("Notch")).await;
    let restarted = bench.restarted().await;
    bench.store.lose_textures();
    bench.store.lose_pictures();
    bench.source.state().cape = Err(500);
    let bare = restarted.served(figure("Notch")).await;
    assert_eq!(bare.shelf_life, ShelfLife::Revalidate);
    assert_ne!(bare.file.data, whole.file.data);
    bench.source.state().cape = Ok(fixtures::cape());
    let again = restarted.served(figure("Notch")).await;
    assert_eq!(again.file.data, whole.file.data);
}

#[tokio::test]
async fn a_picture_without_its_cape_is_not_kept() {
    let bench = Bench::new();
    bench.source.state().cape = Err(500);
    let bare = bench.served(figure("Notch")).await;
    assert_eq!(bare.shelf_life, ShelfLife::Revalidate);
    bench.service.flush().await;
    assert_eq!(bench.store.pictures(), 0);
    bench.source.state().cape = Ok(fixtures::cape());
    let whole = bench.served(figure("Notch")).await;
    assert_eq!(whole.origin, Origin::Render);
    assert_ne!(whole.file.data, bare.file.data);
}

#[tokio::test]
async fn a_group_that_lacks_somebody_in_an_outage_is_not_kept() {
    let bench = Bench::new();
    bench.served(face(8, "Notch")).await;
    bench.source.answer(Answer::Down);
    let request = || FileSpec::Group(group(&["Notch", "jeb_"])).into();
    let gap = bench.served(request()).await;
    assert_eq!(gap.shelf_life, ShelfLife::Revalidate);
    bench.source.answer(Answer::Own);
    let whole = bench.served(request()).await;
    assert_eq!(whole.origin, Origin::Render);
    assert_ne!(whole.file.data, gap.file.data);
}

#[tokio::test]
async fn a_broken_texture_is_fetched_again() {
    let bench = Bench::new();
    bench.source.answer(Answer::Broken { is_default: false });
    assert!(
        bench
            .get(face(8, "Notch"))
            .await
            .unwrap_err()
            .has_bad_texture()
    );
    bench.source.answer(Answer::Own);
    assert_eq!(bench.seen("Notch").await, SKIN);
}

/// The second hash is the SHA-256 of the file, and the first one is not.
#[tokio::test]
async fn pictures_of_hashes_are_served_from_memory() {
    let own_hash = TextureId::of(texture()).to_string();
    for hash in ["ab".repeat(32), own_hash] {
        let bench = Bench::new();
        let hash = TextureHash::parse(&hash).unwrap();
        let spec = PictureSpec::new(View::Face, Size::px(8));
        let params = PictureParams::beyond_specification(spec, ImageFormat::Png);
        let request = params.of_texture(hash.clone(), Model::Classic);
        assert!(bench.service.cached(&request).is_none(), "{hash:?}");
        let served = bench.served(request.clone()).await;
        let cached = bench.service.cached(&request).unwrap();
        assert!(cached.file.data == served.file.data, "{hash:?}");
    }
}

/// The file is remembered before it turns out to be no skin.
#[tokio::test]
async fn a_file_that_is_no_skin_is_not_served_by_its_hash() {
    let bench = Bench::new();
    bench.source.answer(Answer::Broken { is_default: false });
    let hash = TextureId::of(b"broken").to_string();
    let hash = TextureHash::parse(&hash).unwrap();
    let request = PictureParams::OWN_SKIN.of_texture(hash, None);
    for _ in 0..2 {
        let broken = bench.get(request.clone()).await.unwrap_err();
        assert!(broken.has_bad_texture());
    }
}

#[tokio::test]
async fn a_broken_texture_of_a_hash_is_fetched_again() {
    let bench = Bench::new();
    let hash = TextureHash::parse(&"ab".repeat(32)).unwrap();
    let spec = PictureSpec::new(View::Face, Size::px(8));
    let params = PictureParams::beyond_specification(spec, ImageFormat::Png);
    let request = params.of_texture(hash, Model::Classic);
    bench.source.answer(Answer::Broken { is_default: false });
    let broken = bench.get(request.clone()).await.unwrap_err();
    assert!(broken.has_bad_texture());
    bench.source.answer(Answer::Own);
    assert_eq!(bench.seen_on(request).await, SKIN);
}

#[tokio::test]
async fn a_specified_look_up_without_its_texture_replaces_nothing() {
    let bench = Bench::new();
    bench.source.state().has_fixed_urls = true;
    bench.served(face(8, "Notch")).await;
    bench.clock.advance(MINUTE / 60);
    bench.source.answer(Answer::NoTexture { is_default: false });
    let head = specified::head(Some(9), Layers::WithOverlay).of_player("Notch");
    assert!(bench.get(head).await.unwrap_err().is_outage());
    assert_eq!(bench.seen_on(face(10, "Notch")).await, SKIN);
}

#[tokio::test]
async fn a_texture_is_fetched_once_for_all_pictures() {
    let bench = Bench::new();
    for size in 8..12 {
        bench.served(face(size, "Notch")).await;
        bench.clock.advance(MINUTE);
    }
    assert_eq!(bench.source.calls_of(Call::Skin), 1);
}
