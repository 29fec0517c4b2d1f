//! Players in a folder of skins, whose files may change at any time.

use effigy_render::Layers;
use effigy_service::{FileRequest, FileSpec, Origin, ShelfLife};

use crate::support::{Answer, Bench, SKIN, face, group, specified};

fn head(input: &str) -> FileRequest {
    specified::head(Some(8), Layers::WithOverlay).of_player(input)
}

#[tokio::test]
async fn a_file_shows_at_once() {
    for request in [face(8, "Notch"), head("Notch")] {
        let bench = Bench::new();
        assert_eq!(bench.seen_on(request.clone()).await, SKIN);
        for skin in ["knight", "wizard"] {
            bench.source.put_into_folder(&[("Notch", skin)]);
            assert_eq!(bench.seen_on(request.clone()).await, skin);
        }
        assert_eq!(bench.source.lookups(), 1);
    }
}

#[tokio::test]
async fn a_file_that_leaves_shows_no_more_at_once() {
    for request in [face(8, "Notch"), head("Notch")] {
        let bench = Bench::new();
        bench.source.put_into_folder(&[("Notch", "knight")]);
        assert_eq!(bench.seen_on(request.clone()).await, "knight");
        bench.source.put_into_folder(&[]);
        assert_eq!(bench.seen_on(request.clone()).await, SKIN);
    }
}

#[tokio::test]
async fn a_file_shows_in_groups() {
    let bench = Bench::new();
    let request = || FileSpec::Group(group(&["Npc", "Notch"])).into();
    let before = bench.served(request()).await;
    bench.source.put_into_folder(&[("Npc", "knight")]);
    let after = bench.served(request()).await;
    assert_ne!(before.file.data, after.file.data);
    assert_eq!(after.shelf_life, ShelfLife::Revalidate);
}

#[tokio::test]
async fn a_picture_of_a_file_is_kept_and_never_cached_by_clients() {
    let bench = Bench::new();
    bench.source.put_into_folder(&[("Npc", "knight")]);
    for expected in [Origin::Render, Origin::Cache] {
        let served = bench.served(face(8, "Npc")).await;
        assert_eq!(served.origin, expected);
        assert_eq!(served.shelf_life, ShelfLife::Revalidate);
    }
}

#[tokio::test]
async fn a_player_of_the_folder_is_not_stored() {
    let bench = Bench::new();
    bench.source.put_into_folder(&[("Npc", "knight")]);
    bench.served(face(8, "Npc")).await;
    bench.served(head("Npc")).await;
    bench.service.flush().await;
    assert_eq!(bench.store.players(), []);
}

#[tokio::test]
async fn an_earlier_provider_that_knows_the_player_decides() {
    let bench = Bench::new();
    bench.source.state().earlier = vec!["fake".into()];
    bench.source.put_into_folder(&[("Notch", "knight")]);
    assert_eq!(bench.seen("Notch").await, SKIN);
}

#[tokio::test]
async fn the_folder_answers_if_earlier_providers_do_not() {
    for answer in [Answer::Missing, Answer::Down] {
        let bench = Bench::new();
        bench.source.state().earlier = vec!["fake".into()];
        bench.source.put_into_folder(&[("Notch", "knight")]);
        bench.source.answer(answer);
        assert_eq!(bench.seen("Notch").await, "knight", "{answer:?}");
    }
}
