//! Versions (`v=`), which ask for a check.

use std::time::{Duration, Instant};

use effigy_service::{FileRequest, Origin, ShelfLife};

use crate::support::{Answer, Bench, Call, HOUR, MINUTE, SKIN, face, until};

fn version(version: u64) -> FileRequest {
    face(8, "Notch").with_version(Some(version))
}

/// A service that knows a player and these versions. The player has changed the skin since.
async fn bench_with(versions: &[u64]) -> Bench {
    let bench = Bench::new();
    for known in versions {
        bench.served(version(*known)).await;
    }
    bench.source.wear("Notch", "knight");
    bench
}

fn checks(bench: &Bench) -> usize {
    bench.source.calls_of(Call::Renewal)
}

#[tokio::test]
async fn a_new_version_asks_for_a_check() {
    let bench = bench_with(&[1]).await;
    assert_eq!(bench.seen_on(version(2)).await, "knight");
    assert_eq!(checks(&bench), 1);
}

#[tokio::test]
async fn a_known_version_asks_for_no_check() {
    let bench = bench_with(&[1]).await;
    assert_eq!(bench.seen_on(version(1)).await, SKIN);
    assert_eq!(checks(&bench), 0);
}

#[tokio::test]
async fn a_look_up_of_an_unknown_player_remembers_its_version() {
    let bench = bench_with(&[1]).await;
    assert_eq!(bench.seen_on(version(1)).await, SKIN);
    assert_eq!(bench.seen_on(version(2)).await, "knight");
}

#[tokio::test]
async fn a_check_remembers_its_version() {
    let bench = bench_with(&[1, 2]).await;
    let before = checks(&bench);
    assert_eq!(bench.seen_on(version(2)).await, SKIN);
    assert_eq!(checks(&bench), before);
}

#[tokio::test]
async fn the_last_four_versions_are_known() {
    let bench = bench_with(&[1, 2, 3, 4, 5]).await;
    let before = checks(&bench);
    for known in 2..=5 {
        assert_eq!(bench.seen_on(version(known)).await, SKIN, "{known}");
    }
    assert_eq!(checks(&bench), before);
    assert_eq!(bench.seen_on(version(1)).await, "knight");
}

#[tokio::test]
async fn versions_are_known_after_a_restart() {
    let bench = bench_with(&[1, 2]).await;
    let restarted = bench.restarted().await;
    let before = checks(&bench);
    for known in [1, 2] {
        assert_eq!(restarted.seen_on(version(known)).await, SKIN, "{known}");
    }
    assert_eq!(checks(&bench), before);
    assert_eq!(restarted.seen_on(version(3)).await, "knight");
}

#[tokio::test]
async fn a_record_without_versions_takes_the_first_as_known() {
    let bench = bench_with(&[]).await;
    bench.source.wear("Notch", SKIN);
    bench.served(face(8, "Notch")).await;
    bench.source.wear("Notch", "knight");
    assert_eq!(bench.seen_on(version(1)).await, SKIN);
    assert_eq!(checks(&bench), 0);
    assert_eq!(bench.seen_on(version(2)).await, "knight");
}

#[tokio::test]
async fn a_version_that_is_taken_as_known_is_stored() {
    let bench = Bench::new();
    bench.served(face(8, "Notch")).await;
    bench.served(version(1)).await;
    let restarted = bench.restarted().await;
    bench.source.wear("Notch", "knight");
    assert_eq!(restarted.seen_on(version(2)).await, "knight");
}

#[tokio::test]
async fn a_version_is_new_until_a_check_has_succeeded() {
    let bench = bench_with(&[1]).await;
    bench.source.answer(Answer::Down);
    for _ in 0..2 {
        let served = bench.served(version(2)).await;
        assert_eq!(served.shelf_life, ShelfLife::Usual);
    }
    assert_eq!(checks(&bench), 2);
    bench.source.answer(Answer::Own);
    assert_eq!(bench.seen_on(version(2)).await, "knight");
}

#[tokio::test]
async fn within_the_interval_a_new_version_waits_for_its_check() {
    let bench = bench_with(&[1]).await;
    bench.source.state().interval = MINUTE;
    bench.clock.advance(Duration::from_secs(10));
    let early = bench.served(version(2)).await;
    assert_eq!(early.shelf_life, ShelfLife::Usual);
    assert_eq!(checks(&bench), 0);
    // Another one keeps the record young for requests without a version.
    bench.clock.advance(Duration::from_secs(50));
    assert_eq!(bench.seen_on(version(2)).await, "knight");
    assert_eq!(checks(&bench), 1);
}

#[tokio::test]
async fn a_version_needs_a_check_that_began_after_it_arrived() {
    let bench = bench_with(&[1]).await;
    bench.source.hold();
    let first = bench.spawn(version(2));
    until(|| checks(&bench) == 1).await;
    let second = bench.spawn(version(3));
    tokio::time::sleep(Duration::from_millis(50)).await;
    bench.source.release();
    assert!(first.await.unwrap().is_ok() && second.await.unwrap().is_ok());
    assert_eq!(checks(&bench), 1);
    bench.served(version(2)).await;
    assert_eq!(checks(&bench), 1);
    bench.served(version(3)).await;
    assert_eq!(checks(&bench), 2);
}

#[tokio::test]
async fn a_new_version_waits_2_s_and_is_not_cached_then() {
    let bench = bench_with(&[1]).await;
    bench.source.hold();
    let begun = Instant::now();
    let served = bench.served(version(2)).await;
    let took = begun.elapsed();
    bench.source.release();
    assert!(took >= Duration::from_secs(2), "{took:?}");
    assert_eq!(served.shelf_life, ShelfLife::Revalidate);
}

/// The new version counts for more than the age of the record.
#[tokio::test]
async fn a_new_version_of_a_stale_record_is_not_cached() {
    let bench = bench_with(&[1]).await;
    bench.clock.advance(HOUR);
    bench.source.hold();
    let served = bench.served(version(2)).await;
    bench.source.release();
    assert_eq!(served.origin, Origin::Stale);
    assert_eq!(served.shelf_life, ShelfLife::Revalidate);
}

#[tokio::test]
async fn a_specified_look_up_keeps_the_versions_of_the_store() {
    let bench = bench_with(&[1]).await;
    let restarted = bench.restarted().await;
    let head = crate::support::specified::head(None, effigy_render::Layers::WithOverlay);
    restarted.served(head.of_player("Notch")).await;
    bench.source.wear("Notch", "wizard");
    assert_eq!(restarted.seen_on(version(2)).await, "wizard");
}
