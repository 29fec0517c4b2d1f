//! Outages of the upstreams.

use std::time::Duration;

use effigy_render::{ImageFormat, PictureSpec, Size, View};
use effigy_service::{FileRequest, FileSpec, Origin, PictureParams, ShelfLife};

use crate::support::{Answer, Bench, HOUR, MINUTE, NOTCH, SKIN, face, group};

const DAY: Duration = Duration::from_secs(24 * 3600);

const SECOND: Duration = Duration::from_secs(1);

fn figure(input: &str) -> FileRequest {
    let spec = PictureSpec::new(View::Figure, Size::px(32));
    PictureParams::beyond_specification(spec, ImageFormat::Png).of_player(input)
}

/// Files of a player of which only a face was asked for.
fn files() -> Vec<FileRequest> {
    vec![
        face(8, "Notch"),
        face(63, "Notch"),
        face(63, NOTCH),
        PictureParams::OWN_SKIN.of_player("nOTCH"),
        FileSpec::Profile("Notch".to_owned()).into(),
        FileSpec::Group(group(&["Notch"])).into(),
    ]
}

async fn bench_down_after(age: Duration) -> Bench {
    let bench = Bench::new();
    bench.served(face(8, "Notch")).await;
    bench.clock.advance(age);
    bench.source.answer(Answer::Down);
    bench
}

#[tokio::test]
async fn in_an_outage_the_known_look_shows_for_a_day() {
    for request in files() {
        let bench = bench_down_after(DAY - SECOND).await;
        let served = bench.served(request.clone()).await;
        let found = (served.origin, served.shelf_life);
        assert_eq!(found, (Origin::Stale, ShelfLife::Short), "{request:?}");
        bench.clock.advance(SECOND);
        let failed = bench.get(request.clone()).await;
        assert!(failed.unwrap_err().is_outage(), "{request:?}");
    }
}

#[tokio::test]
async fn in_an_outage_the_known_look_is_not_stale_for_an_hour() {
    for request in files() {
        let bench = bench_down_after(HOUR - SECOND).await;
        let served = bench.served(request.clone()).await;
        assert_ne!(served.origin, Origin::Stale, "{request:?}");
        assert_eq!(served.shelf_life, ShelfLife::Usual, "{request:?}");
    }
}

#[tokio::test]
async fn the_setting_bounds_the_age_of_what_shows() {
    let rows = [
        (Duration::ZERO, HOUR - SECOND, true),
        (Duration::ZERO, HOUR, false),
        (HOUR * 2, HOUR * 2 - SECOND, true),
        (HOUR * 2, HOUR * 2, false),
        (Duration::MAX, DAY * 400, true),
    ];
    for (stale_if_error, age, expected) in rows {
        let bench = Bench::with_config(|config| config.stale_if_error = stale_if_error);
        bench.served(face(8, "Notch")).await;
        bench.clock.advance(age);
        bench.source.answer(Answer::Down);
        let shown = bench.get(face(9, "Notch")).await;
        assert_eq!(shown.is_ok(), expected, "{stale_if_error:?} {age:?}");
    }
}

#[tokio::test]
async fn stale_pictures_end_with_the_outage() {
    let bench = bench_down_after(HOUR * 2).await;
    assert_eq!(bench.origin(face(8, "Notch")).await, Origin::Stale);
    bench.source.answer(Answer::Own);
    let served = bench.served(face(8, "Notch")).await;
    assert_eq!(
        (served.origin, served.shelf_life),
        (Origin::Cache, ShelfLife::Usual)
    );
}

#[tokio::test]
async fn a_group_is_stale_if_one_of_its_members_is() {
    let bench = bench_down_after(HOUR * 2).await;
    bench.source.answer(Answer::Own);
    bench.served(face(8, "jeb_")).await;
    bench.source.answer(Answer::Down);
    let young = bench.served(FileSpec::Group(group(&["jeb_"])).into()).await;
    assert_eq!(young.origin, Origin::Render);
    let both = bench.served(FileSpec::Group(group(&["jeb_", "Notch"])).into());
    let both = both.await;
    assert_eq!(
        (both.origin, both.shelf_life),
        (Origin::Stale, ShelfLife::Short)
    );
}

#[tokio::test]
async fn after_a_restart_in_an_outage_the_right_face_shows() {
    let bench = Bench::new();
    bench.source.wear("Notch", "knight");
    bench.served(face(8, "Notch")).await;
    bench.clock.advance(HOUR * 2);
    bench.source.answer(Answer::Down);
    let restarted = bench.restarted().await;
    for (size, input) in [(63, NOTCH), (64, "nOTCH"), (8, "Notch")] {
        let seen = restarted.seen_on(face(size, input)).await;
        assert_eq!(seen, "knight", "{size} {input}");
    }
}

#[tokio::test]
async fn after_a_restart_in_an_outage_every_view_shows() {
    let bench = Bench::new();
    bench.cape("Notch").await.unwrap();
    let expected = bench.served(figure("Notch")).await;
    bench.source.answer(Answer::Down);
    let restarted = bench.restarted().await;
    restarted.store.lose_pictures();
    let shown = restarted.served(figure(NOTCH)).await;
    assert_eq!(shown.origin, Origin::Render);
    assert_eq!(shown.file.data, expected.file.data);
    for request in files() {
        assert!(restarted.get(request.clone()).await.is_ok(), "{request:?}");
    }
}

#[tokio::test]
async fn after_a_restart_a_young_record_makes_no_call() {
    let bench = Bench::new();
    bench.served(face(8, "Notch")).await;
    let restarted = bench.restarted().await;
    for input in ["Notch", NOTCH] {
        assert_eq!(restarted.seen(input).await, SKIN);
    }
    assert_eq!(bench.source.lookups(), 1);
}

#[tokio::test]
async fn a_gamertag_is_known_after_a_restart() {
    let bench = Bench::new();
    bench.served(face(8, ".Two Words")).await;
    bench.source.answer(Answer::Down);
    bench.clock.advance(MINUTE);
    let restarted = bench.restarted().await;
    assert_eq!(restarted.seen(".two words").await, SKIN);
}
