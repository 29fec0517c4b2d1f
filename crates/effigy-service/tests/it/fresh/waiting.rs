//! The time for which an answer waits for a check.

use std::time::{Duration, Instant};

use effigy_render::{ImageFormat, PictureSpec, Size, View};
use effigy_service::{FileRequest, Origin, PictureParams, ServedFile, ShelfLife};

use tokio::time::timeout;

use crate::support::{Answer, Bench, Call, HOUR, MINUTE, NOTCH, SKIN, face, until};

/// The longest wait for an upstream that hangs.
const PATIENCE: Duration = Duration::from_secs(2);

/// A service that knows a player, who has changed the skin since.
async fn bench_after(age: Duration) -> Bench {
    let bench = Bench::new();
    bench.served(face(8, "Notch")).await;
    bench.source.wear("Notch", "knight");
    bench.clock.advance(age);
    bench
}

/// The picture, and the time that it took.
async fn timed(bench: &Bench, size: u32) -> (ServedFile, Duration) {
    let begun = Instant::now();
    let served = bench.served(face(size, "Notch")).await;
    (served, begun.elapsed())
}

fn figure(input: &str) -> FileRequest {
    let spec = PictureSpec::new(View::Figure, Size::px(32));
    PictureParams::beyond_specification(spec, ImageFormat::Png).of_player(input)
}

/// Checks that an answer took as long as its wait. A processor that is busy with something else may
/// add a while.
#[track_caller]
fn assert_about(took: Duration, millis: u64) {
    let expected = Duration::from_millis(millis);
    assert!(took >= expected, "{took:?}");
    assert!(took < expected + Duration::from_secs(4), "{took:?}");
}

#[tokio::test]
async fn up_to_an_hour_an_answer_waits_300_ms() {
    let bench = bench_after(HOUR - Duration::from_millis(1)).await;
    bench.source.hold();
    let (served, took) = timed(&bench, 8).await;
    bench.source.release();
    assert_about(took, 300);
    assert_eq!(served.origin, Origin::Cache);
    assert_eq!(served.shelf_life, ShelfLife::Unchecked);
}

#[tokio::test]
async fn after_an_hour_an_answer_waits_2_s_and_is_stale() {
    let bench = bench_after(HOUR).await;
    bench.source.hold();
    let (served, took) = timed(&bench, 8).await;
    bench.source.release();
    assert_about(took, 2_000);
    assert_eq!(served.origin, Origin::Stale);
    assert_eq!(served.shelf_life, ShelfLife::Short);
}

/// The check of a player has taken the time that a hanging upstream may cost, so nothing waits for
/// the cape, which only the figure shows.
#[tokio::test]
async fn a_hanging_upstream_costs_2_s_with_an_unknown_cape() {
    let bench = bench_after(HOUR).await;
    bench.source.hold();
    let begun = Instant::now();
    let answer = timeout(5 * PATIENCE, bench.served(figure("Notch"))).await;
    let took = begun.elapsed();
    bench.source.release();
    let served = answer.expect("the cape is not waited for");
    assert_about(took, 2_000);
    assert_eq!(served.origin, Origin::Stale);
    assert_eq!(served.shelf_life, ShelfLife::Revalidate);
}

#[tokio::test]
async fn a_check_that_is_in_time_is_the_answer() {
    for age in [MINUTE, HOUR] {
        let bench = bench_after(age).await;
        let served = bench.served(face(8, "Notch")).await;
        assert_eq!(served.origin, Origin::Render);
        assert_eq!(served.shelf_life, ShelfLife::Usual);
    }
}

#[tokio::test]
async fn a_check_goes_on_when_nobody_waits() {
    let bench = bench_after(MINUTE).await;
    bench.source.hold();
    assert_eq!(bench.seen("Notch").await, SKIN);
    bench.source.release();
    bench.until_idle().await;
    assert_eq!(bench.seen("Notch").await, "knight");
    assert_eq!(bench.source.calls_of(Call::Renewal), 1);
}

#[tokio::test]
async fn one_check_is_for_all_who_ask() {
    let bench = bench_after(MINUTE).await;
    bench.source.hold();
    let mut waiting = Vec::new();
    for size in 8..13 {
        for input in ["Notch", "NOTCH", NOTCH] {
            waiting.push(bench.spawn(face(size, input)));
        }
    }
    until(|| bench.source.calls_of(Call::Renewal) == 1).await;
    for request in waiting {
        assert!(request.await.unwrap().is_ok());
    }
    bench.source.release();
    bench.until_idle().await;
    assert_eq!(bench.source.calls_of(Call::Renewal), 1);
}

#[tokio::test]
async fn a_check_that_fails_ends_the_wait_at_once() {
    let rows = [
        (MINUTE, Origin::Cache, ShelfLife::Usual),
        (HOUR, Origin::Stale, ShelfLife::Short),
    ];
    for answer in [
        Answer::Down,
        Answer::Limited,
        Answer::TooMany,
        Answer::Uncertain,
        Answer::Panic,
    ] {
        for (age, origin, shelf_life) in rows {
            let bench = bench_after(age).await;
            bench.source.answer(answer);
            let (served, took) = timed(&bench, 8).await;
            assert!(took < PATIENCE, "{answer:?} {took:?}");
            let found = (served.origin, served.shelf_life);
            assert_eq!(found, (origin, shelf_life), "{answer:?} {age:?}");
        }
    }
}

/// The whole check is in time, or nothing of it.
#[tokio::test]
async fn without_its_new_texture_a_check_fails() {
    let bench = bench_after(MINUTE).await;
    bench.source.answer(Answer::NoTexture { is_default: false });
    assert_eq!(bench.seen("Notch").await, SKIN);
    bench.source.answer(Answer::Own);
    assert_eq!(bench.seen("Notch").await, "knight");
}

#[tokio::test]
async fn a_broken_texture_does_not_replace_a_skin() {
    let bench = bench_after(MINUTE).await;
    bench.source.answer(Answer::Broken { is_default: false });
    assert_eq!(bench.seen("Notch").await, SKIN);
    bench.source.answer(Answer::Own);
    assert_eq!(bench.seen("Notch").await, "knight");
}
