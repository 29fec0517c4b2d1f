//! Files of players whose skins are at hand and may change at any time.

use crate::support::{Bench, group, specified, until};
use effigy_player::Model;
use effigy_render::Layers;
use effigy_service::{FileRequest, FileSpec, Origin};
use effigy_upstream::TextureHash;

const SIZE: Option<u32> = Some(16);

fn head(input: &str) -> FileRequest {
    specified::head(SIZE, Layers::Base).of_player(input)
}

#[tokio::test]
async fn a_changed_skin_makes_another_picture_at_once() {
    let bench = Bench::new();
    for request in [head, |input: &str| head(input).reusing_players()] {
        bench.source.revise(Some(1), "knight");
        let first = bench.image(request("Npc")).await;
        assert_eq!(bench.image(request("Npc")).await.origin, Origin::Cache);
        bench.source.revise(Some(2), "robot");
        assert!(bench.service.cached(&request("Npc")).is_err());
        let second = bench.image(request("Npc")).await;
        assert_eq!(second.origin, Origin::Render);
        assert_ne!(second.fingerprint, first.fingerprint);
        // The pictures of the first skin are still there, for as long as every other one.
        bench.source.revise(Some(1), "knight");
        let again = bench.service.cached(&request("Npc")).unwrap();
        assert_eq!(again.fingerprint, first.fingerprint);
        // Without a revision the picture is another one.
        bench.source.revise(None, "fox");
        let other = bench.image(request("Npc")).await;
        assert_eq!(other.origin, Origin::Render);
        for image in [first, second, again] {
            assert!(image.may_change);
        }
        assert!(!other.may_change);
        bench.clock.advance(effigy_store::LIFETIME);
    }
}

#[tokio::test]
async fn a_picture_from_the_store_may_change_too() {
    let bench = Bench::with_config(|config| config.memory_cache_bytes = 0);
    bench.source.revise(Some(1), "knight");
    bench.image(head("Npc")).await;
    bench.service.flush().await;
    let found = bench.image(head("Npc")).await;
    assert_eq!((found.origin, found.may_change), (Origin::Cache, true));
}

#[tokio::test]
async fn profiles_capes_and_groups_follow_the_skins_of_their_players() {
    let bench = Bench::new();
    let (pair, mut places) = (group(&["Notch", "Npc"]), group(&["Npc", "Notch"]));
    places.is_places = true;
    let origins = async || {
        let images = [
            bench.profile("Npc").await.unwrap(),
            bench.cape("Npc").await.unwrap(),
            bench.image(FileSpec::Group(pair.clone()).into()).await,
            bench.image(FileSpec::Group(places.clone()).into()).await,
        ];
        images.map(|image| (image.origin, image.may_change))
    };
    bench.source.revise(Some(1), "knight");
    assert_eq!(origins().await, [(Origin::Render, true); 4]);
    assert_eq!(origins().await, [(Origin::Cache, true); 4]);
    bench.source.revise(Some(2), "robot");
    assert_eq!(origins().await, [(Origin::Render, true); 4]);
    bench.source.revise(Some(1), "knight");
    assert_eq!(origins().await, [(Origin::Cache, true); 4]);
    // Other players and textures have none.
    let texture = TextureHash::parse(&"ab".repeat(32)).unwrap();
    let texture = specified::head(SIZE, Layers::Base).of_texture(texture, Model::Slim);
    let others = FileSpec::Group(group(&["Notch", "Steve"])).into();
    for request in [&texture, &others] {
        assert!(!bench.image(request.clone()).await.may_change);
        bench.source.revise(Some(3), "robot");
        assert!(bench.service.cached(request).is_ok());
    }
}

#[tokio::test]
async fn a_skin_that_changes_while_it_is_looked_up_is_not_stored() {
    let bench = Bench::new();
    bench.source.hold();
    let request = || head("Npc").reusing_players();
    let drawn = bench.spawn(request());
    until(|| bench.source.lookups() == 1).await;
    bench.source.revise(Some(1), "knight");
    bench.source.release();
    // It was asked for without a revision, and shows the first one.
    let drawn = drawn.await.unwrap().unwrap();
    bench.source.revise(None, "robot");
    let other = bench.image(request()).await;
    assert_eq!(other.origin, Origin::Render);
    assert_ne!(other.fingerprint, drawn.fingerprint);
    // Nor is one that was looked up without a revision taken for the player at hand.
    assert_eq!(bench.source.lookups(), 2);
}

#[tokio::test]
async fn look_ups_of_different_revisions_are_not_shared() {
    let bench = Bench::new();
    bench.source.hold();
    let first = bench.spawn(head("Npc"));
    until(|| bench.source.lookups() == 1).await;
    bench.source.revise(Some(1), "knight");
    let second = bench.spawn(head("Npc"));
    until(|| bench.source.lookups() == 2).await;
    bench.source.release();
    assert!(first.await.unwrap().is_ok() && second.await.unwrap().is_ok());
}
