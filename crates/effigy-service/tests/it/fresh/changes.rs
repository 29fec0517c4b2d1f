//! Changes of what a player wears.

use effigy_render::{ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::{FileRequest, FileSpec, Origin, PictureParams};

use crate::support::{Bench, Call, MINUTE, NOTCH, SKIN, face, group, specified, texture_url};

/// Shows a file, changes the skin, and compares the first answer after that with the one of a
/// service that knows only the new skin.
async fn assert_follows(request: FileRequest) {
    let bench = Bench::new();
    let before = bench.served(request.clone()).await;
    bench.source.wear("Notch", "knight");
    bench.clock.advance(MINUTE);
    let after = bench.served(request.clone()).await;
    let expected = Bench::new();
    expected.source.wear("Notch", "knight");
    let expected = expected.served(request.clone()).await;
    assert_ne!(before.file.data, after.file.data, "{request:?}");
    assert_eq!(after.file.data, expected.file.data, "{request:?}");
}

#[tokio::test]
async fn changed_skin_shows_in_every_size_and_spelling() {
    let hyphenated = "069a79f4-44e9-4726-a5be-fca90e38aaf5";
    for input in ["Notch", "nOTCH", NOTCH, hyphenated] {
        for size in [8, 63, 128] {
            assert_follows(face(size, input)).await;
        }
    }
}

/// The picture that was never asked for before the change, and those that were.
#[tokio::test]
async fn all_pictures_of_a_player_change_together() {
    let bench = Bench::new();
    for (size, input) in [(8, "Notch"), (9, NOTCH)] {
        bench.served(face(size, input)).await;
    }
    bench.source.wear("Notch", "knight");
    bench.clock.advance(MINUTE);
    for (size, input) in [(8, "Notch"), (8, NOTCH), (9, "notch"), (10, "Notch")] {
        let seen = bench.seen_on(face(size, input)).await;
        assert_eq!(seen, "knight", "{size} {input}");
    }
    assert_eq!(bench.source.calls_of(Call::Renewal), 1);
}

#[tokio::test]
async fn changed_skin_shows_in_every_view() {
    for view in View::ALL {
        let spec = PictureSpec::new(*view, Size::px(24));
        let params = PictureParams::beyond_specification(spec, ImageFormat::Png);
        assert_follows(params.of_player("Notch")).await;
    }
}

#[tokio::test]
async fn changed_skin_shows_in_svgs_and_raw_skins() {
    let spec = PictureSpec::new(View::Bust, Size::px(24));
    let svg = PictureParams::beyond_specification(spec, ImageFormat::Svg);
    assert_follows(svg.of_player("Notch")).await;
    assert_follows(PictureParams::OWN_SKIN.of_player("Notch")).await;
}

#[tokio::test]
async fn changed_skin_shows_in_groups() {
    assert_follows(FileSpec::Group(group(&["jeb_", "Notch"])).into()).await;
    assert_follows(FileSpec::Group(group(&[NOTCH])).into()).await;
}

#[tokio::test]
async fn changed_skin_shows_in_the_profile() {
    let bench = Bench::new();
    let url = async || {
        let profile = bench.profile("Notch").await.unwrap();
        let document: serde_json::Value = serde_json::from_slice(&profile.file.data).unwrap();
        document["texture_url"].as_str().unwrap().to_owned()
    };
    assert_eq!(url().await, texture_url(SKIN));
    bench.source.wear("Notch", "knight");
    bench.clock.advance(MINUTE);
    assert_eq!(url().await, texture_url("knight"));
}

#[tokio::test]
async fn a_young_record_makes_no_call() {
    let bench = Bench::new();
    bench.served(face(8, "Notch")).await;
    bench.source.wear("Notch", "knight");
    bench
        .clock
        .advance(MINUTE - std::time::Duration::from_millis(1));
    assert_eq!(bench.seen("Notch").await, SKIN);
    assert_eq!(bench.seen(NOTCH).await, SKIN);
    assert_eq!(bench.source.lookups(), 1);
}

#[tokio::test]
async fn an_unchanged_player_is_a_hit_after_the_check() {
    let bench = Bench::new();
    bench.served(face(8, "Notch")).await;
    bench.clock.advance(MINUTE);
    assert_eq!(bench.origin(face(8, "Notch")).await, Origin::Cache);
    assert_eq!(bench.source.calls_of(Call::Renewal), 1);
    assert_eq!(bench.source.calls_of(Call::Skin), 1);
}

/// After skins A, B and A, the picture of A is still there.
#[tokio::test]
async fn a_skin_that_returns_is_not_drawn_again() {
    let bench = Bench::new();
    for (skin, expected) in [
        (SKIN, Origin::Render),
        ("knight", Origin::Render),
        (SKIN, Origin::Cache),
    ] {
        bench.source.wear("Notch", skin);
        bench.clock.advance(MINUTE);
        assert_eq!(bench.origin(face(8, "Notch")).await, expected, "{skin}");
    }
}

#[tokio::test]
async fn a_changed_file_at_a_fixed_url_shows() {
    let bench = Bench::new();
    bench.source.state().has_fixed_urls = true;
    assert_eq!(bench.seen("Notch").await, SKIN);
    bench.source.wear("Notch", "knight");
    bench.clock.advance(MINUTE);
    assert_eq!(bench.seen("Notch").await, "knight");
}

#[tokio::test]
async fn an_unchanged_file_at_a_fixed_url_is_not_sent_again() {
    let bench = Bench::new();
    bench.source.state().has_fixed_urls = true;
    bench.served(face(8, "Notch")).await;
    bench.clock.advance(MINUTE);
    assert_eq!(bench.origin(face(8, "Notch")).await, Origin::Cache);
    assert_eq!(bench.source.state().unchanged, 1);
}

#[tokio::test]
async fn a_changed_cape_at_a_fixed_url_shows() {
    let bench = Bench::new();
    bench.source.state().has_fixed_urls = true;
    let first = bench.cape("Notch").await.unwrap();
    let other = fixtures::skin("robot").png;
    bench.source.state().cape = Ok(other);
    bench.clock.advance(MINUTE);
    let second = bench.cape("Notch").await.unwrap();
    assert_eq!(first.file.data, fixtures::cape());
    assert_eq!(second.file.data, other);
}

/// The new skin is known although the cape is not.
#[tokio::test]
async fn a_cape_that_fails_does_not_hold_a_new_skin_back() {
    let bench = Bench::new();
    bench.source.state().has_fixed_urls = true;
    bench.cape("Notch").await.unwrap();
    bench.served(face(8, "Notch")).await;
    bench.source.wear("Notch", "knight");
    bench.source.state().cape = Err(500);
    bench.clock.advance(MINUTE);
    assert_eq!(bench.seen("Notch").await, "knight");
    let kept = bench.cape("Notch").await.unwrap();
    assert_eq!(kept.file.data, fixtures::cape());
}

#[tokio::test]
async fn the_answer_of_a_specified_route_renews_the_record() {
    let bench = Bench::new();
    bench.served(face(8, "Notch")).await;
    bench.source.wear("Notch", "knight");
    bench.clock.advance(MINUTE);
    let head = specified::head(Some(9), Layers::WithOverlay).of_player("Notch");
    assert_eq!(bench.seen_on(head).await, "knight");
    assert_eq!(bench.seen("Notch").await, "knight");
    assert_eq!(bench.source.lookups(), 2, "one for each service");
}

/// A look-up that is not a check.
#[tokio::test]
async fn a_specified_route_sees_a_changed_file_at_a_fixed_url() {
    let bench = Bench::new();
    bench.source.state().has_fixed_urls = true;
    for (size, skin) in [(8, SKIN), (9, "knight")] {
        bench.source.wear("Notch", skin);
        let head = specified::head(Some(size), Layers::WithOverlay).of_player("Notch");
        assert_eq!(bench.seen_on(head).await, skin);
    }
    assert_eq!(bench.seen("Notch").await, "knight");
}
